"""Forms that ask for options: their fields, and what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.screens.controls import Button, ChoiceField, Entries, Entry, Form, Open, Style, TextField, Values
from bot.screens.controls import Option as Listed
from bot.table.option import Boxes, Choice, Many, Option
from bot.words.language import _
from bot.words.options import Read, label

Field = Option | Boxes | TextField


@dataclass(frozen=True, slots=True)
class Sheet:
    """A form that asks for some options."""

    name: str
    """Its name in custom ids."""
    title: str
    emoji: str
    possible: Sequence[Field]
    """All fields that it can have; no other names and values are accepted."""

    def button(self, style: Style = Style.SECONDARY, title: str = "") -> Button:
        """The button that opens the form."""
        return Button(title or _(self.title), Open("form", (self.name,)), style, self.emoji)

    def form(self, fields: Iterable[Field], of: Read, value: Read) -> Form:
        """The form with these fields, at most five, filled in with what is set."""
        return Form(_(self.title), [f if isinstance(f, TextField) else _field(f, of, value) for f in fields])

    @property
    def entries(self) -> Entries:
        """What the form accepts."""
        return {field.name: _entry(field) for field in self.possible}


def changes(fields: Iterable[Field], of: Read, value: Read, entered: Values) -> dict[str, Any]:
    """The options that a sent form changes, by name. Code: "option"."""
    found: dict[str, Any] = {}
    for field in fields:
        values = entered.get(field.name, ())
        if isinstance(field, Boxes):
            found |= {one.name: one.name in values for one in field.options if value(one) is not (one.name in values)}
        elif isinstance(field, TextField):
            continue  # the caller reads it
        elif isinstance(field, Many) or values:
            new = field.read(of(field), values)
            found |= {field.name: new} if new != value(field) else {}
    return found


def _entry(field: Field) -> Entry:
    if isinstance(field, Boxes):
        return Entry("|".join(one.name for one in field.options), 0, len(field.options))
    if isinstance(field, TextField):
        return Entry(f"(?s).{{0,{field.longest}}}", 0)
    return Entry(field.pattern, 0, 25 if isinstance(field, Many) else 1)


def _field(field: Option | Boxes, of: Read, value: Read) -> ChoiceField:
    if isinstance(field, Boxes):
        boxes = [Listed(one.name, _(one.title), _(one.hint) if one.hint else None, value(one)) for one in field.options]
        return ChoiceField(field.name, _(field.title), boxes, required=False, most=len(boxes))
    picked = field.picked(value(field))
    listed = [_listed(choice, choice.value in picked) for choice in field.listing(of(field), value(field))]
    several = isinstance(field, Many)
    most = len(listed) if several else 1
    hint = _(field.hint) if field.hint else None
    return ChoiceField(field.name, _(field.title), listed, hint, not several, most, listed=field.listed)


def _listed(choice: Choice, chosen: bool) -> Listed:
    text, phrase = label(choice), _(choice.phrase) if choice.phrase else None
    return Listed(str(choice.value), text[:1].upper() + text[1:], phrase, chosen, choice.emoji or None)
