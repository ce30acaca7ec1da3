"""Options: what can be chosen for a table, for a seat, by a person or for a server. Each is declared once, where its
value is kept.

Forms and lists, the answers they accept, lines on pages, checks, and what a rematch takes over follow from the
declaration. Texts are marked for translation. In texts of numbers, {n} is the number and {time} the same as a span of
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

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
class Sheet:
    """A form that asks for options: those that name it."""

    name: str
    """Its name in custom ids."""
    title: str
    emoji: str


@dataclass(frozen=True, slots=True)
class Boxes:
    """A field of a form with a box for each of the options that name it, which are on or off."""

    name: str
    title: str
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Option:
    """An option whose value is one of several. `of` is what its choices are for, such as a table or configuration."""

    title: str
    choices: Choices = ()
    line: Text = ""
    """The line on a page for values that have no line of their own. {value} is the choice's label, {means} its phrase,
    or the label if it has none, {title} the option's title."""
    name: str = ""
    """Its name, usually that of the field that holds its value."""
    sheet: Sheet | Boxes | None = None
    """The form that asks for it, or the boxes in one; None: the page itself has a list or button for it."""
    order: int = 0
    """Options with a lower number come first in a form; those with the same number stay in the order of their lines."""
    when: Callable[[Any], bool] = always
    """Whether it can be chosen for `of`."""
    told: Callable[[Any], bool] | None = None
    """Whether a page says what is chosen; None: as `when`."""
    fixed: bool = False
    """Whether its form leaves it out once the game has begun, as it can't be changed then."""
    hint: str = ""
    """Text below its field or box."""
    emoji: str = ""
    """On its button, if it is on or off and the page itself has the button."""
    code: str = "option/choice"
    """Code of the refusal of an impossible value."""
    most = 1
    """Most values that can be picked."""

    @property
    def pattern(self) -> str:
        """Regular expression for each value that comes back from a form or list."""
        known = () if callable(self.choices) else self.choices
        return "|".join(re.escape(str(choice.value)) for choice in known) or ".{1,40}"

    @property
    def asked_by(self) -> Sheet | None:
        """The form that asks for it."""
        return self.sheet.sheet if isinstance(self.sheet, Boxes) else self.sheet

    def matters(self, of: Any) -> bool:
        """Whether a page says what is chosen."""
        return (self.told or self.when)(of)

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
        if self.choices and value not in [choice.value for choice in self.offered(of)]:
            raise self.refusal()

    def refusal(self) -> RefereeError:
        """The error for a value that can't be chosen."""
        return RefereeError(self.code, option=Word(self.title))

    def by_default(self, value: Any, on: Sheet | Boxes | None = None) -> Any:
        """A dataclass field that holds its value; `on`: the form or boxes that ask for it."""
        return field(default=value, metadata={"options": {"": replace(self, sheet=on)}})


@dataclass(frozen=True, slots=True)
class Many(Option):
    """An option for which any of several values can be picked. Its value is a tuple of them, in the choices' order."""

    either: bool = False
    """Whether its line lists the values as alternatives (or), not together (and)."""
    none: str = ""
    """The line on a page when none is picked."""
    most = 25

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
    """A whole number. A form has a list of the usual ones."""

    label: Text = ""
    """Text of any number in a list."""
    least: int = 0
    greatest: int = 0
    """Bounds of the numbers that can be chosen in addition to the listed ones."""
    pattern = "[0-9]{1,7}"

    def listing(self, of: Any, value: Any) -> Sequence[Choice]:
        found = {choice.value: choice for choice in (Choice(value, self.label), *self.offered(of))}
        return [found[n] for n in sorted(found)]

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        return int(entered[0])

    def check(self, of: Any, value: Any) -> None:
        if not self.least <= value <= self.greatest:
            Option.check(self, of, value)


@dataclass(frozen=True, slots=True)
class Typed(Option):
    """A text that a person types, and that the caller makes a value of. In its texts, {example} is what it is for."""

    shows_example: bool = False
    """Whether the example is in its field until something is typed."""
    longest: int = 60
    required: bool = False
    proposed: bool = False
    """Whether a form only proposes its value: what is sent counts even if the person left it as it was."""
    pattern = "(?s).{0,60}"


@dataclass(frozen=True, slots=True)
class Ids(Option):
    """Roles or channels of a server, in a list that Discord makes. `of`: the ids of those that were deleted.

    Its value is an id, 0 for none; or, if several can be chosen, a tuple of ids.
    """

    kind: Literal["role", "channel", "forum"] = "channel"
    most: int = 1
    none: str = ""
    """The line on a page when none is chosen."""
    gone: str = ""
    """The line on a page when all that were chosen are deleted."""
    pattern = "[1-9][0-9]{0,18}"

    def picked(self, value: Any) -> Sequence[Any]:
        return value if self.most > 1 else (value,) * bool(value)

    def read(self, of: Any, entered: Sequence[str]) -> Any:
        ids = tuple(map(int, entered))[: self.most]
        return ids if self.most > 1 else sum(ids)


ON, OFF = N_("on"), N_("off")


def switch(title: str, on: str = "", off: str = "", **more: Any) -> Option:
    """An option that is on or off; `on` and `off` are its lines on a page."""
    return Option(title, (Choice(True, ON, line=on), Choice(False, OFF, line=off)), **more)


def number(title: str, values: Sequence[int], label: Text, *, zero: str = "", none: str = "", **more: Any) -> Number:
    """A number, with some `values` listed. For 0, a list says `zero` and a page `none`."""
    choices = [Choice(n, label) if n or not zero else Choice(n, zero, line=none) for n in values]
    return Number(title, choices, label=label, **more)


def option_field(default: Any, /, **options: Option) -> Any:
    """A dataclass field whose value follows from several options, by their names."""
    return field(default=default, metadata={"options": options})


def named(**options: Option) -> dict[str, Option]:
    """Options that know their names."""
    return {name: replace(option, name=name) for name, option in options.items()}


def options_of(kind: Any) -> dict[str, Option]:
    """The options for the fields of a dataclass, by name, in the order of declaration."""
    declared = [(one.name, one.metadata.get("options", {})) for one in fields(kind)]
    return named(**{name or field_name: option for field_name, options in declared for name, option in options.items()})
