"""All acts by their names in logs, and the JSON of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_origin

from bot.table.act import Act
from bot.table.acts import absence, forgetting, lessons, lobby, motions, options, orders, places, seats, time, wishes
from engine.codec import decode, fields_of
from engine.errors import MalformedInput, UnknownInput

FILES = (absence, forgetting, lessons, lobby, motions, options, orders, places, seats, time, wishes)


@cache
def kinds() -> dict[str, type[Act]]:
    """The acts that have a name, by name."""
    found = (one for file in FILES for one in vars(file).values() if isinstance(one, type) and issubclass(one, Act))
    return {act.kind: act for act in found if act.kind}


def act_in(kind: type[Act], data: Any) -> Act:
    """The act of a kind, read from its `sparse` JSON; raises `MalformedInput`."""
    made: Any = kind
    types = dict(fields_of(made))
    if not isinstance(data, dict):
        raise MalformedInput(f"{kind.__name__} must be an object")
    if extra := data.keys() - types.keys():
        raise UnknownInput(f"unknown field {min(extra)!r}")
    try:
        return kind(**{name: _value(kind, types[name], value) for name, value in data.items()})
    except TypeError as error:
        raise MalformedInput(str(error)) from None


def _value(act: type[Act], kind: Any, data: Any) -> Any:
    """The value of a field."""
    if get_origin(kind) is not Mapping:
        return decode(kind, data)
    if not isinstance(data, dict):
        raise MalformedInput("a mapping must be an object")
    key, value = get_args(kind)
    return {key(name): decode(act.kind_of(name) if value is Any else value, one) for name, one in data.items()}
