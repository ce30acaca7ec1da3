"""The autopilot (orders), shown to its owner alone: what it does, the controls that change it, and what it did."""

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
_FOR_ME = (_DOES, ORDERS["few"], ORDERS["keep"], ORDERS["building"])
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
"""What orders did, in words."""


def page(viewer: Viewer, mine: Orders) -> Reply:
    """All of a player's orders in a game, and what these have done. Code: "not-playing"."""
    viewer.check_not_resigned()
    title = _("Your autopilot in game {number}", number=viewer.table.number)
    hint = _("Only you see this. To others it just looks like you played fast.")
    ends = [ORDERS["few"]] if mine.end else []
    options = (ORDERS["roll"], *ends, DISCARDS, ORDERS["keep"], *_DECLINING, ORDERS["building"])
    texts = lines(options, _of(viewer), _value(mine)) or [_("Nothing is automated.")]
    parts = [f"### {title}", *(f"- {line}" for line in texts), done(viewer, mine), f"-# {hint}"]
    buttons = [sheet.button(Style.PRIMARY) for sheet in SHEETS.values()]
    if any(getattr(mine, name) != none for name, none in DROPPED.items()):
        buttons.append(Button(_("Turn all off"), Open("unorder"), Style.DANGER, "✖️"))
    return Reply("\n".join(filter(None, parts)), rows=[buttons])


def _of(viewer: Viewer) -> Callable[[Option], Any]:
    """What an option is chosen for: always the other players, whose offers can be declined."""
    others = [(user, viewer.names[seat]) for seat, user in enumerate(viewer.users) if seat != viewer.seat]
    return lambda option: others


def _value(mine: Orders) -> Callable[[Option], Any]:
    own = {"discards": mine.keep is not None, "keep": mine.keep or ()}
    return lambda option: own[option.name] if option.name in own else getattr(mine, option.name)


def _fields(viewer: Viewer, which: str) -> list[Field]:
    """The fields of a form; passing on building only in games with a special building phase."""
    special = data_of(viewer.view.config).special_building
    return [field for field in SHEETS[which].possible if field is not ORDERS["building"] or special]


def done(viewer: Viewer, mine: Orders) -> str:
    """What orders did since their owner last acted themselves; empty: nothing."""
    seen = seen_by(viewer.table, mine.user) or 0
    found = [one for one in mine.done if one.revision >= seen]
    declined = [str(one.about) for one in found if one.order == DECLINE]
    deeds = dict.fromkeys(_did(one, declined) for one in found)
    return _("📋 Done for you: {what}.", what=listing(deeds)) if deeds else ""


def _did(done: Done, declined: Sequence[str]) -> str:
    if done.order == DECLINE:
        return n_("declined offer {offers}", "declined offers {offers}", len(declined), offers=listing(declined))
    return _(_DONE[done.order])


def form(viewer: Viewer, mine: Orders, which: str) -> Form:
    """The form for one kind of orders. Code: "not-playing"."""
    viewer.check_not_resigned()
    return SHEETS[which].form(_fields(viewer, which), _of(viewer), _value(mine))


def entered(viewer: Viewer, mine: Orders, which: str, values: Values) -> Mapping[str, Any]:
    """The orders that a sent form changes, as the service expects them."""
    found = changes(_fields(viewer, which), _of(viewer), _value(mine), values)
    if not found.keys().isdisjoint(("discards", "keep")):
        discards = found.pop("discards", mine.keep is not None)
        found["keep"] = found.get("keep", mine.keep or ()) if discards else None
    return found


DROPPED: Mapping[str, Any] = {
    "roll": False,
    "end": False,
    "few": 1,
    "keep": None,
    "never": (),
    "refused": (),
    "least": 0,
    "building": (),
}
"""The values that mean no orders."""
