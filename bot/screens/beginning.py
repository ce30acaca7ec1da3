"""How a server's new tables begin, for its managers: the options of a table, and which of them only managers change."""

from __future__ import annotations

from typing import Any

from bot.screens.controls import Button, Open, Reply, Row, Style
from bot.screens.options import Page, Scope, allowed, chosen_options, form_button, held, scenario_list
from bot.table.acts.options import sample_table
from bot.table.beginning import AS_USUAL, FIXED, FIXING, Beginning, options_at, what_for
from bot.table.option import Option
from bot.table.options import ALL_OPTIONS, ANYONE, HIDDEN, SHEETS
from bot.words import options as texts
from bot.words.language import _

BEGINNING_SCOPE = Scope("begin", (*SHEETS, FIXING), (*ALL_OPTIONS, FIXED), "begin_")


def beginning_options(beginning: Beginning, computers: bool = True, web: str = HIDDEN) -> Page:
    """What new tables begin with. `computers`: whether bots can join them; `web` as in `table_options`."""
    sample = sample_table(beginning, computers)

    def what(option: Option) -> Any:
        return sample if option is FIXED else what_for(sample, option)

    def value(option: Option) -> Any:
        return beginning.fixed if option is FIXED else held(sample, web, option)

    return Page([*allowed(options_at(sample), web), FIXED], what, value)


def beginning_page(beginning: Beginning, computers: bool, web: str, answer: str, key: str) -> Reply:
    """What new tables begin with. `answer` and `key`: as for the server's page."""
    page, sample = beginning_options(beginning, computers, web), sample_table(beginning, computers)
    title, more = _("New tables on this server begin with"), (key,) if key else ()
    hint = _("Tables that are open already stay as they are. First games keep their own rules.")
    last = texts.lines((ANYONE, FIXED), page.of, page.value)
    lines = [f"### {title}", *chosen_options(sample, web), *last, f"-# {hint}"]
    buttons = [
        form_button(sheet, Style.SECONDARY, BEGINNING_SCOPE.prefix, *more) for sheet in SHEETS if page.asks(sheet)
    ]
    ending = [
        form_button(FIXING, Style.PRIMARY, BEGINNING_SCOPE.prefix, *more),
        Button(_("All settings"), Open("server_page", more), emoji="◀️"),
    ]
    if beginning != AS_USUAL:
        ending.insert(1, Button(_("As usual again"), Open("begin_usual", more), emoji="↩️"))
    rows: list[Row] = [scenario_list(sample.config, "begin_scenario", *more), buttons, ending]
    return Reply("\n".join(filter(None, (*lines, answer))), rows=rows)


def beginning_line(beginning: Beginning) -> str:
    """What the server's page says about new tables."""
    summary = texts.summary(sample_table(beginning))
    return _("New tables begin with: **{options}**", options=summary)
