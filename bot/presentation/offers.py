"""Offers: what can be done about each, in the panel for all alike and in private for one person."""

from __future__ import annotations

from bot.presentation.controls import Button, Do, Open, Style
from bot.presentation.panel import everyone
from bot.presentation.steps import Ping
from bot.presentation.texts.language import _
from bot.presentation.texts.marks import cards
from bot.presentation.viewer import Viewer
from engine.actions import AcceptOffer, Action, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.geometry import bits
from engine.views import OfferView, View

ACTIONS = (AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""What their buttons do at once."""


def buttons(viewer: Viewer, offer: OfferView) -> list[Button]:
    """What can be done about an offer: in public all that its kind allows, for one person what they may do.

    Who can't pay learns it after the click, privately.
    """
    public, n = viewer.seat is None, offer.id
    mine = offer.seat == viewer.seat

    def may(action: Action) -> bool:
        return public or viewer.options.allows(action)

    found = []
    if may(AcceptOffer(n)):
        found.append(Button(_("Accept {n}", n=n), Do(AcceptOffer(n), bound=False), Style.SUCCESS))
    if may(DeclineOffer(n)):
        found.append(Button(_("Decline {n}", n=n), Do(DeclineOffer(n), bound=False)))
    if offer.seat == viewer.view.on_turn and (public or (not mine and MakeOffer in viewer.options)):
        found.append(Button(_("Counter {n}", n=n), Open("form", ("offer", str(n)))))
    if offer.seat == viewer.view.on_turn:
        found += _closing(viewer, offer)
    if may(WithdrawOffer(n)):
        found.append(Button(_("Withdraw {n}", n=n), Do(WithdrawOffer(n), bound=False)))
    return found


def _closing(viewer: Viewer, offer: OfferView) -> list[Button]:
    """The deal with whoever has accepted; among several the player on turn chooses in private."""
    n, partners = offer.id, list(bits(offer.accepted))
    if viewer.seat is not None:
        return [close(viewer, n, seat) for seat in partners if viewer.options.allows(CloseOffer(n, seat))]
    if len(partners) > 1:
        return [Button(_("Close deal {n}", n=n), Open("close", (str(n),)), Style.PRIMARY)]
    label = [_("Close {n} with {name}", n=n, name=viewer.names[seat]) for seat in partners]
    return [Button(text, Do(CloseOffer(n, seat)), Style.PRIMARY) for text, seat in zip(label, partners, strict=True)]


def close(viewer: Viewer, offer: int, seat: int) -> Button:
    """Closes an offer of one's own with a partner."""
    return Button(_("Close with {name}", name=viewer.names[seat]), Do(CloseOffer(offer, seat)), Style.PRIMARY)


def pings(view: View) -> list[Ping]:
    """Those whom an offer names, until they have answered; nobody where it is open to all."""
    found = []
    for offer in view.offers:
        if seats := _asked_by_name(view, offer):
            what = _("answer an offer: {give} for {want}", give=cards(offer.give), want=cards(offer.want))
            found.append(Ping(f"offer.{offer.id}", seats, what))
    return found


def _asked_by_name(view: View, offer: OfferView) -> tuple[int, ...]:
    all_others = everyone(view, offer.seat)
    if offer.to == all_others and all_others.bit_count() > 1 and offer.seat == view.on_turn:
        return ()
    return tuple(bits(offer.to & ~offer.accepted & ~offer.declined))
