"""A short run of each benchmark, as people start it: it ends well, and prints every figure with its unit.

The values don't matter here. Benchmarks that need something that isn't installed (`make bench` does that) are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.scale.stores import Size, Stores
from bench.strength import KINDS
from engine.scenarios import SCENARIOS
from players.net import net
from tests.browser.timing import KINDS as KINDS_OF_STEPS
from tests.house import ROOT

pytestmark = pytest.mark.soak

BENCH, COMPILED = (ROOT / name / "bin" / "python" for name in (".venv-bench", ".venv-compiled"))
MISSING = "not measured"
ROW = re.compile(rf"(?P<what>\S.+?) {{2,}}(?:(?P<number>[\d.,]+) ?(?P<unit>\S.*?)|{MISSING}) {{2,}}")

Units = dict[str, str]
"""The units of a table, by what is measured."""

STRENGTH = dict.fromkeys((kind.what for kind in KINDS), "%")
CLICK = {"click to new board: median": "x", "click to new board: p99": "x", "click to new board: processor time": "ms"}
DISK = {"store: fsyncs an action": "fsyncs"}
REQUESTS = {"an action: at one sitting": "requests", "an action: over days": "requests"}
STATE = {
    "engine: largest state, pickled": "KiB",
    "engine: copy of a state": "us",
    "engine: view of a seat": "us",
}
OF_GAMES = (
    ("over, in its first hour", "kB"),
    ("over, two hours later", "kB"),
    ("in the middle of an evening", "kB"),
    ("in the middle, over days", "kB"),
    ("packing", "ms a game"),
)
SIZE = {f"{store}, 10: {what}": unit for store in ("SQLite", "PostgreSQL") for what, unit in OF_GAMES}
OF_RUNS = (
    "actions carried out",
    "acknowledgement p50 / p99 / max, ms",
    "suggestions p50 / p99 / max, ms",
    "private answer p50 / p99 / max, ms",
    "picture p50 / p99 / max, ms",
    "unanswered interactions",
    "burst: acknowledgement p50 / p99 / max, ms",
    "burst: picture p50 / p99 / max, ms",
    "burst: unanswered interactions",
    "as fast as it goes: actions a second (ratio to one process)",
    "as fast as it goes: acknowledgement p50 / p99 / max, ms",
    "as fast as it goes: cores used by Harbormaster / database / wire server and driver",
    "processor ms an action: Harbormaster / database / wire server and driver",
    "cores used by Harbormaster / database / wire server and driver",
    "MiB of each process: start → middle → end → after everything",
    "fsyncs an action",
    "event loop lag, p99 at most, ms",
    "games replayed / bands of 32 rows drawn, an action",
    "requests an action that count toward 50/s",
    "such requests in the busiest second (limit not enforced)",
    "actions begun late, at most, ms",
    "games stored wrong / shown wrong / problems / tracebacks",
)
TOO_BUSY = re.compile(r"no table was free|a process ended with status 1: .* Closing, .*: TimeoutError")
"""What a benchmark complains about on a machine that is busy with other things."""
ON_PAPER = (
    "actions/s",
    "requests/s",
    "the same",
    "cores for Harbormaster",
    "cores for the database",
    "GB a year",
    "shards",
)


def started(*words: str, python: Path | str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run a benchmark to its end."""
    return subprocess.run([python, *words], cwd=ROOT, capture_output=True, text=True, timeout=1800)


def run(*words: str, python: Path | str = sys.executable) -> str:
    """Run a benchmark. Returns what it prints. It must end well, and complain about nothing."""
    ended = started(*words, python=python)
    assert (ended.returncode, ended.stderr) == (0, ""), f"{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}"
    return ended.stdout


def table(text: str, units: Units, *missing: str) -> None:
    """Check that all lines are there, in these units and above zero, except those that can't be measured here.

    Percentages can be zero: in a few games, perhaps no one wins.
    """
    rows = [row for line in text.splitlines() if (row := ROW.match(line))]
    assert {row["what"] for row in rows} == set(units), text
    for row in rows:
        if row["what"] in missing:
            assert row["number"] is None, row.string
        else:
            assert row["number"] is not None, row.string
            assert float(row["number"].replace(",", "")) > 0 or units[row["what"]] == "%", row.string
            assert row["unit"].startswith(units[row["what"]]), row.string


def engine(compared: bool) -> Units:
    """The lines of the engine. Its times are ratios to another engine's if that is installed."""
    alone = {"replay": "ms a game"}
    speeds = {f"engine: {what}, {build}": "x" if compared else alone.get(what, "actions/s") for what, build in BUILDS}
    return {**speeds, **STATE}


BUILDS = [(what, build) for what in ("games", "playouts", "replay") for build in ("pure Python", "compiled")]
UNBUILT = [] if COMPILED.exists() else [f"engine: {what}, {build}" for what, build in BUILDS if build == "compiled"]
UNTRACED = [] if shutil.which("strace") else list(DISK)


def pictures(*scenarios: str) -> Units:
    """The lines of the pictures of some scenarios."""
    units = {
        "first of the process": "ms",
        "event loop lag, p99, next ones": "x",
        "event loop lag, p99, first ones": "x",
    }
    for scenario in scenarios:
        units |= {f"{scenario}, {which}": "x" for which in ("first", "next", "next, p99")}
        units[f"{scenario}, largest"] = "KiB"
    return {f"picture: {what}": unit for what, unit in units.items()}


def pages() -> Units:
    """The lines of one game's page. The environment of the browser tests measures more."""
    game = "page: big-island, 8 seats, 150 turns"
    units = {f"{game}: size": "kB", f"{game}: to make": "ms"}
    units |= {f"{game}: a change, to {what}": "ms" for what in ("follow", "open")}
    if find_spec("playwright") is None:
        return units | {UNBROWSED: ""}
    return units | {f"{game}: to open": "ms"} | {f"{game}: {kind}, p99": "ms" for kind in KINDS_OF_STEPS}


UNBROWSED = "page: in the browser"


def test_the_quick_benchmark_prints_every_figure() -> None:
    units = {**engine(compared=False), **pictures("base"), **pages(), **CLICK, **DISK, **REQUESTS}
    table(run("-m", "bench", "--quick"), units, *UNBUILT, *UNTRACED, UNBROWSED)


def test_the_engine_is_compared_with_another_engine() -> None:
    if not BENCH.exists():
        pytest.skip("there is no .venv-bench with catanatron")
    words = ("-m", "bench.engine_speed", "--rounds", "1", "--games", "2", "--catanatron", str(BENCH))
    table(run(*words), engine(compared=True), *UNBUILT)


@pytest.mark.parametrize(
    ("words", "units"),
    [
        ("click 4", CLICK),
        ("click --network 20 4", {f"{what} 20 ms away" if unit == "x" else what: unit for what, unit in CLICK.items()}),
        ("disk 4", DISK),
        ("requests 1", REQUESTS),
        ("size 10", SIZE),
        ("strength --games 2", STRENGTH),
        ("picture --games 1 --actions 5", pictures(*SCENARIOS)),
        ("page --games 1 --steps 3", pages()),
    ],
)
def test_each_benchmark_can_be_run_by_itself(words: str, units: Units) -> None:
    table(run("-m", *f"bench.{words}".split()), units, *UNTRACED, UNBROWSED)


def test_the_strength_of_compiled_bots_is_measured() -> None:
    if not COMPILED.exists():
        pytest.skip("there is no .venv-compiled")
    table(run("-P", "-m", "bench.strength", "--games", "2", python=COMPILED), STRENGTH)


@pytest.mark.skipif(not BENCH.exists(), reason="there is no .venv-bench, and so no numpy")
def test_a_net_learns_from_a_few_games_and_can_be_trained_further(tmp_path: Path) -> None:
    games, first, second = tmp_path / "games", tmp_path / "first.json", tmp_path / "second.json"
    output = run("-m", "bench.learn", "play", "--games", "40", "--out", str(games), python=BENCH)
    assert re.fullmatch(r"40 games, \d+\.\d\d hours\n", output), output
    fit = ("-m", "bench.learn", "fit", str(games), "--epochs", "2", "--out")
    loss = r"loss \d\.\d+, of games kept apart \d\.\d+ \(four players \d\.\d+\); "
    output = run(*fit, str(first), python=BENCH)
    assert re.search(loss + r"hidden \[64\]; \d+ s\n", output), output
    output = run(*fit, str(second), "--net", str(first), python=BENCH)
    assert re.search(loss + "from the net of: python -m bench.learn fit", output), output
    assert net(first).inputs == net(second).inputs
    assert net(first).last != net(second).last


def test_the_time_of_a_click_in_a_trivial_program_is_measured() -> None:
    output = run("-m", "bench.wire.floor", "5", "2000")
    assert re.match(
        r"trivial program, 2000 bytes: median +[\d.]+ ms, p99 +[\d.]+ ms, 5 clicks\n[\d.]+ s in all\n$", output
    )


def test_the_benchmark_of_games_over_days_ends_with_nothing_late() -> None:
    ended = started("-m", "bench.days", "3")
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert re.search(r"^[0-9]+ actions; requests an action: .*POST /interactions/", ended.stdout), ended.stdout
    assert re.search(r"median [\d.]+ s, 99th percentile [\d.]+ s, longest [\d.]+ s; 0 late$", ended.stdout), (
        ended.stdout
    )


def test_the_weeks_with_new_tables_end_with_no_one_told_too_often() -> None:
    output = run("-m", "bench.new_tables", "4")
    assert re.search(r"^by direct message +20 +[1-9]", output, re.MULTILINE), output
    assert re.search(r"within a day: \d+ % without, \d+ % with\n$", output), output


def test_our_bots_can_play_at_catanatrons_table() -> None:
    """`CATANATRON` is the folder `catanatron` in a checkout, as for `make bench`."""
    folder = os.environ.get("CATANATRON")
    if not folder or not BENCH.exists():
        pytest.skip("there is no .venv-bench, or CATANATRON names no checkout of 3.3 or later")
    for theirs in ("value", "random"):
        words = ("--catanatron", folder, "--ours", "hard", "--theirs", theirs, "--games", "4", "--check")
        output = run("-m", "bench.catanatron_table", *words, python=BENCH)
        assert re.search(r"^wins +\d/4 = [\d.]+% \(95 %: [\d.]+% to [\d.]+%\)$", output, re.MULTILINE), output
        assert re.search(r"^(unfinished|mismatches) +[1-9]", output, re.MULTILINE) is None, output
        assert len(re.findall(r"^(?:ours|theirs), ms +mean [\d.]+, longest [\d.]+$", output, re.MULTILINE)) == 2, output


def test_a_missing_or_older_catanatron_is_refused_with_one_sentence(tmp_path: Path) -> None:
    words = ("--catanatron", str(tmp_path), "--ours", "hard", "--theirs", "value")
    ended = started("-m", "bench.catanatron_table", *words)
    assert (ended.returncode, ended.stderr) == (1, f"There is no catanatron 3.3 or later in {tmp_path}.\n")


@pytest.fixture(scope="module")
def stores() -> Iterator[Path]:
    """A folder where the stores of `bench.scale` are made once. It must not be among pytest's, see `tests.postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="harbormaster-"))
    yield folder
    shutil.rmtree(folder)


def test_the_scale_benchmark_measures_one_process_and_several(stores: Path) -> None:
    ended = started("-m", "bench.scale", "--quick", "--folder", str(stores))
    assert not [line for line in ended.stderr.splitlines() if not TOO_BUSY.search(line)], ended.stderr[-3000:]
    assert ended.returncode == bool(ended.stderr)
    parts = re.findall(r"(?:^\|.*\n)+", ended.stdout, re.MULTILINE)
    figures, kinds, starts, paper = (list(rows_of(part)) for part in parts)
    assert figures[0] == ["", "goal", "1 on SQLite", "1 on PostgreSQL", "2 on PostgreSQL", "4 on PostgreSQL"]
    assert [row[0] for row in figures[2:]] == list(OF_RUNS)
    for what, _, *cells in figures[2:]:
        assert all(re.search(r"\d", cell) for cell in cells), (what, cells)
    assert all(50 <= int(cell) <= 100 for cell in figures[2][2:]), "actions carried out"
    assert all(re.fullmatch(r"0 / 0 / \d+ / 0", cell) for cell in figures[-1][2:]), figures[-1]
    asked = {"acknowledgement", "private answer", "game message by token", "post game message", "suggestions"}
    assert asked <= {row[0] for row in kinds[2:]}
    assert [row[:3] for row in starts[2:]] == [[store, "100", "100"] for store in ("SQLite", "PostgreSQL")]
    assert all(float(cell) > 0 for row in starts[2:] for cell in row[3:])
    assert all(any(row[0].startswith(what) for row in paper[2:]) for what in ON_PAPER)


def test_the_scale_benchmark_says_why_it_ends_if_players_are_refused(stores: Path) -> None:
    """They don't know that the rows of their games were changed, and that Harbormaster can't read them anymore."""
    small = ("--quick", "--games", "4", "--sizes", "4", "--finished", "0", "--processes", "1", "--folder", str(stores))
    started("-m", "bench.scale", *small, "--seconds", "1", "--burst", "1", "--flat-out", "1")
    [store] = stores.glob("sqlite-4_0.db")
    with closing(sqlite3.connect(store)) as sql:
        sql.execute("UPDATE games SET status = 'archived'")
        sql.commit()
    ended = started("-m", "bench.scale", *small)
    assert ended.returncode == 1
    sentence, *warnings = ended.stderr.splitlines()
    assert re.match(
        r"The people of game \d+ were refused\. They sent \{.*\}\. The answer was \d: .+ can't be read.+$", sentence
    )
    assert warnings
    assert all("a wrong checksum" in line for line in warnings)


def rows_of(lines: str) -> Iterator[list[str]]:
    """The cells of a Markdown table, by row."""
    for line in lines.splitlines():
        yield [cell.strip() for cell in line.strip("|").split("|")]


async def test_a_packed_game_takes_some_room_and_less_than_a_fresh_one(tmp_path: Path) -> None:
    stores, size = Stores(tmp_path), Size(10, 20)
    try:
        await stores.prepare("sqlite", [size])
        assert 1_000 < await stores.packed("sqlite", size) < 0.5 * stores.cost("sqlite", size).finished
    finally:
        stores.close()


def test_the_cost_of_presses_is_measured() -> None:
    lines = run("-m", "bench.presses", "--presses", "2").splitlines()
    assert len(lines) > 40
    assert all(" s   at most " in line for line in lines)
    assert "MISSED" not in "".join(lines)
