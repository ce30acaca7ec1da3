"""How tables begin on a server, and what only its managers change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.languages import ENGLISH
from bot.table.act import By
from bot.table.acts.guests import KeepSeats
from bot.table.acts.lobby import AddComputer, Join, empty_table, first_game, rematch
from bot.table.acts.motions import Agree, Propose
from bot.table.acts.options import SetOptions, begin_with, begun, sample_table, spoken, with_seats
from bot.table.beginning import AS_USUAL, Beginning, as_begun, options_at, value_at, what_for
from bot.table.options import DECIDE, OWN, REMIND, TABLE, TableOptions
from bot.table.parts import PACE
from bot.table.preferences import Look
from bot.table.table import OVER, Table
from bot.words.refusals import refusal_sentence
from engine.config import Config
from engine.errors import ConfigError, RefereeError
from engine.scenarios import SCENARIOS, islands
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, EVE, HOUR, Desk

BY = By(ANN, 7.0, interaction="900")


def opened(beginning: Beginning, **how: Any) -> Table:
    """A new table with Ann as its host."""
    return Join("Ann").on(begun(empty_table(1, 5, Config(colors=()), BY), beginning, **how), None, BY)


def chosen(table: Table) -> dict[str, Any]:
    """What is chosen at a table, by the options' names."""
    return {option.name: value_at(table, option) for option in options_at(table)}


def changes() -> Iterator[tuple[Beginning, str, Any]]:
    """Each option that any table has, with another value than it begins with as usual."""
    for scenario in SCENARIOS:
        beginning = begin_with(AS_USUAL, {"scenario": scenario})
        sample = sample_table(beginning)
        for option in options_at(sample):
            if not option.when(what_for(sample, option)):
                continue
            now = value_at(sample, option)
            values = [choice.value for choice in option.offered(what_for(sample, option))]
            if isinstance(now, Look):
                values = [Look(dark=True)]
            elif isinstance(now, tuple):
                values = [(value,) for value in values]
            for value in values:
                if value != now:
                    yield beginning, option.name, value


def test_tables_begin_with_each_option_as_the_server_has_chosen_it() -> None:
    seen = set()
    for before, name, value in changes():
        try:
            beginning = begin_with(before, {name: value})
        except ConfigError:  # a scenario can allow only some of them together
            continue
        table = opened(beginning)
        assert chosen(table)[name] == value
        assert chosen(table) == chosen(SetOptions({name: value}).on(opened(before), None, BY))
        if name != "scenario":
            assert name in [option.name for option in as_begun(table, beginning)]
        seen.add(name)
    assert seen >= {
        *TABLE,
        "target",
        "edition",
        "variants",
        "layout",
        "anyone_starts",
        "shuffle_seats",
        "option.harbors",
    }


def test_the_host_can_change_all_but_what_is_fixed_and_managers_can_change_that_too() -> None:
    for before, name, value in changes():
        table = opened(replace(before, fixed=(name,)))
        act = SetOptions({name: value})
        try:
            free = act.on(replace(table, fixed=()), None, BY)
        except ConfigError:
            continue
        with pytest.raises(RefereeError) as refused:
            act.on(table, None, BY)
        assert refused.value.key == "fixed"
        assert refusal_sentence(refused.value).startswith("Only people who manage this server or channel can change “")
        assert act.on(table, None, replace(BY, user=EVE, manages=True)) == replace(free, fixed=(name,))
        other = SetOptions({"leave": 3} if name != "leave" else {"target": 5})
        assert other.on(table, None, BY).fixed == (name,)


def test_a_scenario_that_would_change_what_is_fixed_is_refused() -> None:
    desk = Desk.lobby(ANN, BOB)
    desk.table = replace(desk.table, config=replace(desk.table.config, layout="balanced"), fixed=("layout",))
    assert desk.refused(ANN, SetOptions({"scenario": "beginner"})) == "fixed"
    desk.act(ANN, SetOptions({"scenario": "extension"}))
    assert desk.table.config.layout == "balanced"
    desk.act(EVE, SetOptions({"scenario": "beginner"}), manages=True)
    assert desk.table.config.layout == "spiral"


def test_only_the_host_and_managers_change_options() -> None:
    desk = Desk.of(ANN, BOB, CEM)
    look, hints = SetOptions({"look": Look(dark=True)}), SetOptions({"hints": False})
    assert desk.refused(BOB, look) == "not-host"
    assert desk.refused(EVE, look) == "not-member"
    desk.act(EVE, look, manages=True)
    assert desk.table.options.look == Look(dark=True)
    with pytest.raises(RefereeError) as refused:
        desk.act(EVE, hints, manages=True)
    assert refused.value.key == "not-lobby/running"


@pytest.mark.parametrize(
    ("scenario", "players", "larger"),
    [
        ("base", 4, "base"),
        ("base", 5, "extension"),
        ("base", 8, "big-island"),
        ("beginner", 6, "extension"),
        ("mayfair-expansion", 7, "big-island"),
        ("islands", 5, "big-islands"),
        ("islands", 7, "islands"),
        ("peanut", 8, "peanut"),
    ],
)
def test_a_table_for_more_players_than_its_scenario_seats_begins_with_the_most_similar_one(
    scenario: str, players: int, larger: str
) -> None:
    table = opened(begin_with(AS_USUAL, {"scenario": scenario, "target": 12}))
    grown = with_seats(table, players)
    assert grown == (table if scenario == larger else SetOptions({"scenario": larger}).on(table, None, BY))
    assert grown.config.target == 12


@pytest.mark.parametrize("fixed", ["scenario", f"{OWN}{islands.CARDS.name}"])
def test_what_is_fixed_stays_however_many_players_are_expected(fixed: str) -> None:
    table = opened(begin_with(AS_USUAL, {"scenario": "islands", "fixed": (fixed,)}))
    assert fixed in table.fixed
    assert with_seats(table, 6) == table


@pytest.mark.parametrize(("fixed", "key"), [((), "full"), (("scenario",), "full/most")])
def test_a_full_table_points_to_larger_scenarios_only_if_the_host_can_choose_one(
    fixed: tuple[str, ...], key: str
) -> None:
    desk = Desk.lobby(ANN, BOB, CEM, DOT)
    desk.table = replace(desk.table, fixed=fixed)
    assert desk.refused(EVE, Join("Eve")) == key
    with pytest.raises(RefereeError) as refused:
        KeepSeats(((EVE, "Eve"),)).on(desk.table, None, BY)
    assert refused.value.key == ("keep/most here" if fixed else "keep/full")


def test_a_majority_cant_change_a_timer_that_is_fixed() -> None:
    desk = Desk.of(ANN, BOB, CEM, pace=DAY, expiry=DECIDE)
    desk.table = replace(desk.table, fixed=("pace",))
    assert desk.refused(ANN, Propose(PACE, pace=HOUR, expiry=DECIDE)) == "fixed"
    desk.act(ANN, Propose(PACE, pace=DAY, expiry=REMIND))
    desk.act(BOB, Agree(PACE))
    assert (desk.table.options.pace, desk.table.options.expiry) == (DAY, REMIND)
    desk.act(ANN, Propose(PACE, pace=HOUR), manages=True)
    desk.act(BOB, Propose(PACE, pace=HOUR))
    assert desk.table.options.pace == HOUR


def finished(**options: Any) -> Table:
    """A table with Ann and Bob that is over."""
    return replace(Desk.lobby(ANN, BOB, **options).table, status=OVER)


def test_a_rematch_keeps_its_options_but_fixed_ones_hold() -> None:
    beginning = Beginning(Config((), target=12, layout="random"), options=TableOptions(DAY), fixed=("pace", "layout"))
    table = begun(rematch(finished(target=5, hints=False), BY), beginning, again=True)
    assert (table.config.target, table.config.layout) == (5, "random")
    assert table.options == TableOptions(DAY, hints=False)
    assert table.fixed == ("pace", "layout")
    own = begun(rematch(finished(scenario="beginner"), BY), beginning, again=True)
    assert (own.config.scenario, own.config.layout, own.options.pace) == ("beginner", "spiral", DAY)


def test_a_table_speaks_as_its_server_wants_else_as_its_host_and_so_does_its_rematch() -> None:
    new = empty_table(None, 0, Config(colors=()), BY)
    assert spoken(new, "fr").options.language == "fr"
    assert spoken(begun(new, Beginning(options=TableOptions(language="ja"))), "fr").options.language == "ja"
    again = begun(rematch(finished(language="pl"), BY), AS_USUAL, again=True)
    assert spoken(again, "fr").language.code == "pl"
    assert new.language is ENGLISH, "one that was opened before there were languages"


def test_a_first_game_has_its_own_rules_and_hints() -> None:
    rules = Config((), scenario="extension", target=12, variants=("friendly-robber",))
    beginning = Beginning(rules, True, TableOptions(hints=False, look=Look(dark=True)), ("target", "hints"))
    for again in (False, True):
        new = first_game(Join("Ann").on(empty_table(1, 5, Config(()), BY), None, BY), BY)
        table = begun(new, beginning, again=again)
        assert table.config == new.config
        assert (table.options.hints, table.options.look.dark) == (True, not again)
    with pytest.raises(RefereeError) as refused:
        SetOptions({"target": 3}).on(table, None, BY)
    assert refused.value.key == "fixed"


def test_what_a_channel_doesnt_allow_stays_as_it_is() -> None:
    beginning = Beginning(options=TableOptions(DAY, rooms=True))
    assert opened(beginning, without=("rooms",)).options == TableOptions(DAY)


def test_a_host_needs_a_color_of_the_scenario_with_which_tables_begin() -> None:
    beginning = begin_with(AS_USUAL, {"scenario": "peanut"})
    table = begun(empty_table(1, 5, Config(colors=()), BY), beginning)
    with pytest.raises(RefereeError) as refused:
        Join("Ann", color="pink").on(table, None, BY)
    assert refused.value.key == "color"


def test_what_cant_be_played_is_refused_and_nothing_is_chosen() -> None:
    for changed, code in (
        ({"scenario": "atlantis"}, "scenario"),
        ({"target": 99}, "target"),
        ({"pace": 1}, "pace"),
        ({"leave": 99}, "option"),
        ({"scenario": "beginner", "layout": "random"}, "layout"),
        ({"option.harbors": "none"}, "option"),
        ({"fixed": ("nothing",)}, "option"),
    ):
        with pytest.raises(RefereeError) as refused:
            begin_with(AS_USUAL, changed)
        assert refused.value.code == code, changed


def test_options_of_another_scenario_are_no_longer_fixed() -> None:
    beginning = begin_with(AS_USUAL, {"scenario": "big-island"})
    beginning = begin_with(beginning, {"fixed": ("option.harbors", "target")})
    assert begin_with(beginning, {"scenario": "base"}).fixed == ("target",)


def test_what_another_version_has_stored_begins_as_usual_and_the_rest_as_chosen() -> None:
    rules = Config((), scenario="atlantis", target=7, options=(("depth", "9"),), variants=("deep",), edition="2031")
    beginning = Beginning(rules, True, TableOptions(HOUR, "explode", 500), ("depth", "target"))
    table = opened(beginning)
    assert (table.config, table.anyone_starts) == (replace(opened(AS_USUAL).config, target=7), True)
    assert table.options == TableOptions(HOUR)
    assert begin_with(beginning, {"target": 8}) == Beginning(
        Config((), target=8), True, TableOptions(HOUR), ("target",)
    )


def test_a_sample_has_the_speed_of_bots_only_where_they_can_play() -> None:
    for computers in (True, False):
        sample = sample_table(AS_USUAL, computers)
        assert TABLE["pause"].when(sample) is computers
    desk = Desk.lobby(ANN, BOB)
    desk.act(ANN, AddComputer("easy"))
    assert TABLE["pause"].when(desk.table)
