"""A seat changes hands: to a person who accepts it, or from a bot to a substitute."""

from __future__ import annotations

import pytest

from bot.projections import Kind, Name
from bot.table.act import Act
from bot.table.acts.motions import Agree, AskForSeat, Object
from bot.table.acts.play import Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.waiting import NoteGone
from bot.table.parts import DECLINED, SEATED, SUBSTITUTE
from bot.table.preferences import UserSettings
from bot.table.table import OVER, RUNNING
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.game import Game
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, EVE, FAY, HOUR, Desk
from tests.engine.builder import Script
from tests.engine.builder import table as position


def three() -> Desk:
    return Desk.at(position(players=3))


def offered(*, to: int, place: int = 1) -> Desk:
    """A game of three people, in which the one at `place` has offered their seat."""
    desk = three()
    desk.act(desk.table.users[place], OfferSeat(to))
    return desk


def test_a_person_who_accepts_a_seat_takes_over_everything_in_it() -> None:
    desk = offered(to=EVE)
    before, old = desk.played, desk.table.members[1]
    change = desk.act(EVE, TakeSeat("Eve", 1))
    new = desk.table.members[1]
    assert (desk.table.users, new.name, new.color) == ((ANN, EVE, CEM), "Eve", old.color)
    assert (desk.played.hash(), desk.table.handovers) == (before.hash(), ())
    assert [(news.what, news.name, news.newcomer) for news in desk.table.news] == [(SEATED, "Bob", "Eve")]
    assert {Name(Kind.HAND, user=EVE), Name(Kind.HAND, user=BOB)} <= {*change.due}
    assert desk.refused(BOB, Play(Resign())) == "not-playing"
    desk.play(EVE, Resign())


def test_a_person_who_takes_the_hosts_seat_becomes_host() -> None:
    desk = offered(to=0, place=0)
    desk.act(EVE, TakeSeat("Eve", 0))
    assert desk.table.host == EVE


@pytest.mark.parametrize(
    ("by", "act", "key"),
    [
        (EVE, OfferSeat(DOT), "not-playing"),
        (ANN, OfferSeat(BOB), "handover/playing"),
        (ANN, OfferSeat(ANN), "handover/yourself"),
        (ANN, OfferSeat(EVE), "handover/asked"),  # Bob has asked her: one seat at a time
        (ANN, OfferSeat(DOT, absent=BOB), "handover/not absent"),
        (CEM, OfferSeat(DOT, absent=BOB), "not-host"),
        (DOT, TakeSeat("Dot", 1), "handover/none"),
        (EVE, TakeSeat("Eve", 0), "handover/none"),
        (CEM, TakeSeat("Cem", 1), "handover/you play"),
        (DOT, DeclineSeat("Dot"), "handover/none"),
        (CEM, DeclineSeat("Cem"), "handover/none"),
        (ANN, DeclineSeat("Ann", place=1), "handover/not offered"),
    ],
)
def test_users_cant_offer_take_or_decline_seats_without_the_right_to(by: int, act: Act, key: str) -> None:
    desk = offered(to=EVE)
    assert desk.refused(by, act) == key


def test_an_open_offer_of_a_seat_goes_to_the_first_person_who_takes_it() -> None:
    desk = offered(to=0)
    desk.act(EVE, TakeSeat("Eve", 1))
    assert desk.refused(DOT, TakeSeat("Dot", 1)) == "handover/none"


@pytest.mark.parametrize("way", [(EVE, DeclineSeat("Eve")), (BOB, DeclineSeat("Bob")), (BOB, Play(Resign()))])
def test_a_seat_offer_ends_when_it_is_declined_or_withdrawn_or_its_player_resigns(way: tuple[int, Act]) -> None:
    desk = offered(to=EVE)
    desk.act(*way)
    assert desk.table.handovers == ()
    assert desk.refused(EVE, TakeSeat("Eve", 1)) == "handover/none"


def test_a_person_asked_by_a_player_who_resigned_can_be_asked_by_others() -> None:
    desk = offered(to=EVE)
    desk.play(BOB, Resign())
    desk.act(CEM, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 2))
    assert desk.refused(BOB, OfferSeat(DOT)) == "not-playing/resigned"


def test_a_person_who_declines_a_seat_cant_be_asked_again_for_a_day() -> None:
    desk = offered(to=EVE)
    desk.act(EVE, DeclineSeat("Eve"))
    [news] = desk.table.news
    assert (news.what, news.user, news.name, news.newcomer) == (DECLINED, BOB, "Bob", "Eve")
    desk.now += DAY - 1
    for user in (BOB, ANN):
        assert desk.refused(user, OfferSeat(EVE)) == "handover/declined"
    desk.now += 1
    desk.act(BOB, OfferSeat(EVE))


def test_that_day_is_neither_longer_nor_shorter_if_the_clock_is_set_back() -> None:
    desk = offered(to=EVE)
    desk.act(EVE, DeclineSeat("Eve"))
    desk.now += HOUR
    desk.down(-30 * DAY)
    assert desk.refused(BOB, OfferSeat(EVE)) == "handover/declined"
    desk.now += 23 * HOUR
    desk.act(BOB, OfferSeat(EVE))


def test_a_person_can_be_asked_again_after_an_offer_is_withdrawn() -> None:
    desk = offered(to=DOT)
    desk.act(BOB, DeclineSeat("Bob"))
    desk.act(BOB, OfferSeat(DOT))
    desk.act(BOB, OfferSeat(0))
    assert [(offer.place, offer.to) for offer in desk.table.handovers] == [(1, 0)]


@pytest.mark.parametrize("back", [True, False])
def test_a_player_who_takes_a_seat_again_is_no_longer_noted_as_having_left_the_server(back: bool) -> None:
    """They take their own seat back, or get another one."""
    desk = three()
    desk.act(0, NoteGone(BOB))
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 1))
    desk.act(EVE if back else CEM, OfferSeat(BOB))
    desk.act(BOB, TakeSeat("Bob", 1 if back else 2))
    assert desk.table.gone == ()


# --- what the host does for a player for whom a bot plays


def test_the_host_can_offer_a_replaced_players_seat_to_another_person() -> None:
    desk = three()
    desk.go_away(BOB)
    desk.act(ANN, OfferSeat(EVE, absent=BOB))
    desk.act(EVE, TakeSeat("Eve", 1))
    assert desk.playing == (ANN, EVE, CEM)
    assert desk.refused(BOB, ReturnToSeat()) == "not-playing"


def test_only_the_host_can_withdraw_an_offer_of_a_replaced_players_seat() -> None:
    desk = Desk.at(position(players=4))
    desk.go_away(BOB)
    desk.act(ANN, OfferSeat(EVE, absent=BOB))
    desk.act(DOT, OfferSeat(FAY))
    for user, place in ((CEM, 1), (FAY, 1), (ANN, 3), (ANN, 0)):
        assert desk.refused(user, DeclineSeat("Bob", place=place)) == "handover/not offered"
    desk.act(ANN, DeclineSeat("Ann", place=1))
    assert [offer.to for offer in desk.table.handovers] == [FAY]


# --- a bot's seat for a stranger


def beside_a_computer(people: int) -> Desk:
    """A game of that many people and a bot, which has the last place."""
    return Desk.at(position(players=people + 1), computers=1)


def test_a_substitute_needs_the_votes_of_more_than_half_the_players() -> None:
    desk = beside_a_computer(2)
    assert not desk.say(EVE, AskForSeat("Eve", 2)).done
    assert not desk.say(ANN, Agree(SUBSTITUTE)).done
    assert desk.say(BOB, Agree(SUBSTITUTE)).done
    assert desk.playing == (ANN, BOB, EVE)


def test_another_stranger_can_ask_for_a_seat_only_after_a_day_without_votes() -> None:
    desk = beside_a_computer(3)
    desk.say(EVE, AskForSeat("Eve", 3))
    desk.now += DAY - 1
    assert desk.refused(FAY, AskForSeat("Fay", 3)) == "handover/another asks"
    desk.now += 1
    desk.say(FAY, AskForSeat("Fay", 3))
    assert [proposal.newcomer for proposal in desk.table.motions] == [FAY]


def test_asking_again_for_a_seat_keeps_its_votes_and_calls_no_one() -> None:
    desk = beside_a_computer(3)
    desk.say(EVE, AskForSeat("Eve", 3))
    desk.say(ANN, Agree(SUBSTITUTE))
    assert desk.act(EVE, AskForSeat("Eve", 3)).due == ()
    assert [proposal.ayes for proposal in desk.table.motions] == [(ANN,)]


@pytest.mark.parametrize("against", [BOB, EVE])
def test_a_stranger_who_was_refused_a_seat_can_ask_again_after_a_day(against: int) -> None:
    """The same goes for a stranger who has taken their own request back."""
    desk = beside_a_computer(2)
    desk.say(EVE, AskForSeat("Eve", 2))
    assert desk.say(against, Object(SUBSTITUTE)).void
    news_told = [(news.what, news.user, news.newcomer) for news in desk.table.news]
    assert news_told == [(SUBSTITUTE, 0 if against == EVE else EVE, "Eve")], "who has taken it back knows"
    desk.now += DAY - 1
    assert desk.refused(EVE, AskForSeat("Eve", 2)) == "handover/turned away"
    desk.say(FAY, AskForSeat("Fay", 2))
    desk.say(FAY, Object(SUBSTITUTE))
    desk.now += 1
    desk.say(EVE, AskForSeat("Eve", 2))


# --- what comes with a seat, and what doesn't


def test_votes_to_end_the_game_dont_pass_to_the_person_who_takes_a_seat() -> None:
    desk = Desk.of(ANN, BOB, CEM)
    desk.until(lambda game: game.turn > 3)
    for vote in (AgreeToCallOff(), AgreeToEnd()):
        desk.play(ANN, vote)
    desk.act(ANN, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 0))
    view = desk.played.view(None)
    assert (view.end_votes, view.call_off_votes) == (0, 0)
    for user, status in ((BOB, RUNNING), (CEM, RUNNING), (EVE, OVER)):
        desk.play(user, AgreeToCallOff())
        assert desk.table.status == status
    assert Game.replay(desk.played.config, desk.played.records).hash() == desk.played.hash()


def extension(**standing: int) -> Desk:
    """A game of five with special building phases (J1); `standing`: by name, from how many cards to be called (J2)."""
    users = {"ann": ANN, "bob": BOB, "eve": EVE, "fay": FAY}
    desk = Desk.lobby(ANN, BOB, CEM, DOT, EVE, scenario="extension")
    desk.settings = {users[name]: UserSettings(users[name], standing=n) for name, n in standing.items()}
    return desk.start(Game.new(desk.table.config, Script()))


def called_from(desk: Desk, place: int) -> int:
    """The standing number of the seat at a place."""
    assert Game.replay(desk.played.config, desk.played.records).hash() == desk.played.hash()
    return desk.played.state.standing[desk.table.seat_at(desk.played, place)]


@pytest.mark.parametrize("way", ["offered", "asked", "another leaves"])
def test_a_person_who_takes_a_seat_brings_their_own_standing_number(way: str) -> None:
    """It is the number of cards from which they are called to build (J2)."""
    desk = extension(bob=7, fay=2)
    assert called_from(desk, 1) == 7
    if way == "offered":
        desk.act(BOB, OfferSeat(FAY))
        desk.act(FAY, TakeSeat("Fay", 1))
    else:
        desk.go_away(BOB)
        desk.act(FAY, AskForSeat("Fay", 1))
        for by in (ANN, CEM, DOT)[: 2 if way == "another leaves" else 3]:
            desk.act(by, Agree(SUBSTITUTE))
    if way == "another leaves":
        desk.play(DOT, Resign())
    assert desk.table.users[1] == FAY
    assert called_from(desk, 1) == 2


def test_a_bot_is_called_to_build_by_its_cards_and_a_returning_player_by_their_setting() -> None:
    """The bot plays for a person who is called only when they ask (J2)."""
    desk = extension()
    desk.act(BOB, Replace(BOB))
    assert (called_from(desk, 0), called_from(desk, 1)) == (0, 4)
    desk.settings[BOB] = UserSettings(BOB, standing=9)
    assert called_from(desk, 1) == 4, "the computer's still"
    desk.act(BOB, ReturnToSeat())
    assert called_from(desk, 1) == 9


def test_bots_are_called_to_build_from_the_start() -> None:
    desk = Desk.of(ANN, BOB, computers=4, scenario="extension")
    assert [called_from(desk, place) for place in range(6)] == [0, 0, 4, 4, 4, 4]
