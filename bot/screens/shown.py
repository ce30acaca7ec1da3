"""What a form has shown, as a few characters in its id.

Discord's mobile clients show a form with an id seen before as it was the first time (discord-api-docs #7554), and any
form can be sent long after it was opened. So the id changes with all that the form shows, and it tells which entries
the person has changed: everything else stays as it is set by then.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence

from bot.screens.controls import ChoiceField, Form, TextField, Values

_WHOLE, _NAME, _VALUE, _ITEM = 5, 2, 3, 2
"""Characters for a whole form, a field's name, a value, and one of several values."""


def digest(text: str, length: int) -> str:
    """A text in so many characters (at most 5), each of which an id can have."""
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()[:length]


def code(form: Form) -> str:
    """What a form shows, for its id: first all of it, then each field's value before `filled` changed it."""
    return ".".join([digest(str((form.title, form.fields)), _WHOLE), *(form.base or base(form))])


def base(form: Form) -> list[str]:
    """The value of each field of a form, after the field's name."""
    return [digest(field.name, _NAME) + _coded(field, _value(field)) for field in form.fields]


def merged(form: Form, shown: str, entered: Values) -> Values:
    """What was entered in a form that has shown `shown`, and for all that the person left as it was, the values of the
    same form now. Without `shown`, all counts as changed: forms of 0.2.0 have no code."""
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
    """Whether any number of the field's choices can be picked, each for itself."""
    return isinstance(field, ChoiceField) and (field.most > 1 or not field.required)


def _value(field: TextField | ChoiceField) -> list[str]:
    """What a field shows."""
    if isinstance(field, TextField):
        return [field.default] if field.default else []
    return [option.value for option in field.options if option.default]
