"""What a person sees and can use, as plain data: buttons, lists, forms, pictures, replies."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.actions import Action
from engine.resources import Hand, hand

Values = Mapping[str, Sequence[str]]
"""The values entered in a form, by field."""


class Style(Enum):
    """How prominent a button is."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Do:
    """A target that plays an action. `bound`: only while the present decision is open; else whenever it is legal."""

    action: Action
    bound: bool = True


@dataclass(frozen=True, slots=True)
class Open:
    """A target that opens what a feature registered under a verb, with details; `bound` as in `Do`."""

    verb: str
    args: tuple[str, ...] = ()
    bound: bool = False
    shown: str = ""
    """What its control shows (`bot.screens.forms`), where the answer depends on that."""


@dataclass(frozen=True, slots=True)
class Link:
    """A target that opens an address in the browser or the client."""

    url: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button and what it does."""

    label: str
    target: Do | Open | Link
    style: Style = Style.SECONDARY
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class ListOption:
    """One choice of a list."""

    value: str
    label: str
    description: str | None = None
    default: bool = False
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A list of at most 25 options, of which `least` to `most` are chosen."""

    placeholder: str
    target: Open
    options: Sequence[ListOption]
    least: int = 1
    most: int = 1


ROLE, CHANNEL, FORUM, USER = "role", "channel", "forum", "user"
"""Kinds of things that Discord itself lists."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A list of all roles, channels or people of the server, of which `least` to `most` are chosen, by their ids."""

    placeholder: str
    target: Open
    of: str
    """`ROLE`, `CHANNEL`, `FORUM` or `USER`."""
    chosen: Sequence[int] = ()
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A text with its button next to it."""

    text: str
    button: Button


@dataclass(frozen=True, slots=True)
class Text:
    """A text above the row that it is about."""

    text: str


Row = Select | Pick | Section | Text | Sequence[Button]
"""A row of a message: one list, a text with a button, a text alone, or buttons. An empty list of buttons makes no row,
more than five make several."""


def rows(buttons: Sequence[Button]) -> list[Row]:
    """Buttons in rows of five."""
    return [buttons[i : i + 5] for i in range(0, len(buttons), 5)]


def size(controls: Sequence[Row]) -> int:
    """Number of Discord components in these rows: each row itself, and everything in it."""
    return sum(_inside(row) for row in controls)


def _inside(row: Row) -> int:
    if isinstance(row, Section | Text):
        return 3 if isinstance(row, Section) else 1
    return 2 if isinstance(row, Select | Pick) else len(row) + bool(row)


@dataclass(frozen=True, slots=True)
class Picture:
    """An image with its alternative text."""

    data: bytes
    alt: str
    name: str = "board.png"


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download."""

    data: bytes
    name: str


@dataclass(slots=True)
class Reply:
    """An answer to one person."""

    text: str
    picture: Picture | None = None
    rows: Sequence[Row] = ()
    downloads: Sequence[Download] = ()
    decision: str = ""
    """Id of the decision that bound controls are for (`Viewer.decision`)."""
    draft_kind: str = ""
    """Kind of draft in it, if any: only a later reply with the same kind replaces the message."""


# --- forms


@dataclass(frozen=True, slots=True)
class TextField:
    """A field for a line of text."""

    name: str
    label: str
    description: str | None = None
    placeholder: str | None = None
    default: str | None = None
    longest: int = 200
    required: bool = True


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A field with choices, of which one, or `least` to `most`, are taken; or none, if the field isn't required."""

    name: str
    label: str
    options: Sequence[ListOption]
    description: str | None = None
    required: bool = True
    most: int = 1
    least: int = 1
    listed: bool = False
    """Whether it is always a list, even where the choices are few enough to stand side by side."""


@dataclass(slots=True)
class Form:
    """A form: at most five fields."""

    title: str
    fields: list[TextField | ChoiceField] = field(default_factory=list)
    decision: str = ""
    """Id of the decision that the form is for; empty: any."""
    base: Sequence[str] = ()
    """The values of its fields before it was filled in again (`bot.screens.forms`)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a field accepts: `least` to `most` texts that match a regular expression."""

    pattern: str
    least: int = 1
    most: int = 1


Entries = Mapping[str, Entry]
"""What a form accepts, by field; for a list in a message the field is ""."""


# --- cards in ids

HAND_DIGITS = string.digits + string.ascii_lowercase
"""For each number of cards of a kind, its digit."""
HAND_CODE = "[0-9a-z]{5}"
"""Pattern of a hand in an id."""


def hand_code(cards: Hand) -> str:
    """A hand in five characters."""
    return "".join(HAND_DIGITS[min(n, 35)] for n in cards)


def hand_of_code(text: str) -> Hand:
    """The hand that five characters mean; they match `HAND_CODE`."""
    return hand(HAND_DIGITS.index(ch) for ch in text)
