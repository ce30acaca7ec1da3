"""How pictures are drawn, as choices: for what all see, and for what only one sees."""

from __future__ import annotations

from collections.abc import Iterator

from bot.preferences import Look
from bot.presentation.controls import Button, Open, Style
from bot.presentation.texts.language import N_, _

LOOKS = {
    "colorblind": (N_("Colour-blind friendly colours"), "👁️"),
    "dark": (N_("Dark pictures"), "🌙"),
    "large": (N_("Large figures"), "🔍"),
}
"""By the names of `Look`: label and emoji."""


def looks(look: Look) -> Iterator[tuple[str, str, str, bool]]:
    """Name, label, emoji, and whether it is chosen."""
    for name, (label, emoji) in LOOKS.items():
        yield name, _(label), emoji, getattr(look, name)


def switch(target: Open, on: bool, label: str, emoji: str) -> Button:
    """A button that says whether something is on, and changes that."""
    text = _("{label}: on", label=label) if on else _("{label}: off", label=label)
    return Button(text, target, Style.SUCCESS if on else Style.SECONDARY, emoji)
