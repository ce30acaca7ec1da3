"""The options of a table: what is set, and the forms to change them, or to propose another turn timer in a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.screens.choosing import Field, Sheet, changes
from bot.screens.controls import Button, Form, Open, Reply, Row, Select, Style, Values
from bot.screens.controls import Option as Listed
from bot.table.option import Boxes, Option
from bot.table.options import (
    ANYONE,
    AT_TABLE,
    BOARDS,
    LANDS,
    RULES,
    SCENARIO,
    TABLE,
    board_of,
    own_options,
    rule,
)
from bot.table.table import LOBBY, Table
from bot.words import options as texts
from bot.words.language import N_, _
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

PACE = "pace"
_OWN = (AT_TABLE, TABLE["look"], TABLE["pause"])
_PACE = (TABLE["pace"], TABLE["expiry"], TABLE["leave"])
SHEETS = {
    sheet.name: sheet
    for sheet in (
        Sheet("set_rules", N_("Rules and points"), "📖", RULES),
        Sheet("set_board", N_("Board"), "🗺️", BOARDS),
        Sheet("set_land", N_("Land"), "🌾", LANDS),
        Sheet("set_table", N_("Table and pictures"), "🎨", _OWN),
        Sheet(PACE, N_("Turn timer"), "⏳", _PACE),
    )
}


def page(table: Table, *, host: bool, plays: bool, answer: str = "") -> Reply:
    """What is set, with the reader's controls; `host`, `plays`: whether they decide as host now, or play in it.

    `answer`: what came of the last click, next to the controls.
    """
    title = _("Options of table {number}", number=table.number)
    lines, rows = [f"### {title}", *chosen(table)], _controls(table, host, plays) if table.open else []
    if not host:
        hint = _("The host can change them before the start.")
        if plays:
            hint = _("Set by the host before the start. During a game, a majority can change the turn timer.")
        lines.append(f"-# {hint}")
    return Reply("\n".join(filter(None, (*lines, answer))), rows=rows)


def chosen(table: Table) -> list[str]:
    """All options of a table, a line each."""
    return [*texts.rules(table.config), *texts.table_lines(table)]


def _controls(table: Table, host: bool, plays: bool) -> list[Row]:
    if table.status != LOBBY:
        return [[SHEETS[name].button() for name in ("set_table",) * host + (PACE,) * plays]]
    if not host:
        return []
    config = table.config
    islands = [
        Listed(
            one.id,
            _("{title} ({span} players)", title=_(one.title), span=_span(one.players)),
            _(one.summary),
            one.id == config.scenario,
        )
        for one in SCENARIOS.values()
    ]
    forms = [sheet.button() for sheet in SHEETS.values() if _fields(table, sheet.name)]
    ending = Button(_("Cancel this table"), Open("cancel"), Style.DANGER, "✖️")
    return [Select(_("Scenario"), Open("scenario"), islands), forms, [ending]]


def _span(players: tuple[int, ...]) -> str:
    if len(players) == 1:
        return str(players[0])
    return _("{least} to {most}", least=min(players), most=max(players))


# --- forms


def form(table: Table, which: str) -> Form:
    """A form, filled in with the table's options. Code: "nothing-to-set"."""
    fields = _fields(table, which)
    if not fields:  # the form had fields before another option was changed
        raise RefereeError("nothing-to-set")
    return SHEETS[which].form(fields, lambda option: _of(table, option), _value(table))


def entered(table: Table, which: str, values: Values) -> dict[str, Any]:
    """The options that a sent form changes, by name."""
    return changes(_fields(table, which), lambda option: _of(table, option), _value(table), values)


def _fields(table: Table, which: str) -> Sequence[Field]:
    """The fields of a form: all options that matter and aren't fixed by now."""
    config, lobby = table.config, table.status == LOBBY
    if which == "set_board":
        return board_of(config)
    if which == "set_land":
        return own_options(config, following=True)
    if which == PACE:  # during a game it is a proposal
        return _PACE if lobby else _PACE[:2]
    fields: Sequence[Option | Boxes] = RULES if which == "set_rules" else _OWN if lobby else _OWN[1:]
    return [one for one in fields if isinstance(one, Boxes) or one.when(_of(table, one))]


def _of(table: Table, option: Any) -> Any:
    """What an option is chosen for: the table, or its configuration."""
    return table if option.name in TABLE else table.config


def _value(table: Table) -> Any:
    """A function that returns the value of an option."""

    def value(option: Option) -> Any:
        if option.name in TABLE:
            return getattr(table.options, option.name)
        return table.anyone_starts if option is ANYONE else rule(table.config, option)

    return value


def scenarios() -> list[str]:
    """The values that the list of scenarios accepts."""
    return [str(choice.value) for choice in SCENARIO.offered(None)]
