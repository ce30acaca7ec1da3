"""Who can have a bot play for a player, and when: the others by their votes, or one of them alone after a while."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace as changed
from typing import Any

import pytest

from bot.plaintext import Span
from bot.table.act import Act
from bot.table.acts.motions import Object, Propose
from bot.table.acts.play import Play
from bot.table.acts.seats import Replace, ReturnToSeat
from bot.table.acts.waiting import NoteBack, NoteGone
from bot.table.options import DECIDE, VOTE
from bot.table.parts import PAUSE, RESUME
from bot.table.seats import LONG_SILENCE, OFTEN, SILENCE
from bot.table.waiting import AWAY
from engine.actions import EndTurn
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, HOUR, Desk
from tests.engine.builder import table as position


def waiting_for_bob(players: int = 4, **options: Any) -> Desk:
    """A game that waits for Bob; Ann is the host."""
    return Desk.at(position(players=players, on_turn=1), **options)


def alone(desk: Desk, by: int, **more: Any) -> bool:
    """Whether a user alone can have Bob replaced now."""
    trial = changed(desk)
    with suppress(RefereeError):  # the refusal in a game of two
        trial.act(by, Replace(BOB, **more))
    return BOB not in trial.playing


def free_from(desk: Desk, by: int, seconds: float, **more: Any) -> bool:
    """Whether a user alone can have Bob replaced in that many seconds from now, and not a second earlier."""
    earlier, then = changed(desk, now=desk.now + seconds - 1), changed(desk, now=desk.now + seconds)
    return alone(then, by, **more) and not alone(earlier, by, **more)


@pytest.mark.parametrize(
    ("players", "options", "by", "seconds"),
    [
        (4, {}, ANN, SILENCE),  # the host
        (4, {}, CEM, LONG_SILENCE),  # anyone at the table
        (2, {}, ANN, SILENCE),  # the only other one
        (4, {"pace": 2 * DAY, "expiry": VOTE}, ANN, 2 * DAY),  # with a pace: the host, once it is over
        (4, {"pace": 2 * DAY, "expiry": VOTE}, CEM, 3 * DAY),  # anyone, a day later
        (4, {"pace": 2 * HOUR, "expiry": VOTE}, CEM, 4 * HOUR),  # or after the same time again
        (2, {"pace": 14 * DAY, "expiry": DECIDE}, ANN, 14 * DAY),
    ],
)
def test_one_player_alone_can_replace_another_once_the_game_has_waited_long_enough(
    players: int, options: dict[str, Any], by: int, seconds: float
) -> None:
    assert free_from(waiting_for_bob(players, **options), by, seconds)


@pytest.mark.parametrize(("by", "seconds"), [(ANN, SILENCE), (CEM, LONG_SILENCE)])
def test_time_when_the_game_couldnt_be_seen_doesnt_count(by: int, seconds: float) -> None:
    desk = waiting_for_bob()
    desk.now += HOUR / 2
    assert free_from(desk, by, seconds, unseen=desk.now)


def test_one_player_alone_cant_replace_a_player_who_isnt_waited_for() -> None:
    desk = waiting_for_bob()
    desk.now += 30 * DAY
    desk.act(ANN, Replace(CEM))
    desk.act(BOB, Replace(DOT))
    assert desk.playing == (ANN, BOB, CEM, DOT)


@pytest.mark.parametrize(
    ("players", "pace", "after", "key", "time"),
    [
        (2, 0, 10, "too-soon", HOUR),  # in whole minutes, rounded up
        (2, 0, HOUR - 61, "too-soon", 120),
        (2, 14 * DAY, DAY, "too-soon/pace", 13 * DAY),
    ],
)
def test_in_a_game_of_two_the_other_player_is_told_how_long_to_wait(
    players: int, pace: int, after: float, key: str, time: float
) -> None:
    desk = waiting_for_bob(players, pace=pace)
    desk.now += after
    with pytest.raises(RefereeError) as refused:
        desk.act(ANN, Replace(BOB))
    assert (refused.value.key, refused.value.params["time"]) == (key, Span(int(time)))


def test_in_a_game_of_two_a_player_who_isnt_waited_for_cant_be_replaced() -> None:
    assert waiting_for_bob(2).refused(BOB, Replace(ANN)) == "too-soon/not awaited"


@pytest.mark.parametrize(
    ("players", "votes", "done"),
    [
        (4, (ANN,), False),
        (4, (CEM,), False),
        (4, (CEM, CEM), False),  # two votes of the same player count once
        (4, (CEM, DOT), True),  # two of three others
        (4, (ANN, DOT), True),
        (3, (CEM,), False),
        (3, (CEM, ANN), True),
        (3, (BOB,), True),  # Bob himself
    ],
)
def test_more_than_half_of_the_other_players_can_replace_a_player_immediately(
    players: int, votes: tuple[int, ...], done: bool
) -> None:
    desk = waiting_for_bob(players)
    for by in votes:
        desk.act(by, Replace(BOB, level="easy"))
    assert (BOB not in desk.playing) == done
    assert desk.table.member(BOB).level == ("easy" if done else "")
    assert [(m.absent, m.ayes) for m in desk.table.motions] == ([] if done else [(BOB, votes[:1])])


def test_a_vote_to_replace_a_player_ends_when_they_act() -> None:
    desk = waiting_for_bob()
    desk.act(ANN, Replace(BOB))
    desk.play(BOB, EndTurn())
    assert desk.table.motions == ()


@pytest.mark.parametrize(("by", "done"), [(ANN, True), (CEM, False)])
@pytest.mark.parametrize("noted", [True, False])
def test_the_host_can_immediately_replace_a_player_who_left_the_server(by: int, done: bool, noted: bool) -> None:
    """The host can decide that alone; the others need a vote."""
    desk = waiting_for_bob(3)
    if noted:
        desk.act(0, NoteGone(BOB))
    desk.act(by, Replace(BOB, left=not noted))
    assert (BOB not in desk.playing) == done


@pytest.mark.parametrize("back", [NoteBack(BOB), Play(EndTurn()), None])
def test_a_player_who_left_the_server_is_noted_once_and_until_they_return(back: Act | None) -> None:
    desk = waiting_for_bob(3)
    version = desk.table.version
    for _ in range(2):
        desk.act(0, NoteGone(BOB))
    assert (desk.table.gone, desk.table.version) == ((BOB,), version + 1)
    if back is not None:
        desk.act(BOB, back)
    assert desk.table.gone == (() if back else (BOB,))


def test_players_who_left_the_server_leave_a_lobby_without_a_note() -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(0, NoteGone(ANN))
    assert (desk.table.people, desk.table.host, desk.table.gone) == ((BOB,), BOB, ())
    for act in (NoteGone(ANN), NoteBack(ANN)):
        assert desk.act(0, act).due == ()


# --- players who were late


def late(times: int, players: int = 3) -> Desk:
    """A game in which Bob has let his time run out that many times; it's Ann's turn."""
    desk = Desk.at(position(players=players), pace=HOUR, expiry=DECIDE)
    for _ in range(times):
        desk.until_on(BOB)
        desk.pass_time(HOUR)
    desk.until_on(ANN)
    return desk


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("times", [OFTEN - 1, OFTEN])
def test_the_host_can_replace_a_player_who_was_late_three_times_in_a_row(players: int, times: int) -> None:
    """That holds although the game doesn't wait for them now."""
    assert alone(late(times, players), ANN) == (times == OFTEN)


def test_a_player_who_returns_no_longer_counts_as_late() -> None:
    desk = late(OFTEN)
    desk.act(ANN, Replace(BOB))
    desk.act(BOB, ReturnToSeat())
    assert desk.table.missed == ()
    assert not alone(desk, ANN)


# --- in a pause


def paused(players: int, wish: int, **options: Any) -> Desk:
    """A game that has been paused for ten days, in which the user `wish` now wants to go on."""
    desk = waiting_for_bob(players, **options)
    desk.agree(PAUSE)
    desk.now += 10 * DAY
    assert not alone(desk, ANN)
    desk.act(wish, Propose(RESUME))
    return desk


@pytest.mark.parametrize(
    ("players", "by", "seconds"),
    [(2, ANN, DAY), (4, ANN, DAY), (4, CEM, 2 * DAY)],  # the only other one; the host; anyone
)
def test_a_player_who_doesnt_answer_a_proposal_to_resume_can_be_replaced(players: int, by: int, seconds: float) -> None:
    assert free_from(paused(players, by, pace=HOUR, expiry=DECIDE), by, seconds)


def test_a_player_who_proposes_to_resume_cant_be_replaced_during_the_pause() -> None:
    desk = paused(2, BOB)
    desk.now += 30 * DAY
    assert desk.refused(ANN, Replace(BOB)) == "too-soon/paused"


def test_during_a_pause_a_refusal_says_when_the_game_can_go_on() -> None:
    desk = paused(2, ANN)
    desk.now += DAY - 60
    with pytest.raises(RefereeError) as refused:
        desk.act(ANN, Replace(BOB))
    assert (refused.value.key, refused.value.params["time"]) == ("too-soon/go on", Span(60))


@pytest.mark.parametrize(("players", "others"), [(2, (BOB,)), (4, (BOB, CEM))])
def test_half_of_the_players_cant_keep_a_pause_for_more_than_a_day(players: int, others: tuple[int, ...]) -> None:
    desk = paused(players, ANN)
    for user in (DOT,) if players == 4 else ():
        desk.act(user, Propose(RESUME))
    for user in others:
        desk.act(user, Object(RESUME))
    desk.now += DAY - 1
    desk.act(ANN, Propose(RESUME))
    assert desk.table.paused
    desk.now += 1
    desk.act(ANN, Propose(RESUME))
    assert (desk.table.paused, desk.table.motions) == (0.0, ())


def test_in_a_game_of_four_resuming_takes_half_of_the_players_left() -> None:
    desk = paused(4, ANN)
    desk.now += DAY
    for gone in (BOB, DOT):
        desk.act(ANN, Replace(gone))
    assert desk.table.paused, "one of four is not enough"
    desk.pass_time(AWAY)
    assert not desk.table.paused
