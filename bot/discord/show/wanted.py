"""What a game wants to have seen of it, as data: messages, each with what it says and whom it calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from discord import ui

from bot.discord.show.uploads import Part
from bot.projections import Projection
from bot.table.preferences import UserSettings


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in a message: a layout, or a text with buttons below it, which a phone shows as it comes in."""

    view: ui.LayoutView | None = None
    text: str | None = None
    buttons: ui.View | None = None
    parts: Sequence[Part] = ()

    @property
    def digest(self) -> int:
        """Another one where anything of it is another."""
        said: Any = None if self.view is None else self.view.to_components()  # type: ignore[no-untyped-call]
        return hash((*(part.data for part in self.parts), str(said), self.text))


Say = Callable[[Collection[int]], Content]
"""What a message says, if it notifies, or names, these users by mentions."""


def always(content: Content) -> Callable[[], Awaitable[Say]]:
    """Says the same, whomever it notifies; nothing has to be drawn for it."""

    async def draw() -> Say:
        return lambda notified: content

    return draw


async def nothing() -> Say | None:
    """Stays as it is."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A message that a game wants to have."""

    name: str
    """Of its projection."""
    draw: Callable[[], Awaitable[Say | None]]
    """Called only where something has to be sent; None: it stays as it is."""
    due: int = 0
    """Version that it must show; what shows that needn't be looked at. 0: whatever it says now."""
    key: int | None = None
    """A digest of what it says that is known before it is drawn."""
    once: bool = False
    """Whether it is never edited."""
    final: bool = False
    """Whether it is wanted no more, but stays as it is shown now, without what could be pressed."""
    returns: bool = False
    """Whether one that is final may be wanted again, and must be known until then."""

    # --- whom it calls

    users: tuple[int, ...] = ()
    """Who may be notified by it."""
    wants: Callable[[UserSettings], bool] = field(default=lambda settings: True)
    """Whether somebody is, who has chosen that."""
    topic: tuple[int, str] = (0, "")
    """What they are called about, and where: nobody is twice in a few minutes."""
    calls: bool = False
    """Whether that is all it is for: where it can't be edited it isn't posted anew, and where it was noted without a
    message, whoever it is for has been called in another way."""
    lone: bool = True
    """Whether it is worth something where it notifies nobody."""
    named: bool = False
    """Whether an edit still names by mentions whom it may notify."""
    said: bool = False
    """Whether another message says it, so that this one isn't needed."""
    said_by: str = ""
    """Name of the message that says it when it is posted at the same time."""

    # --- what is for one person alone

    to: int = 0
    """User to whom it is sent by direct message; 0: it is in the game's channel."""
    room: bool = False
    """Whether it is in their private thread at that table."""
    occasion: str | None = None
    """What they have to hear of at once, each time once; None: it has none."""
    anew: bool = False
    """Whether that needs a new message in the place of the one before, as an edit notifies nobody."""
    told: bool = False
    """Whether they know of it from then on."""
    instead: tuple[tuple[int, Projection], ...] = ()
    """Messages of other games that are deleted before, as it speaks of those as well."""

    # --- when

    held: float = 0.0
    """Seconds until it may come."""
    then: Callable[[], Awaitable[None]] | None = None
    """What follows once it is sent, or can't be to whom it is for."""
