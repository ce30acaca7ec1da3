"""Offers that their maker can no longer keep: only the maker may know, for all others they are open as ever (E3)."""

from __future__ import annotations

from bot.words.language import _
from bot.words.marks import cards
from engine.resources import NOTHING, Hand, hand
from engine.views import OfferView, View


def lacking(view: View, offer: OfferView) -> Hand:
    """What the viewer lacks to keep an offer; nothing for another's."""
    if offer.seat != view.seat:
        return NOTHING
    held = view.players[view.seat].hand or NOTHING
    return hand(max(0, n - h) for n, h in zip(offer.give, held, strict=True))


def unkept(view: View) -> list[str]:
    """A line for each open offer of the viewer's that they can't keep now."""
    return [line for offer in view.offers if (line := unkept_line(view, offer))]


def unkept_line(view: View, offer: OfferView) -> str:
    """The line for one offer; empty for one that can be kept, or is another's."""
    missing = lacking(view, offer)
    if not any(missing):
        return ""
    return _("⚠️ You can't keep your offer {n} anymore: missing {cards}.", n=offer.id, cards=cards(missing))
