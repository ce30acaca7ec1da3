"""When each player did something last. What an autopilot or a bot does for them doesn't count as seen by them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import OfferSeat, Replace, TakeSeat
from bot.table.reminders import LONG_AWAY, seen_by, was_away, with_last_action
from bot.table.time import Wait
from engine.actions import Action, AskToBuild, EndTurn, PassOn, Roll, SetStanding
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, HOUR, Desk
from tests.bot.table.windows import five, late_requests
from tests.engine.builder import table as position


def acted_at(desk: Desk, user: int) -> float | None:
    """When a user's seat last did something."""
    return next((at for who, _, at in desk.table.acted if who == user), None)


def rolling() -> Desk:
    """A game in which Ann must roll."""
    return Desk.at(position(players=3, step="pre_roll"))


def test_what_a_player_does_in_person_is_noted() -> None:
    desk = rolling()
    assert (seen_by(desk.table, ANN), acted_at(desk, ANN)) == (None, None)
    for action in (Roll(), EndTurn()):
        desk.now += 10
        desk.play(ANN, action)
        assert (seen_by(desk.table, ANN), acted_at(desk, ANN)) == (desk.played.public_revision, desk.now)
    assert seen_by(desk.table, BOB) is None


@pytest.mark.parametrize("computer", [True, False])
def test_an_autopilot_or_a_bot_updates_the_time_but_not_what_the_player_saw(computer: bool) -> None:
    desk = rolling()
    desk.play(ANN, Roll())
    seen = seen_by(desk.table, ANN)
    desk.now += HOUR
    if computer:
        desk.act(ANN, Replace(ANN))
        desk.act(ANN, Play(EndTurn(), how=COMPUTER))
    else:
        desk.order(ANN, end=True)
        assert desk.carry_out(ANN) == [EndTurn()]
    assert (seen_by(desk.table, ANN), acted_at(desk, ANN)) == (seen, desk.now)


def test_a_secret_action_is_not_noted() -> None:
    desk = five()
    desk.plain()
    before = desk.table.acted
    assert desk.play(BOB, SetStanding(7)).due == ()
    assert desk.table.acted == before != ()


@pytest.mark.parametrize("last", [PassOn(), AskToBuild(True)])
def test_M_a_player_whose_answer_closes_a_window_is_not_noted(last: Action) -> None:
    """J2: all see that the window is closed, but not whose answer was the last."""
    desk = late_requests()
    before = desk.table
    for user in (BOB, CEM, DOT):
        assert desk.play(user, PassOn()).due == ()
    assert desk.play(EVE, last).due != ()
    assert desk.table.acted == before.acted


@pytest.mark.parametrize(("since", "away"), [(LONG_AWAY - 1, False), (LONG_AWAY, True), (5 * LONG_AWAY, True)])
@pytest.mark.parametrize("in_person", [True, False])
def test_M_a_player_being_away_doesnt_reveal_whether_an_autopilot_acted(
    since: float, away: bool, in_person: bool
) -> None:
    desk = rolling()
    waiting = replace(desk.table, waits=(Wait(0, 1, desk.now + since),))
    assert was_away(with_last_action(waiting, ANN, 60, desk.now, in_person=in_person), ANN, 0) == away


def test_a_player_was_not_away_because_harbormaster_was_down_much_later() -> None:
    desk = rolling()
    down = desk.now + LONG_AWAY, desk.now + LONG_AWAY + 60
    waiting = replace(desk.table, waits=(Wait(0, 1, desk.now),), downtime=(down,))
    assert not was_away(with_last_action(waiting, ANN, 60, desk.now, in_person=True), ANN, 0)


def test_a_player_who_left_the_table_is_forgotten() -> None:
    desk = rolling()
    for action in (Roll(), EndTurn()):
        desk.play(ANN, action)
    desk.act(ANN, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 0))
    assert acted_at(desk, ANN) is None
    desk.play(BOB, Roll())
    assert acted_at(desk, BOB) == desk.now
