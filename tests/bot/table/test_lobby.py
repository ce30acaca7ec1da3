"""The lobby: who joins in which color, what the host chooses, bots, and how a game begins or a lobby is given up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.table.act import Act, By
from bot.table.acts import lobby
from bot.table.acts.lobby import (
    AddComputer,
    AddPhrase,
    Cancel,
    Join,
    Leave,
    RemoveComputer,
    Rename,
    SetLevel,
    Start,
    check_start,
)
from bot.table.acts.options import SetOptions
from bot.table.acts.places import VoidGame
from bot.table.parts import Guest
from bot.table.table import CANCELLED, LOBBY, RUNNING
from engine.config import Config
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, Desk
from tests.engine.builder import table as position

# --- who sits down


def test_the_host_sits_down_first() -> None:
    by = By(ANN, 7.0, interaction="900")
    table = lobby.new_lobby(1, 5, Config(colors=()), Join("Ann", color="white", phrase="luck"), by)
    assert (table.status, table.host, table.users, table.config.colors) == (LOBBY, ANN, (ANN,), ("white",))


def test_colors_are_chosen_by_players_or_assigned() -> None:
    desk, colors = Desk.lobby(ANN), list[tuple[str, ...]]()
    for user, color in ((BOB, None), (CEM, "red"), (ANN, "teal")):  # a player who asked for no color makes room
        desk.act(user, Join("Somebody", color=color))
        colors.append(desk.table.config.colors)
    assert colors == [("red", "blue"), ("white", "blue", "red"), ("teal", "blue", "red")]
    assert desk.table.users == (ANN, BOB, CEM)


@pytest.mark.parametrize(
    ("user", "act", "key"),
    [
        (DOT, Join("Dot", color="red"), "color-taken"),
        (DOT, Join("Dot", color="pink"), "color"),
        (DOT, Join("Dot", phrase="x" * 101), "phrase"),
        (DOT, Join("Dot", phrase="a\nb"), "phrase"),
        (DOT, Join("Dot", phrase="\ud800"), "phrase"),
        (BOB, AddPhrase("a\nb"), "phrase"),
        (DOT, AddPhrase("luck"), "not-member/phrase"),
        (DOT, Leave(), "not-member"),
        (BOB, Cancel(), "not-host"),
        (DOT, Cancel(), "not-member"),
        (BOB, AddComputer("easy"), "not-host"),
        (ANN, AddComputer("godlike"), "level"),
        (ANN, AddComputer("random", fill=True), "level"),
        (BOB, SetLevel("hard"), "not-host"),
        (ANN, RemoveComputer(), "no-computer"),
        (ANN, SetOptions({"pace": 1}), "pace"),
    ],
)
def test_invalid_acts_in_a_lobby_are_refused(user: int, act: Act, key: str) -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, Join("Ann", color="red"))
    assert desk.refused(user, act) == key


def test_a_player_who_asks_for_anothers_color_reads_that_their_own_is_free() -> None:
    desk = Desk.lobby(ANN, BOB, CEM, DOT, scenario="beginner")
    for user, color in zip((ANN, BOB, CEM, DOT), SCENARIOS["beginner"].colors, strict=True):
        desk.act(user, Join("Somebody", color=color))
    with pytest.raises(RefereeError) as caught:
        desk.act(ANN, Join("Ann", color=desk.table.member(BOB).color))
    assert str(caught.value.params["free"]) == desk.table.member(ANN).color


def test_a_full_table_cant_be_joined() -> None:
    assert Desk.lobby(ANN, BOB, CEM, DOT).refused(EVE, Join("Eve")) == "full"


def test_a_new_phrase_replaces_the_old_one_and_keeps_the_color() -> None:
    desk = Desk.lobby(ANN)
    desk.act(BOB, Join("Bob", phrase="ünï 👩‍👩‍👧 ok"))
    assert desk.table.member(BOB).phrase == "ünï 👩‍👩‍👧 ok"
    desk.act(BOB, Join("Bob", color="blue"))
    desk.act(BOB, AddPhrase("luck"))
    assert (desk.table.member(BOB).phrase, desk.table.member(BOB).color) == ("luck", "blue")


@pytest.mark.parametrize("phrase", ["\u3164", "\u2800\u2800", "\u034f", " ", "\u200b"])
def test_lucky_words_that_nobody_can_see_are_refused(phrase: str) -> None:
    desk = Desk.lobby(ANN, BOB)
    assert desk.refused(BOB, AddPhrase(phrase)) == "phrase/unseen"
    assert desk.refused(CEM, Join("Cem", phrase=phrase)) == "phrase/unseen"
    desk.act(BOB, AddPhrase("***"))


@pytest.mark.parametrize("act", [Join("[x](http://y.z)\u202e"), Rename("[x](http://y.z)\u202e")])
def test_every_name_is_safe(act: Act) -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(BOB, act)
    assert desk.table.member(BOB).name == "xhttp//y.\u2060z"


def test_the_next_person_succeeds_a_host_who_leaves_and_the_last_cancels_the_lobby() -> None:
    desk = Desk.lobby(ANN, BOB, computers=2)
    desk.act(ANN, Leave())
    assert (desk.table.host, desk.table.people) == (BOB, (BOB,))
    desk.act(BOB, Leave())
    assert desk.table.status == CANCELLED, "with the last person the table goes"


# --- bots


def test_bots_fill_the_table_with_distinct_names_and_colors() -> None:
    desk = Desk.lobby(ANN)
    desk.act(ANN, AddComputer("easy", fill=True))
    members = desk.table.members
    assert [member.is_person for member in members] == [True, False, False, False]
    assert len({member.name for member in members}) == len({member.color for member in members}) == 4
    assert desk.refused(ANN, AddComputer("easy")) == "full"


def test_people_who_join_take_the_places_of_bots() -> None:
    """The bot that came last makes room first."""
    desk = Desk.lobby(ANN, computers=3)
    first, second, _ = desk.table.users[1:]
    for user, users in ((BOB, (ANN, first, second, BOB)), (CEM, (ANN, first, BOB, CEM)), (DOT, (ANN, BOB, CEM, DOT))):
        desk.act(user, Join("Somebody"))
        assert desk.table.users == users
    assert desk.refused(EVE, Join("Eve")) == "full"


def test_all_bots_play_at_one_level_and_the_last_added_is_removed_first() -> None:
    desk = Desk.lobby(ANN, computers=2)
    desk.act(ANN, SetLevel("hard"))
    assert [member.level for member in desk.table.members] == ["", "hard", "hard"]
    first = desk.table.users[1]
    desk.act(ANN, RemoveComputer())
    assert desk.table.users == (ANN, first)


# --- options


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"target": 21}, "target"),
        ({"scenario": "moon"}, "scenario"),
        ({"edition": "1890"}, "edition"),
        ({"layout": "heap"}, "layout"),
        ({"variants": ["flying"]}, "variant"),
        ({"option.a": "b"}, "option"),
        ({"round_limit": -1}, "round_limit"),
        ({"pause": 61}, "option"),
        ({"leave": 61}, "option"),
        ({"expiry": "never"}, "option"),
    ],
)
def test_options_are_checked_as_they_are_chosen(changes: dict[str, Any], code: str) -> None:
    assert Desk.lobby(ANN, BOB).refused(ANN, SetOptions(changes)).partition("/")[0] == code


@pytest.mark.parametrize(("user", "key"), [(BOB, "not-host"), (CEM, "not-member")])
def test_only_the_host_chooses_options(user: int, key: str) -> None:
    assert Desk.lobby(ANN, BOB).refused(user, SetOptions({"target": 5})) == key


def test_options_are_kept_unless_another_scenario_doesnt_have_them() -> None:
    desk = Desk.lobby(ANN, BOB)
    rules = {"target": 5, "layout": "balanced", "edition": "1996", "shuffle_seats": False, "round_limit": 30}
    desk.act(ANN, SetOptions({**rules, "anyone_starts": True, "pace": 3600}))
    assert {name: getattr(desk.table.config, name) for name in rules} == rules
    assert (desk.table.anyone_starts, desk.table.options.pace) == (True, 3600)
    desk.act(ANN, SetOptions({"scenario": "beginner"}))
    assert (desk.table.config.layout, desk.table.config.target) == ("spiral", 5)
    assert "red" not in desk.table.config.colors, "B7: not with fewer than four"


def test_during_a_game_the_host_can_change_only_options_that_arent_fixed() -> None:
    desk = Desk.at(position(players=3))
    desk.act(ANN, SetOptions({"pause": 0}))
    assert desk.table.options.pause == 0
    for user, changes, code in (
        (ANN, {"hints": False}, "not-lobby/running"),
        (ANN, {"pace": 3600}, "not-lobby/running"),
        (ANN, {"target": 4}, "not-lobby/running"),
        (ANN, {"pause": 61}, "option/choice"),
        (BOB, {"pause": 5}, "not-host"),
    ):
        assert desk.refused(user, SetOptions(changes)) == code


# --- the start, and the end


@pytest.mark.parametrize(
    ("users", "anyone", "user", "key"),
    [
        ((ANN,), False, ANN, "players/few"),
        ((ANN, BOB), False, BOB, "not-host/start"),
        ((ANN, BOB), False, CEM, "not-member"),
        ((ANN, BOB), True, CEM, "not-member"),
        ((ANN, BOB), True, BOB, None),
        ((ANN, BOB), False, ANN, None),
    ],
)
def test_only_the_host_can_start_unless_every_member_may(
    users: tuple[int, ...], anyone: bool, user: int, key: str | None
) -> None:
    table = replace(Desk.lobby(*users).table, anyone_starts=anyone)
    if key is None:
        check_start(table, By(user, 0.0))
        return
    with pytest.raises(RefereeError) as refused:
        check_start(table, By(user, 0.0))
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("user", "act", "key"),
    [
        (CEM, Join("Cem"), "not-lobby/join"),
        (ANN, Join("Ann"), "not-lobby/running"),
        (ANN, Leave(), "not-lobby/leave"),
        (CEM, Leave(), "not-lobby/running"),
        (ANN, Cancel(), "not-lobby/cancel"),
        (ANN, Start("c"), "not-lobby/running"),
        (ANN, AddComputer("easy"), "not-lobby/computer"),
    ],
)
def test_lobby_acts_are_refused_once_the_game_has_begun(user: int, act: Act, key: str) -> None:
    """The sentence names what can be done instead."""
    desk = Desk.of(ANN, BOB)
    assert desk.table.status == RUNNING
    assert desk.refused(user, act) == key


def test_the_host_or_a_channel_manager_can_cancel_a_lobby() -> None:
    for user, ended_by in ((ANN, None), (BOB, BOB), (EVE, EVE)):
        desk = Desk.lobby(ANN, BOB)
        desk.act(user, Cancel("Mod"), manages=user != ANN)
        assert (desk.table.status, desk.table.ended_by) == (CANCELLED, ended_by)
        assert desk.refused(CEM, Join("Cem")) == "not-lobby/cancelled"


def test_a_rematch_keeps_options_and_bots_and_seats_for_the_other_players() -> None:
    desk = Desk.of(ANN, BOB, computers=1, pace=3600, target=12)
    with pytest.raises(RefereeError) as refused:
        lobby.rematch(desk.table, By(ANN, desk.now))
    assert refused.value.key == "not-over/rematch"
    desk.act(ANN, VoidGame("Mod"))
    again = lobby.rematch(desk.table, By(BOB, desk.now, interaction="i9"))
    assert (again.status, again.host, again.people, len(again.members)) == (LOBBY, BOB, (BOB,), 2)
    assert (again.options.pace, again.config.target, again.invited) == (3600, 12, (Guest(ANN, "Ann"),))
    assert again.member(BOB).interaction == "i9"
