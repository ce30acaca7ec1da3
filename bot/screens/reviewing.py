"""What a player's choices in a game were worth. Only they see it, until they share it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Open, Option, Reply, Row, Select
from bot.screens.viewer import Viewer
from bot.words.language import _, sentences
from bot.words.marks import listing
from bot.words.moments import moments, title
from bot.words.places import names_of
from engine.actions import Action, PlaceAction
from engine.terms import PlaceKind
from players.moments import Moment

Found = tuple[Sequence[Moment], Sequence[Moment]]
"""The moments that cost most, and the best."""
Places = dict[PlaceKind, list[int]]


def review_buttons(viewer: Viewer) -> list[Row]:
    """The button that opens the review, for players of a finished game."""
    if viewer.view.outcome is None or viewer.seat is None:
        return []
    return [[Button(_("My best and worst moves"), Open("moments"), emoji="🎯")]]


def review(viewer: Viewer, findings: Found, *, shared: bool, shown: int = 0) -> Reply:
    """The choices that cost most, and the best, with a button to share them; `shared`: they are shared already.

    `shown`: number of the moment whose board belongs to it (`board_of`).
    """
    lines, moment = moments(viewer.names, *findings), _moment(findings, shown)
    text = [
        _("### 🎯 Your moves in game {number}", number=viewer.table.number),
        lines or _("No single choice made much of a difference."),
        _("-# How each changed your chance to win, next to the best other choice. Only you see this."),
    ]
    if shared:
        text[-1] = _("-# Shared with everyone here.")
    if moment is not None:
        text.append(_("-# On the board: {moment}. {places}", moment=title(moment), places=_named(moment)).rstrip())
    options = [
        Option(str(n), title(each), default=each is moment) for n, each in enumerate([*findings[0], *findings[1]])
    ]
    rows: list[Row] = [Select(_("See the board of a move"), Open("moment"), options)] if options else []
    if lines and not shared:
        rows.append([Button(_("Share"), Open("share"), emoji="📣")])
    return Reply("\n".join(text), rows=rows)


def board_of(viewer: Viewer, findings: Found, shown: int) -> tuple[Viewer, Places] | None:
    """A moment as the viewer saw it, and the places to mark: those of both choices. None if there are no moments."""
    moment = _moment(findings, shown)
    if moment is None:
        return None
    marked: Places = {}
    for action in (place for side in _sides(moment) for place in side):
        marked.setdefault(action.place, []).append(action.at)
    return viewer.showing(moment.view), marked


def shared(viewer: Viewer, findings: Found) -> Reply:
    """The review as all see it."""
    assert viewer.seat is not None
    title = _("### 🎯 {name}'s moves in game {number}", name=viewer.marked[viewer.seat], number=viewer.table.number)
    note = _("-# How each changed the chance to win, next to the best other choice.")
    return Reply("\n".join((title, moments(viewer.names, *findings), note)))


def _moment(findings: Found, shown: int) -> Moment | None:
    """The moment with a number; the last one if there are fewer."""
    found = [*findings[0], *findings[1]]
    return found[min(shown, len(found) - 1)] if found else None


def _sides(moment: Moment) -> tuple[list[PlaceAction], list[PlaceAction]]:
    """The places of the choice and of the other one, with what followed the better of the two."""
    mine: tuple[Action, ...] = (moment.action,)
    other: tuple[Action, ...] = (moment.other,)
    if moment.gain > 0.0:
        mine += moment.then
    else:
        other += moment.then
    chosen = [action for action in mine if isinstance(action, PlaceAction)]
    return chosen, [each for each in other if isinstance(each, PlaceAction) and each not in chosen]


def _named(moment: Moment) -> str:
    """The marked places by name, with what they are."""
    mine, other = [[f"**{names_of(moment.view, each.place)[each.at]}**" for each in side] for side in _sides(moment)]
    found = [_("Your move: {places}.", places=listing(mine))] if mine else []
    if other and moment.gain < 0.0:
        found.append(_("The better choice: {places}.", places=listing(other)))
    elif other:
        found.append(_("Next best: {places}.", places=listing(other)))
    return sentences(found)
