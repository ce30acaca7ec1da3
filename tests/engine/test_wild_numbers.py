"""Whatever an action holds, it is carried out or refused: in a sentence, and with nothing changed. Nothing else is ever
raised."""

from __future__ import annotations

import contextlib
import json
import random
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import (
    ACTIONS,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BankTrade,
    BuildSettlement,
    CallOff,
    MakeOffer,
    PlayYearOfPlenty,
    TakeCard,
    action_from_json,
)
from engine.errors import IllegalAction, MalformedInput
from engine.game import Game
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from tests.engine.randomly import attempt, chance, random_action, random_config, trace

WILD = st.one_of(
    st.sampled_from((-(10**30), -(2**63), -(2**31), -2, -1, 0, 1, 5, 99, 2**31, 2**63, 2**64, 10**30, 1 << 4000)),
    st.integers(),
    st.integers(-2, 120),
    st.booleans(),
)
HAND = st.tuples(WILD, WILD, WILD, WILD, WILD)
SEATS = st.lists(WILD, max_size=4).map(tuple)
KINDS = {"Hand": HAND, "int": WILD, "bool": WILD, "tuple[int, ...]": SEATS}
SHORT = st.lists(st.integers(0, 2), max_size=6)
OTHERS: st.SearchStrategy[object] = (
    st.none() | st.text(max_size=5) | st.floats() | st.just({}) | SHORT | st.just(("1", None))
)
"""Values of types that no field has."""


@st.composite
def wild_actions(draw: st.DrawFn, game: Game | None = None) -> Action:
    """Any action, usually one that the step on top knows, with any numbers in its fields."""
    every = sorted(ACTIONS.values(), key=lambda found: found.name)
    fitting = [cls for cls in every if game and cls in game.rules.moves[type(game.state.agenda[-1])] and fields(cls)]
    cls: Any = draw(st.sampled_from(fitting or every) | st.sampled_from(every))
    made: Action = cls(*(draw(KINDS[str(field.type)]) for field in fields(cls)))
    return made


@cache
def positions() -> tuple[Game, ...]:
    """Positions of all kinds of steps, on all boards, with every alternate rule in some of them."""
    found: dict[tuple[str, str], Game] = {}
    for seed in range(16):
        rng = random.Random(seed)
        config = random_config(rng, scenarios=tuple(SCENARIOS), targets=(8,), rounds=0, variants=0.4)
        game = Game.new(config, chance(seed))
        for _ in range(250):
            found.setdefault((config.scenario, game.state.agenda[-1].kind), game.copy())
            if game.outcome is not None:
                break
            attempt(game, *random_action(game, rng))
    return tuple(found.values())


@settings(max_examples=200)
@given(st.data())
def test_wild_numbers_are_refused_or_make_a_record_that_can_be_read_again(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(positions())).copy()
    seat = data.draw(st.sampled_from(game.to_act or (0,)) | st.integers(REFEREE, 8) | WILD)
    action = data.draw(wild_actions(game))
    before = trace(game)
    refused = attempt(game, seat, action)
    if refused is None:
        assert action_from_json(json.loads(json.dumps(action.to_json()))) == action
    else:
        assert str(refused).endswith(".")
        assert trace(game) == before


@settings(max_examples=200)
@given(st.data())
def test_a_value_of_another_type_is_refused(data: st.DataObject) -> None:
    """Even in an action that is possible otherwise."""
    game = data.draw(st.sampled_from([game for game in positions() if game.to_act])).copy()
    seat = data.draw(st.sampled_from(game.to_act))
    possible = [*game.options(seat).actions(), AgreeToCallOff(), TakeCard(0)]
    action = data.draw(st.sampled_from([action for action in possible if fields(action)]))
    name = data.draw(st.sampled_from(fields(action))).name
    before = trace(game)
    assert attempt(game, seat, replace(action, **{name: data.draw(OTHERS)})) is not None
    assert trace(game) == before


@pytest.mark.parametrize("seat", [True, False, 0.0, float(REFEREE)])
def test_a_seat_that_only_equals_a_number_is_none(seat: int) -> None:
    """The log couldn't be read again. (Native modules take a boolean as a number, and nothing else.)"""
    game = _positions_of("main")
    with contextlib.suppress(IllegalAction, TypeError):
        game.play(seat, CallOff() if seat < 0 else AgreeToCallOff())
    assert [Record.from_json(json.loads(json.dumps(record.to_json()))) for record in game.records] == game.records


@settings(max_examples=200)
@given(st.data())
def test_a_domain_says_yes_or_no_to_wild_numbers(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(positions()))
    action = data.draw(wild_actions(game))
    for seat in range(game.config.players):
        for domain in game.options(seat).values():
            assert (action in domain) in (True, False)


@settings(max_examples=200)
@given(wild_actions())
def test_wild_json_is_an_action_or_malformed(action: Action) -> None:
    with contextlib.suppress(MalformedInput):
        assert action_from_json(json.loads(json.dumps(action.to_json()))) == action


def _positions_of(kind: str) -> Game:
    return next(game for game in positions() if game.state.agenda[-1].kind == kind).copy()


@pytest.mark.parametrize("wanted", [1, 0, 2, -1])
def test_a_number_is_refused_in_place_of_a_boolean(wanted: int) -> None:
    """A number that passed as equal to True would be stored as 1, and the log could never be read again."""
    game = _positions_of("main")
    for cls in (AgreeToEnd, AgreeToCallOff, AskToBuild):
        with pytest.raises(IllegalAction):
            game.play(0, cls(wanted))  # type: ignore[arg-type]


def test_a_boolean_is_refused_in_place_of_a_number() -> None:
    game = _positions_of("setup")
    seat = game.to_act[0]
    for action in (BuildSettlement(True), TakeCard(True)):
        with pytest.raises(IllegalAction):
            game.play(seat, action)


@pytest.mark.parametrize("cards", [(), (1,), (1, 0, 0, 0), (1, 0, 0, 0, 0, 0)])
def test_a_hand_with_too_few_or_too_many_counts_is_refused(cards: Any) -> None:
    game = _positions_of("main")
    for action in (PlayYearOfPlenty(cards), BankTrade(cards, (0,) * 5), MakeOffer((1, 0, 0, 0, 0), cards)):
        with pytest.raises(IllegalAction):
            game.play(game.to_act[0], action)


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 1 << 400])
def test_a_number_out_of_range_is_malformed(number: int) -> None:
    with pytest.raises(MalformedInput):
        action_from_json(["build_road", number])
    with pytest.raises(MalformedInput):
        action_from_json(["discard", [0, 0, number, 0, 0]])
