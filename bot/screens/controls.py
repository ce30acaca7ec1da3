"""What a person is shown and offered, as plain data: buttons, lists, forms, pictures, answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.actions import Action

Values = Mapping[str, Sequence[str]]
"""What was entered in a form, by field."""


class Style(Enum):
    """How much a button asks to be pressed."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Do:
    """Act at once. `bound`: only while the decision that is open now still is; otherwise whenever it is possible."""

    action: Action
    bound: bool = True


@dataclass(frozen=True, slots=True)
class Open:
    """Ask for what a feature has registered under a verb, with details; `bound` as in `Do`."""

    verb: str
    args: tuple[str, ...] = ()
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Go somewhere in the browser or the client."""

    url: str


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press."""

    label: str
    target: Do | Open | Link
    style: Style = Style.SECONDARY
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
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
    options: Sequence[Option]
    least: int = 1
    most: int = 1


ROLE, CHANNEL, FORUM = "role", "channel", "forum"
"""What Discord itself lists."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A list of all roles or channels of the server, of which `least` to `most` are chosen; what comes back are ids."""

    placeholder: str
    target: Open
    of: str
    """`ROLE`, `CHANNEL` or `FORUM`."""
    chosen: Sequence[int] = ()
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A text, and beside it the button that it is about."""

    text: str
    button: Button


Row = Select | Pick | Section | Sequence[Button]
"""What stands side by side: one list, a text with a button, or up to five buttons."""


def rows(buttons: Sequence[Button]) -> list[Row]:
    """Buttons in rows of five."""
    return [buttons[i : i + 5] for i in range(0, len(buttons), 5)]


def size(controls: Sequence[Row]) -> int:
    """Components that rows take: each itself, and what stands in it."""
    return sum(_inside(row) for row in controls)


def _inside(row: Row) -> int:
    if isinstance(row, Section):
        return 3
    return 2 if isinstance(row, Select | Pick) else 1 + len(row)


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
    """What to answer to one person."""

    text: str
    picture: Picture | None = None
    rows: Sequence[Row] = ()
    download: Download | None = None
    decision: str = ""
    """Id of the decision that bound controls are for (`Viewer.decision`)."""
    kept: str = ""
    """What is being put together in it: only a later one of that kind takes its place."""


# --- forms


@dataclass(frozen=True, slots=True)
class TextField:
    """A line of text to be typed."""

    name: str
    label: str
    description: str | None = None
    placeholder: str | None = None
    default: str | None = None
    longest: int = 200
    required: bool = True


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """Choices, of which one, or `least` to `most`, are taken; none at all where it isn't required."""

    name: str
    label: str
    options: Sequence[Option]
    description: str | None = None
    required: bool = True
    most: int = 1
    least: int = 1
    listed: bool = False
    """Whether it is a list also where all choices would fit side by side."""


@dataclass(slots=True)
class Form:
    """What is asked at once: at most five fields."""

    title: str
    fields: list[TextField | ChoiceField] = field(default_factory=list)
    decision: str = ""
    """Id of the decision that it is for; empty: any."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What may come back in a field: `least` to `most` texts that fit a regular expression."""

    pattern: str
    least: int = 1
    most: int = 1


Entries = Mapping[str, Entry]
"""What may come back in a form, by field; "" is the list that was used."""
