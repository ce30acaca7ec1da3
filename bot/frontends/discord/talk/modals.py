"""Forms as Discord shows them. They are answered by their id alone, also after a restart."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.frontends.discord.publish.messages import options_of
from bot.plaintext import cut
from bot.presentation.controls import ChoiceField, Form, TextField


def modal_of(form: Form, custom_id: str) -> ui.Modal:
    """The modal of a form; the submission is handled by the client's `on_interaction`."""
    modal = ui.Modal(title=cut(form.title, 45), custom_id=custom_id)
    modal.stop()  # discord.py need not wait for it: a form is read when it comes, also after a restart
    for field in form.fields:
        modal.add_item(
            ui.Label(
                text=cut(field.label, 45),
                description=cut(field.description, 100) if field.description else None,
                component=_typed(field) if isinstance(field, TextField) else _chosen(field),
            )
        )
    return modal


def _typed(field: TextField) -> ui.TextInput[Any]:
    return ui.TextInput(
        custom_id=field.name,
        placeholder=field.placeholder,
        default=field.default,
        required=field.required,
        max_length=field.longest,
    )


def _chosen(field: ChoiceField) -> ui.Select[Any]:
    return ui.Select(
        custom_id=field.name,
        options=options_of(field.options),
        required=field.required,
        min_values=1 if field.required else 0,
        max_values=field.most,
    )
