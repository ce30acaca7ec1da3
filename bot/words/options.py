"""Options in words: what a page says about everything that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from bot.table.option import Choice, Ids, Many, Number, Option, Text
from bot.table.options import DECIDE, HIDDEN, TABLE, rule, rules_of, stricter
from bot.table.table import Table
from bot.table.waiting import OPENING
from bot.words import times
from bot.words.language import _, enumeration, n_
from bot.words.marks import listing
from engine.config import Config

Read = Callable[[Option], Any]
"""From an option, its value, or what it is chosen for."""


def rules(config: Config) -> list[str]:
    """What a configuration sets, a line each, the scenario first."""
    return lines(rules_of(config), lambda option: config, lambda option: rule(config, option))


def table_lines(table: Table, web: str = HIDDEN) -> list[str]:
    """What is set for a table besides its rules. `web`: which games the server lets everyone see; what holds is the
    stricter of both."""
    chosen, found = replace(table.options, web=stricter(web, table.options.web)), list[str]()
    for name, option in TABLE.items():
        if name == "web" and web == HIDDEN:  # there is nothing to choose
            continue
        found += lines([option], lambda option: table, lambda option: getattr(chosen, option.name))
        if name == "expiry" and chosen.expiry == DECIDE and 0 < chosen.pace < OPENING:
            found.append(_("**In setup:** {time} for each placement", time=times.span(OPENING)))
    return found


def summary(table: Table) -> str:
    """The scenario, the goal, the turn timer, and everything else that isn't as usual, in one line."""
    config, parts = table.config, list[str]()
    for option in rules_of(config):
        if not option.matters(config) or option.name in _SELDOM_READ:
            continue
        value = rule(config, option)
        choices = option.listing(config, value)
        usual = () if option.name in _ALWAYS_READ or isinstance(option, Many) else choices[:1]
        parts += [label(choice) for choice in choices if choice.value in option.picked(value) and choice not in usual]
    [timer] = lines([TABLE["pace"]], lambda option: table, lambda option: table.options.pace)
    return " · ".join([*parts, timer.replace("**", "")])


_ALWAYS_READ, _SELDOM_READ = ("scenario", "target"), ("answer_time", "shuffle_seats")


def lines(options: Iterable[Option], of: Read, value: Read) -> list[str]:
    """What a page says about the options that matter."""
    return [line for one in options if one.matters(of(one)) for line in _lines(one, of(one), value(one)) if line]


def label(choice: Choice) -> str:
    """A choice in words."""
    return str(choice.label) if choice.named else words(choice.label, choice.value)


def _lines(option: Option, of: Any, value: Any) -> list[str]:
    picked = option.picked(value)
    if isinstance(option, Ids):
        names = [f"<@&{id}>" if option.kind == "role" else f"<#{id}>" for id in picked if id not in of]
        if names:
            return [words(option.line, value=enumeration(names))]
        return [said(option.gone if picked else option.none)]
    choices = [choice for choice in option.listing(of, value) if choice.value in picked]
    if isinstance(option, Many) and not choices:
        return [said(option.none)]
    if isinstance(option, Many) and option.line:
        names = [" ".join(filter(None, (choice.emoji, label(choice)))) for choice in choices]
        return [words(option.line, len(choices), value=listing(names, "or" if option.either else "and"))]
    return [_line(option, choice) for choice in choices]


def _line(option: Option, choice: Choice) -> str:
    if choice.line:
        return words(choice.line, choice.value)
    if option.line and not (isinstance(option, Number) and choice.label != option.label):
        means = said(choice.phrase) or label(choice)
        return words(option.line, choice.value, value=label(choice), means=means, title=_(option.title))
    return _("**{what}**: {phrase}", what=label(choice), phrase=_(choice.phrase)) if choice.phrase else ""


def said(text: str, **values: object) -> str:
    """A text of an option; "" stays as it is, since gettext has something else for it."""
    return _(text, **values) if text else ""


def words(text: Text, number: Any = 0, **values: object) -> str:
    """A text of an option, which can be about a number of something or a number of seconds."""
    n = number if isinstance(number, int) else 0
    all_values = {"time": times.span(n), **values}
    return _(text, n=n, **all_values) if isinstance(text, str) else n_(*text, n, **all_values)
