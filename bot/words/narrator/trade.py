"""What is said about trades: with the bank, offers, and what becomes of offers."""

from __future__ import annotations

from collections.abc import Iterable

from bot.words.language import N_, _
from bot.words.marks import cards
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.events import Event
from engine.views import View


def _offered(event: ev.OfferMade, reader: Reader, values: Values) -> str:
    if event.answers >= 0:
        return _("{name} countered: {give} for {want} to {to} (offer {offer}).", **values)
    return _("{name} offered {give} for {want} to {to} (offer {offer}).", **values)


def _no_deal(event: ev.OfferMade, reader: Reader, values: Values) -> str:
    if event.answers >= 0:
        return _("{name} countered: {give} for {want} to {to}, no deal.", **values)
    return _("{name} offered {give} for {want} to {to}: no deal.", **values)


def _to(event: ev.OfferMade, reader: Reader) -> Values:
    others = {p.seat for p in reader.view.players if p.seat != event.seat and not p.resigned}
    return {"to": reader.who(event.to) if event.to and not others <= {*event.to} else _("everyone")}


def _you_gave(event: ev.Traded, reader: Reader, values: Values) -> str:
    give, get, other = event.give, event.get, event.partner
    if other == reader.view.seat:
        give, get, other = event.get, event.give, event.seat
    elif event.seat != reader.view.seat:
        return ""
    return _("🤝 You gave {give} to {name} for {get}.", name=reader.names[other], give=cards(give), get=cards(get))


def kept(events: Iterable[Event], view: View) -> set[int]:
    """Ids of the offers that are still open or became trades."""
    found, made = {offer.id for offer in view.offers}, dict[int, ev.OfferMade]()
    for e in events:
        if isinstance(e, ev.OfferMade):
            made[e.offer] = e
        elif isinstance(e, ev.Traded):
            sides = ((e.seat, e.give, e.get), (e.partner, e.get, e.give))
            found |= {id_ for id_, offer in made.items() if (offer.seat, offer.give, offer.want) in sides}
    return found


EVENTS: Tellings = {
    ev.BankTraded: Telling(N_("{name} gave the bank {give} for {get}.")),
    ev.OfferMade: Telling(_offered, story=_no_deal, log="", more=_to),
    ev.OfferAnswered: Telling(
        either("accepted", N_("{name} accepts offer {offer}."), N_("{name} declines offer {offer}.")),
        story="",
        decided=N_("declined an offer"),
    ),
    ev.OfferWithdrawn: Telling(N_("{name} canceled offer {offer}."), story=""),
    ev.Traded: Telling(N_("🤝 {name} gave {give} to {partner} for {get}."), missed=_you_gave),
    ev.TradeEnded: Telling(N_("{name} goes on to build.")),
}
