"""What is said about development cards and their effects."""

from __future__ import annotations

from bot.words.language import N_, _, enumeration
from bot.words.marks import CARD_TITLES
from bot.words.narrator.building import in_a_row
from bot.words.narrator.robber import BY_KNIGHT, stays, with_loot
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.resources import KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY

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
        return _took_all_by_card(monopoly, reader, reader.values(monopoly) | _loot(monopoly, reader))
    if free := reader.take(ev.Built, lambda e: e.free and event.card == ROAD_BUILDING):
        return _("🃏 {name} played Road Building: {pieces}.", **values, pieces=in_a_row(free, reader))
    return _(_WITHOUT_EFFECT[event.card], **values)


_took_all_by_card = either(
    "taken",
    N_("🃏 {name} played Monopoly and took all {resource}: {total} ({parts})."),
    N_("🃏 {name} played Monopoly and took all {resource}: no one had any."),
)


def _loot(event: ev.Monopolised, reader: Reader) -> Values:
    parts = (_("{n} from {name}", n=n, name=reader.names[seat]) for seat, n in event.taken)
    return {"total": sum(n for _seat, n in event.taken), "parts": enumeration(parts)}


def _lost_to_monopoly(event: ev.Monopolised, reader: Reader, values: Values) -> str:
    lost = sum(n for seat, n in event.taken if seat == reader.view.seat)
    return _("🃏 {name}'s Monopoly took {n} {resource} from you.", **values, n=lost) if lost else ""


def _bought(event: ev.CardBought, reader: Reader, values: Values) -> str:
    if not isinstance(event.card, int):
        return _("{name} bought a development card.", **values)
    return _("{name} bought a development card ({card}).", **values, card=_(CARD_TITLES[event.card]))


def _own_bought(event: ev.CardBought, reader: Reader, values: Values) -> str:
    if not isinstance(event.card, int) or event.seat != reader.view.seat:
        return _bought(event, reader, values)
    return _("You bought a development card: **{card}**.", card=_(CARD_TITLES[event.card]))


EVENTS: Tellings = {
    ev.CardBought: Telling(_bought, own=_own_bought),
    ev.CardPlayed: Telling(lambda e, reader, values: _(_PLAYED[e.card], **values), story=_with_effect),
    ev.PlentyTaken: Telling(N_("{name} took {cards} from the bank.")),
    ev.Monopolised: Telling(
        either(
            "taken",
            N_("{name} took all {resource}: {total} ({parts})."),
            N_("{name} took all {resource}: no one had any."),
        ),
        missed=_lost_to_monopoly,
        more=_loot,
    ),
}
