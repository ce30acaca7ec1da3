"""The proof in a game's page agrees with the other verifiers on random games: it accepts each one, and notices whatever
is altered in it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.page import page
from engine.scenarios import SCENARIOS
from tests.altering import Data, Path_, exported, forgeries, of_each_kind, provable
from tests.browser.pages import Note, Shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
GAMES, BATCH = 1000, 20
AT_ONCE = 50
"""Files that the page checks at once."""


@pytest.fixture
def proof(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    """The page of a game, whose proof can check other files."""
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", page(exported(0)))
        assert shown.verdict()[0] == "right"
        yield shown
        assert shown.errors == []


def accepted(proof: Shown, files: list[str]) -> list[bool]:
    """Which files the proof accepts."""
    script = "files => Promise.all(files.map(file => harbormasterProof.isRight(JSON.parse(file))))"
    found: list[bool] = proof.page.evaluate(script, files)
    return found


def missed(proof: Shown, forged: Iterable[tuple[Path_, Data]]) -> tuple[int, list[Path_]]:
    """How many forgeries there are, and where those differ that the proof accepts."""
    paths, files, found = list[Path_](), list[str](), list[bool]()
    for path, data in forged:
        paths.append(path)
        files.append(json.dumps(data))
        if len(files) == AT_ONCE:
            found += accepted(proof, files)
            files.clear()
    found += accepted(proof, files)
    return len(paths), [path for path, is_right in zip(paths, found, strict=True) if is_right]


def check_games(proof: Shown, numbers: range, record_property: Note, most: int) -> None:
    """Check the games of these numbers; then alter, in each, one value of each of `most` kinds."""
    tried = 0
    for number in numbers:
        data, rng = exported(number), random.Random(number)
        assert accepted(proof, [json.dumps(data)]) == [True], number
        paths = of_each_kind(data, rng)
        forged, undetected = missed(proof, forgeries(data, rng.sample(paths, min(most, len(paths))), rng))
        assert not undetected, number
        tried += forged
    record_property("games verified by the page's proof", len(numbers))
    record_property("alterations noticed by the page's proof", tried)


def test_the_proof_agrees_on_a_sample_of_random_games(proof: Shown, record_property: Note) -> None:
    check_games(proof, range(6, 11), record_property, most=10)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, GAMES, BATCH))
def test_the_proof_agrees_on_many_random_games(proof: Shown, first: int, record_property: Note) -> None:
    check_games(proof, range(first, first + BATCH), record_property, most=20)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(SCENARIOS)))
def test_the_proof_notices_whatever_is_altered_in_a_game_of_each_scenario(
    proof: Shown, number: int, record_property: Note
) -> None:
    data, rng = exported(number), random.Random(number)
    forged, undetected = missed(proof, forgeries(data, provable(data), rng))
    assert not undetected
    record_property("alterations noticed by the page's proof", forged)
