"""Which tables a person hears of, from when on, and when a table lacks one player."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.table.acts.lobby import AddComputer, Cancel, Join
from bot.table.acts.options import SetOptions
from bot.table.options import DAY, HOUR
from bot.table.parts import Barred, Guest
from bot.table.preferences import CHANNEL, PersonalChoices, UserSettings
from bot.table.subscriptions import (
    DAYS,
    HOURS,
    MINUTES,
    NONE,
    TELLINGS_APART,
    Subscriber,
    Subscription,
    lacks_one,
    timer_class,
)
from tests.bot.table.desk import ANN, BOB, DOT, Desk

ASKS = Subscriber(DOT, Subscription(CHANNEL))


@pytest.mark.parametrize(
    ("pace", "name"), [(0, NONE), (120, MINUTES), (HOUR, MINUTES), (3 * HOUR, HOURS), (DAY, DAYS), (14 * DAY, DAYS)]
)
def test_turn_timers_have_classes(pace: int, name: str) -> None:
    assert timer_class(pace) == name


def test_a_table_is_something_for_whoever_wants_its_scenario_and_its_timer() -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, SetOptions({"scenario": "islands", "pace": DAY}))
    assert ASKS.hears_of(desk.table)
    for chosen, hears in (
        (Subscription(CHANNEL, ("base", "islands")), True),
        (Subscription(CHANNEL, ("base",)), False),
        (Subscription(CHANNEL, timers=(NONE, DAYS)), True),
        (Subscription(CHANNEL, ("islands",), (MINUTES,)), False),
    ):
        assert replace(ASKS, chosen=chosen).hears_of(desk.table) == hears


def test_nobody_hears_of_a_table_that_is_not_open_to_them() -> None:
    desk = Desk.lobby(ANN, BOB)
    assert not replace(ASKS, user=ANN).hears_of(desk.table), "they are there"
    assert not ASKS.hears_of(replace(desk.table, invited=(Guest(DOT),))), "they were asked to join"
    assert not ASKS.hears_of(replace(desk.table, called=(DOT,))), "they have had a kept seat, and perhaps declined it"
    assert not ASKS.hears_of(replace(desk.table, barred=(Barred(DOT, "Dot"),))), "they were taken off it"
    kept = tuple(Guest(user) for user in range(90, 92))
    assert not ASKS.hears_of(replace(desk.table, invited=kept)), "all seats are kept for others"
    closed = replace(desk.table.options, only_invited=True)
    assert not ASKS.hears_of(replace(desk.table, options=closed)), "it is for invited people"
    assert not ASKS.hears_of(replace(desk.table, lesson=True)), "it is a first game against bots"
    desk.act(ANN, AddComputer("easy", fill=True))
    assert not ASKS.hears_of(desk.table), "it is full"
    desk.act(ANN, Cancel())
    assert not ASKS.hears_of(desk.table), "it is gone"


def test_a_table_is_told_of_once_unless_it_lacks_one_player() -> None:
    desk = Desk.lobby(ANN, BOB)
    told = replace(ASKS, through=desk.table.number)
    assert not told.hears_of(desk.table)
    assert told.hears_of(desk.table, again=True)


def test_nobody_is_told_within_an_hour_or_in_their_quiet_hours() -> None:
    night = UserSettings(DOT, choices=PersonalChoices(quiet=(22 * 60, 8 * 60), zone="UTC"))
    for hour, told, expected in ((12, 0, 12), (12, 11.5, 12.5), (23, 0, 32), (21, 21.5, 32), (7, 7.5, 8.5)):
        found = replace(ASKS, told=told * HOUR).free_from(night, hour * HOUR)
        assert found == expected * HOUR, f"{hour}, told at {told}"
    assert replace(ASKS, told=100.0).free_from(UserSettings(DOT), 101.0) == 100.0 + TELLINGS_APART


@pytest.mark.parametrize(
    ("scenario", "players"), [("base", (3,)), ("extension", (4, 5)), ("big-island", (6, 7)), ("islands", (3,))]
)
def test_a_table_lacks_one_player_if_another_would_let_it_begin_or_fill_it(
    scenario: str, players: tuple[int, ...]
) -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, SetOptions({"scenario": scenario}))
    found = {2} if lacks_one(desk.table) else set[int]()
    for user in range(50, 50 + max(players) - 1):
        desk.act(user, Join(f"P{user}"))
        found |= {len(desk.table.members)} if lacks_one(desk.table) else set()
    assert found == {*players}
    assert not lacks_one(desk.table), "it is full"
