"""What a reader has missed, in words: what all have done, what happened to their cards, and how they stand now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.words.language import N_, _, enumeration, n_, series
from bot.words.marks import cards, city_count, hex_sign, listing, point_count, road_count, settlement_count
from bot.words.narrator import TELLINGS, line, render
from bot.words.narrator.table import awards_since
from bot.words.narrator.telling import Reader
from engine import events as ev
from engine.events import Event
from engine.geometry import bits
from engine.resources import KNIGHT
from engine.views import OfferView, PlayerView, View

FEW, OFFERS = 10, 2
"""Maximum number of rolls, and of open offers, that are listed one by one."""


def all_have_done(then: View, events: Sequence[Event], reader: Reader) -> list[str]:
    """Sentences on the board, cards played and votes: "Built: Bob 1 city and 2 roads; Cy 1 settlement."."""
    now, names, buyers = reader.view, reader.names, [e.seat for e in events if isinstance(e, ev.CardBought)]
    pairs = list(zip(then.players, now.players, strict=True))
    built = [f"{names[new.seat]} {things}" for old, new in pairs if (things := pieces(old, new))]
    bought = [f"{names[seat]} {buyers.count(seat)}" for seat in sorted(set(buyers))]
    knights = [f"{names[new.seat]} {n}" for old, new in pairs if (n := new.played[KNIGHT] - old.played[KNIGHT])]
    lists = (
        (N_("Built: {list}."), series(built)),
        (N_("Development cards bought: {list}."), enumeration(bought)),
        (N_("Knights played: {list}."), enumeration(knights)),
    )
    lines = [_(message, list=listed) for message, listed in lists if listed]
    if now.robber not in (then.robber, -1):
        lines.append(_("The robber is on {hex} now.", hex=hex_sign(now.board, now.robber)))
    others = ~(0 if now.seat is None else 1 << now.seat)
    left = [ev.Resigned(new.seat) for old, new in pairs if new.resigned > old.resigned]
    end_votes = [ev.EndAgreed(seat, True) for seat in bits(now.end_votes & ~then.end_votes & others)]
    void_votes = [ev.CallOffAgreed(seat, True) for seat in bits(now.call_off_votes & ~then.call_off_votes & others)]
    return lines + [line(event, now, names) for event in (*left, *end_votes, *void_votes)]


def pieces(old: PlayerView, new: PlayerView) -> str:
    """What a player has built between two views: "1 city and 2 roads"; or ""."""
    counted = (
        (new.cities & ~old.cities, city_count),
        ((new.settlements | new.cities) & ~(old.settlements | old.cities), settlement_count),
        (new.roads & ~old.roads, road_count),
    )
    return listing(found) if (found := [count(mask.bit_count()) for mask, count in counted if mask]) else ""


def rolls(events: Iterable[Event]) -> str:
    """The sums that were rolled, if there are only a few: "🎲 8, 7 and 5"."""
    sums = [str(sum(e.dice)) for e in events if isinstance(e, ev.Rolled) and e.counted]
    return f"🎲 {', '.join(sums)}" if 0 < len(sums) <= FEW else ""


def own_cards(events: Sequence[Event], reader: Reader) -> list[str]:
    """Sentences on what came to the reader's hand, and what left it."""
    lines = list[str]()
    for kind, telling in TELLINGS.items():
        lines += telling.missed_in_all([e for e in events if type(e) is kind], reader)
    return [*lines, *filter(None, (render(event, reader, lambda telling: telling.missed) for event in events))]


def own_standing(then: View, events: Sequence[Event], me: int, reader: Reader) -> list[str]:
    """Sentences on what was decided for a seat, on awards, and on players who have passed it."""
    pairs = list(zip(then.players, reader.view.players, strict=True))
    mine, new = map(_points, pairs[me])
    passed = [player for old, player in pairs if _points(player) > new and _points(old) <= mine]
    message = N_("📈 {name} has passed you: {points} to your {n}.")
    ahead = [
        _(message, name=reader.names[player.seat], points=point_count(_points(player)), n=new)
        for player in sorted(passed, key=lambda player: (-_points(player), player.seat))
    ]
    return [*_decided(events, me), *awards_since(then, reader), *ahead]


def _decided(events: Sequence[Event], me: int) -> list[str]:
    """In how many turns a seat's time ran out, and what was done for it then, as a sentence."""
    turn, late, deeds = 0, set[int](), list[str]()
    for at, event in enumerate(events):
        turn += isinstance(event, ev.TurnEnded)
        if isinstance(event, ev.DecidedFor) and event.seat == me:
            late.add(turn)
            deeds += [TELLINGS[type(next_)].decided for next_ in events[at + 1 : at + 2]]
    if not any(deeds):
        return []
    what = listing(dict.fromkeys(_(deed) for deed in deeds if deed))
    if len(late) == 1:
        return [_("⌛ You ran out of time. Done for you: {deeds}.", deeds=what)]
    text = n_(
        "⌛ You ran out of time in {n} turn. Done for you: {deeds}.",
        "⌛ You ran out of time in {n} turns. Done for you: {deeds}.",
        len(late),
        deeds=what,
    )
    return [text]


def _points(player: PlayerView) -> int:
    """A player's points, as far as the viewer knows them."""
    return player.points if player.all_points is None else player.all_points


def standing(then: View, reader: Reader) -> list[str]:
    """Sentences on how all players stand, for an onlooker."""
    parts = []
    for old, new in zip(then.players, reader.view.players, strict=True):
        gain = _points(new) - _points(old)
        parts.append((-_points(new), f"{reader.names[new.seat]} {_points(new)}" + (f" ({gain:+})" if gain else "")))
    points = _("Points: {list}.", list=enumeration(text for _n, text in sorted(parts)))
    return [*awards_since(then, reader), points]


def offers(open_offers: Sequence[OfferView], gone: int, names: Sequence[str]) -> list[str]:
    """Sentences on offers to the reader: the open ones, and how many came and went."""
    lines = [
        _("📨 {name} offers you {give} for {want}.", name=names[o.seat], give=cards(o.give), want=cards(o.want))
        for o in open_offers[:OFFERS]
    ]
    if (more := len(open_offers) - OFFERS) > 0:
        lines.append(n_("{n} more offer waits for your answer.", "{n} more offers wait for your answer.", more))
    if gone:
        lines.append(n_("{n} offer to you expired.", "{n} offers to you expired.", gone))
    return lines
