"""Time that stands still for all: in a pause, while the process is away or its clock is set, and in the archive."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.act import Act
from bot.table.acts.motions import Propose
from bot.table.acts.orders import GiveOrders
from bot.table.acts.places import CloseUnused, Resume, Warn
from bot.table.acts.play import Play
from bot.table.options import DECIDE
from bot.table.parts import PACE, PAUSE, RESUME
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


def test_time_spent_before_a_pause_stays_spent() -> None:
    desk = paused()
    desk.now += 30 * DAY
    desk.agree(RESUME)
    assert (desk.awaited, desk.left) == (ANN, HOUR)


def test_nothing_is_due_during_a_pause() -> None:
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
def test_a_pause_refuses_moves_but_allows_resigning_voting_and_autopilots(act: Act, key: str | None) -> None:
    desk = paused()
    if key is None:
        desk.act(ANN, act)
    else:
        assert desk.refused(ANN, act) == key


def test_players_can_choose_during_a_pause_when_to_be_called_to_build() -> None:
    desk = Desk.at(position(players=5, scenario="extension"))
    desk.agree(PAUSE)
    desk.play(BOB, SetStanding(7))
    assert desk.played.state.standing[1] == 7


def test_a_player_who_becomes_awaited_during_a_pause_has_full_time() -> None:
    desk = paused()
    desk.now += 3 * HOUR
    desk.play(ANN, Resign())
    desk.now += 5 * HOUR
    for user in (BOB, CEM):
        desk.act(user, Propose(RESUME))
    assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)


def test_a_pace_agreed_on_during_a_pause_counts_when_the_pause_ends() -> None:
    desk = paused()
    desk.now += 10 * HOUR
    desk.agree(PACE, pace=5 * HOUR)
    desk.now += 10 * HOUR
    desk.agree(RESUME)
    assert desk.left == 4 * HOUR


def test_no_time_runs_until_a_proposal_to_resume_passes() -> None:
    desk = paused()
    desk.act(ANN, Propose(RESUME))
    desk.now += DAY
    desk.act(BOB, Propose(RESUME))
    assert desk.left == HOUR


def test_a_pause_doesnt_shorten_the_window_for_answers_to_the_robber() -> None:
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
def test_players_lose_no_time_when_harbormaster_is_down_or_its_clock_changes(seconds: float) -> None:
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
def test_players_lose_no_time_when_harbormaster_is_down_during_a_pause(seconds: float) -> None:
    desk = paused()
    desk.now += DAY
    desk.down(seconds)
    desk.now += DAY
    desk.agree(RESUME)
    assert desk.left == HOUR


def test_a_player_called_before_a_clock_change_is_noticed_has_full_time() -> None:
    for jump in (5 * HOUR, -5 * HOUR):
        desk = paced()
        desk.down(jump)
        desk.play(ANN, EndTurn())
        assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)


@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_downtime_doesnt_shorten_a_window(seconds: float) -> None:
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
    desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    return desk


def test_a_game_archived_during_a_pause_runs_when_it_is_resumed() -> None:
    desk = archived()
    assert (desk.table.status, desk.next_look) == (ARCHIVED, None)
    assert desk.refused(BOB, Play(EndTurn())) == "archived"
    desk.now += 100 * DAY
    desk.act(CEM, Resume())
    table = desk.table
    assert (table.status, table.paused, table.motions, table.missed) == (RUNNING, 0.0, (), ())
    assert (desk.awaited, desk.left) == (BOB, 2 * HOUR)
    revision = desk.played.revision
    desk.pass_time(2 * HOUR)
    assert desk.played.revision > revision, "its time runs"


def test_a_game_with_recent_activity_is_not_archived() -> None:
    desk = paced()
    before = desk.table.updated
    desk.now += 27 * DAY
    desk.play(ANN, EndTurn())
    for act in (Warn(before), CloseUnused(ARCHIVED, before)):
        desk.act(0, act)
    assert (desk.table.status, desk.table.warned) == (RUNNING, None)
