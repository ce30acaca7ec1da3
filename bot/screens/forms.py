"""Forms: what they accept, the action that the entries mean, and what they have shown, as a few characters in their
ids.

Discord's mobile clients show a form with an id seen before as it was the first time (discord-api-docs #7554), and any
form can be sent long after it was opened. So the id changes with all that the form shows, and it tells which entries
the person has changed: everything else keeps the value that it has by then.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from bot.screens.controls import ChoiceField, Entries, Form, TextField, Values
from bot.screens.viewer import Viewer
from engine.actions import Action


def filled(form: Form, values: Values) -> Form:
    """The form, filled in with what was entered before, so that a mistake costs no typing."""
    form.base = base(form)
    for at, field in enumerate(form.fields):
        entered = values.get(field.name, ())
        if isinstance(field, TextField):
            form.fields[at] = replace(field, default=next(iter(entered), field.default))
        elif entered:
            options = [replace(option, default=option.value in entered) for option in field.options]
            form.fields[at] = replace(field, options=options)
    return form


class FormKind:
    """A kind of form that results in an action; stateless. `args` are details that its button carries."""

    name: ClassVar[str] = ""
    args: ClassVar[str] = ""
    """Pattern of the details, joined by colons."""

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        """The form; raises `RefereeError` where it can't be used now."""
        raise TypeError("a form must have fields")

    def entries(self, args: tuple[str, ...]) -> Entries:
        """What the form accepts."""
        raise TypeError("a form must say what it takes")

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        """The action that the entries mean."""
        raise TypeError("a form must be read")


# --- what a form has shown

_WHOLE, _NAME, _VALUE, _ITEM = 5, 2, 3, 2
"""Characters for a whole form, a field's name, a value, and one of several values."""


def digest(text: str, length: int) -> str:
    """A text in `length` characters (at most 5) that an id can have."""
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()[:length]


def code(form: Form) -> str:
    """What a form shows, for its id: first all of it, then each field's value before `filled` changed it."""
    return ".".join([digest(str((form.title, form.fields)), _WHOLE), *(form.base or base(form))])


def base(form: Form) -> list[str]:
    """The value of each field of a form, after the field's name."""
    return [digest(field.name, _NAME) + _coded(field, _value(field)) for field in form.fields]


def merged(form: Form, shown: str, entered: Values) -> Values:
    """What was entered in a form that has shown `shown`. Fields that the person left alone have the values of the same
    form now. Without `shown`, everything counts as changed: forms of 0.2.0 have no code."""
    then = {part[:_NAME]: part[_NAME:] for part in shown.split(".")[1:]}
    found = dict(entered)
    for field in form.fields:
        before = then.get(digest(field.name, _NAME))
        if before is not None:
            found[field.name] = _merged(field, before, entered.get(field.name, ()))
    return found


def items(values: Sequence[str]) -> str:
    """Several values in a few characters each."""
    return "".join(sorted(digest(value, _ITEM) for value in values))


def merged_items(before: str, now: Sequence[str], entered: Sequence[str]) -> list[str]:
    """The values now, with what was added to and removed from those that were shown (`items`)."""
    if before == items(now):
        return [*entered]
    then = {before[at : at + _ITEM] for at in range(0, len(before), _ITEM)}
    added = [value for value in entered if digest(value, _ITEM) not in then and value not in now]
    removed = then - {digest(value, _ITEM) for value in entered}
    return [*(value for value in now if digest(value, _ITEM) not in removed), *added]


def _merged(field: TextField | ChoiceField, before: str, entered: Sequence[str]) -> Sequence[str]:
    if _is_set(field):
        return merged_items(before, _value(field), entered)
    return _value(field) if _coded(field, entered) == before else entered


def _coded(field: TextField | ChoiceField, values: Sequence[str]) -> str:
    return items(values) if _is_set(field) else digest("".join(values).strip(), _VALUE)


def _is_set(field: TextField | ChoiceField) -> bool:
    """Whether any number of the field's choices can be picked."""
    return isinstance(field, ChoiceField) and (field.most > 1 or not field.required)


def _value(field: TextField | ChoiceField) -> list[str]:
    """What a field shows."""
    if isinstance(field, TextField):
        return [field.default] if field.default else []
    return [option.value for option in field.options if option.default]
