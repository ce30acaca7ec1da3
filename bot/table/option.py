"""Options: what can be chosen for a table, for a seat or by a person. Each is declared once, where its value is kept.

Forms, the answers they accept, lines on pages, checks, and what a rematch takes over follow from the declaration.
Texts are marked for translation. In texts of numbers, {n} is the number and {time} the same as a span of seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from engine.errors import RefereeError
from engine.refusals import Word
from engine.terms import N_

Text = str | tuple[str, str]
"""A text, or its singular and plural."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option."""

    value: Any
    label: Text
    """Its text in a list."""
    phrase: str = ""
    """What it means, shown below the label."""
    line: Text = ""
    """The line on a page when it is chosen; empty: made from the option's line or from the phrase, if there is any."""
    emoji: str = ""
    named: bool = False
    """Whether the label is a name, which isn't translated."""


Choices = Sequence[Choice] | Callable[[Any], Sequence[Choice]]
"""All choices, or a function that gives the choices for something, such as a table."""


def always(of: Any) -> bool:
    """The `when` of an option that always matters."""
    return True


@dataclass(frozen=True, slots=True)
class Option:
    """An option whose value is one of several. `of` is what its choices are for, such as a table or configuration."""

    name: str
    """Name of the field that holds its value."""
    title: str
    choices: Choices
    line: Text = ""
    """The line on a page for values that have no line of their own. {value} is the choice's label, {means} its phrase,
    or the label if it has none, {title} the option's title."""
    when: Callable[[Any], bool] = always
    """Whether the option matters for `of`."""
    fixed: bool = False
    """Whether it can't be changed once the game has begun."""
    listed: bool = False
    """Whether a form has a list even if all choices would fit side by side."""
    hint: str = ""
    """Text below its field."""
    pattern: str = "[A-Za-z0-9_-]{1,40}"
    """Regular expression for each value that comes back from a form."""
    code: str = "option/choice"
    """Code of the refusal of an impossible value."""

    def offered(self, of: Any) -> Sequence[Choice]:
        """What can be chosen for `of`."""
        return self.choices(of) if callable(self.choices) else self.choices

    def listing(self, of: Any, value: Any) -> Sequence[Choice]:
        """The same when `value` is chosen: the list has that value even if it isn't a usual one."""
        return self.offered(of)

    def picked(self, value: Any) -> Sequence[Any]:
        """The values of the choices that `value` consists of."""
        return (value,)

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        """The value that a form brings back. Codes: as `check`."""
        for choice in self.offered(of):
            if str(choice.value) in entered:
                return choice.value
        raise self.refusal()

    def check(self, of: Any, value: Any) -> None:
        """Refuse a value that can't be chosen. Code: "option", or the option's own."""
        if value not in [choice.value for choice in self.offered(of)]:
            raise self.refusal()

    def refusal(self) -> RefereeError:
        """The error for a value that can't be chosen."""
        return RefereeError(self.code, option=Word(self.title))


@dataclass(frozen=True, slots=True)
class Many(Option):
    """An option for which any of several values can be picked. Its value is a tuple of them, in the choices' order."""

    either: bool = False
    """Whether its line lists the values as alternatives (or), not together (and)."""
    none: str = ""
    """The line on a page when none is picked."""

    def picked(self, value: Any) -> Sequence[Any]:
        return tuple(value)

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        return tuple(choice.value for choice in self.offered(of) if str(choice.value) in entered)

    def check(self, of: Any, value: Any) -> None:
        if not {*value} <= {choice.value for choice in self.offered(of)}:
            raise self.refusal()


@dataclass(frozen=True, slots=True)
class Flags(Many):
    """The boolean fields of a dataclass, any of which can be on."""

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
    """A whole number. The usual ones are listed."""

    label: Text = ""
    """Text of any number in a list."""
    least: int = 0
    greatest: int = 0
    """Bounds of the numbers that can be chosen in addition to the listed ones."""

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
    """An option that is on or off; `on` and `off` are its lines on a page."""
    return Option(name, title, (Choice(True, ON, line=on), Choice(False, OFF, line=off)), **more)


def number(
    name: str, title: str, values: Sequence[int], label: Text, *, zero: str = "", none: str = "", **more: Any
) -> Number:
    """A number, with some `values` listed. For 0, a list says `zero` and a page `none`."""
    choices = [Choice(n, label) if n or not zero else Choice(n, zero, line=none) for n in values]
    return Number(name, title, choices, listed=True, pattern="[0-9]{1,7}", label=label, **more)


@dataclass(frozen=True, slots=True)
class Boxes:
    """Options that are on or off. A form shows them in one field, with a box for each."""

    name: str
    title: str
    options: Sequence[Option]


def option_field(default: Any, option: Option) -> Any:
    """A dataclass field that holds an option's value."""
    return field(default=default, metadata={"option": option})


def options_of(kind: Any) -> dict[str, Option]:
    """The options whose values a dataclass holds, by name."""
    return {one.name: one.metadata["option"] for one in fields(kind) if "option" in one.metadata}
