"""The options of a table: what is set, and the forms to change them, or to propose another turn timer in a game."""

from __future__ import annotations

from typing import Any

from bot.screens.controls import Button, Open, Reply, Row, Select, Style
from bot.screens.controls import Option as Listed
from bot.screens.settings import Page, Scope, button
from bot.table.option import Option
from bot.table.options import ALL_OPTIONS, ANYONE, AT_TABLE, SHEETS, TABLE, TIMER, rule, rules_of
from bot.table.table import LOBBY, Table
from bot.words import options as texts
from bot.words.language import _
from engine.scenarios import SCENARIOS

SCOPE = Scope("set", SHEETS, ALL_OPTIONS)
PROPOSED = ("pace", "expiry")
"""The options that can be proposed in a game."""


def options(table: Table) -> Page:
    """The options that can be chosen now."""

    def value(option: Option) -> Any:
        if option.name in TABLE:
            return getattr(table.options, option.name)
        return table.anyone_starts if option is ANYONE else rule(table.config, option)

    found = [*rules_of(table.config), ANYONE, *TABLE.values()]
    if table.status != LOBBY:
        found = [option for option in found if not option.fixed or option.name in PROPOSED]
    return Page(found, lambda option: table if option.name in TABLE else table.config, value)


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
        return [[button(sheet) for sheet in (AT_TABLE,) * host + (TIMER,) * plays]]
    if not host:
        return []
    config, forms = table.config, options(table)
    islands = [
        Listed(
            one.id,
            _("{title} ({span} players)", title=_(one.title), span=_span(one.players)),
            _(one.summary),
            one.id == config.scenario,
        )
        for one in SCENARIOS.values()
    ]
    ending = Button(_("Cancel this table"), Open("cancel"), Style.DANGER, "✖️")
    buttons = [button(sheet) for sheet in SHEETS if forms.asks(sheet)]
    return [Select(_("Scenario"), Open("scenario"), islands), buttons, [ending]]


def _span(players: tuple[int, ...]) -> str:
    if len(players) == 1:
        return str(players[0])
    return _("{least} to {most}", least=min(players), most=max(players))
