"""Who comes to a table before the start: kept seats, a table for invited people, who is taken off, and the host."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest

from bot.table.act import Act, By
from bot.table.acts import lobby
from bot.table.acts.guests import Decline, KeepSeats, LetBack, MakeHost, NoteTold, TakeOff, with_guests
from bot.table.acts.lobby import AddComputer, AddPhrase, Cancel, Join, Leave, RemoveComputer, SetLevel, Start
from bot.table.acts.motions import AskForSeat
from bot.table.acts.options import SetOptions
from bot.table.acts.people import without_person
from bot.table.acts.places import VoidGame
from bot.table.acts.seats import OfferSeat, TakeSeat
from bot.table.guests import barred_untold, seats_for_anyone, to_call
from bot.table.parts import Barred, Guest
from bot.table.table import CANCELLED
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, FAY, NAMES, Desk


def keep(*users: int) -> KeepSeats:
    """Keep seats for these users, and no others."""
    return KeepSeats(tuple((user, NAMES[user]) for user in users))


def kept(desk: Desk) -> list[int]:
    """The users for whom seats are kept."""
    return [guest.user for guest in desk.table.invited]


# --- kept seats


def test_kept_seats_are_taken_by_no_one_else_and_free_once_their_people_decline_or_the_host_frees_them() -> None:
    desk = Desk.lobby(ANN)
    desk.act(ANN, keep(BOB, CEM))
    desk.act(DOT, Join("Dot"))
    assert desk.refused(EVE, Join("Eve")) == "full/kept"
    assert desk.refused(ANN, AddComputer("easy")) == "full/kept"
    desk.act(BOB, Join("Bob"))
    assert kept(desk) == [CEM], "who has sat down needs no kept seat"
    desk.act(CEM, Decline())
    assert desk.refused(CEM, Decline()) == "not-kept"
    desk.act(EVE, Join("Eve"))
    desk.act(EVE, Leave())
    desk.act(ANN, keep(FAY))
    assert desk.refused(EVE, Join("Eve")) == "full/kept"
    desk.act(ANN, keep())
    desk.act(EVE, Join("Eve"))
    assert desk.refused(CEM, Join("Cem")) == "full"


def test_no_seat_is_kept_again_for_who_has_declined_one_but_they_can_join_themselves() -> None:
    desk = Desk.lobby(ANN, DOT)
    desk.act(ANN, keep(BOB))
    desk.act(BOB, Decline())
    desk.act(ANN, MakeHost(DOT))
    for host, manages in ((DOT, False), (EVE, True)):
        assert desk.refused(host, keep(BOB), manages=manages) == "keep/declined"
    desk.act(BOB, Join("Bob"))
    desk.act(BOB, Leave())
    assert desk.refused(DOT, keep(BOB)) == "keep/declined"


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_before_the_start_no_one_is_called_twice(seed: int) -> None:
    """A person is called if a seat is kept for them now that wasn't before, unless they were called earlier."""
    rng, desk = random.Random(seed), Desk.lobby(ANN)
    called, declined = Counter[int](), set[int]()
    for _ in range(100):
        host, users = desk.table.host, desk.table.users
        others, anyone = [user for user in NAMES if user not in (*users, EVE)], rng.choice([*NAMES])
        before = {guest.user for guest in desk.table.invited}
        keeps = keep(*rng.sample(others, min(rng.randint(0, 2), len(others))))
        acts: list[tuple[int, Act]] = [
            *((host, keeps), (EVE, keeps), (rng.choice([*before, anyone]), Decline())),
            *((anyone, Join("Name")), (host if len(users) > 1 else anyone, Leave())),
            *((host, TakeOff(anyone)), (host, LetBack(anyone)), (host, MakeHost(anyone))),
            (host, SetOptions({"scenario": rng.choice(["base", "extension"])})),
        ]
        user, act = rng.choice(acts)
        if desk.table.people == (user,) and isinstance(act, Leave):
            continue
        with suppress(RefereeError):
            desk.act(user, act, manages=user == EVE)
            declined |= {user} if isinstance(act, Decline) else set()
        called.update({guest.user for guest in to_call(desk.table)} - before)
        assert declined.isdisjoint(kept(desk))
    assert {*called.values()} == {1}


def test_who_leaves_a_seat_that_was_kept_gives_it_up() -> None:
    desk = Desk.lobby(ANN)
    desk.act(ANN, keep(BOB))
    desk.act(BOB, Join("Bob"))
    desk.act(BOB, Leave())
    assert (kept(desk), seats_for_anyone(desk.table)) == ([], 3)


def test_bots_make_room_for_people_whose_seats_are_kept_and_fill_only_the_others() -> None:
    desk = Desk.lobby(ANN, computers=3)
    desk.act(ANN, keep(BOB, CEM))
    assert len(desk.table.members) == 2
    desk.act(DOT, Join("Dot"))
    assert desk.table.users == (ANN, DOT), "a person takes a bot's place, no kept seat"
    desk = Desk.lobby(ANN)
    desk.act(ANN, keep(BOB))
    desk.act(ANN, AddComputer("easy", fill=True))
    assert len(desk.table.members) == 3


@pytest.mark.parametrize(
    ("users", "key"),
    [((ANN,), "keep/yourself"), ((DOT,), "keep/seated"), ((BOB, CEM, EVE), "keep/full")],
)
def test_no_seat_is_kept_for_oneself_for_someone_there_or_beyond_the_scenarios(
    users: tuple[int, ...], key: str
) -> None:
    desk = Desk.lobby(ANN, DOT)
    assert desk.refused(ANN, keep(*users)) == key
    assert desk.refused(DOT, keep(BOB)) == "not-host"
    assert desk.refused(EVE, keep(BOB)) == "not-member"
    desk.act(EVE, keep(EVE), manages=True)
    assert kept(desk) == [EVE], "who manages the channel isn't at the table"


def test_with_fewer_seats_than_people_and_kept_seats_those_who_sit_down_first_have_them() -> None:
    desk = Desk.lobby(ANN, scenario="extension")
    desk.act(ANN, keep(BOB, CEM, DOT, EVE))
    desk.act(ANN, SetOptions({"scenario": "base"}))
    assert kept(desk) == [BOB, CEM, DOT, EVE], "no one is dropped"
    assert desk.refused(FAY, Join("Fay")) == "full/kept"
    desk.act(ANN, keep(BOB, CEM, DOT, EVE))
    desk.act(ANN, keep(EVE, CEM, DOT, BOB))
    for user in (EVE, DOT, CEM):
        desk.act(user, Join(NAMES[user]))
    assert desk.refused(BOB, Join("Bob")) == "full"
    desk.act(ANN, keep())


def test_a_seat_remembers_since_when_it_is_kept() -> None:
    desk = Desk.lobby(ANN)
    desk.table = with_guests(desk.table, ((BOB, "Bob"),), By(ANN, desk.now))
    version = desk.table.version
    desk.act(ANN, keep(BOB, CEM))
    assert desk.table.invited == (Guest(BOB, "Bob"), Guest(CEM, "Cem", version))


@pytest.mark.parametrize("act", [Start("closing"), Cancel()])
def test_no_seat_is_kept_once_the_game_has_started_or_the_table_is_canceled(act: Act) -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, keep(CEM))
    desk.act(ANN, act, Desk.of(ANN, BOB).played if isinstance(act, Start) else None)
    assert desk.table.invited == ()


# --- only invited


def test_a_table_for_invited_people_is_closed_to_all_others() -> None:
    desk = Desk.lobby(ANN, only_invited=True)
    desk.act(ANN, keep(BOB))
    assert desk.refused(CEM, Join("Cem")) == "not-invited"
    assert seats_for_anyone(desk.table) == 0
    desk.act(BOB, Join("Bob"))
    desk.act(BOB, Join("Bob", color="red"))
    desk.act(BOB, Leave())
    assert desk.refused(BOB, Join("Bob")) == "not-invited"
    desk.act(ANN, SetOptions({"only_invited": False}))
    desk.act(CEM, Join("Cem"))


# --- taken off


def test_who_is_taken_off_cant_come_back_until_the_host_lets_them() -> None:
    desk = Desk.lobby(ANN, BOB, CEM)
    desk.act(ANN, TakeOff(BOB))
    assert (desk.table.users, desk.table.barred) == ((ANN, CEM), (Barred(BOB, "Bob"),))
    for act in (Join("Bob"), Leave(), AddPhrase("luck"), Cancel(), keep(DOT)):
        assert desk.refused(BOB, act) == "barred"
    assert desk.refused(CEM, LetBack(BOB)) == "not-host"
    assert not desk.act(ANN, LetBack(BOB)).due, "no one else learns of it"
    assert desk.refused(ANN, LetBack(BOB)) == "let-back"
    desk.act(BOB, Join("Bob"))


def test_who_was_taken_off_is_told_once_which_no_one_notices() -> None:
    desk = Desk.lobby(ANN, BOB, CEM)
    assert barred_untold(desk.table, BOB) is None
    desk.act(ANN, TakeOff(BOB))
    assert barred_untold(desk.table, BOB) == Barred(BOB, "Bob")
    assert not desk.act(BOB, NoteTold()).due
    assert barred_untold(desk.table, BOB) is None
    desk.act(ANN, LetBack(BOB))
    desk.act(BOB, Join("Bob"))
    desk.act(ANN, TakeOff(BOB))
    assert barred_untold(desk.table, BOB) == Barred(BOB, "Bob"), "it has happened again"
    desk.act(ANN, Cancel())
    assert barred_untold(desk.table, BOB) is None, "it doesn't matter anymore"


def test_a_seat_that_is_kept_for_someone_who_was_taken_off_lets_them_back() -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, TakeOff(BOB))
    desk.act(ANN, keep(BOB))
    assert desk.table.barred == ()
    desk.act(BOB, Join("Bob"))


@pytest.mark.parametrize(
    ("user", "act", "key"),
    [
        (ANN, TakeOff(ANN), "take-off/yourself"),
        (ANN, TakeOff(-1), "take-off/bot"),
        (ANN, TakeOff(DOT), "take-off/gone"),
        (BOB, TakeOff(ANN), "not-host"),
        (DOT, TakeOff(ANN), "not-member"),
        (ANN, MakeHost(-1), "new-host"),
        (ANN, MakeHost(DOT), "new-host"),
        (BOB, MakeHost(BOB), "not-host"),
        (BOB, Decline(), "not-kept/seated"),
    ],
)
def test_what_cant_be_done_to_people_in_a_lobby_is_refused(user: int, act: Act, key: str) -> None:
    assert Desk.lobby(ANN, BOB, computers=1).refused(user, act) == key


@pytest.mark.parametrize("act", [TakeOff(BOB), LetBack(BOB), KeepSeats(((DOT, "Dot"),)), Decline()])
def test_once_the_game_has_begun_no_one_is_taken_off_and_no_seat_is_kept(act: Act) -> None:
    assert Desk.of(ANN, BOB).refused(ANN, act) == "not-lobby/running"


def test_who_was_taken_off_takes_a_seat_of_the_game_only_if_it_is_offered_to_them_by_name() -> None:
    desk = Desk.lobby(ANN, BOB, CEM)
    desk.act(ANN, TakeOff(CEM))
    desk.start(Desk.of(ANN, BOB).played)
    desk.act(BOB, OfferSeat(0))
    assert desk.refused(CEM, TakeSeat("Cem", 1)) == "barred"
    assert desk.refused(CEM, AskForSeat("Cem", 1)) == "barred"
    desk.act(BOB, OfferSeat(CEM, "Cem"))
    desk.act(CEM, TakeSeat("Cem", 1))
    desk.act(ANN, VoidGame("Mod"))
    again = lobby.rematch(desk.table, By(ANN, desk.now))
    assert ([guest.user for guest in again.invited], again.barred) == ([CEM], ())


# --- the host


def test_the_host_hands_on_the_table_before_and_during_the_game() -> None:
    desk = Desk.lobby(ANN, BOB, CEM)
    desk.act(ANN, MakeHost(BOB))
    assert desk.refused(ANN, SetOptions({"pace": 0})) == "not-host"
    desk.start(Desk.of(ANN, BOB, CEM).played)
    desk.act(BOB, MakeHost(CEM))
    assert desk.table.host_in(desk.played) == CEM
    assert desk.refused(CEM, MakeHost(EVE)) == "new-host"
    desk.act(CEM, VoidGame("Mod"))
    assert desk.refused(CEM, MakeHost(ANN)) == "over"


# --- people who manage the channel


@pytest.mark.parametrize(
    "act",
    [
        TakeOff(BOB),
        KeepSeats(((DOT, "Dot"),)),
        MakeHost(BOB),
        SetOptions({"pace": 0}),
        AddComputer("easy"),
        SetLevel("hard"),
        RemoveComputer(),
    ],
)
def test_people_who_manage_the_channel_may_do_what_a_host_may_before_the_start(act: Act) -> None:
    desk = Desk.lobby(ANN, BOB, computers=1)
    assert desk.refused(EVE, act) == "not-member"
    desk.act(EVE, act, manages=True)


def test_a_manager_can_start_the_game_but_not_choose_its_host_afterward() -> None:
    desk, dealt = Desk.lobby(ANN, BOB), Desk.of(ANN, BOB).played
    desk.act(EVE, Start("closing"), dealt, manages=True)
    assert desk.refused(EVE, MakeHost(BOB), manages=True) == "not-member"


def test_a_host_whom_a_manager_takes_off_is_succeeded_and_told_by_whom_but_the_last_person_stays() -> None:
    desk = Desk.lobby(ANN, BOB, computers=1)
    desk.act(EVE, TakeOff(ANN), manages=True)
    assert (desk.table.host, desk.refused(ANN, Join("Ann"))) == (BOB, "barred")
    assert desk.table.barred == (Barred(ANN, "Ann", by_manager=True),)
    assert desk.refused(EVE, TakeOff(BOB), manages=True) == "take-off/last"
    desk.act(BOB, Leave())
    assert desk.table.status == CANCELLED


# --- the rematch


def test_a_rematch_keeps_seats_stays_closed_and_stays_barred() -> None:
    desk = Desk.lobby(ANN, BOB, CEM, DOT)
    desk.act(ANN, SetOptions({"only_invited": True}))
    desk.act(ANN, TakeOff(DOT))
    desk.start(Desk.of(ANN, BOB, CEM).played)
    desk.act(ANN, VoidGame("Mod"))
    desk.table = without_person(desk.table, CEM, 1 << 62, "Player 7")
    desk.table = lobby.rematch(desk.table, By(BOB, desk.now, interaction="i9"))
    assert (kept(desk), desk.table.barred) == ([ANN], (Barred(DOT, "Dot"),)), "no seat is kept for who is forgotten"
    assert desk.table.options.only_invited
    assert desk.table.rematch_of == 1


def off(*, forgotten: bool) -> Desk:
    """A lobby that Dot was taken off, and perhaps forgotten."""
    desk = Desk.lobby(ANN, BOB, CEM, DOT)
    desk.table = replace(desk.table, commitment="a")
    desk.act(ANN, TakeOff(DOT))
    if forgotten:
        forget_dot(desk)
    return desk


def forget_dot(desk: Desk) -> None:
    desk.table = without_person(desk.table, DOT, 1 << 62, "Player 7")


def again(desk: Desk) -> None:
    """Open the rematch."""
    desk.game = None
    desk.table = replace(lobby.rematch(desk.table, By(BOB, desk.now, interaction="i9")), commitment="b")


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("canceled", [True, False])
def test_who_is_forgotten_before_a_game_or_after_it_stays_off_its_rematch(before: bool, canceled: bool) -> None:
    desk = off(forgotten=before)
    if canceled:
        desk.act(ANN, Cancel())
    else:
        desk.start(Desk.of(ANN, BOB, CEM).played)
        desk.act(ANN, VoidGame("Mod"))
    if not before:
        forget_dot(desk)
    again(desk)
    assert desk.refused(DOT, Join("Dot")) == "barred"
    [barred] = desk.table.barred
    assert (barred.name, barred.salt) == ("Player 7", "a"), "at other tables it is another number"


@pytest.mark.parametrize("forgotten", [True, False])
def test_who_was_given_a_seat_after_all_can_take_the_one_that_the_rematch_keeps(forgotten: bool) -> None:
    desk = off(forgotten=forgotten)
    desk.start(Desk.of(ANN, BOB, CEM).played)
    desk.act(CEM, OfferSeat(DOT, "Dot"))
    desk.act(DOT, TakeSeat("Dot", 2))
    desk.act(ANN, VoidGame("Mod"))
    again(desk)
    assert kept(desk) == [ANN, DOT]
    desk.act(DOT, Join("Dot"))


def test_forgotten_people_leave_no_name_among_the_invited_and_barred() -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, TakeOff(BOB))
    desk.act(ANN, keep(CEM))
    table = desk.table = without_person(without_person(desk.table, BOB, 1, "x"), CEM, 2, "y")
    assert (table.invited, [barred.name for barred in table.barred]) == ((), ["x"])
    assert str(BOB) not in repr(table.barred).replace(str(table.barred[0].user), "")
    assert desk.refused(BOB, Join("Bob")) == "barred", "they can't come back by being forgotten"
    desk.act(ANN, keep(BOB))
    desk.act(BOB, Join("Bob"))
