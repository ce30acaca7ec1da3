"""Where a game is played: it moves to another channel, is resumed, or is voided by a manager of the channel."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.table.act import Act
from bot.table.acts.places import CloseUnused, MoveGame, Resume, VoidGame
from bot.table.acts.play import Play
from bot.table.options import DECIDE
from bot.table.parts import PAUSE, RESUME
from bot.table.preferences import PersonalChoices, UserSettings
from bot.table.reminders import due_at
from bot.table.seats import can_replace_alone_from
from bot.table.table import ARCHIVED, OVER, RUNNING
from engine.actions import EndTurn, Resign
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, DAY, EVE, HOUR, Desk
from tests.engine.builder import table as position

HERE, ELSEWHERE = 5, 6
BUSY = replace(Desk.lobby(EVE).table, number=9)


def desk_of(status: str) -> Desk:
    """A table of three with this status."""
    desk = Desk.at(position(players=3), pace=HOUR)
    if status == ARCHIVED:
        desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    elif status == OVER:
        desk.act(EVE, VoidGame("Mod"))
    return desk


@pytest.mark.parametrize(
    ("status", "user", "act", "key"),
    [
        (RUNNING, EVE, MoveGame(ELSEWHERE), "not-playing"),
        (RUNNING, BOB, MoveGame(ELSEWHERE), "not-host/move"),
        (RUNNING, ANN, MoveGame(HERE), "same-channel"),
        (RUNNING, ANN, MoveGame(ELSEWHERE, busy=BUSY), "channel-busy/lobby"),
        (OVER, ANN, MoveGame(ELSEWHERE), "over"),
        (RUNNING, ANN, Resume(), "not-archived"),
        (ARCHIVED, EVE, Resume(), "not-playing/resume"),
        (ARCHIVED, BOB, Resume(busy=BUSY), "channel-busy"),
        (ARCHIVED, ANN, Play(EndTurn()), "archived"),
        (OVER, EVE, VoidGame("Mod"), "over"),
    ],
)
def test_invalid_attempts_to_move_resume_or_call_off_a_game_are_refused(
    status: str, user: int, act: Act, key: str
) -> None:
    assert desk_of(status).refused(user, act) == key


def test_the_refusal_says_which_game_is_in_the_way() -> None:
    with pytest.raises(RefereeError) as refused:
        desk_of(ARCHIVED).act(BOB, Resume(busy=BUSY))
    assert refused.value.params == {"number": 9, "waiting": 1}


@pytest.mark.parametrize(("user", "anybody", "left"), [(ANN, False, HOUR - 60), (BOB, True, HOUR)])
def test_the_host_can_move_a_game_and_any_player_can_if_it_couldnt_be_shown(
    user: int, anybody: bool, left: int
) -> None:
    """Where the game couldn't be shown, no one could act, so all times begin again."""
    desk = desk_of(RUNNING)
    desk.now += 60
    desk.act(user, MoveGame(ELSEWHERE, anybody=anybody))
    assert (desk.table.channel, desk.left) == (ELSEWHERE, left)


@pytest.mark.parametrize("act", [Resume(), MoveGame(HERE), MoveGame(ELSEWHERE)])
def test_any_player_can_resume_an_archived_game_in_any_channel(act: Act) -> None:
    desk = desk_of(ARCHIVED)
    desk.now += 100 * DAY
    desk.act(BOB, act)
    assert (desk.table.status, desk.left) == (RUNNING, HOUR)


@pytest.mark.parametrize("reminded", [False, True])
@pytest.mark.parametrize(
    ("status", "act"),
    [
        (ARCHIVED, Resume()),
        (ARCHIVED, MoveGame(ELSEWHERE)),
        (RUNNING, MoveGame(ELSEWHERE)),
        (RUNNING, MoveGame(ELSEWHERE, anybody=True)),
    ],
)
def test_a_new_game_message_takes_the_place_of_the_calls_before_it(status: str, act: Act, reminded: bool) -> None:
    """Else the same players would be called twice: by a reminder that is posted again, or after a pause."""
    desk = Desk.of(ANN, BOB, CEM, pace=int(DAY))
    if reminded:
        desk.now += 3 * HOUR
        desk.look()
    desk.agree(PAUSE)
    if not reminded:
        desk.agree(RESUME)
    if status == ARCHIVED:
        desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    assert (desk.wait.pinged > 0, desk.wait.again) == (reminded, not reminded)
    desk.act(ANN, act)
    assert (desk.wait.pinged, desk.wait.again) == (0.0, False)


@pytest.mark.parametrize(
    ("status", "act"),
    [(ARCHIVED, Resume()), (ARCHIVED, MoveGame(ELSEWHERE)), (RUNNING, MoveGame(ELSEWHERE, anybody=True))],
)
def test_who_has_resigned_moves_and_resumes_nothing(status: str, act: Act) -> None:
    desk = desk_of(RUNNING)
    desk.play(CEM, Resign())
    if status == ARCHIVED:
        desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    assert desk.refused(CEM, act) == "not-playing/resigned"


@pytest.mark.parametrize("status", [RUNNING, ARCHIVED])
def test_a_channel_manager_can_call_a_game_off_without_a_winner(status: str) -> None:
    desk = desk_of(status)
    desk.act(EVE, VoidGame("Mod"))
    assert desk.played.outcome is not None
    assert (desk.table.status, desk.table.ended_by, desk.table.manager) == (OVER, EVE, "Mod")
    assert desk.played.outcome.winners == ()


def test_without_a_timer_a_resumed_game_begins_its_waits_again() -> None:
    """Else anyone alone could have a bot play at once for the player for whom it waited before."""
    desk = Desk.of(ANN, BOB, CEM)
    desk.plain(2)
    assert desk.awaited == BOB
    desk.now += 30 * DAY
    desk.look()
    desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    desk.now += 60 * DAY
    desk.act(CEM, Resume())
    assert due_at(desk.table, desk.played, desk.wait) == desk.now + DAY
    free = [can_replace_alone_from(desk.table, desk.played, BOB, user) for user in (ANN, CEM)]
    assert free == [desk.now + HOUR, desk.now + DAY]


def test_J2_a_resumed_game_is_told_from_how_many_cards_on_each_player_is_called() -> None:
    desk = Desk.at(position(players=5, scenario="extension"))
    desk.settings[BOB] = UserSettings(BOB, standing=4, choices=PersonalChoices(building_chosen=True))
    desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    desk.act(ANN, Resume())
    assert desk.played.state.standing[desk.seat(BOB)] == 4


def test_a_game_that_the_clock_ends_has_ended_then() -> None:
    """When it ended counts for ratings, and for how long it is kept."""
    desk = Desk.of(ANN, BOB, CEM, pace=DAY, expiry=DECIDE, round_limit=5)
    desk.until(lambda game: game.turn == 15)
    while desk.table.status == RUNNING:
        desk.now += DAY
        desk.look()
    assert (desk.table.status, desk.table.updated) == (OVER, desk.now)
