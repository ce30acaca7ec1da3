"""A page's positions, put together from their differences, are the engine's at every action."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

import pytest

from bot.page.positions import Position, difference, position
from engine.config import Config
from engine.record import Record
from tests.bot.page.facts import facts_by_moment, held
from tests.engine.moments import moments_of
from tests.engine.randomly import PLAIN, lively
from tests.games.record import mixed, recorded
from tests.seeds import few_of


def positions(config: Config, records: Iterable[Record]) -> list[Position]:
    """The positions as a reader of the differences puts them together, after a trip through JSON."""
    found = [position(moment.view, moment.accounts) for moment in moments_of(config, records)]
    changes = [difference(before, now) for before, now in pairwise([Position(), *found])]
    facts: Position = {}
    whole = []
    for changed in json.loads(json.dumps(changes)):
        facts = {name: fact for name, fact in (facts | changed).items() if fact is not None}
        whole.append(facts)
    return whole


@pytest.mark.parametrize("number", few_of(mixed(), 8))
def test_positions_of_recorded_games_are_the_engines(number: int) -> None:
    config, records, _ = recorded(number)
    shown = positions(config, records)
    assert shown == facts_by_moment(config, records, opened=True)
    for facts in shown:
        for seat in range(config.players):
            assert held(facts, seat) == sum(facts[f"hand.{seat}"])


@pytest.mark.parametrize("seed", few_of(range(60), 4))
def test_positions_of_random_games_are_the_engines(seed: int) -> None:
    """In a running game they are what everyone sees (M)."""
    game = lively(seed, scenarios=(*PLAIN, "extension", "islands", "big-island"), variants=0.3)
    half = game.records[: game.revision // 2]
    for records, opened in ((game.records, True), (half, False)):
        shown = positions(game.config, records)
        assert shown == facts_by_moment(game.config, records, opened=opened)


def test_a_difference_says_what_is_gone() -> None:
    assert difference({"a": 1, "b": [2]}, {"b": [2]}) == {"a": None}
    assert difference({"b": [2]}, {"b": [3], "c": 0}) == {"b": [3], "c": 0}


def test_a_running_games_positions_hold_no_hand() -> None:
    game = lively(3)
    for facts in positions(game.config, game.records[: game.revision // 2]):
        assert all(isinstance(facts[f"hand.{seat}"], int) for seat in range(game.config.players))
        assert all(isinstance(facts[f"cards.{seat}"], int) for seat in range(game.config.players))
