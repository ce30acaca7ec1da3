"""Games in a window, which is a decision with its own time limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.table.acts.lobby import config_of
from bot.table.preferences import UserSettings
from engine.actions import MoveRobber, Roll
from engine.game import Game
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, Desk
from tests.engine.builder import Script, hex_, seat
from tests.engine.builder import table as position

FIVE = (ANN, BOB, CEM, DOT, EVE)


def interrupted(answer_time: int = 300, **options: Any) -> Desk:
    """Ann has rolled a seven and moved the robber to where Bob could lose a card. The others are asked (L8)."""
    spots = ("B4", "D4", "E6", "C8")
    seats = [seat(settlements=spot, hand=kind * 2, cards="k") for spot, kind in zip(spots, "bwlo", strict=True)]
    asking: dict[str, Any] = {"variants": ("knight-interrupt",), "answer_time": answer_time}
    desk = Desk.at(position(*seats, step="pre_roll", dice=[(3, 4)], **asking), **options)
    desk.play(ANN, Roll())
    desk.play(ANN, MoveRobber(hex_("4.1")))
    assert desk.played.view(None).step.kind == "interrupt"
    return desk


def five(always: Iterable[int] = FIVE, pace: int = 120, **options: Any) -> Desk:
    """A game of five with special building phases (J2), in its first turn; `always`: users who want to be called
    without asking, from more cards than anyone has."""
    desk = Desk.lobby(*FIVE, scenario="extension", pace=pace, target=20, **options)
    desk.settings = {user: UserSettings(user, standing=20) for user in always}
    desk.start(Game.new(config_of(desk.table), Script()))
    desk.until(lambda game: game.turn > 0)
    return desk


def late_requests(**options: Any) -> Desk:
    """Such a game after Ann has ended her turn. If the window opens, the others can still ask to build."""
    desk = five(**options)
    desk.until_on(ANN)
    desk.until(lambda game: game.state.on_turn != desk.seat(ANN) or game.view(None).step.kind == "late_requests")
    return desk
