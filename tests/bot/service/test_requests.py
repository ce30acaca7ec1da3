"""The window for late requests to build at a pace of minutes (J2), and who is waited for in it."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.table import Table
from engine.actions import AskToBuild, PassOn
from engine.game import Game
from engine.geometry import bits
from engine.steps.special import LateRequestsView
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground

PEOPLE = (ANN, BOB, CEM, DOT, EVE)


async def begun(ground: Playground, always: Iterable[int]) -> Table:
    """A game at a pace of minutes; `always`: who wants to be asked without asking, with more cards than anybody has."""
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension", "target": 20}))
    for user in PEOPLE[1:]:
        await ground.act(number, user, Join(NAMES[user]))
    await ground.act(number, ANN, SetOptions({"pace": 120}))
    for user in always:
        await ground.services.people.change_settings(user, standing=20, interaction=ground.id())
    return (await ground.services.lobby.start(number, ANN, "closing-1", ground.id())).table


async def window(ground: Playground, number: int) -> Game | None:
    """The game at its next window in six turns, if one opens."""
    rng, last = random.Random(2), 6 + (await ground.game(number)).turn
    while (game := await ground.game(number)).turn < last:
        if game.view(None).step.kind == "late_requests":
            return game
        await ground.step(number, rng)
    return None


def ended_by(game: Game) -> int:
    """Whose turn is over."""
    step = game.view(None).step
    assert isinstance(step, LateRequestsView)
    return step.after


def waited_for(game: Game) -> set[int]:
    return set(bits(game.state.agenda[-1].awaited(game.state)))


@pytest.mark.on_databases
async def test_the_window_does_not_open_for_those_who_are_asked_only_after_asking(ground: Playground) -> None:
    table = await begun(ground, ())
    assert await window(ground, table.number) is None
    assert (await ground.table(table.number)).deadline is None


async def test_it_waits_for_those_alone_who_want_to_be_asked_and_others_can_ask(ground: Playground) -> None:
    table = await begun(ground, (ANN, BOB))
    game = await window(ground, table.number)
    assert game is not None
    ended = ended_by(game)
    seats = {seat for seat in range(5) if table.user_at(game, seat) in (ANN, BOB)} - {ended}
    assert waited_for(game) == seats
    asks = next(user for user in PEOPLE if table.seat_of(game, user) not in {*seats, ended})
    await ground.play(table.number, asks, AskToBuild())
    for seat in seats:
        await ground.play(table.number, table.user_at(game, seat), PassOn())
    after = await ground.game(table.number)
    assert after.view(None).step.kind == "special_building"
    assert after.to_act == (table.seat_of(after, asks),)


async def test_whom_the_window_waits_for_is_hidden_from_all_others(ground: Playground) -> None:
    """Section M: while it is open all look alike, whatever they have chosen, asked or answered."""
    table = await begun(ground, (ANN, BOB))
    game = await window(ground, table.number)
    assert game is not None
    seats, ended = waited_for(game), ended_by(game)
    asked = game.copy()
    asker = next(seat for seat in range(5) if seat not in seats and asked.options(seat) and seat != ended)
    asked.play(asker, AskToBuild())
    assert set(bits(game.view(None).step.awaited)) == set(range(5)) - {ended}, "all but one look alike"
    assert asked.view(None) == game.view(None)
    assert all(asked.view(seat) == game.view(seat) for seat in range(5) if seat != asker)
