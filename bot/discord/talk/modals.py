"""Forms as Discord's modals. A sent form is handled by its id alone, so it works even after a restart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import discord
from discord import ui

from bot.discord.show.messages import options_of
from bot.plaintext import cut
from bot.screens.controls import ChoiceField, Form, ListOption, TextField

FEW = 10
"""Most choices that are shown side by side."""


def modal_of(form: Form, custom_id: str) -> ui.Modal:
    """The modal of a form; the submission is handled by the client's `on_interaction`."""
    modal = ui.Modal(title=cut(form.title, 45), custom_id=custom_id)
    modal.stop()  # discord.py need not wait for it: a form is read when it comes, even after a restart
    for field in form.fields:
        if isinstance(field, ChoiceField) and not field.options:
            continue
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
        placeholder=cut(field.placeholder, 100) if field.placeholder else None,
        default=field.default[: field.longest] if field.default else None,
        required=field.required,
        max_length=field.longest,
    )


def _chosen(field: ChoiceField) -> ui.RadioGroup[Any] | ui.CheckboxGroup[Any] | ui.Select[Any]:
    """All choices side by side if there are few, otherwise a list."""
    few = len(field.options) <= FEW and not field.listed
    if few and field.most > 1:
        boxes = [
            discord.CheckboxGroupOption(label=label, value=o.value, description=description, default=o.default)
            for o, label, description in _worded(field.options)
        ]
        least, most = field.least if field.required else 0, min(field.most, len(boxes))
        return ui.CheckboxGroup(
            custom_id=field.name, options=boxes, required=field.required, min_values=least, max_values=most
        )
    if few and len(field.options) > 1:
        radios = [
            discord.RadioGroupOption(label=label, value=o.value, description=description, default=o.default)
            for o, label, description in _worded(field.options)
        ]
        return ui.RadioGroup(custom_id=field.name, options=radios, required=field.required)
    return ui.Select(
        custom_id=field.name,
        options=options_of(field.options),
        required=field.required,
        min_values=field.least if field.required else 0,
        max_values=min(field.most, len(field.options)),
    )


def _worded(options: Iterable[ListOption]) -> Iterator[tuple[ListOption, str, str | None]]:
    """Options with label and description. Options side by side can't have an emoji, so the label includes it."""
    for option in options:
        label = f"{option.emoji} {option.label}" if option.emoji else option.label
        yield option, cut(label, 100), cut(option.description, 100) if option.description else None
