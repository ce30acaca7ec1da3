"""What tests note about what is shown of a game."""

from __future__ import annotations

from bot.projections import Name, Place, Projection, State


def noted(name: Name, version: int, channel: int | None = None, message: int = 0) -> Projection:
    """A projection whose message shows a version; without a channel, one that needs no message."""
    place = None if channel is None else Place(channel, message)
    return Projection(name, State.COVERED if place is None else State.POSTED, version, version, place)
