"""Forms: what a modal asks. It is answered by its id alone, also after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot.frontends.discord.ids import MODAL, Address
from bot.frontends.discord.parts import Option, shorten


class Form(ui.Modal):
    """A modal with labelled fields; the submission is handled by the client's `on_interaction`."""

    def __init__(self, title: str, address: Address) -> None:
        super().__init__(title=shorten(title, 45), custom_id=address.custom_id(MODAL))
        self.stop()  # discord.py need not wait for it: a form is read when it comes, also after a restart

    def text(
        self,
        name: str,
        label: str,
        *,
        description: str | None = None,
        placeholder: str | None = None,
        default: str | None = None,
        required: bool = True,
        longest: int = 200,
    ) -> Form:
        """Add a line of text."""
        field: ui.TextInput = ui.TextInput(
            custom_id=name,
            placeholder=placeholder,
            default=default,
            required=required,
            max_length=longest,
        )
        return self._add(label, description, field)

    def choice(
        self,
        name: str,
        label: str,
        options: Sequence[Option],
        *,
        description: str | None = None,
        required: bool = True,
        most: int = 1,
    ) -> Form:
        """Add a select of at most 25 options."""
        field: ui.Select = ui.Select(
            custom_id=name,
            options=[option.build() for option in options],
            required=required,
            min_values=1 if required else 0,
            max_values=most,
        )
        return self._add(label, description, field)

    def _add(self, label: str, description: str | None, field: ui.Item[Any]) -> Form:
        self.add_item(
            ui.Label(
                text=shorten(label, 45),
                description=shorten(description, 100) if description else None,
                component=field,
            )
        )
        return self
