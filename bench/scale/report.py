"""Makes tables of the results, and puts them into docs/scale.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from bench.scale import arithmetic
from render.bands import BAND

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
BEGIN, END = "<!-- figures: python -m bench.scale -->", "<!-- end of the figures -->"
STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
Json = dict[str, Any]


def render(results: Json) -> str:
    """All tables, with the text around them."""
    runs: list[Json] = results["runs"]
    made, asked = results["machine"], results["asked"]
    about = (
        f"Made on {made['date']} by `{made['command']}`, with {made['cores']} cores ({made['processor']}) and Python"
        f" {made['python']}. The machine's load before it was {made['load']}. There were {asked['running']:,} running"
        f" and {asked['finished']:,} finished games. The run had {asked['rate']:g} actions/s for {asked['seconds']:g}"
        f" s, then {asked['burst']} clicks at the same time, then {asked['flat out']:g} s as fast as it goes."
    )
    limit = "limit enforced" if asked["limited"] else "limit not enforced"
    parts = [about, _table(["", "goal", *(run["name"] for run in runs)], _figures(results, limit))]
    kinds = list(dict.fromkeys(kind for run in runs for kind in run["steady"]["requests an action"]))
    rows = [
        [_named(kind), *(f"{run['steady']['requests an action'].get(kind, 0):.3f}" for run in runs)] for kind in kinds
    ]
    parts += ["Requests an action, by kind:", _table(["", *(run["name"] for run in runs)], rows)]
    if results["start-up"]:
        head = ["store", "running", "finished", "database MB", "kB a running game", "kB a finished game"]
        head += ["s to the first acknowledged click", "s to its answer", "MiB then"]
        words = "Startup of one process, and what games cost. A game that is over is packed an hour after its end"
        packed = [f"{bytes_ / 1000:.1f} kB on {STORES[kind]}" for kind, bytes_ in results.get("packed", {}).items()]
        words += f". From then on it takes {' and '.join(packed)}:" if packed else ":"
        parts += [words, _table(head, map(_start, results["start-up"]))]
    words = (
        f"On paper: a game has {arithmetic.ACTIONS} actions in {arithmetic.DAYS:g} days. The busiest hour has"
        f" {arithmetic.PEAK:g} times the mean. A server has {arithmetic.GAMES_A_SERVER} games."
    )
    parts += [words, _table(arithmetic.HEAD, arithmetic.rows(results))]
    return "\n\n".join(part if part.startswith("|") else fill(part, 120, break_on_hyphens=False) for part in parts)


def problems(results: Json) -> list[str]:
    """What went wrong, a line for each problem."""
    found = Counter[str]()
    for run in results["runs"]:
        wrong = [f"{run['panels wrong']} game messages wrong"] * bool(run["panels wrong"])
        every = [*_met(run), *wrong, *run["games stored otherwise than played"], *run["tracebacks"], *run["ended"]]
        found.update(f"{run['name']}, {problem}" for problem in every)
    found.update(f"startup on {STORES[run['kind']]}, {told}" for run in results["start-up"] for told in run["ended"])
    return [f"{problem} ({n} times)" if n > 1 else problem for problem, n in found.items()]


def _met(run: Json) -> list[str]:
    """The problems that players met."""
    return [f"{phase}: {problem}" for phase in ("steady", "burst", "flat out") for problem in run[phase]["problems"]]


def write(results: Json, page: Path = PAGE) -> None:
    """Put the tables between the marks of a page."""
    text = page.read_text("utf-8")
    before, _, tail = text.partition(BEGIN)
    _, _, after = tail.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{render(results)}\n\n{END}{after}", "utf-8")


def _figures(results: Json, limit: str) -> list[list[str]]:
    runs: list[Json] = results["runs"]
    single = next((run["flat out"]["actions a second"] for run in runs if _is(run, "postgresql", 1)), None)

    def row(name: str, goal: str, figure: Callable[[Json], str]) -> list[str]:
        return [name, goal, *map(figure, runs)]

    def times(phase: str, what: str) -> Callable[[Json], str]:
        return lambda run: "{p50} / {p99} / {max}".format(**run[phase][what])

    def shares(phase: str, what: str) -> Callable[[Json], str]:
        def figure(run: Json) -> str:
            found: Json = run[phase][what]
            return " / ".join(f"{found[who]:g}" if who in found else "–" for who in ("bots", "database", WIRE))

        return figure

    def ratio(run: Json) -> str:
        most: float = run["flat out"]["actions a second"]
        return f"{most:g}" + (f" ({most / single:.2f})" if single and run["kind"] == "postgresql" else "")

    def syncs(run: Json) -> str:
        traced = results["sqlite fsyncs an action"]
        found = run["steady"].get("fsyncs an action", traced if run["kind"] == "sqlite" else None)
        return "not measured" if found is None else f"{found:.2f}"

    def memory(run: Json) -> str:
        return "; ".join(" → ".join(map(str, at)) for at in zip(*run["memory"].values(), strict=True))

    def misses(run: Json) -> str:
        found, actions = run["lookups"], max(run["steady"]["actions"], 1)
        return " / ".join(f"{found.get(f'{what} miss', 0) / actions:.2f}" for what in ("game", "board"))

    def sound(run: Json) -> str:
        different = len(run["games stored otherwise than played"])
        return f"{different} / {run['panels wrong']} / {len(_met(run))} / {len(run['tracebacks'])}"

    return [
        row("actions carried out", "", lambda run: f"{run['steady']['actions']:,}"),
        row("acknowledgement p50 / p99 / max, ms", "p99 500, max 2,500", times("steady", "acknowledgement")),
        row("suggestions p50 / p99 / max, ms", "max 2,500", times("steady", "suggestions")),
        row("private answer p50 / p99 / max, ms", "", times("steady", "private answer")),
        row("picture p50 / p99 / max, ms", "", times("steady", "picture")),
        row("unanswered interactions", "0", _unanswered("steady")),
        row("burst: acknowledgement p50 / p99 / max, ms", "max 2,500", times("burst", "acknowledgement")),
        row("burst: picture p50 / p99 / max, ms", "", times("burst", "picture")),
        row("burst: unanswered interactions", "0", _unanswered("burst")),
        row("as fast as it goes: actions a second (ratio to one process)", "2 processes: 1.6", ratio),
        row("as fast as it goes: acknowledgement p50 / p99 / max, ms", "", times("flat out", "acknowledgement")),
        row(f"as fast as it goes: cores used by {WHO}", "", shares("flat out", "cores used")),
        row(f"processor ms an action: {WHO}", "", shares("steady", "processor ms an action")),
        row(f"cores used by {WHO}", "", shares("steady", "cores used")),
        row("MiB of each process: start → middle → end → after everything", "512, flat", memory),
        row("fsyncs an action", "", syncs),
        row("event loop lag, p99 at most, ms", "", lambda run: f"{run['event loop late, p99 at most, ms']}"),
        row(f"games replayed / bands of {BAND} rows drawn, an action", "", misses),
        row("requests an action that count toward 50/s", "1.0", _counted),
        row(f"such requests in the busiest second ({limit})", "50", _busiest),
        row("actions begun late, at most, ms", "", lambda run: f"{run['steady']['driver behind']}"),
        row("games stored wrong / shown wrong / problems / tracebacks", "0 / 0 / 0 / 0", sound),
    ]


WIRE = "wire server and driver"
WHO = "Harbormaster / database / wire server and driver"


def _named(kind: str) -> str:
    """A kind of request, in people's words."""
    return kind.replace("panel", "game message")


def _is(run: Json, kind: str, processes: int) -> bool:
    return bool(run["kind"] == kind and run["processes"] == processes)


def _unanswered(phase: str) -> Callable[[Json], str]:
    return lambda run: f"{sum(run[phase]['unanswered'].values())} of {run[phase]['interactions']:,}"


def _counted(run: Json) -> str:
    return f"{run['steady']['counted requests an action']:.2f}"


def _busiest(run: Json) -> str:
    return f"{run['steady']['counted requests in the busiest second']}"


def _start(found: Json) -> list[str]:
    cost = found["cost"]
    store = STORES[found["kind"]]
    sizes = [f"{cost['whole'] / 1e6:.0f}", f"{cost['running'] / 1e3:.1f}" if cost["running"] else "–"]
    sizes.append(f"{cost['finished'] / 1e3:.1f}" if cost["finished"] else "–")
    times = [f"{found['acknowledged']:.2f}", f"{found['answered']:.2f}", f"{found['memory']}"]
    return [store, f"{found['running']:,}", f"{found['finished']:,}", *sizes, *times]


def _table(head: Sequence[str], rows: Any) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
