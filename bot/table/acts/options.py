"""What is chosen for a table: its rules and its own options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.table.act import Act, By
from bot.table.checks import check_host
from bot.table.lobby import seated
from bot.table.options import ANYONE, OWN, TABLE, TableOptions
from bot.table.table import LOBBY, RUNNING, Table
from engine.codec import fields_of
from engine.config import LAYOUTS, Config
from engine.errors import ConfigError, RefereeError
from engine.game import Game
from engine.scenarios import SCENARIOS, check


@dataclass(frozen=True, slots=True)
class SetOptions(Act):
    """The host chooses other options, by their names; what no number of players could play is refused.

    In a game they can change only what isn't fixed by then. A new scenario keeps what it can of the layout and drops
    the other scenario's own options. Codes: "not-lobby" (once it is too late), "not-member", "not-host", "option",
    "pace", and those of `engine.scenarios.check`.
    """

    kind = "options"
    changes: Mapping[str, Any]

    @staticmethod
    def kind_of(name: str) -> Any:
        found = {**dict(fields_of(TableOptions)), **dict(fields_of(Config)), ANYONE.name: bool}.get(name)
        return str if name.startswith(OWN) else found or Act.kind_of(name)

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
            table = seated(replace(table, config=_configured(table.config, rules)), table.members)
        return replace(table, anyone_starts=changes.get(ANYONE.name, table.anyone_starts))


def _configured(old: Config, changes: Mapping[str, Any]) -> Config:
    scenario = changes.get("scenario", old.scenario)
    known = SCENARIOS.get(scenario)
    layout = changes.get("layout", old.layout)
    if known and "layout" not in changes and layout not in (known.layouts or LAYOUTS[:1]):
        layout = LAYOUTS[0]
    given = {name.removeprefix(OWN): value for name, value in changes.items() if name.startswith(OWN)}
    own = {**(dict(old.options) if scenario == old.scenario else {}), **given}
    rest = {name: value for name, value in changes.items() if not name.startswith(OWN)}
    rest |= {
        "layout": layout,
        "variants": tuple(rest.get("variants", old.variants)),
        "options": tuple(sorted(own.items())),
    }
    config = replace(old, **rest)
    if known:  # what went only with another choice goes with it
        kept = given.keys() | {option.name for option in known.offered(config)}
        config = replace(config, options=tuple((name, value) for name, value in config.options if name in kept))
    _check_for_anyone(config)
    return config


def _check_for_anyone(config: Config) -> None:
    """Refuse what no number of players could play; how many there are counts at the start."""
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
