"""Both programs that verify a game agree on random games: they accept each one, and notice whatever is altered in it.

`tests/browser/test_proof.py` asks the third verifier, the page's own, about the same games.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.scenarios import SCENARIOS
from tests.altering import exported, forgeries, of_each_kind, provable
from tests.verifying import notices, notices_alone

GAMES, BATCH = 1000, 20
Note = Callable[[str, object], None]
"""Notes how much was tried (pytest's `record_property`)."""


def check_games(numbers: range, record_property: Note, most: int = 1000) -> None:
    """Verify the games of these numbers; then alter, in each, one value of each kind, of `most` kinds."""
    tried = 0
    for number in numbers:
        data, rng = exported(number), random.Random(number)
        assert not notices(data), number
        assert not notices_alone(data), number
        paths = of_each_kind(data, rng)
        for path, forged in forgeries(data, rng.sample(paths, min(most, len(paths))), rng):
            assert notices(forged), (number, path)
            assert notices_alone(forged), (number, path)
            tried += 1
    record_property("games verified by two programs", len(numbers))
    record_property("alterations noticed by two programs", tried)


def test_both_programs_agree_on_a_sample_of_random_games(record_property: Note) -> None:
    check_games(range(8, 11), record_property, most=5)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, GAMES, BATCH))
def test_both_programs_agree_on_many_random_games(first: int, record_property: Note) -> None:
    check_games(range(first, first + BATCH), record_property)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(SCENARIOS)))
def test_both_programs_notice_whatever_is_altered_in_a_game_of_each_scenario(
    number: int, record_property: Note
) -> None:
    data, rng = exported(number), random.Random(number)
    paths = provable(data)
    missed = [path for path, forged in forgeries(data, paths, rng) if not (notices(forged) and notices_alone(forged))]
    assert not missed
    record_property("alterations noticed by two programs", 2 * len(paths))
