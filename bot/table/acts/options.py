"""Choosing a table's options: those of its rules and its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.table.act import Act, By, check_host
from bot.table.acts.lobby import with_members
from bot.table.options import ANYONE, OWN, TABLE
from bot.table.table import LOBBY, RUNNING, Table
from engine.config import LAYOUTS, Config
from engine.errors import ConfigError, RefereeError
from engine.game import Game
from engine.scenarios import SCENARIOS, check


@dataclass(frozen=True, slots=True)
class SetOptions(Act):
    """Change options by their names, as host. Rules that no number of players could play are refused.

    Once the game runs, only options that aren't fixed can be changed. A new scenario keeps the layout if it can, and
    drops the other scenario's own options. Codes: "not-lobby" (once it is too late), "not-member", "not-host",
    "option", "pace", and those of `engine.scenarios.check`.
    """

    kind = "options"
    changes: Mapping[str, Any]

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        changes = self.changes
        host = table.host_in(game) if game is not None and table.status == RUNNING else table.host
        check_host(table, by.user, host)
        free = {name for name, option in TABLE.items() if not option.fixed}
        if not table.open or (table.status != LOBBY and not changes.keys() <= free):
            raise RefereeError(f"not-lobby/{table.status}")
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
