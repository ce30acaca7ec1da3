"""Checks a command's data against the registered commands: it can be forged, or from an earlier version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

TYPED, ON_USER = 1, 2
"""Types of commands: typed ones, and those in a person's menu."""
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER = range(1, 7)
"""Types of options."""
TYPES: dict[int, type[Any]] = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: str}
LONGEST = 6000
"""Most characters that Discord lets people type into an option."""
BIGGEST = 2**53
"""The largest whole number that Discord lets people type."""

Registered = Mapping[str, Any]
"""A command or option as it was registered."""


def fits(registered: Iterable[Registered], data: object, *, typing: bool) -> bool:
    """Whether an interaction's data names a registered command, with options that the command takes.

    `typing`: one option is being typed and needs suggestions; the others can be missing or incomplete.
    """
    if not isinstance(data, dict) or "guild_id" in data:  # a command of one server only
        return False
    kind, name = data.get("type", TYPED), data.get("name")
    node = next((c for c in registered if (c.get("type", TYPED), c["name"]) == (kind, name)), None)
    if node is not None and kind == ON_USER:
        return not typing and _is_resolved(data.get("target_id"), data.get("resolved"))
    given = data.get("options", [])
    while node is not None and any(option["type"] in (SUB, GROUP) for option in node.get("options", [])):
        if not isinstance(given, list) or len(given) != 1 or not isinstance(given[0], dict):
            return False
        [inner] = given
        matches = (o for o in node["options"] if (o["name"], o["type"]) == (inner.get("name"), inner.get("type")))
        node, given = next(matches, None), inner.get("options", [])
    if node is None or not isinstance(given, list):
        return False
    return _options_fit({o["name"]: o for o in node.get("options", [])}, given, data.get("resolved"), typing)


def focused(data: Mapping[str, Any]) -> tuple[str, Any]:
    """Name and value of the option that is being typed, in data that `fits`."""
    option = next(option for option in _options(data) if option.get("focused") is True)
    return option["name"], option["value"]


def values(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options' values by name, in data that `fits`. They are unconverted, since discord.py fails on an incomplete
    value that is no id."""
    return {option["name"]: option["value"] for option in _options(data)}


def _options(data: Mapping[str, Any]) -> list[Any]:
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options


def _options_fit(registered: Mapping[str, Registered], given: list[Any], resolved: object, typing: bool) -> bool:
    if not all(isinstance(o, dict) and isinstance(o.get("name"), str) and "value" in o for o in given):
        return False
    names = [option["name"] for option in given]
    if len(set(names)) < len(names) or not set(names) <= set(registered):
        return False
    if any(option.get("type") != registered[option["name"]]["type"] for option in given):
        return False
    if typing:
        typed = [option for option in given if option.get("focused") is True]
        is_completable = len(typed) == 1 and registered[typed[0]["name"]].get("autocomplete")
        return bool(is_completable) and all(_may_be_half_done(option["value"]) for option in given)
    missing = {name for name, option in registered.items() if option.get("required")} - set(names)
    return not missing and all(_value_fits(registered[o["name"]], o["value"], resolved) for o in given)


def _may_be_half_done(value: object) -> bool:
    """Whether Discord could send this while the person is typing; it doesn't check values then."""
    return len(value) <= LONGEST if isinstance(value, str) else isinstance(value, int) and abs(value) <= BIGGEST


def _value_fits(option: Registered, value: Any, resolved: object) -> bool:
    """Whether this value could be chosen or typed for an option."""
    kind = option["type"]
    if not isinstance(value, TYPES[kind]) or (kind == INTEGER and isinstance(value, bool)):
        return False
    if choices := option.get("choices"):
        return value in [choice["value"] for choice in choices]
    if kind == STRING:
        if option.get("required") and not value.strip():
            return False
        return bool(option.get("min_length", 0) <= len(value) <= option.get("max_length", LONGEST))
    if kind == INTEGER:
        return bool(option.get("min_value", -BIGGEST) <= value <= option.get("max_value", BIGGEST))
    return kind != USER or _is_resolved(value, resolved)


def _is_resolved(user: object, resolved: object) -> bool:
    """Whether Discord sent the data of this user, too."""
    users = resolved.get("users") if isinstance(resolved, dict) else None
    if not isinstance(user, str) or not isinstance(users, dict) or re.fullmatch("[0-9]{1,20}", user) is None:
        return False
    data = users.get(user)
    return isinstance(data, dict) and data.get("id") == user
