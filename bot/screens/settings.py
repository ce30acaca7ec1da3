"""A page of settings: its lines, the forms and lists that change it, and what comes back from them.

Tables, people, autopilots and servers have such pages. All of it follows from the declarations of the options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.screens.controls import Button, ChoiceField, Entries, Entry, Form, Open, Pick, Select, Style, TextField, Values
from bot.screens.controls import Option as Listed
from bot.screens.shown import items, merged, merged_items
from bot.table.option import Boxes, Ids, Many, Number, Option, Sheet, Typed
from bot.words import options as texts
from bot.words.language import _
from bot.words.options import Read, label, said
from engine.errors import RefereeError

Changes = Mapping[str, Any]
"""New values, by name."""


@dataclass(frozen=True, slots=True)
class Scope:
    """All that can be chosen on pages of one kind, in the order of their lines, and the forms for it."""

    verb: str
    """What sent forms are called in custom ids."""
    sheets: Sequence[Sheet]
    options: Sequence[Option]

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


def listed(option: Option) -> Entry:
    """What an option's own list accepts."""
    return Entry(option.pattern, 0 if isinstance(option, Ids) else 1, option.most)


@dataclass(frozen=True, slots=True)
class Page:
    """What can be chosen on a page now."""

    options: Sequence[Option]
    of: Read
    value: Read
    stored: Callable[[Changes, Changes], Changes] = lambda changed, chosen: changed
    """What is stored, given the options that were changed (typed texts excepted), and the values of all that were asked
    for together."""

    def lines(self) -> list[str]:
        """What is set."""
        return texts.lines(self.options, self.of, self.value)

    def asks(self, sheet: Sheet) -> bool:
        """Whether a form asks for anything."""
        return bool(self._asked(sheet.name))

    def form(self, sheet: str) -> Form:
        """The form with that name, filled in with what is set. Code: "nothing-to-set"."""
        fields = [*self._asked(sheet).values()]
        if not fields or (asked_by := fields[0][0].asked_by) is None:  # it had fields before another option changed
            raise RefereeError("nothing-to-set")
        return Form(_(asked_by.title), [self._field(options) for options in fields])

    def entered(self, sheet: str, shown: str, values: Values) -> Changes:
        """What a sent form that has shown `shown` changes. All that the person left as it was stays as it is set by
        now. Code: "option"."""
        counted, changed, chosen = merged(self.form(sheet), shown, values), dict[str, Any](), dict[str, Any]()
        for name, options in self._asked(sheet).items():
            for option in options:
                old, entered = self.value(option), counted.get(name, ())
                if isinstance(option.sheet, Boxes):
                    new: Any = option.name in entered
                elif isinstance(option, Typed):
                    new = "".join(values.get(name, ()) if option.proposed else entered)
                else:
                    new = self._read(option, entered) if entered or isinstance(option, Many) else old
                chosen[option.name] = new
                if new != old and not isinstance(option, Typed):
                    changed[option.name] = new
        return self.stored(changed, chosen)

    def picked(self, option: Option, shown: str, values: Sequence[str]) -> Changes:
        """What an option's control, which has shown `shown`, changes. Code: "option"."""
        if shown:  # others can have changed it meanwhile
            values = merged_items(shown[1:], self._ids(option), values)
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
            boxes = [Listed(one.name, _(one.title), said(one.hint) or None, self.value(one)) for one in options]
            return ChoiceField(option.sheet.name, _(option.sheet.title), boxes, required=False, most=len(boxes))
        title, hint = _(option.title), said(option.hint, example=of) or None
        if isinstance(option, Typed):
            placeholder, value = said(option.placeholder, example=of) or None, self.value(option) or None
            return TextField(option.name, title, hint, placeholder, value, option.longest, option.required)
        listed, several = self._listed(option), isinstance(option, Many)
        most = len(listed) if several else 1
        return ChoiceField(option.name, title, listed, hint, not several, most, listed=isinstance(option, Number))

    def _listed(self, option: Option) -> list[Listed]:
        value, found = self.value(option), list[Listed]()
        for choice in option.listing(self.of(option), value):
            text, chosen = label(choice), choice.value in option.picked(value)
            text = text[:1].upper() + text[1:]
            found.append(Listed(str(choice.value), text, said(choice.phrase) or None, chosen, choice.emoji or None))
        return found


def button(sheet: Sheet, style: Style = Style.SECONDARY) -> Button:
    """The button that opens a form."""
    return Button(_(sheet.title), Open("form", (sheet.name,)), style, sheet.emoji)
