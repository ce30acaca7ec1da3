"""The autopilot (orders), shown to its owner alone: what it does, the controls that change it, and what it did."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Open, Reply, Style
from bot.screens.options import NewValues, Page, Scope, form_button
from bot.screens.viewer import Viewer
from bot.table.acts.orders import DECLINE, DISCARD, END, PASS, ROLL
from bot.table.orders import DROPPED, ORDERS, SHEETS, DoneByOrder, Orders, Seat
from bot.table.reminders import seen_by
from bot.words.language import N_, _, n_
from bot.words.marks import listing
from engine.rules import data_of

ORDERS_SCOPE = Scope("ordered", SHEETS, tuple(ORDERS.values()))
_DONE = {
    ROLL: N_("rolled the dice"),
    END: N_("ended your turn"),
    DISCARD: N_("discarded"),
    PASS: N_("passed on building between turns"),
}
"""What orders did, in words."""


def order_options(viewer: Viewer, mine: Orders) -> Page:
    """A player's orders. Code: "not-playing"."""
    viewer.check_not_resigned()
    others = [(user, viewer.names[seat]) for seat, user in enumerate(viewer.users) if seat != viewer.seat]
    seat = Seat(mine, others, data_of(viewer.view.config).special_building)
    discards = {"discards": mine.keep is not None, "keep": mine.keep or ()}
    values = {**{name: getattr(mine, name) for name in DROPPED}, **discards}

    def stored(changed: NewValues, chosen: NewValues) -> NewValues:
        if changed.keys().isdisjoint(discards):
            return changed
        found = {name: value for name, value in changed.items() if name != "discards"}
        return {**found, "keep": chosen["keep"] if chosen["discards"] else None}

    return Page(ORDERS_SCOPE.options, lambda option: seat, lambda option: values[option.name], stored)


def orders_page(viewer: Viewer, mine: Orders) -> Reply:
    """All of a player's orders in a game, and what these have done. Code: "not-playing"."""
    title = _("Your autopilot in game {number}", number=viewer.table.number)
    hint = _("Only you see this. To others it just looks like you played fast.")
    lines = order_options(viewer, mine).lines() or [_("Nothing is automated.")]
    parts = [f"### {title}", *(f"- {line}" for line in lines), done_for_owner(viewer, mine), f"-# {hint}"]
    buttons = [form_button(sheet, Style.PRIMARY) for sheet in SHEETS]
    if any(getattr(mine, name) != none for name, none in DROPPED.items()):
        buttons.append(Button(_("Turn all off"), Open("unorder"), Style.DANGER, "✖️"))
    return Reply("\n".join(filter(None, parts)), rows=[buttons])


def done_for_owner(viewer: Viewer, mine: Orders) -> str:
    """What orders did since their owner last acted themselves; empty: nothing."""
    seen = seen_by(viewer.table, mine.user) or 0
    found = [one for one in mine.done if one.revision >= seen]
    declined = [str(one.about) for one in found if one.order == DECLINE]
    deeds = dict.fromkeys(_did(one, declined) for one in found)
    return _("📋 Done for you: {what}.", what=listing(deeds)) if deeds else ""


def _did(done: DoneByOrder, declined: Sequence[str]) -> str:
    if done.order == DECLINE:
        return n_("declined offer {offers}", "declined offers {offers}", len(declined), offers=listing(declined))
    return _(_DONE[done.order])
