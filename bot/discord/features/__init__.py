"""What people can do: a file for each subject, with its commands, buttons, lists and forms. `_NAMES` lists them."""

from __future__ import annotations

from importlib import import_module

from bot.discord.talk import acting
from bot.discord.talk.feature import Feature

_NAMES = (
    "lobby",
    "guests",
    "options",
    "table",
    "seats",
    "motions",
    "history",
    "play",
    "trade",
    "cards",
    "orders",
    "people",
    "subscriptions",
    "ratings",
    "servers",
    "beginning",
    "help",
)
_FEATURES: tuple[Feature, ...] = tuple(import_module(f"{__name__}.{name}").FEATURE for name in _NAMES)

FEATURES = (*_FEATURES, acting.feature(_FEATURES))
