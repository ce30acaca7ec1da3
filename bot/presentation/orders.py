"""Orders: what somebody has decided before, shown to them alone; the controls that change it, and what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.orders import Done, Orders
from bot.preferences import BUILDS
from bot.presentation.controls import Button, Entries, Entry, Open, Option, Reply, Row, Select, Style
from bot.presentation.looks import switch
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import RESOURCE_NAMES, RESOURCE_SIGNS, listing, resource
from bot.presentation.texts.typed import parse_hand
from bot.presentation.texts.words import all_of
from bot.presentation.viewer import Viewer
from bot.service.orders import DECLINE, DISCARD, END, PASS, ROLL
from bot.service.visits import seen_by
from engine.errors import RefereeError
from engine.rules import data_of

SWITCHES = ("roll", "end", "discards")
"""Orders that are on or off."""
LISTS = ("keep", "never", "refused", "least", "building")
"""Orders that name something."""
NONE = "none"
HIGHEST = 3
"""Cards that an offer may have to give for each that it wants."""
_DONE = {
    ROLL: N_("rolled the dice"),
    END: N_("ended your turn"),
    DISCARD: N_("discarded"),
    PASS: N_("passed in the special building phase"),
}
"""What an order has done."""


def page(viewer: Viewer, mine: Orders, lead: str = "") -> Reply:
    """All orders of somebody in a game, and what they have done; raises for somebody who doesn't play, or has left."""
    viewer.check_not_resigned()
    title = _("Your orders in game {number}", number=viewer.table.number)
    hint = _("Only you see this. Nobody can tell an order from you being quick.")
    said = [lead, f"### {title}", *(f"- {line}" for line in _lines(viewer, mine)), done(viewer, mine), f"-# {hint}"]
    return Reply("\n".join(filter(None, said)), rows=_controls(viewer, mine))


def _lines(viewer: Viewer, mine: Orders) -> list[str]:
    """What is ordered, a line each."""
    lines = []
    if mine.roll:
        lines.append(_("**Roll for me**, unless I could play a card first"))
    if mine.end:
        lines.append(
            _(
                "**End my turn** when I can't build, buy, play a card or trade with the bank, and no offer is waiting "
                "for anyone"
            )
        )
    if mine.keep is not None:
        kept = listing(resource(kind) for kind in mine.keep)
        if mine.keep:
            lines.append(_("**Discard for me** what I have most of, but {resources} only if I must", resources=kept))
        else:
            lines.append(_("**Discard for me** what I have most of"))
    if mine.never:
        never = listing((resource(kind) for kind in mine.never), "or")
        lines.append(_("**Decline offers** that want my {resources}", resources=never))
    if names := [viewer.names[viewer.users.index(user)] for user in mine.refused if user in viewer.users]:
        lines.append(_("**Decline offers** from {names}", names=listing(names)))
    if mine.least:
        lines.append(
            n_(
                "**Decline offers** that give fewer than {n} card for each of mine",
                "**Decline offers** that give fewer than {n} cards for each of mine",
                mine.least,
            )
        )
    if mine.building:
        things = listing([_(what) for what in mine.building], "or")
        lines.append(_("**Pass** in the special building phase unless I can get a {things}", things=things))
    return lines or [_("None: you decide everything yourself.")]


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


def _controls(viewer: Viewer, mine: Orders) -> list[Row]:
    def toggle(name: str, on: bool, label: str, emoji: str) -> Button:
        return switch(Open("ordered", (name, str(int(not on)))), on, label, emoji)

    found: list[Row] = [
        [
            toggle("roll", mine.roll, _("Roll for me"), "🎲"),
            toggle("end", mine.end, _("End my turn"), "⏭️"),
            toggle("discards", mine.keep is not None, _("Discard for me"), "🗑️"),
        ]
    ]
    if mine.keep is not None:
        found.append(_kinds("keep", _("What to keep when I must discard"), mine.keep, N_("Keep {resource}")))
    found.append(_kinds("never", _("What I never give"), mine.never, N_("Never my {resource}")))
    others = [
        Option(str(seat), _("Nothing to {name}", name=viewer.names[seat]), None, viewer.users[seat] in mine.refused)
        for seat in range(len(viewer.users))
        if seat != viewer.seat
    ]
    found.append(Select(_("Who I never trade with"), Open("order", ("refused",)), others, 0, len(others)))
    rates = [Option(str(n), rate(n), None, n == mine.least) for n in range(HIGHEST + 1)]
    found.append(Select(_("Decline offers under…"), Open("order", ("least",)), rates))
    if data_of(viewer.view.config).special_building:
        things = [
            Option(what, _("Pass unless I can get a {thing}", thing=_(what)), None, what in mine.building)
            for what in BUILDS
        ]
        found.append(
            Select(_("When to pass in special building"), Open("order", ("building",)), things, 0, len(things))
        )
    if any(getattr(mine, name) != none for name, none in DROPPED.items()):
        found.append([Button(_("Drop all orders"), Open("unorder"), Style.DANGER, "✖️")])
    return found


def rate(n: int) -> str:
    """What an offer must give, as a choice."""
    if not n:
        return _("Offers at any rate: I decide")
    return n_("Decline offers under {n} card for each of mine", "Decline offers under {n} cards for each of mine", n)


def _kinds(name: str, placeholder: str, chosen: Sequence[int], label: str) -> Select:
    options = [
        Option(str(kind), _(label, resource=_(title)), None, kind in chosen, RESOURCE_SIGNS[kind])
        for kind, title in enumerate(RESOURCE_NAMES)
    ]
    return Select(placeholder, Open("order", (name,)), options, 0, len(options))


def entries(args: tuple[str, ...]) -> Entries:
    """What may be chosen in a list."""
    if args[0] == "least":
        return {"": Entry(f"[0-{HIGHEST}]")}
    if args[0] == "building":
        return {"": Entry("|".join(BUILDS), 0, len(BUILDS))}
    return {"": Entry("[0-7]" if args[0] == "refused" else "[0-4]", 0, 7 if args[0] == "refused" else 5)}


def switched(name: str, on: bool) -> Mapping[str, Any]:
    """What a switch changes, as the service takes it."""
    return {"keep": () if on else None} if name == "discards" else {name: on}


def listed(viewer: Viewer, name: str, values: Sequence[str]) -> Mapping[str, Any]:
    """What a list changes."""
    if name == "least":
        return {name: int(values[0])}
    if name == "building":
        return {name: tuple(what for what in BUILDS if what in values)}
    chosen = tuple(sorted(map(int, values)))
    if name == "refused":
        return {name: tuple(viewer.users[seat] for seat in chosen if seat < len(viewer.users))}
    return {name: chosen}


def kinds(text: str) -> tuple[int, ...]:
    """Kinds of resources that are typed, or none of them. Code: "unreadable"."""
    if text.strip().casefold() == NONE:
        return ()
    return tuple(kind for kind, n in enumerate(parse_hand(all_of(text))) if n)


def refused(viewer: Viewer, mine: Orders, seat: int) -> Mapping[str, Any]:
    """Never to trade with somebody; once more, and they do again. Code: "orders/yourself"."""
    if seat == viewer.player:
        raise RefereeError("orders/yourself")
    user = viewer.users[seat]
    return {"refused": tuple(u for u in mine.refused if u != user) if user in mine.refused else (*mine.refused, user)}


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
