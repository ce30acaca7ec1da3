"""Who plays in a seat: a bot for a player who has left, and then its owner again."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

import pytest

from bot.table.act import Act
from bot.table.acts.options import SetOptions
from bot.table.acts.places import MoveGame
from bot.table.acts.play import Play
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat
from bot.table.options import DECIDE
from bot.table.table import OVER
from bot.table.time import Late
from bot.table.waiting import AWAY, decisions
from engine.actions import AgreeToCallOff, EndTurn, Resign
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, HOUR, Desk
from tests.engine.builder import table as position


def waiting_for_bob(players: int = 3, **options: Any) -> Desk:
    """A game that waits for Bob; Ann is the host."""
    return Desk.at(position(players=players, on_turn=1), **options)


def test_a_bot_has_no_time_limit() -> None:
    desk = waiting_for_bob(3, pace=HOUR, expiry=DECIDE)
    desk.act(BOB, Replace(BOB))
    assert [wait.until for wait in decisions(desk.table)] == [None]


def test_a_player_replaced_by_a_bot_cant_play_until_they_return() -> None:
    desk = waiting_for_bob(3)
    desk.act(BOB, Replace(BOB))
    assert (desk.table.member(BOB).level, desk.playing) == ("hard", (ANN, CEM))
    assert desk.refused(BOB, Play(EndTurn())) == "replaced"
    desk.act(BOB, ReturnToSeat())
    assert (desk.table.member(BOB).level, desk.playing) == ("", (ANN, BOB, CEM))
    assert desk.refused(BOB, ReturnToSeat()) == "not-replaced"
    desk.play(BOB, EndTurn())


@pytest.mark.parametrize(
    ("by", "act", "key"),
    [
        (ANN, Replace(BOB), "no-player/replaced"),
        (ANN, Replace(EVE), "no-player/person"),
        (EVE, Replace(ANN), "not-playing"),
        (ANN, Replace(CEM, level="godlike"), "level"),
        (ANN, Replace(CEM, level="random"), "level"),
        (EVE, ReturnToSeat(), "not-playing"),
    ],
)
def test_invalid_replacements_and_returns_are_refused(by: int, act: Act, key: str) -> None:
    desk = waiting_for_bob(3)
    desk.act(BOB, Replace(BOB))
    assert desk.refused(by, act) == key


def test_the_last_person_cant_be_replaced_but_can_resign_and_end_the_game() -> None:
    desk = waiting_for_bob(2)
    desk.act(BOB, Replace(BOB))
    assert desk.refused(ANN, Replace(ANN)) == "last-person"
    desk.play(ANN, Resign())
    assert desk.table.status == OVER


def test_a_player_who_resigned_cant_return() -> None:
    desk = waiting_for_bob(3)
    desk.play(BOB, Resign())
    assert desk.refused(BOB, ReturnToSeat()) == "not-playing/resigned"


@pytest.mark.parametrize("act", [Replace(BOB), ReturnToSeat()])
def test_players_cant_be_replaced_in_a_lobby(act: Act) -> None:
    assert Desk.lobby(ANN, BOB).refused(ANN, act) == "not-started"


def test_votes_dont_keep_the_others_waiting_without_end() -> None:
    desk = waiting_for_bob(3)
    since, missed = desk.wait.since, (Late(BOB, 1, desk.played.turn),)
    desk.table = changed(desk.table, missed=missed)
    desk.now += HOUR / 2
    desk.act(ANN, Replace(BOB))
    desk.play(BOB, AgreeToCallOff())
    assert (desk.wait.since, desk.table.missed) == (since, missed)
    desk.act(CEM, Replace(BOB))
    assert desk.table.member(BOB).level, "the vote has taken no one's vote back"


def test_a_player_who_returns_in_the_turn_in_which_they_were_late_is_still_late() -> None:
    desk = waiting_for_bob(3, pace=HOUR, expiry=DECIDE)
    desk.act(BOB, Replace(BOB))
    late = (Late(BOB, 1, desk.played.turn),)
    desk.table = changed(desk.table, missed=late)
    desk.act(BOB, ReturnToSeat())
    assert (desk.awaited, desk.left, desk.table.missed) == (BOB, 0, late)


@pytest.mark.parametrize("resigns", [True, False])
def test_the_next_player_acts_as_host_when_the_host_no_longer_plays(resigns: bool) -> None:
    """A host for whom a bot plays stays host for days."""
    desk = Desk.at(position(players=4))
    if resigns:
        desk.play(ANN, Resign())
    else:
        desk.act(ANN, Replace(ANN))
        assert desk.table.host_in(desk.played) == ANN
        desk.pass_time(AWAY)
    assert desk.table.host_in(desk.played) == BOB
    desk.act(BOB, Replace(CEM, left=True))
    assert desk.playing == (BOB, DOT)
    desk.pass_time(AWAY)
    desk.act(BOB, OfferSeat(EVE, absent=CEM))
    desk.act(BOB, SetOptions({"pause": 10}))
    assert desk.table.options.pause == 10
    desk.act(BOB, MoveGame(60))
    for act, key in ((SetOptions({"pause": 11}), "not-host"), (MoveGame(61), "not-host/move")):
        with pytest.raises(RefereeError) as refused:
            desk.act(DOT, act)
        assert (refused.value.key, refused.value.params["host"]) == (key, "Bob")
