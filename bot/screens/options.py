"""Pages of options: their lines, the forms and lists that change them, and what comes back from those. Last, the page
of a table.

Tables, people, autopilots and servers have such pages. All of it follows from the declarations of the options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.screens.controls import (
    Button,
    ChoiceField,
    Entries,
    Entry,
    Form,
    Link,
    ListOption,
    Open,
    Pick,
    Reply,
    Row,
    Select,
    Style,
    TextField,
    Values,
)
from bot.screens.forms import items, merged, merged_items
from bot.table.beginning import AS_USUAL, Beginning, as_begun, options_at, value_at, what_for
from bot.table.option import Boxes, Ids, Many, Number, Option, Sheet, Typed
from bot.table.options import ALL_OPTIONS, AT_TABLE, HIDDEN, ON_THE_WEB, SCENARIO, SHEETS, TIMER, stricter
from bot.table.table import LOBBY, RUNNING, Table
from bot.words import options as texts
from bot.words.language import _
from bot.words.marks import listing
from bot.words.options import Read, label, said
from engine.config import Config
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

NewValues = Mapping[str, Any]
"""New values, by name."""


@dataclass(frozen=True, slots=True)
class Scope:
    """All that can be chosen on pages of one kind, in the order of their lines, and the forms for it."""

    verb: str
    """What sent forms are called in custom ids."""
    sheets: Sequence[Sheet]
    options: Sequence[Option]
    prefix: str = ""
    """What comes before a form's name in the ids of buttons that open it, where pages of two kinds have that form."""

    def entries(self, args: Sequence[str]) -> Entries:
        """What the form with that name accepts."""
        return {name: _entry(found) for name, found in _fields(self.options, args[0]).items()}


def _fields(options: Iterable[Option], sheet: str) -> dict[str, list[Option]]:
    """The options that a form asks for, by field: boxes share one."""
    found: dict[str, list[Option]] = {}
    for option in sorted(options, key=lambda option: option.order):
        if option.asked_by is not None and option.asked_by.name == sheet:
            found.setdefault(option.sheet.name if isinstance(option.sheet, Boxes) else option.name, []).append(option)
    return found


def _entry(options: Sequence[Option]) -> Entry:
    boxes = isinstance(options[0].sheet, Boxes)
    pattern = "|".join(option.name if boxes else option.pattern for option in options)
    return Entry(pattern, 0, len(options) if boxes else options[0].most)


def list_entry(option: Option) -> Entry:
    """What an option's own list accepts."""
    return Entry(option.pattern, 0 if isinstance(option, Ids) else 1, option.most)


@dataclass(frozen=True, slots=True)
class Page:
    """What can be chosen on a page now."""

    options: Sequence[Option]
    of: Read
    value: Read
    stored: Callable[[NewValues, NewValues], NewValues] = lambda changed, chosen: changed
    """What is stored, given the options that were changed (typed texts excepted), and the values of all that were asked
    for together."""
    closed: Collection[str] = ()
    """Names of options that this person can't change: forms leave them out."""

    def lines(self) -> list[str]:
        """What is set."""
        return texts.lines(self.options, self.of, self.value)

    def asks(self, sheet: Sheet) -> bool:
        """Whether a form asks for anything."""
        return bool(self._open(sheet.name))

    def form(self, sheet: str) -> Form:
        """The form with that name, filled in with what is set. Code: "nothing-to-set"."""
        return self._form([*self._open(sheet).values()])

    def _form(self, fields: Sequence[Sequence[Option]]) -> Form:
        if not fields or (asked_by := fields[0][0].asked_by) is None:  # it had fields before another option changed
            raise RefereeError("nothing-to-set")
        return Form(_(asked_by.title), [self._field(options) for options in fields])

    def entered(self, sheet: str, shown: str, values: Values) -> NewValues:
        """What a sent form changes; `shown`: what it has shown. Whatever the person left alone, or the form has left
        out, stays as it is set now. Code: "option"."""
        asked, changed, chosen = self._asked(sheet), dict[str, Any](), dict[str, Any]()
        counted = merged(self._form([*asked.values()]), shown, values)
        for name, options in asked.items():
            for option in options:
                old, entered = self.value(option), counted.get(name, ())
                if name not in counted and not isinstance(option, Typed):
                    new: Any = old
                elif isinstance(option.sheet, Boxes):
                    new = option.name in entered
                elif isinstance(option, Typed):
                    new = "".join(values.get(name, ()) if option.proposed else entered)
                else:
                    new = self._read(option, entered) if entered or isinstance(option, Many) else old
                chosen[option.name] = new
                if new != old and not isinstance(option, Typed):
                    changed[option.name] = new
        return self.stored(changed, chosen)

    def picked(self, option: Option, shown: str, values: Sequence[str]) -> NewValues:
        """What a choice in an option's own control changes; `shown`: what the control has shown. Code: "option"."""
        if shown:  # others can have changed it meanwhile
            values = merged_items(shown[1:], self._ids(option), values)
        if not all(re.fullmatch(option.pattern, value) for value in values):  # lists can share a verb
            raise option.refusal()
        chosen = {option.name: self._read(option, values)}
        return self.stored(chosen, chosen)

    def list_of(self, option: Option, verb: str, *args: str) -> Select | Pick:
        """The page's own list for an option."""
        title = _(option.title)
        if isinstance(option, Ids):
            there = [id for id in option.picked(self.value(option)) if id not in self.of(option)]
            shown = f".{items(self._ids(option))}" if option.most > 1 else ""
            return Pick(title, Open(verb, args, shown=shown), option.kind, there, 0, option.most)
        return Select(title, Open(verb, args), self._listed(option))

    def switch(self, option: Option, verb: str, *args: str) -> Button:
        """The page's own button for an option that is on or off. Its id says what it changes that to."""
        on, label = self.value(option), _(option.title)
        text = _("{label}: on", label=label) if on else _("{label}: off", label=label)
        target = Open(verb, (str(int(not on)), *args))
        return Button(text, target, Style.SUCCESS if on else Style.SECONDARY, option.emoji)

    def _asked(self, sheet: str) -> dict[str, list[Option]]:
        return _fields((option for option in self.options if option.when(self.of(option))), sheet)

    def _open(self, sheet: str) -> dict[str, list[Option]]:
        asked = self._asked(sheet).items()
        free = {name: [one for one in options if one.name not in self.closed] for name, options in asked}
        return {name: options for name, options in free.items() if options}

    def _read(self, option: Option, entered: Sequence[str]) -> Any:
        value = option.read(self.of(option), entered)
        if value != self.value(option):
            option.check(self.of(option), value)
        return value

    def _ids(self, option: Option) -> list[str]:
        return [str(id) for id in option.picked(self.value(option))]

    def _field(self, options: Sequence[Option]) -> ChoiceField | TextField:
        option, of = options[0], self.of(options[0])
        if isinstance(option.sheet, Boxes):
            boxes = [ListOption(one.name, _(one.title), said(one.hint) or None, self.value(one)) for one in options]
            return ChoiceField(option.sheet.name, _(option.sheet.title), boxes, required=False, most=len(boxes))
        title, hint = _(option.title), said(option.hint, example=of) or None
        if isinstance(option, Typed):
            example, value = str(of) if option.shows_example else None, self.value(option) or None
            return TextField(option.name, title, hint, example, value, option.longest, option.required)
        listed, several = self._listed(option), isinstance(option, Many)
        most = len(listed) if several else 1
        return ChoiceField(option.name, title, listed, hint, not several, most, listed=isinstance(option, Number))

    def _listed(self, option: Option) -> list[ListOption]:
        value, found = self.value(option), list[ListOption]()
        for choice in option.listing(self.of(option), value):
            text, chosen = label(choice), choice.value in option.picked(value)
            text = text[:1].upper() + text[1:]
            found.append(ListOption(str(choice.value), text, said(choice.phrase) or None, chosen, choice.emoji or None))
        return found


def form_button(sheet: Sheet, style: Style = Style.SECONDARY, prefix: str = "", *more: str) -> Button:
    """The button that opens a form; `prefix`: as in its scope; `more`: further details in its id."""
    return Button(_(sheet.title), Open("form", (f"{prefix}{sheet.name}", *more)), style, sheet.emoji)


# --- the page of a table

TABLE_SCOPE = Scope("set", SHEETS, ALL_OPTIONS)
PROPOSED = ("pace", "expiry")
"""The options that can be proposed in a game."""


def table_options(table: Table, *, manages: bool = False, web: str = HIDDEN) -> Page:
    """The options that can be chosen now; `manages`: by people who manage the table's channel or server. `web`: which
    games the server lets everyone see; the table can choose among these."""
    found = allowed(options_at(table), web)
    if table.status != LOBBY:
        found = [option for option in found if not option.fixed or option.name in PROPOSED]
    closed = () if manages else table.fixed
    return Page(found, partial(what_for, table), partial(held, table, web), closed=closed)


def allowed(options: Iterable[Option], web: str) -> list[Option]:
    """The options with the choices that the server allows; `web` as in `table_options`."""
    choices = [choice for choice in ON_THE_WEB if stricter(web, choice.value) == choice.value]
    return [
        replace(option, choices=choices, when=lambda table: web != HIDDEN) if option.name == "web" else option
        for option in options
    ]


def held(table: Table, web: str, option: Option) -> Any:
    """What holds at a table; `web` as in `table_options`."""
    return stricter(web, table.options.web) if option.name == "web" else value_at(table, option)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the page of a table."""

    host: bool = False
    """Whether they decide as host now."""
    plays: bool = False
    """Whether they play in its game."""
    manages: bool = False
    """Whether they manage its channel or server."""

    @property
    def decides(self) -> bool:
        """Whether they can change options without asking the others."""
        return self.host or self.manages


def table_page(
    table: Table,
    reader: Reader,
    beginning: Beginning = AS_USUAL,
    answer: str = "",
    web: str = HIDDEN,
    link: str | None = None,
) -> Reply:
    """What is set, with the reader's controls. `beginning`: how tables begin on its server.

    `answer`: what came of the last click, next to the controls. `web` as in `table_options`; `link`: where the game can
    be watched in a browser.
    """
    title = _("Options of table {number}", number=table.number)
    rows = _table_controls(table, reader, web) if table.open else []
    lines, forms = [f"### {title}", *chosen_options(table, web)], table_options(table, manages=reader.manages, web=web)
    if not reader.decides:
        hint = _("The host can change them before the start.")
        if reader.plays:
            hint = _("Set by the host before the start.")
            if forms.asks(TIMER):
                hint = _("Set by the host before the start. During a game, a majority can change the turn timer.")
        lines.append(f"-# {hint}")
    told = [option for option in forms.options if option.matters(forms.of(option))]
    fixed = [option for option in told if option.name in table.fixed]
    if table.open and fixed:
        titles = listing(_(option.title) for option in fixed)
        lines.append(
            "-# 🔒 " + _("Only people who manage this server or channel can change: {options}.", options=titles)
        )
    if table.status == LOBBY and (
        begun := [one for one in as_begun(table, beginning) if one in told and one not in fixed]
    ):
        titles = listing(_(option.title) for option in begun)
        lines.append("-# " + _("As tables on this server begin: {options}.", options=titles))
    if table.status == RUNNING and link:
        rows = [*rows, [watch_button(link)]]
    return Reply("\n".join(filter(None, (*lines, answer))), rows=rows)


def chosen_options(table: Table, web: str = HIDDEN) -> list[str]:
    """All options of a table, a line each; `web` as in `table_options`."""
    return [*texts.rules(table.config), *texts.table_lines(table, web)]


def watch_button(link: str) -> Button:
    """The button that opens the page of a running game."""
    return Button(_("Watch in the browser"), Link(link), emoji="🌐")


def _table_controls(table: Table, reader: Reader, web: str) -> list[Row]:
    forms, rows = table_options(table, manages=reader.manages, web=web), list[Row]()
    people = Button(_("People"), Open("guests"), emoji="👥")
    if table.status != LOBBY:
        sheets = (AT_TABLE,) * reader.decides + (TIMER,) * reader.plays
        return [[*(form_button(sheet) for sheet in sheets if forms.asks(sheet)), *([people] if reader.host else ())]]
    if not reader.decides:
        return []
    if SCENARIO.name not in forms.closed:
        rows.append(scenario_list(table.config, "scenario"))
    rows.append([form_button(sheet) for sheet in SHEETS if forms.asks(sheet)])
    return [*rows, [people, Button(_("Cancel this table"), Open("cancel"), Style.DANGER, "✖️")]]


def scenario_list(config: Config, verb: str, *args: str) -> Select:
    """The list of scenarios."""
    islands = [
        ListOption(
            one.id,
            _("{title} ({span} players)", title=_(one.title), span=_span(one.players)),
            _(one.summary),
            one.id == config.scenario,
        )
        for one in SCENARIOS.values()
    ]
    return Select(_("Scenario"), Open(verb, args), islands)


def _span(players: tuple[int, ...]) -> str:
    if len(players) == 1:
        return str(players[0])
    return _("{least} to {most}", least=min(players), most=max(players))
