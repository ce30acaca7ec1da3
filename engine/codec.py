"""JSON for frozen dataclasses made of numbers, strings, booleans, tuples and each other.

`encode` makes plain lists and dicts. `decode` turns them back into the annotated types, and refuses anything else
with `MalformedInput`, or with `UnknownInput` for an unknown field.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from engine.errors import MalformedInput, UnknownInput
from engine.resources import Hand

T = TypeVar("T")


class Secret:
    """A value that only some seats can see (`seats` is a mask). It has no JSON form on purpose: `encode` refuses it."""

    __slots__ = ("seats", "value")

    def __init__(self, value: Any, seats: int) -> None:
        self.value = value
        self.seats = seats

    def for_seat(self, seat: int | None) -> Any:
        """The value for seats that can see it, None for others."""
        return self.value if seat is not None and self.seats >> seat & 1 else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and (self.value, self.seats) == (other.value, other.seats)

    def __hash__(self) -> int:
        return hash((self.value, self.seats))

    def __repr__(self) -> str:
        return "Secret(…)"


@cache
def fields_of(cls: Any) -> tuple[tuple[str, Any], ...]:
    """Names and annotated types of a dataclass's fields, in order."""
    hints = typing.get_type_hints(cls)
    return tuple((f.name, hints[f.name]) for f in dataclasses.fields(cls) if f.init)


def encode(value: Any) -> Any:
    """Plain JSON data of a value; raises `TypeError` for secrets and anything unknown."""
    if value is None or isinstance(value, (bool, int, str, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name, _ in fields_of(type(value))}
    raise TypeError(f"{type(value).__name__} has no public JSON form")


def decode(kind: Any, data: Any) -> Any:
    """The value of an annotated type from plain JSON data; raises `MalformedInput`."""
    return _reader(kind)(data)


Reader = Callable[[Any], Any]


@cache
def _reader(kind: Any) -> Reader:
    """`decode` for one type. Each type is inspected once, because a log has thousands of values of few types."""
    origin = typing.get_origin(kind)
    if kind is Any:
        return lambda data: data
    if origin in (typing.Union, types.UnionType):
        return _reader_of_union([_reader(option) for option in typing.get_args(kind)])
    if origin is tuple:
        return _reader_of_tuple(typing.get_args(kind))
    if dataclasses.is_dataclass(kind):
        return _reader_of_dataclass(typing.cast(type, kind))
    if kind is type(None):
        return _nothing
    return _reader_of_plain(kind)


def _reader_of_dataclass(kind: type) -> Reader:
    readers = {name: _reader(annotated) for name, annotated in fields_of(kind)}

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise MalformedInput(f"{kind.__name__} must be an object")
        if extra := set(data) - set(readers):
            raise UnknownInput(f"unknown field {sorted(extra)[0]!r}")
        try:
            return kind(**{name: readers[name](value) for name, value in data.items()})
        except TypeError as error:
            raise MalformedInput(str(error)) from None

    return read


def _reader_of_union(options: list[Reader]) -> Reader:
    def read(data: Any) -> Any:
        unknown: UnknownInput | None = None
        for option in options:
            try:
                return option(data)
            except UnknownInput as error:
                unknown = error
            except MalformedInput:
                continue
        raise unknown or MalformedInput(f"{data!r} doesn't fit")

    return read


def _reader_of_tuple(args: tuple[Any, ...]) -> Reader:
    endless = len(args) == 2 and args[1] is ...
    readers = [_reader(kind) for kind in (args[:1] if endless else args)]

    def read(data: Any) -> Any:
        if not isinstance(data, (list, tuple)):
            raise MalformedInput("expected a list")
        if endless:
            return tuple(map(readers[0], data))
        if len(readers) != len(data):
            raise MalformedInput(f"expected {len(readers)} values, not {len(data)}")
        return tuple([reader(value) for reader, value in zip(readers, data, strict=True)])

    return read


def _reader_of_plain(kind: type) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
            raise MalformedInput(f"expected {kind.__name__}, not {type(data).__name__}")
        return data

    return read


def _nothing(data: Any) -> None:
    if data is not None:
        raise MalformedInput("expected nothing")


NUMBER_LIMIT = 2**31
"""Numbers in an action are at least -NUMBER_LIMIT and less than NUMBER_LIMIT."""


def is_sound(action: Any) -> bool:
    """Whether JSON gives back every field of an action: a boolean, or a bounded number, hand or tuple of numbers.

    True counts as 1 in Python, but as a number it isn't sound: JSON stores `true`, and the log couldn't be read again.
    """
    cls: Any = type(action)
    for name, kind in fields_of(cls):
        value = getattr(action, name)
        if kind is int or kind is bool:
            if type(value) is not kind or not -NUMBER_LIMIT <= value < NUMBER_LIMIT:
                return False
        elif type(value) is not tuple or (kind == Hand and len(value) != 5):
            return False
        else:
            for n in value:
                if type(n) is not int or not -NUMBER_LIMIT <= n < NUMBER_LIMIT:
                    return False
    return True
