"""What a command says, checked against what was registered: forged ones, and those of an earlier version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

TYPED, ON_USER = 1, 2
"""Types of commands: typed ones, and those in the menu of a person."""
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER = range(1, 7)
"""Types of options."""
TYPES: dict[int, type[Any]] = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: str}
LONGEST = 6000
"""Characters that Discord lets anybody type into an option."""
BIGGEST = 2**53
"""Whole numbers that Discord lets anybody type are below this."""

Registered = Mapping[str, Any]
"""A command or option as it was registered."""


def fits(registered: Iterable[Registered], data: object, *, typing: bool) -> bool:
    """Whether an interaction's data is one of the registered commands with options that it takes.

    `typing`: one option is being typed and wants suggestions; the others may be missing or half done.
    """
    if not isinstance(data, dict) or "guild_id" in data:  # of a server's own command
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
        found = (o for o in node["options"] if (o["name"], o["type"]) == (inner.get("name"), inner.get("type")))
        node, given = next(found, None), inner.get("options", [])
    if node is None or not isinstance(given, list):
        return False
    return _options_fit({o["name"]: o for o in node.get("options", [])}, given, data.get("resolved"), typing)


def focused(data: Mapping[str, Any]) -> tuple[str, Any]:
    """Name and value of the option that is being typed, in data that `fits`."""
    option = next(option for option in _options(data) if option.get("focused") is True)
    return option["name"], option["value"]


def values(data: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the options, by name, in data that `fits`, as it came in: discord.py fails where one that is half
    done is no id."""
    return {option["name"]: option["value"] for option in _options(data)}


def _options(data: Mapping[str, Any]) -> list[Any]:
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options


def _options_fit(known: Mapping[str, Registered], given: list[Any], resolved: object, typing: bool) -> bool:
    if not all(isinstance(o, dict) and isinstance(o.get("name"), str) and "value" in o for o in given):
        return False
    names = [option["name"] for option in given]
    if len(set(names)) < len(names) or not set(names) <= set(known):
        return False
    if any(option.get("type") != known[option["name"]]["type"] for option in given):
        return False
    if typing:
        typed = [option for option in given if option.get("focused") is True]
        wanted = len(typed) == 1 and known[typed[0]["name"]].get("autocomplete")
        return bool(wanted) and all(_may_be_half_done(option["value"]) for option in given)
    missing = {name for name, option in known.items() if option.get("required")} - set(names)
    return not missing and all(_value_fits(known[o["name"]], o["value"], resolved) for o in given)


def _may_be_half_done(value: object) -> bool:
    """Whether Discord could send this while something is being typed, which it then doesn't check."""
    return len(value) <= LONGEST if isinstance(value, str) else isinstance(value, int) and abs(value) <= BIGGEST


def _value_fits(option: Registered, value: Any, resolved: object) -> bool:
    """Whether this could be chosen, or typed, for an option."""
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
    """Whether Discord has sent the user that is meant."""
    users = resolved.get("users") if isinstance(resolved, dict) else None
    if not isinstance(user, str) or not isinstance(users, dict) or re.fullmatch("[0-9]{1,20}", user) is None:
        return False
    found = users.get(user)
    return isinstance(found, dict) and found.get("id") == user
