"""Wishes: what people are looking for between their turns, as everyone sees it, and the buttons for them."""

from __future__ import annotations

from bot.plaintext import length
from bot.screens.controls import Button, ChoiceField, Form, ListOption, Open, Style, Values
from bot.screens.forms import merged
from bot.screens.steps.step import INLINE_OFFERS
from bot.screens.viewer import Viewer
from bot.table.acts.wishes import open_wishes
from bot.table.parts import Wish
from bot.words.language import _, n_
from bot.words.marks import RESOURCE_SIGNS, cards, resource_title
from engine.actions import MakeOffer
from engine.errors import RefereeError
from engine.resources import NOTHING, Hand, hand
from engine.steps.turn import MainView
from engine.terms import StepKind

LONGEST_WISHES = 700
"""Most characters of all wishes together in the panel."""


def wish_lines(viewer: Viewer) -> str:
    """A line for each open wish, as many as fit; empty if there are none. Everyone sees the same."""
    all_lines = [_line(viewer.marked[seat], wish) for seat, wish in open_wishes(viewer.table, viewer.game).items()]
    kept = all_lines[:]
    while sum(length(line) + 1 for line in kept) > LONGEST_WISHES:
        kept.pop()
    if more := len(all_lines) - len(kept):
        kept.append(n_("🔎 … and {n} more request", "🔎 … and {n} more requests", more))
    return "\n".join(kept)


def _line(name: str, wish: Wish) -> str:
    if any(wish.give):
        return _(
            "🔎 **{name}** is looking for {want}, would give {give}",
            name=name,
            want=cards(wish.want),
            give=cards(wish.give),
        )
    return _("🔎 **{name}** is looking for {want}", name=name, want=cards(wish.want))


def panel_wish_buttons(public: Viewer) -> list[Button]:
    """Buttons for the player on turn to answer wishes. If there are many, one button leads to all."""
    view = public.view
    found = open_wishes(public.table, public.game)
    trading = view.step.kind is StepKind.TRADE_PHASE or (isinstance(view.step, MainView) and view.step.may_trade)
    if not found or not trading or view.on_turn is None or public.table.paused:
        return []
    if public.table.member_at(public.game, view.on_turn).level:
        return []
    if len(found) > INLINE_OFFERS:
        return [Button(_("Looking for ({n})", n=len(found)), Open("offers", ("wishes",)), emoji="🔎")]
    return [_offer_to(public, seat) for seat in found]


def own_wish_buttons(viewer: Viewer) -> list[Button]:
    """A person's buttons for wishes. On turn: an offer to each player who has one; else: post or cancel their own."""
    if viewer.seat is None or viewer.has_left or viewer.is_replaced or viewer.game.outcome is not None:
        return []
    if viewer.table.paused:
        return []
    found = open_wishes(viewer.table, viewer.game)
    if viewer.view.on_turn == viewer.seat:
        return [_offer_to(viewer, seat) for seat in found] if MakeOffer in viewer.options else []
    if not viewer.view.turn:
        return []
    again = [stop_looking_button()] if viewer.seat in found else []
    return [*again, Button(_("I'm looking for…"), Open("form", ("wish",)), emoji="🔎")]


def stop_looking_button() -> Button:
    """The button that cancels a person's own wish."""
    return Button(_("Stop looking"), Open("unwish"), emoji="🔕")


def _offer_to(viewer: Viewer, seat: int) -> Button:
    return Button(_("Offer to {name}", name=viewer.names[seat]), Open("grant", (str(seat),)), Style.PRIMARY, "🔎")


def wish_of(viewer: Viewer, seat: int) -> Wish:
    """A seat's wish, for the player on turn. Codes: "not-playing", "wrong-turn", "no-such-wish" if it isn't open."""
    if viewer.view.on_turn != viewer.my_seat:
        raise RefereeError("wrong-turn/elsewhere")
    found = open_wishes(viewer.table, viewer.game).get(seat)
    if found is None:
        raise RefereeError("no-such-wish", name=viewer.names[seat] if seat < len(viewer.names) else _("no one"))
    return found


def wish_form(viewer: Viewer) -> Form:
    """Two lists: what the player is looking for, and what they would give. Each resource chosen means one card."""
    viewer.check_playing()
    mine = open_wishes(viewer.table, viewer.game).get(viewer.my_seat)
    want, give = (mine.want, mine.give) if mine else (NOTHING, NOTHING)
    hint = _("Stays until your turn, or until you trade for some")
    fields = [
        ChoiceField("want", _("You're looking for"), _options(want), hint, most=5),
        ChoiceField("give", _("You would give"), _options(give), required=False, most=5),
    ]
    return Form(_("What are you looking for?"), [*fields])


def entered_wish(viewer: Viewer, shown: str, values: Values) -> tuple[Hand, Hand]:
    """What a sent form asks for, and what it would give; `shown`: what the form has shown. It changes a wish that is
    still open; otherwise it posts what was chosen."""
    if viewer.my_seat in open_wishes(viewer.table, viewer.game):
        values = merged(wish_form(viewer), shown, values)
    want, give = (hand([*values.get(side, ())].count(str(kind)) for kind in range(5)) for side in ("want", "give"))
    return want, give


def _options(chosen: tuple[int, ...]) -> list[ListOption]:
    return [
        ListOption(str(kind), resource_title(kind), default=bool(n), emoji=RESOURCE_SIGNS[kind])
        for kind, n in enumerate(chosen)
    ]


def noted(want: Hand, give: Hand) -> str:
    """The reply to a player who has posted a wish."""
    if any(give):
        return _(
            "Posted: you're looking for {want} and would give {give}. It stays until your turn, or until you trade for "
            "some.",
            want=cards(want),
            give=cards(give),
        )
    return _(
        "Posted: you're looking for {want}. It stays until your turn, or until you trade for some.",
        want=cards(want),
    )
