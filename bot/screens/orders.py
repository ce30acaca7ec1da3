"""Orders: what somebody has decided before, shown to them alone; the controls that change it, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.screens.choosing import Field, Sheet, changes
from bot.screens.controls import Button, Form, Open, Reply, Style, Values
from bot.screens.viewer import Viewer
from bot.table.last_seen import seen_by
from bot.table.option import Boxes, Option, switch
from bot.table.ordering import DECLINE, DISCARD, END, PASS, ROLL
from bot.table.orders import ORDERS, Done, Orders
from bot.words.language import N_, _, n_
from bot.words.marks import listing
from bot.words.options import lines
from engine.rules import data_of

DISCARDS = switch(
    "discards", N_("Discard"), N_("**Discard for me** what I have most of"), hint=N_("What I have most of")
)
_DOES = Boxes("does", N_("Do for me"), (ORDERS["roll"], ORDERS["end"], DISCARDS))
_FOR_ME = (_DOES, ORDERS["keep"], ORDERS["building"])
_DECLINING = (ORDERS["never"], ORDERS["refused"], ORDERS["least"])
SHEETS = {
    sheet.name: sheet
    for sheet in (
        Sheet("orders", N_("What to do for me"), "🎲", _FOR_ME),
        Sheet("declines", N_("What to decline"), "🤝", _DECLINING),
    )
}
_DONE = {
    ROLL: N_("rolled the dice"),
    END: N_("ended your turn"),
    DISCARD: N_("discarded"),
    PASS: N_("passed on building between turns"),
}
"""What an order has done."""


def page(viewer: Viewer, mine: Orders, lead: str = "") -> Reply:
    """All orders of somebody in a game, and what they have done; raises for somebody who doesn't play, or has left."""
    viewer.check_not_resigned()
    title = _("Your autopilot in game {number}", number=viewer.table.number)
    hint = _("Only you see this. To others it just looks like you played fast.")
    options = (ORDERS["roll"], ORDERS["end"], DISCARDS, ORDERS["keep"], *_DECLINING, ORDERS["building"])
    given = lines(options, _of(viewer), _value(mine)) or [_("Nothing is automated.")]
    said = [lead, f"### {title}", *(f"- {line}" for line in given), done(viewer, mine), f"-# {hint}"]
    buttons = [sheet.button(Style.PRIMARY) for sheet in SHEETS.values()]
    if any(getattr(mine, name) != none for name, none in DROPPED.items()):
        buttons.append(Button(_("Turn all off"), Open("unorder"), Style.DANGER, "✖️"))
    return Reply("\n".join(filter(None, said)), rows=[buttons])


def _of(viewer: Viewer) -> Callable[[Option], Any]:
    """Offers are declined of the others."""
    others = [(user, viewer.names[seat]) for seat, user in enumerate(viewer.users) if seat != viewer.seat]
    return lambda option: others


def _value(mine: Orders) -> Callable[[Option], Any]:
    own = {"discards": mine.keep is not None, "keep": mine.keep or ()}
    return lambda option: own[option.name] if option.name in own else getattr(mine, option.name)


def _fields(viewer: Viewer, which: str) -> list[Field]:
    """What a form asks for; to pass only where there is a special building phase."""
    special = data_of(viewer.view.config).special_building
    return [field for field in SHEETS[which].possible if field is not ORDERS["building"] or special]


def done(viewer: Viewer, mine: Orders) -> str:
    """What was done by orders since their owner did something themselves; empty: nothing."""
    seen = seen_by(viewer.table, mine.user) or 0
    found = [one for one in mine.done if one.revision >= seen]
    declined = [str(one.about) for one in found if one.order == DECLINE]
    told = dict.fromkeys(_did(one, declined) for one in found)
    return _("📋 Done for you: {what}.", what=listing(told)) if told else ""


def _did(one: Done, declined: Sequence[str]) -> str:
    if one.order == DECLINE:
        return n_("declined offer {offers}", "declined offers {offers}", len(declined), offers=listing(declined))
    return _(_DONE[one.order])


def form(viewer: Viewer, mine: Orders, which: str) -> Form:
    """Asks for the orders of one kind; raises for somebody who doesn't play, or has left."""
    viewer.check_not_resigned()
    return SHEETS[which].form(_fields(viewer, which), _of(viewer), _value(mine))


def entered(viewer: Viewer, mine: Orders, which: str, values: Values) -> Mapping[str, Any]:
    """What a form changes, as the service takes it."""
    found = changes(_fields(viewer, which), _of(viewer), _value(mine), values)
    if not found.keys().isdisjoint(("discards", "keep")):
        discards = found.pop("discards", mine.keep is not None)
        found["keep"] = found.get("keep", mine.keep or ()) if discards else None
    return found


DROPPED: Mapping[str, Any] = {
    "roll": False,
    "end": False,
    "keep": None,
    "never": (),
    "refused": (),
    "least": 0,
    "building": (),
}
"""No orders."""
