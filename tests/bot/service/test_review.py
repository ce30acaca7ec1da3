"""Which choices a review judges: those that a person made themselves."""

from __future__ import annotations

from bot.service.review import _by_others
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import Replace
from engine.actions import EndTurn, Roll
from tests.bot.table.desk import ANN, BOB, Desk
from tests.engine.builder import seat
from tests.engine.builder import table as position


def test_a_review_leaves_out_what_autopilot_did() -> None:
    desk = Desk.at(position(seat(), seat(), seat(), step="pre_roll"))
    desk.order(ANN, roll=True)
    assert desk.carry_out(BOB) == []
    rolled = desk.played.revision
    assert desk.carry_out(ANN) == [Roll()]
    ended = desk.played.revision
    desk.play(ANN, EndTurn())
    assert rolled in _by_others(desk.log, ANN)
    assert ended not in _by_others(desk.log, ANN)
    assert {rolled, ended} <= _by_others(desk.log, BOB)


def test_a_review_leaves_out_what_a_bot_did_in_the_players_seat() -> None:
    desk = Desk.at(position(seat(), seat(), step="pre_roll"))
    desk.pass_time(3 * 86400.0)
    desk.act(BOB, Replace(ANN))
    rolled = desk.played.revision
    desk.act(ANN, Play(Roll(), how=COMPUTER))
    assert rolled in _by_others(desk.log, ANN)
