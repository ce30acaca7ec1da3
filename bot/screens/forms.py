"""Forms: their fields, what they accept, and the action that the entries mean."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from bot.screens.controls import Entries, Form, TextField, Values
from bot.screens.shown import base
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
