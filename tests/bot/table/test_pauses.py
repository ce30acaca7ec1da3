"""Time that stands still for all: in a pause, while the process is away or its clock is set, and in the archive."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.act import Act
from bot.table.acts.motions import Propose
from bot.table.acts.orders import GiveOrders
from bot.table.acts.places import PutAway, TakeUp, Warn
from bot.table.acts.play import Play
from bot.table.motion import PACE, PAUSE, RESUME
from bot.table.options import DECIDE
from bot.table.table import ARCHIVED, RUNNING
from engine.actions import AgreeToCallOff, AgreeToEnd, EndTurn, Resign, SetStanding
from tests.bot.table.desk import ANN, BOB, CEM, DAY, HOUR, MINUTE, Desk
from tests.bot.table.windows import interrupted
from tests.engine.builder import table as position
from tests.engine.tables import later


def paced(pace: int = 2 * HOUR, **options: Any) -> Desk:
    """A game that waits for Ann, who has `pace` seconds."""
    return Desk.at(later(position(players=3)), pace=pace, **options)


def paused(pace: int = 2 * HOUR, **options: Any) -> Desk:
    """The same game, in which all agree on a pause after an hour."""
    desk = paced(pace, **options)
    desk.pass_time(HOUR)
    desk.agree(PAUSE)
    return desk


def test_what_was_spent_before_a_pause_is_spent() -> None:
    desk = paused()
    desk.now += 30 * DAY
    desk.agree(RESUME)
    assert (desk.awaited, desk.left) == (ANN, HOUR)


def test_in_a_pause_nothing_is_due() -> None:
    desk = paused(expiry=DECIDE)
    assert desk.next_look is None
    desk.now += 10 * DAY
    revision = desk.played.revision
    assert desk.look().due == ()
    assert desk.played.revision == revision
    desk.agree(RESUME)
    assert desk.next_look == desk.now + 45 * MINUTE, "the reminder after seven eighths of the time"


@pytest.mark.parametrize(
    ("act", "key"),
    [
        (Play(EndTurn()), "paused"),
        (Play(Resign()), None),
        (Play(AgreeToEnd()), None),
        (Play(AgreeToCallOff()), None),
        (GiveOrders({"roll": True}), None),
    ],
)
def test_in_a_pause_nobody_plays_on(act: Act, key: str | None) -> None:
    desk = paused()
    if key is None:
        desk.act(ANN, act)
    else:
        assert desk.refused(ANN, act) == key


def test_in_a_pause_it_can_be_chosen_when_to_be_called_to_build() -> None:
    desk = Desk.at(position(players=5, scenario="extension"))
    desk.agree(PAUSE)
    desk.play(BOB, SetStanding(7))
    assert desk.played.state.standing[1] == 7


def test_who_became_awaited_in_a_pause_has_all_their_time() -> None:
    desk = paused()
    desk.now += 3 * HOUR
    desk.play(ANN, Resign())
    desk.now += 5 * HOUR
    for user in (BOB, CEM):
        desk.act(user, Propose(RESUME))
    assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)


def test_a_pace_that_was_agreed_on_in_a_pause_begins_with_its_end() -> None:
    desk = paused()
    first = desk.wait.since
    desk.now += 10 * HOUR
    desk.agree(PACE, pace=5 * HOUR)
    desk.now += 10 * HOUR
    desk.agree(RESUME)
    assert (desk.wait.since, desk.left) == (first, 5 * HOUR)


def test_a_wish_to_go_on_is_answered_before_time_runs() -> None:
    desk = paused()
    desk.act(ANN, Propose(RESUME))
    desk.now += DAY
    desk.act(BOB, Propose(RESUME))
    assert desk.left == HOUR


def test_the_window_for_answers_to_the_robber_is_as_long_after_a_pause() -> None:
    """Rule L8."""
    desk = interrupted(answer_time=300)
    desk.now += 100
    desk.agree(PAUSE)
    desk.now += DAY
    desk.agree(RESUME)
    assert desk.table.deadline is not None
    assert desk.table.deadline.at == desk.now + 200


# --- the process is away, or its clock is set


@pytest.mark.parametrize("seconds", [5 * HOUR, -5 * HOUR, 3 * DAY, -3 * DAY])
def test_nobody_has_less_time_because_the_bot_was_away_or_its_clock_was_set(seconds: float) -> None:
    desk = paced(expiry=DECIDE)
    desk.now += HOUR
    desk.down(seconds)
    revision = desk.played.revision
    desk.look()
    assert (desk.left, desk.played.revision) == (HOUR, revision)
    desk.pass_time(HOUR - 1)
    assert desk.played.revision == revision
    desk.pass_time(1)
    assert desk.played.revision > revision


@pytest.mark.parametrize("seconds", [5 * DAY, -5 * DAY, HOUR / 2])
def test_nor_because_it_was_so_in_a_pause(seconds: float) -> None:
    desk = paused()
    desk.now += DAY
    desk.down(seconds)
    desk.now += DAY
    desk.agree(RESUME)
    assert desk.left == HOUR


def test_who_is_called_before_it_is_noticed_that_the_clock_was_set_has_their_time() -> None:
    for jump in (5 * HOUR, -5 * HOUR):
        desk = paced()
        desk.down(jump)
        desk.play(ANN, EndTurn())
        assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)


@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_a_window_is_as_long_although_the_bot_was_away(seconds: float) -> None:
    """Rule L8."""
    desk = interrupted(answer_time=300)
    desk.now += 100
    desk.down(seconds)
    desk.look()
    assert desk.table.deadline is not None
    assert desk.table.deadline.at == desk.now + 200


# --- a game is put away


def archived() -> Desk:
    """An archived game: Ann has missed a turn, and no one has acted in a pause for 30 days."""
    desk = paced(expiry=DECIDE)
    desk.pass_time(2 * HOUR)
    desk.agree(PAUSE)
    desk.act(ANN, Propose(RESUME))
    desk.now += 30 * DAY
    desk.act(0, PutAway(ARCHIVED, desk.table.updated))
    return desk


def test_a_game_that_was_put_away_in_a_pause_runs_when_it_is_taken_up() -> None:
    desk = archived()
    assert (desk.table.status, desk.next_look) == (ARCHIVED, None)
    assert desk.refused(BOB, Play(EndTurn())) == "archived"
    desk.now += 100 * DAY
    desk.act(CEM, TakeUp())
    table = desk.table
    assert (table.status, table.paused, table.motions, table.missed) == (RUNNING, 0.0, (), ())
    assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)
    revision = desk.played.revision
    desk.pass_time(2 * HOUR)
    assert desk.played.revision > revision, "its time runs"


def test_a_table_that_somebody_has_touched_is_not_put_away() -> None:
    desk = paced()
    before = desk.table.updated
    desk.now += 27 * DAY
    desk.play(ANN, EndTurn())
    for act in (Warn(before), PutAway(ARCHIVED, before)):
        desk.act(0, act)
    assert (desk.table.status, desk.table.warned) == (RUNNING, None)
