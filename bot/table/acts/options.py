"""Choosing a table's options: those of its rules and its own; and those with which a server's tables begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.languages import AUTO
from bot.table.act import Act, By, check_host
from bot.table.acts.lobby import COMPUTERS, empty_table, with_members
from bot.table.beginning import FIXED, Beginning, check_free, options_at
from bot.table.options import ANYONE, OWN, SCENARIO, TABLE
from bot.table.parts import Member
from bot.table.table import LOBBY, RUNNING, Table
from engine.config import LAYOUTS, Config
from engine.errors import ConfigError, RefereeError
from engine.game import Game
from engine.scenarios import SCENARIOS, check


@dataclass(frozen=True, slots=True)
class SetOptions(Act):
    """Change options by their names, as host or as someone who manages the channel or server. Rules that no number of
    players could play are refused.

    Once the game runs, only options that aren't fixed can be changed. Codes: "not-lobby" (once it is too late),
    "not-member", "not-host", "fixed", and those of `with_options`.
    """

    kind = "options"
    changes: Mapping[str, Any]

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if not by.manages:
            host = table.host_in(game) if game is not None and table.status == RUNNING else table.host
            check_host(table, by, host)
        free = {name for name, option in TABLE.items() if not option.fixed}
        if not table.open or (table.status != LOBBY and not self.changes.keys() <= free):
            raise RefereeError(f"not-lobby/{table.status}")
        changed = with_options(table, self.changes)
        if not by.manages:
            check_free(table, changed)
        return changed


def with_options(table: Table, changes: Mapping[str, Any]) -> Table:
    """The table with other options, by their names.

    A new scenario keeps the layout if it can, and drops the other scenario's own options. Codes: "option", "pace", and
    those of `engine.scenarios.check`.
    """
    own = {name: value for name, value in changes.items() if name in TABLE}
    for name, value in own.items():
        TABLE[name].check(table, value)
    table = replace(table, options=replace(table.options, **own))
    rules = {name: value for name, value in changes.items() if name not in (*TABLE, ANYONE.name)}
    if rules:
        table = with_members(replace(table, config=_configured(table.config, rules)), table.members)
    return replace(table, anyone_starts=changes.get(ANYONE.name, table.anyone_starts))


def _configured(old: Config, changes: Mapping[str, Any]) -> Config:
    scenario = changes.get("scenario", old.scenario)
    definition = SCENARIOS.get(scenario)
    layout = changes.get("layout", old.layout)
    if definition and "layout" not in changes and layout not in (definition.layouts or LAYOUTS[:1]):
        layout = LAYOUTS[0]
    given = {name.removeprefix(OWN): value for name, value in changes.items() if name.startswith(OWN)}
    own = {**(dict(old.options) if scenario == old.scenario else {}), **given}
    fields = {name: value for name, value in changes.items() if not name.startswith(OWN)}
    fields |= {
        "layout": layout,
        "variants": tuple(fields.get("variants", old.variants)),
        "options": tuple(sorted(own.items())),
    }
    config = replace(old, **fields)
    if definition:  # drop own options that only went with another choice
        kept = given.keys() | {option.name for option in definition.offered(config)}
        config = replace(config, options=tuple((name, value) for name, value in config.options if name in kept))
    _check_for_anyone(config)
    return config


def _check_for_anyone(config: Config) -> None:
    """Refuse a configuration that no number of players could play. How many there really are counts at the start."""
    scenario = SCENARIOS.get(config.scenario)
    if scenario is None:
        check(config)
        return
    for players in scenario.players:
        try:
            check(replace(config, colors=scenario.colors_for(players)[:players]))
            return
        except ConfigError as error:
            refusal = error
    raise refusal


# --- how a server's tables begin

NO_LESSON = ("hints",)
"""Options of a table that are a first game's own."""


def begun(table: Table, beginning: Beginning, *, again: bool = False, without: Collection[str] = ()) -> Table:
    """A new table as its server wants tables to begin; `again`: a rematch, which keeps its options except those that
    only managers change; `without`: names of options that stay as they are.

    A first game has rules of its own. What can't be played with the rest, or isn't known to this version of the
    program, is left out.
    """
    names = {*beginning.fixed} if again else {*beginning.values()}
    if table.lesson:
        names &= TABLE.keys() - {*NO_LESSON}
    values = {name: value for name, value in beginning.values().items() if name in names - {*without}}
    return replace(_with_possible(table, values), fixed=beginning.fixed)


def spoken(table: Table, language: str) -> Table:
    """A new table in this language, given by its code, if no one has chosen another one."""
    if table.options.language != AUTO:
        return table
    return replace(table, options=replace(table.options, language=language))


def _with_possible(table: Table, values: Mapping[str, Any]) -> Table:
    with suppress(RefereeError):
        return with_options(table, values)
    for name, value in values.items():
        with suppress(RefereeError):
            table = with_options(table, {name: value})
    return table


def with_seats(table: Table, players: int) -> Table:
    """A new table with a scenario for at least so many players: its own, or the most similar one. The table as it is if
    there is none, or none that goes with the other options and with what only managers change."""
    scenario = SCENARIOS[table.config.scenario]
    while max(scenario.players) < players and scenario.larger:
        scenario = SCENARIOS[scenario.larger]
    if scenario.id != table.config.scenario and max(scenario.players) >= players:
        with suppress(RefereeError):
            larger = with_options(table, {SCENARIO.name: scenario.id})
            check_free(table, larger)
            return larger
    return table


def sample_table(beginning: Beginning, computers: bool = True) -> Table:
    """A lobby as it begins, for a page about it. Hosts can change all its options. `computers`: whether bots can join
    it, about which there are options, too."""
    table = replace(begun(empty_table(None, 0, Config(colors=()), By(0, 0.0)), beginning), fixed=())
    return with_members(table, (Member(-1, COMPUTERS[0], "", False, "", "", "easy"),) if computers else ())


def begin_with(beginning: Beginning, changes: Mapping[str, Any]) -> Beginning:
    """Another beginning: with these options by their names, and with `fixed` among them.

    Codes: those of `with_options`.
    """
    chosen = {name: value for name, value in changes.items() if name != FIXED.name}
    table = with_options(sample_table(beginning), chosen)
    fixed = changes.get(FIXED.name)
    if fixed is None:
        fixed = beginning.fixed  # those of another scenario go with it
    else:
        FIXED.check(table, fixed)
    names = [option.name for option in options_at(table)]
    config = replace(table.config, colors=())
    return Beginning(config, table.anyone_starts, table.options, tuple(name for name in names if name in fixed))
