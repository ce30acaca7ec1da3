"""Offers that their maker can no longer keep. Only the maker learns that; for all others they stay open (E3)."""

from __future__ import annotations

from bot.words.language import _
from bot.words.marks import cards
from engine.resources import NOTHING, Hand, hand
from engine.views import OfferView, View


def lacking(view: View, offer: OfferView) -> Hand:
    """What the viewer lacks to keep an offer; nothing for another player's offer."""
    if offer.seat != view.seat:
        return NOTHING
    held = view.players[view.seat].hand or NOTHING
    return hand(max(0, n - h) for n, h in zip(offer.give, held, strict=True))


def unkept(view: View) -> list[str]:
    """A line for each open offer of the viewer that they can't keep now."""
    return [line for offer in view.offers if (line := unkept_line(view, offer))]


def unkept_line(view: View, offer: OfferView) -> str:
    """The line for one offer; empty if it can be kept or is another player's."""
    missing = lacking(view, offer)
    if not any(missing):
        return ""
    return _("⚠️ You can't keep your offer {n} anymore: missing {cards}.", n=offer.id, cards=cards(missing))
