"""What can be counted of hands. What players get, pay, trade and discard is public, and offers show what they hold.
Only the card that the robber takes is unknown (G3). So there are few ways in which the cards can be distributed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine import events as ev
from engine.bounds import MANY, Bounds, Change, Hands
from engine.codec import Secret
from engine.data import Data
from engine.domains import Random
from engine.resources import NOTHING, Hand, covers, hand, single
from engine.terms import Piece
from engine.values import value

Deals = dict[Hands, float]
"""The ways in which the cards can be distributed, each with its relative likelihood."""
Fact = tuple[Change, ...] | ev.CardTaken
"""What an event shows or moves: changes of some seats, or a robbery."""

MOST_DEALS = 5_000
"""With more ways than this, only bounds are kept."""
WORK = 50_000
"""Listing the ways again is given up when it has gone through so many; then it waits for bounds that leave few ways."""
FEW = 500
"""So many ways within bounds are few."""


@value
class Counted:
    """A hand as far as it can be counted, by resource: at least, at most, and on average."""

    least: Hand
    most: Hand
    expected: tuple[float, ...]


@value
class Counts:
    """The ways in which the cards can be distributed, by what a seat or an onlooker knows. Hands of seats that have
    chosen their discard still include it (D4)."""

    distributions: tuple[tuple[Hands, float], ...]
    """Each way with its relative likelihood; empty if there are too many."""
    bounds: Bounds | None = None
    """What is known instead if there are too many."""

    def deal(self, rng: Random) -> Hands:
        """Pick one of the ways at random, by likelihood as far as that is known."""
        if self.bounds is not None:
            return self.bounds.deal(rng)
        ways, at = [likely for _, likely in self.distributions], 0
        left = rng.random() * sum(ways)
        while at + 1 < len(ways) and left >= ways[at]:
            left -= ways[at]
            at += 1
        return self.distributions[at][0]

    def of(self, seat: int, size: int) -> Counted:
        """Another seat's hand of `size` cards. While its discard is secret, the counted hands are larger than that."""
        kinds = range(5)
        if self.bounds is not None:
            held, mean = self.bounds.sizes[seat], self.bounds.expected(seat)
            least, most = self.bounds.least[seat], self.bounds.most[seat]
        else:
            hands = [(hands[seat], likely) for hands, likely in self.distributions]
            held, total = sum(hands[0][0]), sum([likely for _, likely in hands])
            mean = tuple([sum([cards[r] * likely for cards, likely in hands]) / total for r in kinds])
            least = hand([min([cards[r] for cards, _ in hands]) for r in kinds])
            most = hand([max([cards[r] for cards, _ in hands]) for r in kinds])
        share = size / held if size else 0.0
        return Counted(
            hand([max(0, n - held + size) for n in least]),
            hand([min(size, n) for n in most]),
            tuple([n * share for n in mean]),
        )


class Tally:
    """Keeps the counts of each viewer during a game."""

    __slots__ = ("_asked", "_known", "data", "facts", "start")

    def __init__(self, data: Data, start: Hands) -> None:
        """`start`: the hands when counting begins, which all know."""
        self.data = data
        self.start = start
        self.facts: list[Fact] = []
        self._asked: dict[int, Hand] = {}
        """What each offer asks for, by its id."""
        self._known: dict[int | None, tuple[int, Deals | Lost]] = {}
        """By viewer: what they know after so many facts."""

    def note(self, events: Iterable[ev.Event]) -> None:
        """Note further events."""
        for event in events:
            if isinstance(event, ev.CardTaken):
                self.facts.append(event)
            elif changes := self._changes(event):
                self.facts.append(changes)

    def take_back(self, events: Iterable[ev.Event]) -> None:
        """Note that the events of an action were undone: the cards are back, but they have been seen."""
        for event in reversed([*events]):
            if changes := self._changes(event):
                self.facts.append(tuple([_got(change.seat, _less(NOTHING, change.extra)) for change in changes]))

    def copy(self) -> Tally:
        """An independent copy."""
        twin = Tally(self.data, self.start)
        twin.facts, twin._asked, twin._known = self.facts[:], self._asked.copy(), self._known.copy()
        return twin

    def counts(self, viewer: int | None) -> Counts:
        """What a seat or an onlooker (None) can count from what they have seen."""
        at, known = self._known.get(viewer, (0, {self.start: 1.0}))
        if at < len(self.facts):
            for fact in self.facts[at:]:
                known = after(known, fact, viewer)
            self._known[viewer] = len(self.facts), known
        return Counts((), known.bounds) if isinstance(known, Lost) else Counts(tuple(known.items()))

    def _changes(self, event: ev.Event) -> tuple[Change, ...]:
        """What an event shows of hands, and how it changes them, at most once for each seat."""
        data = self.data
        match event:
            case ev.Produced() | ev.PlentyTaken():
                return (_got(event.seat, event.cards),)
            case ev.Built(free=False):
                return (_paid(event.seat, _price(event.piece, data)),)
            case ev.CardBought():
                return (_paid(event.seat, data.card_cost),)
            case ev.BankTraded():
                return (_paid(event.seat, event.give, event.get),)
            case ev.Traded():
                return (_paid(event.seat, event.give, event.get), _paid(event.partner, event.get, event.give))
            case ev.Discarded() | ev.Resigned():
                return (_paid(event.seat, event.cards),)
            case ev.Monopolised():
                taken, resource = dict(event.taken), event.resource
                others = [seat for seat in range(len(self.start)) if seat != event.seat]
                lost = [_all_of(resource, seat, taken.get(seat, 0)) for seat in others]
                return (_got(event.seat, single(resource, sum(taken.values()))), *lost)
            case ev.OfferMade():  # players who can't pay can neither make an offer nor accept one (E3)
                self._asked[event.offer] = event.want
                return (_held(event.seat, event.give),)
            case ev.OfferAnswered(accepted=True):
                return (_held(event.seat, self._asked[event.offer]),)
        return ()


class Past(NamedTuple):
    """A fact since there were too many ways, linked to the one before it."""

    before: Past | None
    fact: Fact
    changes: Sequence[Change]
    """What it changed, by what the viewer knows."""
    bounds: Bounds
    """The bounds before it."""


class Lost(NamedTuple):
    """Too many ways: the last ones that were listed, what happened since, and the bounds now."""

    deals: Deals
    past: Past
    bounds: Bounds
    again: int
    """Listing the ways is tried again when the bounds' spread is less than this."""


def after(known: Deals | Lost, fact: Fact, viewer: int | None) -> Deals | Lost:
    """What a viewer knows after a further fact."""
    if isinstance(known, Lost):
        changes = _seen_changes(fact, viewer, known.bounds)
        past = Past(known.past, fact, changes, known.bounds)
        return _listed(known._replace(past=past, bounds=known.bounds.after(changes)), viewer)
    found = _after(known, fact, viewer)
    if len(found) <= MOST_DEALS:
        return found
    before, bounds = Bounds.of(known), Bounds.of(found)
    return Lost(known, Past(None, fact, _seen_changes(fact, viewer, before), before), bounds, bounds.spread)


def _listed(lost: Lost, viewer: int | None) -> Deals | Lost:
    """The ways, if it is worth a try and there are no longer too many."""
    spread = lost.bounds.spread
    if spread >= lost.again:
        return lost
    found = _relisted(lost, viewer)
    if found is None and (few := lost.bounds.ways(min(FEW, MOST_DEALS))) is not None:
        found = dict.fromkeys(few, 1.0)
    return lost._replace(again=spread * 3 // 4) if found is None else found


def _relisted(lost: Lost, viewer: int | None) -> Deals | None:
    """The ways, listed again from when there were few. What became known later leaves out most of them. None if there
    are still too many, or if it takes too long."""
    facts, bounds = [], lost.bounds
    past: Past | None = lost.past
    while past is not None:
        facts.append((past.fact, [change.seat for change in past.changes], bounds))
        bounds = bounds.before(past.changes, past.bounds)
        past = past.before
    seats = range(len(bounds.sizes))
    deals = {hands: likely for hands, likely in lost.deals.items() if bounds.fits(hands, seats)}
    work = 0
    for fact, moved, bounds in reversed(facts):
        found = _after(deals, fact, viewer)
        deals = {hands: likely for hands, likely in found.items() if bounds.fits(hands, moved)}
        work += len(found)
        if work > WORK:
            return None
    return deals if len(deals) <= MOST_DEALS else None


def _seen_changes(fact: Fact, viewer: int | None, bounds: Bounds) -> Sequence[Change]:
    """A fact as changes, by what a viewer knows of it."""
    if not isinstance(fact, ev.CardTaken):
        return fact
    card = _seen_by(viewer, fact)
    if card is not None:
        return (_paid(fact.victim, single(card)), _got(fact.seat, single(card)))
    some = hand([min(1, n) for n in bounds.most[fact.victim]])
    return (
        Change(fact.victim, NOTHING, _less(NOTHING, some), NOTHING, -1),
        Change(fact.seat, NOTHING, NOTHING, some, 1),
    )


def _after(deals: Deals, fact: Fact, viewer: int | None) -> Deals:
    """The ways after a further fact."""
    if isinstance(fact, ev.CardTaken):
        return _robbed(deals, fact, viewer)
    for change in fact:
        deals = _changed(deals, change)
    return deals


def _robbed(deals: Deals, event: ev.CardTaken, viewer: int | None) -> Deals:
    """The ways after a robbery. To all but thief and victim, each of the victim's cards is equally likely (G2)."""
    seat, victim, card = event.seat, event.victim, _seen_by(viewer, event)
    found: Deals = {}
    for hands, likely in deals.items():
        held, got = hands[victim], hands[seat]
        share = likely / sum(held)
        for r in range(5) if card is None else (card,):
            if n := held[r]:
                way = [*hands]
                way[victim], way[seat] = _less(held, _ONE[r]), _less(got, _LOST[r])
                moved = tuple(way)
                found[moved] = found.get(moved, 0.0) + share * n
    return found


def _seen_by(viewer: int | None, event: ev.CardTaken) -> int | None:
    """The card that was taken, if the viewer knows it."""
    card: int | None = event.card.for_seat(viewer) if isinstance(event.card, Secret) else event.card
    return card


def _changed(deals: Deals, change: Change) -> Deals:
    """The ways after a change; those that it doesn't fit are gone. Different ways stay different."""
    seat, (b, lu, w, g, o), (more_b, more_lu, more_w, more_g, more_o), _, _, most = change
    limited = most != MANY
    found: Deals = {}
    for hands, likely in deals.items():
        brick, lumber, wool, grain, ore = held = hands[seat]
        if brick < b or lumber < lu or wool < w or grain < g or ore < o:
            continue
        if limited and not covers(most, held):
            continue
        new = (brick + more_b, lumber + more_lu, wool + more_w, grain + more_g, ore + more_o)
        found[(*hands[:seat], new, *hands[seat + 1 :])] = likely
    return found


_ONE = [single(r) for r in range(5)]
_LOST = [single(r, -1) for r in range(5)]


def _paid(seat: int, cost: Hand, got: Hand = NOTHING) -> Change:
    """A seat gave some cards, which it held, for others."""
    moved = _less(got, cost)
    return Change(seat, cost, moved, moved, sum(moved))


def _got(seat: int, cards: Hand) -> Change:
    """Cards came to a seat."""
    return Change(seat, NOTHING, cards, cards, sum(cards))


def _held(seat: int, cards: Hand) -> Change:
    """A seat showed that it held some cards."""
    return Change(seat, cards, NOTHING, NOTHING, 0)


def _all_of(resource: int, seat: int, n: int) -> Change:
    """A seat gave all `n` cards that it held of a resource."""
    most = hand([n if r == resource else limit for r, limit in enumerate(MANY)])
    return _paid(seat, single(resource, n))._replace(most=most)


def _less(one: Hand, other: Hand) -> Hand:
    return (one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3], one[4] - other[4])


def _price(piece: Piece, data: Data) -> Hand:
    prices = {
        Piece.ROAD: data.road_cost,
        Piece.BRIDGE: data.bridge_cost,
        Piece.SETTLEMENT: data.settlement_cost,
        Piece.CITY: data.city_cost,
    }
    return prices[piece]
