"""Exported games: both verifiers accept what was played and notice every later alteration."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cli import main
from bot.export import ExportError, Player, dump, export, load, verified
from bot.table.acts.lobby import phrase_digest
from bot.words.proof import verification_lines
from engine.chance import DRAW_KINDS, SeededChance, commitment
from engine.config import COLORS, Config
from engine.game import Game
from players.simulate import play_out
from tests.altering import Data, Path_, altered, leaves, opened
from tests.house import ROOT
from tests.seeds import few_of
from tests.verifying import SCRIPT, alone, notices, notices_alone


def run(program: list[str], path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*program, str(path)], cwd=ROOT, capture_output=True, text=True, check=False)


def sealed(data: Data) -> Data:
    """The data with a seal that fits its content, as a forger would make it."""
    return data | {"seal": alone.seal(data)}


def made_up(seed: bytes, game: str, entropy: list[str], draws: list[tuple[int, str, int]]) -> Data:
    """A file whose draws are right but belong to no real game. Draws are (record, kind, n)."""
    chance, drawn = SeededChance(seed, game, entropy), Counter[str]()
    records: list[Data] = []
    for number in range(max((record for record, _, _ in draws), default=0) + 1):
        records.append({"n": number, "by": -1, "draws": []})
    for record, kind, n in sorted(draws, key=lambda draw: draw[0]):
        records[record]["draws"].append([kind, drawn[kind], n, chance.draw(kind, drawn[kind], n)])
        drawn[kind] += 1
    return sealed(
        {
            "harbormaster": 1,
            "game": game,
            "config": {"colors": ["red", "blue"], "target": 10},
            "seed": seed.hex(),
            "commitment": commitment(seed, game),
            "entropy": entropy,
            "players": [{"name": "Ann", "color": "red"}, {"name": "Bob", "color": "blue"}],
            "records": records,
            "hash": "00",
            "seal": "",
        }
    )


def example() -> Data:
    draws = [(0, "board", 18 - i) for i in range(10)] + [(0, "first", 6), (0, "seats", 2)]
    draws += [(i, "dice", 6) for i in range(1, 9) for _ in range(2)] + [(4, "steal", 5), (6, "deck", 25)]
    return made_up(bytes(range(32)), "17", ["1001", "1002", "a phrase", "7"], draws)


# --- the stand-alone verifier


@given(
    st.binary(min_size=32, max_size=32),
    st.text(max_size=5),
    st.lists(st.text(max_size=5), max_size=5),
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from(DRAW_KINDS), st.integers(1, 2**64)), max_size=20),
)
def test_two_programs_without_common_code_draw_the_same(
    seed: bytes, game: str, entropy: list[str], draws: list[tuple[int, str, int]]
) -> None:
    assert not notices_alone(made_up(seed, game, entropy, draws))


@pytest.mark.parametrize("change", [1, -1, 3])
def test_the_standalone_verifier_notices_every_altered_value(change: int) -> None:
    data = example()
    paths = [path for path in leaves(data) if path[0] != "players" or path[-1] == "color"]
    assert len(paths) > 100
    missed = [path for path in paths if not notices_alone(altered(data, path, change))]
    assert not missed


def test_the_standalone_verifier_notices_altered_draws_without_the_seal() -> None:
    """What the chance itself proves: draws and commitment expose a forger who seals the file again."""
    data = example()
    for path in leaves(data):
        proven = path[0] in ("seed", "commitment", "entropy", "game") or "n" in path
        if path[0] == "records" and path[2] == "draws":
            proven = path[-1] != 2  # another range can give the same result; only a replay notices it
        if proven and len(path) < 6:
            assert notices_alone(sealed(altered(data, path))), path


def test_the_standalone_verifier_notices_missing_and_moved_parts() -> None:
    data = example()
    for name in data:
        assert notices_alone({key: value for key, value in data.items() if key != name}), name
    for name in ("entropy", "players", "records"):
        for index in range(len(data[name])):
            without = data | {name: data[name][:index] + data[name][index + 1 :]}
            last = name == "records" and index == len(data[name]) - 1
            assert notices_alone(without if last else sealed(without)), (name, index)
        assert notices_alone(sealed(data | {name: data[name][::-1]})), name
    joined = data["entropy"][0] + data["entropy"][1][0]
    moved = [joined, data["entropy"][1][1:], *data["entropy"][2:]]
    assert notices_alone(sealed(data | {"entropy": moved}))


def test_the_standalone_verifier_tells_a_person_what_is_wrong(tmp_path: Path) -> None:
    """By itself: the interpreter sees neither the project nor any installed package."""
    program = [sys.executable, "-I", "-S", str(SCRIPT)]
    path = tmp_path / "game.json"
    data = example() | {"players": [{"name": "Änn \ud83d", "color": "red"}, {"name": "Bob", "color": "blue"}]}
    path.write_text(json.dumps(data))
    right = run(program, path)
    assert (right.returncode, right.stderr) == (0, "")
    assert "Verified: all 30 draws of game 17 match the seed (9 records)" in right.stdout
    assert "the host can read" in right.stdout

    path.write_text(json.dumps(altered(data, ("records", 3, "draws", 1, 3))))
    wrong = run(program, path)
    assert (wrong.returncode, wrong.stderr) == (1, "")
    assert wrong.stdout.startswith("Not verified: Draw 5 of dice in record 3 says ")


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "{}", "null", '{"harbormaster": 2}', '{"harbormaster": 1}', "[" * 100_000]
)
def test_the_standalone_verifier_refuses_other_files_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(alone.Wrong, match=r"^(The file|\").*\.$"):
        alone.check(alone.read(str(path)))


def test_the_standalone_verifier_needs_only_the_standard_library() -> None:
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import runpy; runpy.run_path({str(SCRIPT)!r})"], check=False
    )
    assert result.returncode == 0


# --- the verifier that replays


def real(luck: int, players: int = 3, target: int = 3) -> Data:
    """Play a whole game of random moves and trades, and export it."""
    seed, entropy = bytes(range(32)), ["1001", "1002", "a phrase", "7"]
    config = Config(colors=COLORS[:players], target=target)
    game = Game.new(config, SeededChance(seed, "17", entropy))
    play_out(game, random.Random(luck), offers=True)
    assert game.outcome is not None
    data = export(game, "17", seed, entropy, [Player(color.title(), color) for color in config.colors])
    return cast(Data, json.loads(dump(data)))


@pytest.fixture(scope="module")
def game() -> Data:
    """A game so short that every value in it can be altered: the shortest of many with a stolen card."""
    games = (real(luck) for luck in range(60))
    return min((game for game in games if '"steal"' in json.dumps(game)), key=lambda game: len(game["records"]))


def test_both_verifiers_accept_a_game_that_was_played(game: Data) -> None:
    assert not notices(game)
    assert not notices_alone(game)
    renamed = game | {"players": [player | {"name": "Somebody"} for player in game["players"]]}
    assert not notices(renamed)  # names can change, so they prove nothing
    assert not notices_alone(renamed)


@pytest.mark.parametrize("change", few_of([1, -1, 10**9]))
def test_both_verifiers_notice_every_altered_value(game: Data, change: int) -> None:
    paths = [path for path in leaves(game) if path[0] != "players" or path[-1] == "color"]
    missed = [path for path in paths if not notices(altered(game, path, change))]
    assert not missed
    assert not [path for path in paths if not notices_alone(altered(game, path, change))]


@pytest.mark.parametrize("alike", few_of([2, 10_000]))
@pytest.mark.parametrize("value", [None, True, 1.5, "x", [], {}, -(2**70)])
def test_values_of_another_type_are_noticed(game: Data, value: Any, alike: int) -> None:
    """`alike`: in how many values at the same place in a list's items."""
    seen = Counter[Path_]()
    for path in leaves(game):
        kind = tuple("" if isinstance(part, int) else part for part in path[:-1])
        seen[*kind, path[-1]] += 1
        if seen[*kind, path[-1]] > alike:
            continue
        if path[-1] == "name" and isinstance(value, str):
            continue
        twin, place = opened(game, path)
        if (type(place[path[-1]]), place[path[-1]]) == (type(value), value):
            continue
        place[path[-1]] = value
        assert notices(twin), path
        assert path[0] == "players" or notices_alone(twin), path


def test_altered_draws_and_ranges_are_noticed_without_the_seal(game: Data) -> None:
    """The chance and the rules prove every part of every draw: kind, number, range and result."""
    paths = [path for path in leaves(game) if path[0] == "records" and path[2] == "draws" and len(path) == 5]
    assert len(paths) > 200
    assert not [path for path in paths if not notices(sealed(altered(game, path)))]
    for name in ("seed", "commitment", "entropy", "game", "hash"):
        inner = (name, 0) if name == "entropy" else (name,)
        assert notices(sealed(altered(game, inner))), name


def test_missing_doubled_and_swapped_records_are_noticed(game: Data) -> None:
    records = game["records"]
    for index in range(len(records)):
        without = records[:index] + records[index + 1 :]
        again = [record | {"n": number} for number, record in enumerate(without)]
        assert notices(sealed(game | {"records": without}))
        assert notices(sealed(game | {"records": again}))
        doubled = records[: index + 1] + records[index:]
        assert notices(game | {"records": [record | {"n": n} for n, record in enumerate(doubled)]})
    assert notices(sealed(game | {"records": []}))


def test_a_shortened_game_is_noticed_even_if_it_is_sealed_again(game: Data) -> None:
    assert notices(sealed(game | {"records": game["records"][:-1]}))  # it ends in another position


@lru_cache(maxsize=1)
def long_game() -> tuple[Data, list[Path_]]:
    """A game to ten points that both verifiers accept, and the paths of all values in its records."""
    data = real(5, players=4, target=10)
    assert not notices(data)
    assert not notices_alone(data)
    return data, leaves(data["records"], ("records",))


@given(st.data())
@settings(max_examples=10)
def test_altered_values_are_noticed_in_a_long_game(data: st.DataObject) -> None:
    long, paths = long_game()
    changed = altered(long, data.draw(st.sampled_from(paths)), data.draw(st.integers(1, 40)))
    assert notices(changed)
    assert notices_alone(changed)


@pytest.mark.parametrize(
    ("entropy", "said"),
    [
        (("1434567890123456789", "1434567890123456790"), "No one gave lucky words."),
        (("1434567890123456789", phrase_digest("red sky"), "1434567890123456790"), "the lucky words of 1 player,"),
    ],
)
def test_the_summary_says_whether_anyone_gave_lucky_words(game: Data, entropy: tuple[str, ...], said: str) -> None:
    file = load(json.dumps(game))
    assert said in verification_lines(replace(file, entropy=entropy), verified(file))


def test_the_command_says_whether_a_game_is_verified(
    game: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    assert main(["verify", str(path)]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Verified: all 64 dice and card draws of game 17 match the seed")
    assert "(won)" in output
    assert "the host can read the database" in output

    path.write_text(json.dumps(altered(game, ("commitment",))))
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().out.startswith("Not verified: The fingerprint isn't that of the seed and the game")
    path.write_bytes(b"\xff\xfe")
    assert main(["verify", str(path)]) == 1
    assert main(["verify", str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().out.count("Not verified: The file") == 2


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "{}", "null", '{"harbormaster": 2}', '{"harbormaster": 1}', "[" * 100_000]
)
def test_other_files_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ExportError, match=r"^The file .*\.$"):
        load(text)


def test_unfinished_games_can_be_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The log of an abandoned game can be right, too."""
    seed = bytes(32)
    game = Game.new(Config(colors=COLORS[:2]), SeededChance(seed, "3", ()))
    play_out(game, random.Random(1), turn_limit=5)
    data = export(game, "3", seed, (), [Player("A", "red"), Player("B", "blue")])
    assert not notices(data)
    path = tmp_path / "game.json"
    path.write_text(dump(data))
    assert main(["verify", str(path)]) == 0
    assert "did not end" in capsys.readouterr().out
