"""Orders: what somebody has decided before, shown to them alone; the controls that change it, and what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.orders import Done, Orders
from bot.preferences import BUILDS
from bot.presentation.controls import (
    Button,
    ChoiceField,
    Entries,
    Entry,
    Form,
    Open,
    Option,
    Reply,
    Row,
    Style,
    TextField,
    Values,
)
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import RESOURCE_SIGNS, listing, resource
from bot.presentation.texts.typed import parse_hand
from bot.presentation.texts.words import all_of
from bot.presentation.viewer import Viewer
from bot.service.orders import DECLINE, DISCARD, END, PASS, ROLL
from bot.service.visits import seen_by
from engine.errors import RefereeError
from engine.rules import data_of

DOES = {
    "roll": (N_("Roll"), N_("Unless I could play a card first")),
    "end": (N_("End my turn"), N_("When I can't build, buy, play a card or trade with the bank")),
    "discards": (N_("Discard"), N_("What I have most of")),
}
"""Orders that are on or off, as a form lists them: what is done, and when."""
OWN, OFFERS = "orders", "declines"
"""Forms: what is done for somebody, and which offers they decline."""
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
    return Reply("\n".join(filter(None, said)), rows=_controls(mine))


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


def _controls(mine: Orders) -> list[Row]:
    buttons = [
        Button(_("What to do for me"), Open("form", (OWN,)), Style.PRIMARY, "🎲"),
        Button(_("What to decline"), Open("form", (OFFERS,)), Style.PRIMARY, "🤝"),
    ]
    if any(getattr(mine, name) != none for name, none in DROPPED.items()):
        buttons.append(Button(_("Drop all orders"), Open("unorder"), Style.DANGER, "✖️"))
    return [buttons]


def form(viewer: Viewer, mine: Orders, which: str) -> Form:
    """Asks for the orders of one kind; raises for somebody who doesn't play, or has left."""
    viewer.check_not_resigned()
    if which == OFFERS:
        return Form(_("What to decline"), _declining(viewer, mine))
    on = {"roll": mine.roll, "end": mine.end, "discards": mine.keep is not None}
    does = [Option(name, _(label), _(when), on[name]) for name, (label, when) in DOES.items()]
    fields: list[TextField | ChoiceField] = [
        ChoiceField("does", _("Do for me"), does, required=False, most=len(does)),
        _kinds("keep", _("When you discard for me, keep"), mine.keep or ()),
    ]
    if data_of(viewer.view.config).special_building:
        things = [Option(what, _(what).capitalize(), default=what in mine.building) for what in BUILDS]
        label, hint = _("Special building: pass, unless I can get"), _("None: I decide")
        fields.append(ChoiceField("building", label, things, hint, required=False, most=len(things)))
    return Form(_("What to do for me"), fields)


def _declining(viewer: Viewer, mine: Orders) -> list[TextField | ChoiceField]:
    others = [
        Option(str(seat), viewer.names[seat], default=viewer.users[seat] in mine.refused)
        for seat in range(len(viewer.users))
        if seat != viewer.seat
    ]
    rates = [Option(str(n), rate(n), default=n == mine.least) for n in range(HIGHEST + 1)]
    return [
        _kinds("never", _("Offers that want any of my"), mine.never),
        ChoiceField("refused", _("All offers from"), others, required=False, most=len(others)),
        ChoiceField("least", _("Poor offers"), rates),
    ]


def rate(n: int) -> str:
    """What an offer must give, as a choice."""
    if not n:
        return _("I decide about all rates")
    return n_("Under {n} card for each of mine", "Under {n} cards for each of mine", n)


def _kinds(name: str, label: str, chosen: Sequence[int]) -> ChoiceField:
    options = [
        Option(str(kind), resource(kind, sign=False).capitalize(), None, kind in chosen, RESOURCE_SIGNS[kind])
        for kind in range(len(RESOURCE_SIGNS))
    ]
    return ChoiceField(name, label, options, required=False, most=len(options))


def entries(args: tuple[str, ...]) -> Entries:
    """What may come back in a form."""
    if args == (OFFERS,):
        return {"never": Entry("[0-4]", 0, 5), "refused": Entry("[0-7]", 0, 7), "least": Entry(f"[0-{HIGHEST}]")}
    return {
        "does": Entry("|".join(DOES), 0, len(DOES)),
        "keep": Entry("[0-4]", 0, 5),
        "building": Entry("|".join(BUILDS), 0, len(BUILDS)),
    }


def entered(viewer: Viewer, which: str, values: Values) -> Mapping[str, Any]:
    """What a form changes, as the service takes it."""

    def numbers(name: str) -> tuple[int, ...]:
        return tuple(sorted(map(int, values.get(name, ()))))

    if which == OFFERS:
        refused = tuple(viewer.users[seat] for seat in numbers("refused") if seat < len(viewer.users))
        return {"never": numbers("never"), "refused": refused, "least": int(values["least"][0])}
    does = values.get("does", ())
    found: dict[str, Any] = {"roll": "roll" in does, "end": "end" in does}
    found["keep"] = numbers("keep") if "discards" in does else None
    if data_of(viewer.view.config).special_building:
        found["building"] = passing(values.get("building", ()))
    return found


def passing(values: Sequence[str]) -> tuple[str, ...]:
    """What somebody passes for while they can have none of it, in the usual order."""
    return tuple(what for what in BUILDS if what in values)


def switched(name: str, on: bool) -> Mapping[str, Any]:
    """What an option of the command changes that is on or off."""
    return {"keep": () if on else None} if name == "discards" else {name: on}


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
