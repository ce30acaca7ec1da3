"""Whole base games with the real bot, by components only and by commands only, with restarts in every phase."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine.actions import AcceptOffer, Action, CloseOffer, Discard, MakeOffer
from engine.game import Game
from engine.step import PlacingView
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, labels, text
from tests.bot.discord.moves import plan, play

PHASES = {"setup", "discards", "robber", "offer", "Road Building"}
"""Where the bot is restarted, once each in a game."""


def phase(game: Game) -> str:
    """The phase that the game is in the middle of; empty if it is none of `PHASES`."""
    view = game.view(None)
    places_road = isinstance(view.step, PlacingView) and view.step.piece == "road"
    if view.step.kind == "setup" and game.revision > 4 and places_road:
        return "setup"
    if view.step.kind == "discard" and len(game.to_act) > 1:
        return "discards"
    if view.step.kind == "move_robber":
        return "robber"
    if view.step.kind == "main" and view.offers and any(offer.accepted for offer in view.offers):
        return "offer"
    if view.step.kind == "road_building" and view.last[-1].name == "built":
        return "Road Building"
    return ""


def restarts(start: Game, moves: list[tuple[int, Action]]) -> dict[int, str]:
    """Each phase, by the number of a plan's moves after which it is first met."""
    game, phases = start.copy(), dict[int, str]()
    for number, (seat, action) in enumerate(moves, 1):
        game.play(seat, action)
        here = phase(game)
        if here and here not in phases.values():
            phases[number] = here
    return phases


def fitting(start: Game) -> tuple[list[tuple[int, Action]], dict[int, str]]:
    """The first plan that goes through all phases and closes a trade. Returns its moves and `restarts`."""
    for seed in itertools.count():
        moves = plan(start, seed, offers=True)
        phases = restarts(start, moves)
        kinds = {type(action) for _, action in moves}
        if set(phases.values()) == PHASES and {MakeOffer, AcceptOffer, CloseOffer, Discard} <= kinds:
            return moves, phases
    raise AssertionError("there is no end of seeds")


@pytest.mark.soak
@pytest.mark.parametrize("way", [by_components, by_commands])
async def test_a_whole_game_is_won_with_a_restart_in_each_phase(open_hall: Opened, way: Any) -> None:
    """To ten points, with a restart in the middle of each of the `PHASES`."""
    async with open_hall() as hall:
        await hall.begin(target=10)
        moves, phases = fitting(await hall.game())
        done = 0
        for stop in sorted(phases):
            await play(hall, way, moves[done:stop])
            done = stop
            before = (await hall.game()).hash()
            await hall.restart()
            assert (await hall.game()).hash() == before
        await play(hall, way, moves[done:])
        await check_end(hall)


async def check_end(hall: Hall) -> None:
    """Check that a player has won and all see it, with the seed."""
    outcome = (await hall.game()).outcome
    assert outcome is not None
    assert outcome.reason == "target"
    panel = await hall.panel()
    assert "🏁" in text(panel)
    assert labels(panel) == ["Rematch", "Stats"]
    assert [file.filename for file in panel.attachments] == ["figures.png", "board.png"]
    assert any("Check every die" in text(m) for m in hall.channel.history())
