"""What can be chosen for a table, for a seat or by a person: each option is declared once, where its value is kept.

Forms, what may come back in them, what a page says, checks, and what a rematch takes over follow from the declaration.
Texts are marked for translation; in those of numbers {n} is the number, and {time} the same as a span of seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from engine.errors import RefereeError
from engine.refusals import Word
from engine.terms import N_

Text = str | tuple[str, str]
"""A text, or one for one and one for several."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of an option."""

    value: Any
    label: Text
    """In a list."""
    phrase: str = ""
    """What it means, below the label."""
    line: Text = ""
    """What a page says where it is chosen; empty: nothing, or what the option says of any value."""
    emoji: str = ""
    named: bool = False
    """Whether the label is a name, which no language changes."""


Choices = Sequence[Choice] | Callable[[Any], Sequence[Choice]]
"""All that can be chosen, or what can be for something (a table, say)."""


def always(of: Any) -> bool:
    """For what can be chosen whatever else is."""
    return True


@dataclass(frozen=True, slots=True)
class Option:
    """One of several values."""

    name: str
    """Of the field that has its value."""
    title: str
    choices: Choices
    line: Text = ""
    """What a page says of values that have no line of their own: {value} is the choice's label, {means} its phrase, or
    the label where it has none, {title} the option's title."""
    when: Callable[[Any], bool] = always
    """Whether it matters for something."""
    fixed: bool = False
    """Whether it stays as it is once the game has begun."""
    listed: bool = False
    """Whether a form has a list also where all choices would fit side by side."""
    hint: str = ""
    """Below its field."""
    pattern: str = "[A-Za-z0-9_-]{1,40}"
    """Of a value that comes back from a form, as a regular expression."""
    code: str = "option/choice"
    """Of the refusal of what can't be chosen."""

    def offered(self, of: Any) -> Sequence[Choice]:
        """What can be chosen for something."""
        return self.choices(of) if callable(self.choices) else self.choices

    def listing(self, of: Any, value: Any) -> Sequence[Choice]:
        """The same where `value` is chosen, and stands in the list whether it is usual or not."""
        return self.offered(of)

    def picked(self, value: Any) -> Sequence[Any]:
        """The choices that a value is."""
        return (value,)

    def most(self, of: Any) -> int:
        """How many choices can be picked; at least one must be, unless it can be several."""
        return 1

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        """The value that a form brings back. Codes as `check`."""
        for choice in self.offered(of):
            if str(choice.value) in entered:
                return choice.value
        raise self.refusal()

    def check(self, of: Any, value: Any) -> None:
        """Refuse what can't be chosen. Code: "option", or the option's own."""
        if value not in [choice.value for choice in self.offered(of)]:
            raise self.refusal()

    def refusal(self) -> RefereeError:
        """Of what can't be chosen."""
        return RefereeError(self.code, option=Word(self.title))


@dataclass(frozen=True, slots=True)
class Many(Option):
    """Any of several values; its value is a tuple of those, in the order of the choices."""

    either: bool = False
    """Whether its line lists them as alternatives."""
    none: str = ""
    """What a page says where none is chosen."""

    def picked(self, value: Any) -> Sequence[Any]:
        return tuple(value)

    def most(self, of: Any) -> int:
        return len(self.offered(of))

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        return tuple(choice.value for choice in self.offered(of) if str(choice.value) in entered)

    def check(self, of: Any, value: Any) -> None:
        if not {*value} <= {choice.value for choice in self.offered(of)}:
            raise self.refusal()


@dataclass(frozen=True, slots=True)
class Flags(Many):
    """Fields of a dataclass that are on or off, any of which can be on."""

    kind: type[Any] = object

    def picked(self, value: Any) -> Sequence[Any]:
        return tuple(one.name for one in fields(self.kind) if getattr(value, one.name))

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        return self.kind(**{one.name: one.name in entered for one in fields(self.kind)})

    def check(self, of: Any, value: Any) -> None:
        if not isinstance(value, self.kind):
            raise self.refusal()


@dataclass(frozen=True, slots=True)
class Number(Option):
    """A whole number, of which the usual ones are listed."""

    label: Text = ""
    """Of any of them in a list."""
    least: int = 0
    greatest: int = 0
    """Bounds of what can be chosen beside what is listed."""

    def listing(self, of: Any, value: Any) -> Sequence[Choice]:
        found = {choice.value: choice for choice in (Choice(value, self.label), *self.offered(of))}
        return [found[n] for n in sorted(found)]

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        return int(entered[0])

    def check(self, of: Any, value: Any) -> None:
        if not self.least <= value <= self.greatest:
            Option.check(self, of, value)


ON, OFF = N_("on"), N_("off")


def switch(name: str, title: str, on: str = "", off: str = "", **more: Any) -> Option:
    """Something that is on or off, and what a page says of it."""
    return Option(name, title, (Choice(True, ON, line=on), Choice(False, OFF, line=off)), **more)


def number(
    name: str, title: str, values: Sequence[int], label: Text, *, zero: str = "", none: str = "", **more: Any
) -> Number:
    """A number, of which some `values` are listed; instead of 0 a list says `zero`, and a page `none`."""
    choices = [Choice(n, label) if n or not zero else Choice(n, zero, line=none) for n in values]
    return Number(name, title, choices, listed=True, pattern="[0-9]{1,7}", label=label, **more)


@dataclass(frozen=True, slots=True)
class Boxes:
    """Options that are on or off, of which a form has a box each in one field."""

    name: str
    title: str
    options: Sequence[Option]


def kept(default: Any, option: Option) -> Any:
    """The field of a dataclass that keeps an option's value."""
    return field(default=default, metadata={"option": option})


def options_of(kind: Any) -> dict[str, Option]:
    """The options that a dataclass keeps, by name."""
    return {one.name: one.metadata["option"] for one in fields(kind) if "option" in one.metadata}
