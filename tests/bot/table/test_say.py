"""A bot in a person's seat plays moves. What the table decides waits for the person, until they have been away for days
(I6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.table.act import Act
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.seats import SILENCE, free_places, who_decides
from bot.table.table import OVER
from bot.table.waiting import AWAY
from engine.actions import Action, AgreeToCallOff, AgreeToEnd
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, DAY, EVE, HOUR, Desk
from tests.engine.builder import table as position
from tests.engine.tables import later


def replaced(players: int = 2, **options: Any) -> Desk:
    """A game in which Ann, the host, has had a bot play for Bob, for whom it has waited for an hour."""
    desk = Desk.at(later(position(players=players, on_turn=1)), **options)
    desk.now += SILENCE
    desk.act(ANN, Replace(BOB))
    return desk


VOTES = (AgreeToEnd(), AgreeToCallOff())


@pytest.mark.parametrize("vote", VOTES)
def test_I6_a_bot_doesnt_vote_in_the_seat_of_a_person_who_may_come_back(vote: Action) -> None:
    desk = replaced()
    desk.play(ANN, vote)
    desk.pass_time(AWAY - 1)
    assert desk.refused(BOB, Play(vote, how=COMPUTER)) == "replaced"
    desk.pass_time(1)
    desk.act(BOB, Play(vote, how=COMPUTER))
    assert desk.table.status == OVER


@pytest.mark.parametrize("vote", VOTES)
def test_I6_a_person_for_whom_a_bot_plays_can_vote_and_then_has_as_many_days_again(vote: Action) -> None:
    desk = replaced(3)
    desk.now += AWAY - 1
    desk.play(BOB, vote)
    desk.pass_time(AWAY - 1)
    assert BOB in who_decides(desk.table, desk.played)
    desk.pass_time(1)
    assert desk.refused(BOB, Play(vote)) == "replaced"


@pytest.mark.parametrize(
    ("what", "options"), [(PAUSE, {}), (PACE, {"pace": 120, "expiry": "decide"}), (PACE, {"pace": 14 * DAY})]
)
def test_what_needs_a_majority_waits_for_a_person_for_whom_a_bot_plays(what: str, options: dict[str, Any]) -> None:
    """After days away it is done without them, although no one does anything then."""
    desk = replaced()
    assert not desk.say(ANN, Propose(what, **options)).done
    desk.pass_time(AWAY - 1)
    assert desk.table.motions
    desk.pass_time(1)
    assert not desk.table.motions
    assert desk.table.paused if what == PAUSE else desk.table.options.pace == options["pace"]


@pytest.mark.parametrize("act", [Object(PAUSE), Agree(PAUSE), Propose(PAUSE)])
def test_a_person_for_whom_a_bot_plays_can_answer_what_others_propose(act: Any) -> None:
    desk = replaced()
    desk.say(ANN, Propose(PAUSE))
    assert desk.say(BOB, act).done == (not isinstance(act, Object))
    assert not desk.table.motions


def test_two_of_three_dont_become_the_only_ones_who_decide_by_replacing_the_third() -> None:
    desk = Desk.at(position(players=3, on_turn=1))
    for user in (ANN, CEM):
        desk.act(user, Replace(BOB))
    desk.play(ANN, AgreeToCallOff())
    desk.play(CEM, AgreeToCallOff())
    assert desk.refused(BOB, Play(AgreeToCallOff(), how=COMPUTER)) == "replaced"
    assert desk.say(ANN, Propose(PAUSE)).of == 3


@pytest.mark.parametrize(("by", "act"), [(ANN, OfferSeat(EVE, absent=BOB)), (EVE, AskForSeat("Eve", 1))])
def test_a_seat_isnt_given_away_while_its_owner_may_come_back(by: int, act: Act) -> None:
    desk = replaced(3)
    desk.pass_time(AWAY - 1)
    assert free_places(desk.table, desk.played) == []
    assert desk.refused(by, act) == "handover/waits"
    desk.pass_time(1)
    desk.act(by, act)


def test_a_person_for_whom_a_bot_plays_can_give_their_own_seat_away() -> None:
    desk = replaced(3)
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 1))
    assert desk.playing == (ANN, EVE, CEM)
    assert desk.table.absences == ()


def test_a_person_who_takes_their_seat_back_decides_again_and_takes_back_a_bots_votes() -> None:
    """A vote of their own stands."""
    desk = replaced(3)
    desk.play(ANN, AgreeToEnd())
    desk.play(BOB, AgreeToCallOff())
    desk.act(BOB, ReturnToSeat())
    assert desk.played.view(None).call_off_votes == 0b10
    desk.go_away(BOB)
    desk.act(BOB, Play(AgreeToEnd(), how=COMPUTER))
    desk.act(BOB, ReturnToSeat())
    view = desk.played.view(None)
    assert (view.end_votes, view.call_off_votes) == (0b01, 0)
    assert (desk.table.absences, who_decides(desk.table, desk.played)) == ((), (ANN, BOB, CEM))


# --- days that count


def decides(desk: Desk, user: int = BOB) -> bool:
    return user in who_decides(desk.table, desk.played)


def test_a_pause_isnt_time_away_until_someone_wants_to_go_on() -> None:
    desk = replaced(3)
    for user in (ANN, CEM):
        desk.say(user, Propose(PAUSE))
    desk.pass_time(30 * DAY)
    assert decides(desk)
    desk.say(ANN, Propose(RESUME))
    desk.pass_time(AWAY - 1)
    assert decides(desk)
    desk.pass_time(1)
    assert not decides(desk)


@pytest.mark.parametrize("pace", [0, DAY])
def test_a_vacation_isnt_time_away_as_far_as_the_table_allows_it(pace: int) -> None:
    """No one can block decisions for long by being away."""
    desk = replaced(pace=0)
    if pace:
        desk = Desk.at(position(players=3, on_turn=1), pace=pace, leave=14)
        desk.act(BOB, Replace(BOB))
    desk.leave(BOB, 0, 100 * DAY)
    desk.pass_time(14 * DAY + AWAY - 1)
    assert decides(desk)
    desk.pass_time(1)
    assert not decides(desk)


@pytest.mark.parametrize("seconds", [5 * DAY, -5 * DAY])
def test_time_in_which_harbormaster_was_away_or_its_clock_was_set_isnt_time_away(seconds: float) -> None:
    desk = replaced()
    desk.now += DAY
    desk.down(seconds)
    desk.look()
    desk.pass_time(AWAY - DAY - 1)
    assert decides(desk)
    desk.pass_time(1)
    assert not decides(desk)


def test_people_who_couldnt_see_the_game_have_all_their_days_again() -> None:
    desk = replaced()
    desk.now += AWAY
    desk.look(unseen=desk.now - 1)
    assert decides(desk)
    desk.pass_time(AWAY)
    assert not decides(desk)


def test_a_bot_that_took_over_in_an_earlier_version_leaves_its_person_days_from_now_on() -> None:
    desk = replaced()
    desk.table = replace(desk.table, absences=())
    assert decides(desk)
    desk.now += 30 * DAY
    desk.play(ANN, AgreeToEnd())
    assert [(absence.user, absence.wished) for absence in desk.table.absences] == [(BOB, False)]
    desk.pass_time(AWAY)
    assert not decides(desk)


# --- the hour after which one person alone can have a bot play


def silent(**options: Any) -> Desk:
    """A game of two that begins to wait for Bob in the middle of his day."""
    desk = Desk.at(position(players=2, on_turn=1), **options)
    desk.choose(BOB, zone="UTC")
    return desk


def refusal(desk: Desk, hours: float) -> str:
    """Why Bob can't be replaced after so many hours; "": he can."""
    then = replace(desk, now=desk.now + hours * HOUR)
    try:
        then.act(ANN, Replace(BOB))
    except RefereeError as error:
        return error.key
    return ""


def test_quiet_hours_dont_belong_to_the_hour() -> None:
    """How long they last isn't told. They delay it for a day at most."""
    desk, asleep = silent(), "too-soon/asleep"
    minute = int(desk.now % DAY // 60)  # of the day
    desk.choose(BOB, quiet=((minute + 30) % 1440, (minute + 510) % 1440))
    assert [refusal(desk, n) for n in (0.5, 1, 8.5, 8.9, 9)] == [
        "too-soon",
        "too-soon/asleep",
        "too-soon/asleep",
        "too-soon/asleep",
        "",
    ]
    desk = silent()
    desk.choose(BOB, quiet=(minute, (minute + 1439) % 1440))
    assert [refusal(desk, n) for n in (1, 23.9, 24)] == [asleep, asleep, ""]


def test_a_vacation_doesnt_belong_to_the_hour_even_without_a_turn_timer() -> None:
    desk = silent()
    desk.leave(BOB, HOUR / 2, 3 * DAY)
    assert [refusal(desk, n) for n in (1, 72.4, 72.5)] == ["too-soon", "too-soon", ""]


def test_a_pause_or_downtime_doesnt_belong_to_the_hour() -> None:
    desk = silent()
    desk.now += HOUR / 2
    desk.agree(PAUSE)
    desk.now += DAY
    desk.agree(RESUME)
    desk.down(5 * HOUR)
    assert [refusal(desk, n) for n in (0, 0.4, 0.5)] == ["too-soon", "too-soon", ""]


def test_anyone_else_waits_for_a_day_without_vacations() -> None:
    desk = Desk.at(position(players=4, on_turn=1))
    desk.leave(BOB, 0, 2 * DAY)
    for after, done in ((3 * DAY - 1, False), (1, True)):
        desk.now += after
        desk.act(CEM, Replace(BOB))
        assert (BOB not in desk.playing) == done


def test_a_person_for_whom_a_bot_plays_can_vote_on_a_bot_for_another_player() -> None:
    desk = Desk.at(position(players=4, on_turn=1))
    desk.act(CEM, Replace(CEM))
    desk.act(ANN, Replace(BOB))
    assert BOB in desk.playing, "one of three is no majority"
    desk.act(CEM, Replace(BOB))
    assert BOB not in desk.playing
