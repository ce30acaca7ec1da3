"""Decisions with their own time limit: answers to the robber (L8) and late requests to build (J2)."""

from __future__ import annotations

import pytest

from bot.table.acts.options import SetOptions
from bot.table.acts.places import MoveGame
from bot.table.acts.seats import OfferSeat, TakeSeat
from bot.table.parts import PACE
from engine.actions import AskToBuild, Expire, PassOn, PlayKnight
from engine.errors import ConfigError
from engine.geometry import bits
from engine.record import REFEREE
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, EVE, Desk
from tests.bot.table.windows import interrupted, late_requests


def open_for(desk: Desk) -> float | None:
    """Seconds for which the window stays open; None if there is none."""
    return None if desk.table.deadline is None else desk.table.deadline.at - desk.now


# --- answers to the robber (L8)


def test_a_window_lasts_for_the_tables_answer_time_instead_of_the_pace() -> None:
    desk = interrupted(answer_time=300, pace=DAY)
    assert (open_for(desk), desk.table.waits) == (300, ())


@pytest.mark.parametrize("answer", [PassOn(), PlayKnight()])
def test_an_answer_moves_neither_the_deadline_nor_the_version(answer: PassOn | PlayKnight) -> None:
    desk = interrupted()
    before = desk.table
    desk.now += 100
    assert desk.play(BOB, answer).due == ()
    assert (desk.table.deadline, desk.table.version) == (before.deadline, before.version)


def test_the_last_answer_closes_the_window() -> None:
    desk = interrupted()
    for user in (BOB, CEM, DOT):
        assert open_for(desk) == 300
        desk.play(user, PassOn())
    assert open_for(desk) is None


def test_a_window_is_closed_once_and_not_before_its_time() -> None:
    desk = interrupted()
    limit, revision = desk.table.deadline, desk.played.revision
    assert limit is not None
    for seconds, due in ((299, False), (1, True), (0, False)):
        desk.now += seconds
        assert bool(desk.look().due) == due
    assert [(r.actor, r.action) for r in desk.played.records[revision:]] == [(REFEREE, Expire(limit.serial))]


def test_a_window_restarts_if_the_game_couldnt_be_seen() -> None:
    desk = interrupted()
    desk.now += 300
    desk.look(unseen=desk.now)
    assert open_for(desk) == 300
    desk.pass_time(300)
    assert open_for(desk) is None


def test_a_window_doesnt_restart_when_a_person_takes_a_seat() -> None:
    desk = interrupted()
    serial = desk.played.state.agenda[-1].serial
    desk.now += 290
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 1))
    assert desk.table.deadline is not None
    assert (open_for(desk), desk.table.deadline.serial) == (10, serial)


@pytest.mark.parametrize(("anybody", "left"), [(False, 3), (True, 300)])
def test_a_window_restarts_when_a_game_that_couldnt_be_shown_moves(anybody: bool, left: float) -> None:
    desk = interrupted()
    desk.now += 297
    desk.act(ANN, MoveGame(6, anybody=anybody))
    assert (desk.table.channel, open_for(desk)) == (6, left)


@pytest.mark.parametrize("seconds", [0, 59, 8 * DAY])
def test_the_time_for_an_answer_has_bounds(seconds: int) -> None:
    with pytest.raises(ConfigError, match="1 minute to 7 days"):
        Desk.lobby(ANN, BOB).act(ANN, SetOptions({"answer_time": seconds}))


# --- late requests to build (J2)


def waited_for(desk: Desk) -> set[int]:
    """The users whom the window really waits for."""
    state = desk.played.state
    return {desk.table.user_at(desk.played, seat) for seat in bits(state.agenda[-1].awaited(state))}


@pytest.mark.parametrize(
    ("pace", "then", "seconds"),
    [(120, 120, 30), (120, 200, 50), (120, DAY, 60), (120, 0, 30), (3600, 3600, 60)],
)
def test_late_requests_have_a_quarter_of_the_pace(pace: int, then: int, seconds: int) -> None:
    """At most a minute. Another pace counts, too, if the game began with the window."""
    desk = late_requests(pace=pace)
    if then != pace:
        desk.agree(PACE, pace=then)
        desk.until(lambda game: game.view(None).step.kind == "main")
        desk.until(lambda game: game.view(None).step.kind == "late_requests")
    assert open_for(desk) == seconds
    desk.pass_time(seconds)
    assert open_for(desk) is None


@pytest.mark.parametrize("pace", [0, 3 * 3600])
def test_late_requests_have_no_window_unless_the_pace_is_short(pace: int) -> None:
    assert open_for(late_requests(pace=pace)) is None


def test_the_window_doesnt_open_for_players_who_are_called_only_when_they_ask() -> None:
    assert open_for(late_requests(always=())) is None


def test_the_window_waits_only_for_players_who_want_to_be_called_but_others_can_ask() -> None:
    desk = late_requests(always=(ANN, BOB, CEM))
    assert waited_for(desk) == {BOB, CEM}
    desk.play(DOT, AskToBuild())
    for user in (BOB, CEM):
        desk.play(user, PassOn())
    assert (desk.played.view(None).step.kind, desk.awaited) == ("special_building", DOT)


def test_M_others_cant_see_which_players_the_window_waits_for() -> None:
    """While the window is open, all look alike, whatever they have chosen, asked for or answered."""
    desk = late_requests(always=(BOB,))
    before = [desk.played.view(seat) for seat in (None, 0, 1, 2, 4)]
    assert {*bits(desk.played.view(None).step.awaited)} == {1, 2, 3, 4}, "all but who has ended the turn"
    assert desk.play(DOT, AskToBuild()).due == ()
    assert [desk.played.view(seat) for seat in (None, 0, 1, 2, 4)] == before
