"""What is said about cards: the robber, where it goes, what it steals, and who can answer; development cards and their
effects; trades and offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.words.language import N_, _, enumeration
from bot.words.marks import CARD_TITLES, cards, count
from bot.words.narrator.building import in_a_row
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.events import Event
from engine.resources import KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY, single, total
from engine.views import View

_MOVED = (
    N_("{name} moved the robber to {hex}."),
    N_("{name} moved the robber to {hex} and stole a card from {victim}."),
    N_("{name} moved the robber to {hex} and stole {cards} from {victim}."),
    N_("{name} moved the robber to {hex} and stole nothing."),
)
BY_KNIGHT = (
    N_("⚔️ {name} played a knight and moved the robber to {hex}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole a card from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole {cards} from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole nothing."),
)


def stays(event: ev.RobberMoved) -> bool:
    """Whether the robber stays where it was (L5)."""
    return event.hex == event.origin


def _moved(event: ev.RobberMoved, reader: Reader, values: Values) -> str:
    if event.hex < 0:
        return _("{name} left the robber off the board.", **values)
    if stays(event):
        return _("{name} left the robber at {hex}.", **values)
    return _("{name} moved the robber to {hex}.", **values)


def _moved_and_took(event: ev.RobberMoved, reader: Reader, values: Values) -> str:
    if not stays(event):
        return with_loot(_MOVED, event, reader)
    reader.take(ev.NothingTaken, lambda e: e.seat == event.seat)
    return _moved(event, reader, values)


def with_loot(messages: Sequence[str], event: ev.RobberMoved, reader: Reader) -> str:
    """The robber's move and what was stolen, by one of four messages."""
    alone, took_card, took_cards, took_none = messages
    values = reader.values(event)
    if taken := reader.take(ev.CardTaken, lambda e: e.seat == event.seat):
        values |= reader.values(taken) | _stolen(taken, reader)
        message = took_cards if "cards" in values else took_card
        return _(message, **values)
    nothing = reader.take(ev.NothingTaken, lambda e: e.seat == event.seat)
    return _(took_none if nothing else alone, **values)


def _stolen(event: ev.CardTaken, reader: Reader) -> Values:
    """What was stolen, if the reader can know it (G3)."""
    return {"cards": cards(single(event.card))} if isinstance(event.card, int) else {}


def _taken(event: ev.CardTaken, reader: Reader, values: Values) -> str:
    if "cards" not in values:
        return _("{name} stole a card from {victim}.", **values)
    return _("{name} stole {cards} from {victim}.", **values)


def _own_taken(event: ev.CardTaken, reader: Reader, values: Values) -> str:
    if "cards" in values and reader.view.seat in (event.seat, event.victim):
        by_you = event.seat == reader.view.seat
        return _(N_("You stole {cards} from {victim}.") if by_you else N_("{name} stole {cards} from you."), **values)
    return _taken(event, reader, values)


def _robbed(events: Sequence[ev.CardTaken], reader: Reader) -> list[str]:
    mine = [e for e in events if e.victim == reader.view.seat]
    lost = {thief: total(single(e.card) for e in mine if e.seat == thief) for thief in sorted({e.seat for e in mine})}
    message = N_("🥷 {name} stole {cards} from you.")
    return [_(message, name=reader.names[thief], cards=cards(loot)) for thief, loot in lost.items()]


# --- development cards

_PLAYED = (
    N_("{name} played a knight."),
    N_("{name} played Road Building."),
    N_("{name} played Year of Plenty."),
    N_("{name} played Monopoly."),
    N_("{name} played a Victory Point."),
)
_WITHOUT_EFFECT = (
    N_("⚔️ {name} played a knight."),
    N_("🃏 {name} played Road Building."),
    N_("🃏 {name} played Year of Plenty."),
    N_("🃏 {name} played Monopoly."),
    N_("🃏 {name} played a Victory Point."),
)


def _with_effect(event: ev.CardPlayed, reader: Reader, values: Values) -> str:
    robber = reader.take(ev.RobberMoved, lambda e: e.seat == event.seat and not stays(e) and event.card == KNIGHT)
    if robber:
        return with_loot(BY_KNIGHT, robber, reader)
    if plenty := reader.take(ev.PlentyTaken, lambda e: event.card == YEAR_OF_PLENTY):
        return _("🃏 {name} played Year of Plenty: {cards} from the bank.", **reader.values(plenty))
    if monopoly := reader.take(ev.Monopolised, lambda e: event.card == MONOPOLY):
        return _took_all_by_card(monopoly, reader, reader.values(monopoly) | _monopoly_loot(monopoly, reader))
    if free := reader.take(ev.Built, lambda e: e.free and event.card == ROAD_BUILDING):
        return _("🃏 {name} played Road Building: {pieces}.", **values, pieces=in_a_row(free, reader))
    return _(_WITHOUT_EFFECT[event.card], **values)


_took_all_by_card = either(
    "taken",
    N_("🃏 {name} played Monopoly and took all {resource}: {total} ({parts})."),
    N_("🃏 {name} played Monopoly and took all {resource}: no one had any."),
)


def _monopoly_loot(event: ev.Monopolised, reader: Reader) -> Values:
    parts = (_("{n} from {name}", n=n, name=reader.names[seat]) for seat, n in event.taken)
    return {"total": sum(n for _seat, n in event.taken), "parts": enumeration(parts)}


def _lost_to_monopoly(event: ev.Monopolised, reader: Reader, values: Values) -> str:
    lost = sum(n for seat, n in event.taken if seat == reader.view.seat)
    taken = count(event.resource, lost, sign=True)
    return _("🃏 {name}'s Monopoly took {cards} from you.", name=values["name"], cards=taken) if lost else ""


def _bought(event: ev.CardBought, reader: Reader, values: Values) -> str:
    if not isinstance(event.card, int):
        return _("{name} bought a development card.", **values)
    return _("{name} bought a development card ({card}).", **values, card=_(CARD_TITLES[event.card]))


def _own_bought(event: ev.CardBought, reader: Reader, values: Values) -> str:
    if not isinstance(event.card, int) or event.seat != reader.view.seat:
        return _bought(event, reader, values)
    return _("You bought a development card: **{card}**.", card=_(CARD_TITLES[event.card]))


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
    ev.RobberMoved: Telling(
        _moved, story=_moved_and_took, alt=N_("The robber has just moved."), decided=N_("moved the robber")
    ),
    ev.CardTaken: Telling(
        _taken,
        own=_own_taken,
        while_away=lambda e, reader, values: _own_taken(e, reader, values) if e.seat == reader.view.seat else "",
        all_while_away=_robbed,
        more=_stolen,
        decided=N_("stole a card"),
    ),
    ev.NothingTaken: Telling(N_("{name} stole nothing.")),
    ev.InterruptOpened: Telling(N_("Anyone can answer {name}'s robber with a knight."), story=""),
    ev.InterruptPassed: Telling(N_("No one answered with a knight."), story=""),
    ev.CardBought: Telling(_bought, own=_own_bought),
    ev.CardPlayed: Telling(lambda e, reader, values: _(_PLAYED[e.card], **values), story=_with_effect),
    ev.PlentyTaken: Telling(N_("{name} took {cards} from the bank.")),
    ev.Monopolised: Telling(
        either(
            "taken",
            N_("{name} took all {resource}: {total} ({parts})."),
            N_("{name} took all {resource}: no one had any."),
        ),
        while_away=_lost_to_monopoly,
        more=_monopoly_loot,
    ),
    ev.BankTraded: Telling(N_("{name} gave the bank {give} for {get}.")),
    ev.OfferMade: Telling(_offered, story=_no_deal, log="", more=_to),
    ev.OfferAnswered: Telling(
        either("accepted", N_("{name} accepts offer {offer}."), N_("{name} declines offer {offer}.")),
        story="",
        decided=N_("declined an offer"),
    ),
    ev.OfferWithdrawn: Telling(N_("{name} canceled offer {offer}."), story=""),
    ev.Traded: Telling(N_("🤝 {name} gave {give} to {partner} for {get}."), while_away=_you_gave),
    ev.TradeEnded: Telling(N_("{name} goes on to build.")),
}
