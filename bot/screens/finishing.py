"""The private question before a turn ends, in case its player overlooked something; no one else notices it."""

from __future__ import annotations

from bot.screens import offers
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.marks import cards, listing
from bot.words.promises import lacking
from bot.words.purchases import purchases
from engine.actions import (
    AcceptOffer,
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    EndTrade,
    EndTurn,
)
from engine.geometry import bits
from engine.rules import data_of
from engine.views import OfferView

_BUILDING = (BuildRoad, BuildBridge, BuildSettlement, BuildCity, BuyCard)


def question(viewer: Viewer, action: EndTurn | EndTrade) -> Reply | None:
    """Ask for confirmation if the player could still trade; None if there is nothing to ask.

    That is: someone accepted an offer of theirs that they can keep, or hasn't answered it yet, or made an offer that
    they could accept. Before the end of a turn also: a seven would cost them cards (D4), and they can still use some.
    """
    if not viewer.options.allows(action):
        return None
    mine = [o for o in viewer.view.offers if o.seat == viewer.seat and not any(lacking(viewer.view, o))]
    lines = [line for line in (_offer(viewer, offer) for offer in mine) if line]
    lines += [_counter(viewer, offer) for offer in viewer.view.offers if viewer.options.allows(AcceptOffer(offer.id))]
    if isinstance(action, EndTurn):
        title, end = _("**End your turn?**"), Button(_("End turn"), Open("finish", bound=True), emoji="⏭️")
        lines += filter(None, [_cards(viewer)])
    else:
        title = _("**Go on to build?** Your offers end then.")
        end = Button(_("Go on to build"), Open("finish", ("trade",), bound=True), emoji="🏗️")
    if not lines:
        return None
    buttons = [
        offers.close(viewer, offer.id, seat, several=len(mine) > 1)
        for offer in mine
        for seat in bits(offer.accepted)
        if viewer.options.allows(CloseOffer(offer.id, seat))
    ]
    controls = rows([*buttons, end, Button(_("Back"), Open("dismiss"))])
    return Reply("\n".join([title, *lines]), rows=controls, decision=viewer.decision)


def _offer(viewer: Viewer, offer: OfferView) -> str:
    """Who has accepted an offer, or else who hasn't answered it yet; empty if all declined."""
    values = {"n": offer.id, "give": cards(offer.give), "want": cards(offer.want)}
    waiting = offer.to & ~offer.accepted & ~offer.declined
    if offer.accepted:
        who = listing(viewer.marked[seat] for seat in bits(offer.accepted))
        return _("🤝 {who} accepted your offer {n}: you give {give} and get {want}.", who=who, **values)
    if waiting:
        who = listing((viewer.marked[seat] for seat in bits(waiting)), "or")
        return _("⏳ No answer yet from {who} to your offer {n}: {give} for {want}.", who=who, **values)
    return ""


def _counter(viewer: Viewer, offer: OfferView) -> str:
    """Another player's offer, which also ends with the trade."""
    values = {"n": offer.id, "give": cards(offer.give), "want": cards(offer.want)}
    return _(
        "📨 {who} gives {give} for {want}: you haven't answered offer {n}.", who=viewer.marked[offer.seat], **values
    )


def _cards(viewer: Viewer) -> str:
    """What a seven would cost, and what the cards are still good for; empty if nothing."""
    held = viewer.view.players[viewer.my_seat].hand_size
    if held <= data_of(viewer.view.config).discard_limit:
        return ""
    builds = any(action in viewer.options for action in _BUILDING)
    builds = builds or (EndTrade in viewer.options and any(p.possible for p in purchases(viewer.view)))
    values = {"held": held, "lost": held // 2}
    if builds and BankTrade in viewer.options:
        return _(
            "🗑️ You hold {held} cards (a 7 costs you {lost}). You can still build or trade with the bank.",
            **values,
        )
    if builds:
        return _("🗑️ You hold {held} cards (a 7 costs you {lost}). You can still build or buy.", **values)
    if BankTrade in viewer.options:
        return _("🗑️ You hold {held} cards (a 7 costs you {lost}). You can still trade with the bank.", **values)
    return ""
