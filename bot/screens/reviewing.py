"""What a player's choices in a game were worth. Only they see it, until they share it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Open, Reply, Row
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.moments import moments
from players.moments import Moment

Found = tuple[Sequence[Moment], Sequence[Moment]]
"""The moments that cost most, and the best."""


def review_buttons(viewer: Viewer) -> list[Row]:
    """The button that opens the review, for players of a finished game."""
    if viewer.view.outcome is None or viewer.seat is None:
        return []
    return [[Button(_("My best and worst moves"), Open("moments"), emoji="🎯")]]


def review(viewer: Viewer, findings: Found, *, shared: bool) -> Reply:
    """The choices that cost most, and the best, with a button to share them; `shared`: they are shared already."""
    lines = moments(viewer.names, *findings)
    text = [
        _("### 🎯 Your moves in game {number}", number=viewer.table.number),
        lines or _("No single choice made much of a difference."),
        _("-# How each changed your chance to win, next to the best other choice. Only you see this."),
    ]
    if shared:
        text[-1] = _("-# Shared with everyone here.")
    button = Button(_("Share"), Open("share"), emoji="📣")
    return Reply("\n".join(text), rows=[[button]] if lines and not shared else [])


def shared(viewer: Viewer, findings: Found) -> Reply:
    """The review as all see it."""
    assert viewer.seat is not None
    title = _("### 🎯 {name}'s moves in game {number}", name=viewer.marked[viewer.seat], number=viewer.table.number)
    note = _("-# How each changed the chance to win, next to the best other choice.")
    return Reply("\n".join((title, moments(viewer.names, *findings), note)))
