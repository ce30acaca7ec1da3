"""What somebody has missed, in words: what all have done, what became of one's own cards, and how one stands now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import (
    cards,
    city_count,
    hex_text,
    listing,
    point_count,
    resource,
    road_count,
    settlement_count,
)
from engine import events as ev
from engine.events import Event
from engine.geometry import bits
from engine.resources import KNIGHT, NOTHING, Hand, hand, single
from engine.terms import Award
from engine.views import OfferView, PlayerView, View

Names = Sequence[str]

FEW, OFFERS = 10, 2
"""Rolls, and open offers, that are told one by one."""

_TAKEN = {
    Award.LONGEST_ROAD: N_("⚠️ {name} has taken the longest road from you."),
    Award.LARGEST_ARMY: N_("⚠️ {name} has taken the largest army from you."),
}
_LOST = {
    Award.LONGEST_ROAD: N_("⚠️ You have lost the longest road; nobody has it now."),
    Award.LARGEST_ARMY: N_("⚠️ You have lost the largest army; nobody has it now."),
}
_YOURS = {
    Award.LONGEST_ROAD: N_("🏆 You have the longest road now."),
    Award.LARGEST_ARMY: N_("🏆 You have the largest army now."),
}
_THEIRS = {
    Award.LONGEST_ROAD: N_("🏆 {name} has the longest road now."),
    Award.LARGEST_ARMY: N_("🏆 {name} has the largest army now."),
}

_DECIDED: Mapping[type[Event], str] = {
    ev.Rolled: N_("roll the dice"),
    ev.DiscardChosen: N_("discard"),
    ev.RobberMoved: N_("move the robber"),
    ev.CardTaken: N_("take a card"),
    ev.Built: N_("place your pieces"),
    ev.Produced: N_("choose your first cards"),
    ev.OfferAnswered: N_("decline an offer"),
    ev.Passed: N_("pass"),
    ev.TurnEnded: N_("end your turn"),
}
"""What is decided for who is late, by the event that follows; the cards are told among one's own."""


def all_have_done(then: View, now: View, events: Sequence[Event], names: Names) -> list[str]:
    """Sentences on the board, cards played and votes: "Built: Bob 1 city and 2 roads; Cy 1 settlement."."""
    pairs = list(zip(then.players, now.players, strict=True))
    built = [_with(names[new.seat], things) for old, new in pairs if (things := pieces(old, new))]
    buyers = [e.seat for e in events if isinstance(e, ev.CardBought)]
    bought = [_with(names[seat], buyers.count(seat)) for seat in sorted(set(buyers))]
    knights = [_with(names[new.seat], n) for old, new in pairs if (n := new.played[KNIGHT] - old.played[KNIGHT])]
    told = []
    if built:
        told.append(_("Built: {list}.", list="; ".join(built)))
    if bought:
        told.append(_("Development cards bought: {list}.", list=", ".join(bought)))
    if knights:
        told.append(_("Knights played: {list}.", list=", ".join(knights)))
    if now.robber not in (then.robber, -1):
        told.append(_("The robber is on {hex} now.", hex=hex_text(now.board, now.robber)))
    told += [_("{name} left the game.", name=names[new.seat]) for old, new in pairs if new.resigned > old.resigned]
    others = ~(0 if now.seat is None else 1 << now.seat)
    ending, off = now.end_votes & ~then.end_votes & others, now.call_off_votes & ~then.call_off_votes & others
    told += [_("{name} agrees to end the game and count the points.", name=names[seat]) for seat in bits(ending)]
    told += [_("{name} agrees to call the game off.", name=names[seat]) for seat in bits(off)]
    return told


def _with(name: str, what: object) -> str:
    return f"{name} {what}"


def pieces(old: PlayerView, new: PlayerView) -> str:
    """What a player has built between two views: "1 city and 2 roads"; or nothing."""
    cities = new.cities & ~old.cities
    settlements = (new.settlements | new.cities) & ~(old.settlements | old.cities)
    counted = (
        (cities, city_count),
        (settlements, settlement_count),
        (new.roads & ~old.roads, road_count),
    )
    return listing(count(mask.bit_count()) for mask, count in counted if mask) if any(m for m, _c in counted) else ""


def rolls(events: Iterable[Event]) -> str:
    """The sums that were rolled, if they are few: "🎲 8, 7 and 5"."""
    sums = [str(sum(e.dice)) for e in events if isinstance(e, ev.Rolled) and e.counted]
    return f"🎲 {', '.join(sums)}" if 0 < len(sums) <= FEW else ""


def own_cards(events: Sequence[Event], me: int, names: Names) -> list[str]:
    """Sentences on what came to a seat's hand, and what went from it."""
    told = []
    if any(made := _sum(e.cards for e in events if isinstance(e, ev.Produced) and e.seat == me)):
        told.append(_("You got {cards}.", cards=cards(made)))
    for thief in sorted({e.seat for e in events if isinstance(e, ev.CardTaken) and e.victim == me}):
        loot = _sum(single(e.card) for e in events if isinstance(e, ev.CardTaken) and (e.seat, e.victim) == (thief, me))
        told.append(_("🥷 {name} robbed you of {cards}.", name=names[thief], cards=cards(loot)))
    for e in events:
        match e:
            case ev.Monopolised() if lost := dict(e.taken).get(me):
                values = {"name": names[e.seat], "n": lost, "resource": resource(e.resource)}
                told.append(_("🃏 {name}'s monopoly took {n} {resource} from you.", **values))
            case ev.Traded() if me in (e.seat, e.partner):
                give, get, other = (e.give, e.get, e.partner) if e.seat == me else (e.get, e.give, e.seat)
                values = {"name": names[other], "give": cards(give), "get": cards(get)}
                told.append(_("🤝 You gave {give} to {name} for {get}.", **values))
            case ev.Discarded() if e.seat == me:
                told.append(_("You discarded {cards}.", cards=cards(e.cards)))
            case ev.CardTaken() if e.seat == me:
                told.append(_("You took {cards} from {victim}.", cards=cards(single(e.card)), victim=names[e.victim]))
    return told


def _sum(hands: Iterable[Hand]) -> Hand:
    return hand(map(sum, zip(NOTHING, *hands, strict=True)))


def own_standing(then: View, now: View, events: Sequence[Event], me: int, names: Names) -> list[str]:
    """Sentences on what was decided for a seat, on awards, and on who is ahead of it now."""
    told = _decided(events, me)
    for award, before, after in _awards(then, now):
        if before == me:
            told.append(_(_LOST[award]) if after is None else _(_TAKEN[award], name=names[after]))
        elif after == me:
            told.append(_(_YOURS[award]))
        elif after is not None:
            told.append(_(_THEIRS[award], name=names[after]))
    mine, new = _points(then.players[me]), _points(now.players[me])
    passed = [
        now.players[p.seat]
        for p in then.players
        if p.seat != me and _ahead(now, p.seat, new) > _ahead(then, p.seat, mine)
    ]
    for player in sorted(passed, key=lambda p: (-_points(p), p.seat)):
        points = point_count(_points(player))
        told.append(_("📈 {name} has passed you: {points} to your {n}.", name=names[player.seat], points=points, n=new))
    return told


def _decided(events: Sequence[Event], me: int) -> list[str]:
    """In how many turns a seat's time ran out, and what was done for it then."""
    turn, late, deeds = 0, set[int](), list[str]()
    for at, event in enumerate(events):
        turn += isinstance(event, ev.TurnBegan)
        if isinstance(event, ev.DecidedFor) and event.seat == me:
            late.add(turn)
            deeds += [_(_DECIDED[type(next_)]) for next_ in events[at + 1 : at + 2] if type(next_) in _DECIDED]
    if not deeds:
        return []
    what = listing(dict.fromkeys(deeds))
    if len(late) == 1:
        return [_("⌛ Your time ran out, so I did this for you: {deeds}.", deeds=what)]
    told = n_(
        "⌛ Your time ran out in {n} turn, so I did this for you: {deeds}.",
        "⌛ Your time ran out in {n} turns, so I did this for you: {deeds}.",
        len(late),
        deeds=what,
    )
    return [told]


def _points(player: PlayerView) -> int:
    """As the viewer knows them."""
    return player.points if player.all_points is None else player.all_points


def _ahead(view: View, seat: int, points: int) -> bool:
    return _points(view.players[seat]) > points


def _awards(then: View, now: View) -> list[tuple[Award, int | None, int | None]]:
    """The awards that somebody else has now."""
    pairs = (
        (Award.LONGEST_ROAD, then.longest_road, now.longest_road),
        (Award.LARGEST_ARMY, then.largest_army, now.largest_army),
    )
    return [found for found in pairs if found[1] != found[2]]


def standing(then: View, now: View, names: Names) -> list[str]:
    """Sentences on how all stand, for somebody who only looks on."""
    told = [_(_THEIRS[award], name=names[after]) for award, _before, after in _awards(then, now) if after is not None]
    parts = []
    for old, new in zip(then.players, now.players, strict=True):
        gain = _points(new) - _points(old)
        parts.append((-_points(new), f"{names[new.seat]} {_points(new)}" + (f" ({gain:+})" if gain else "")))
    return [*told, _("Points: {list}.", list=", ".join(text for _n, text in sorted(parts)))]


def offers(found: Sequence[OfferView], gone: int, names: Names) -> list[str]:
    """Sentences on offers to the reader: those that are open, and how many came and went."""
    told = [
        _("📨 {name} offers you {give} for {want}.", name=names[o.seat], give=cards(o.give), want=cards(o.want))
        for o in found[:OFFERS]
    ]
    if (more := len(found) - OFFERS) > 0:
        told.append(n_("{n} more offer waits for your answer.", "{n} more offers wait for your answer.", more))
    if gone:
        told.append(n_("{n} offer to you came and went.", "{n} offers to you came and went.", gone))
    return told
