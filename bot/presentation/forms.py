"""Forms: what is asked at once, what may come back, and the action that it means."""

from __future__ import annotations

from typing import ClassVar

from bot.presentation.controls import Entries, Form, Values
from bot.presentation.viewer import Viewer
from engine.actions import Action


class FormKind:
    """One kind of form that ends in an action; stateless. `args` are details that its button carries."""

    name: ClassVar[str] = ""
    args: ClassVar[str] = ""
    """Pattern of the details, joined by colons."""

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        """The form; raises `RefereeError` where it can't be used now."""
        raise TypeError("a form must have fields")

    def entries(self, args: tuple[str, ...]) -> Entries:
        """What may come back."""
        raise TypeError("a form must say what it takes")

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        """The action that was entered."""
        raise TypeError("a form must be read")
