"""JSON of values without fields at their default: other versions of the program can have fewer fields, or more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from engine.codec import encode
from engine.config import Config


def sparse(value: Any, without: Collection[str] = ()) -> Any:
    """Plain JSON data of a value, as `engine.codec.decode` reads it; `without`: names of fields to leave out.

    Keys of a mapping become strings. A configuration has all its fields, as its format's default differs by version.
    """
    if isinstance(value, Config):
        return encode(value)
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((one, getattr(value, one.name)) for one in fields(value) if one.name not in without)
        return {one.name: sparse(held) for one, held in pairs if held != _default(one)}
    if isinstance(value, (tuple, list)):
        return [sparse(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): sparse(one) for key, one in value.items()}
    return encode(value)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default
