"""How tables begin on a server: what its managers have chosen for the options of new tables, and which options only
they change. All of it follows from the declarations of a table's options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.table.option import Choice, Many, Option, Sheet, options_of
from bot.table.options import ANYONE, OWN, RULES, SCENARIO, TABLE, TableOptions, rule, rules_of
from bot.table.table import Table
from engine.config import Config
from engine.errors import RefereeError
from engine.refusals import Word
from engine.scenarios import SCENARIOS
from engine.terms import N_

# --- the options of a table


def options_at(table: Table) -> list[Option]:
    """All options that a table has, in the order in which pages show them."""
    return [*rules_of(table.config), ANYONE, *TABLE.values()]


def what_for(table: Table, option: Option) -> Table | Config:
    """What an option's choices are for."""
    return table if option.name in TABLE else table.config


def value_at(table: Table, option: Option) -> Any:
    """What is chosen at a table."""
    if option.name in TABLE:
        return getattr(table.options, option.name)
    return table.anyone_starts if option is ANYONE else rule(table.config, option)


# --- what a server has chosen

FIXING = Sheet("fixed", N_("Only managers change"), "🔒")


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a server's tables begin."""

    config: Config = field(default_factory=partial(Config, colors=()))
    """The rules, without players and format."""
    anyone_starts: bool = False
    options: TableOptions = field(default_factory=TableOptions)
    fixed: tuple[str, ...] = Many(
        N_("Only managers change"),
        lambda table: [Choice(option.name, option.title) for option in options_at(table)],
        N_("**Only managers change:** {value}"),
        hint=N_("Hosts can change everything else before the start"),
        none=N_("Hosts can change all of it."),
    ).by_default((), FIXING)
    """Names of the options that hosts can't change."""

    def values(self) -> dict[str, Any]:
        """What is chosen, by the names of the options, the scenario first."""
        scenario = SCENARIOS.get(self.config.scenario)  # another version could have known more of them
        owns = scenario.offered(self.config) if scenario else ()
        return {
            **{name: getattr(self.config, name) for name in (SCENARIO.name, *RULES)},
            **{f"{OWN}{one.name}": one.of(self.config) for one in owns},
            ANYONE.name: self.anyone_starts,
            **{name: getattr(self.options, name) for name in TABLE},
        }


FIXED = options_of(Beginning)["fixed"]
AS_USUAL = Beginning()


def as_begun(table: Table, beginning: Beginning) -> list[Option]:
    """The options of a table that are as its server has chosen them, and not as usual."""
    owns = SCENARIOS[table.config.scenario].options
    usual = AS_USUAL.values() | {f"{OWN}{one.name}": one.of(AS_USUAL.config) for one in owns}
    chosen = beginning.values()
    return [
        option
        for option in options_at(table)
        if option.name in chosen and usual[option.name] != chosen[option.name] == value_at(table, option)
    ]


def check_free(before: Table, after: Table) -> None:
    """Refuse another value of an option that only managers change. Code: "fixed"."""
    values = {option.name: value_at(after, option) for option in options_at(after)}
    for option in options_at(before):
        if option.name in before.fixed and values.get(option.name) != value_at(before, option):
            raise RefereeError("fixed", option=Word(option.title))
