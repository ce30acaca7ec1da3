"""What isn't needed in every turn: other things to see, and what players can change about a game."""

from __future__ import annotations

from bot.screens import agreement, seats, votes
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer
from bot.table.seats import free_places, who_plays
from bot.table.table import ARCHIVED
from bot.words.language import _
from engine.errors import RefereeError


def more(viewer: Viewer, *, manages: bool) -> Reply:
    """Buttons for everything else; `manages`: whether the viewer manages the channel."""
    buttons = [
        catch_up(),
        Button(_("Story"), Open("log"), emoji="📜"),
        Button(_("Board"), Open("board"), emoji="🗺️"),
        Button(_("Stats"), Open("stats"), emoji="📊"),
        Button(_("Offers"), Open("offers"), emoji="📨"),
        Button(_("Rules"), Open("rules"), emoji="📖"),
        Button(_("Help"), Open("help"), emoji="💡"),
        Button(_("Settings"), Open("settings"), emoji="⚙️"),
    ]
    archived, ended = viewer.table.status == ARCHIVED, viewer.game.outcome is not None
    if _plays(viewer) and archived:
        buttons.append(agreement.resume_button())
    elif _plays(viewer):
        if viewer.table.options.hints:
            buttons.append(Button(_("Hint"), Open("hint"), emoji="🧭"))
        buttons.append(Button(_("Autopilot"), Open("orders"), emoji="📋"))
        if viewer.is_replaced:
            buttons.append(seats.take_back_button())
        buttons.append(Button(_("Pause, leave, change…"), Open("change"), emoji="🛠️"))
    elif viewer.seat is None and not (archived or ended) and free_places(viewer.table, viewer.game):
        buttons.append(seats.take_over())
    if manages and not (_plays(viewer) or ended):
        buttons.append(votes.void_button())
    return Reply(_("What would you like?"), rows=rows(buttons))


def change(viewer: Viewer, *, manages: bool) -> Reply:
    """Buttons to change the game itself: its turn timer, who plays in it, its end. Codes: "over", "archived",
    "not-playing"."""
    viewer.check_playing()
    if not _plays(viewer):
        raise RefereeError("over" if viewer.game.outcome is not None else "not-playing/resigned")
    if viewer.table.status == ARCHIVED:
        raise RefereeError("archived")
    seat = [seats.give_seat_button(viewer), *seats.withdrawing(viewer)]
    buttons = [seats.take_back_button()] if viewer.is_replaced else []
    if viewer.decides:
        buttons += [agreement.turn_timer_button(), agreement.pause_button(viewer.table)]
    if viewer.decides and len(who_plays(viewer.table, viewer.game)) > 1:
        buttons.append(seats.replace_button())
    buttons += [*seat, *(votes.ways_to_end(viewer) if viewer.decides else [])]
    if manages:
        buttons.append(votes.void_button())
    title = _("**What do you want to change about game {number}?**", number=viewer.table.number)
    hint = _("Changes for everyone need a majority.")
    return Reply(f"{title}\n-# {hint}", rows=rows(buttons))


def _plays(viewer: Viewer) -> bool:
    return viewer.seat is not None and not viewer.has_left and viewer.game.outcome is None
