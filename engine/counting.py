"""What can be counted of hands. What players get, pay, trade and discard is public; only the card that the robber takes
isn't (G3). So there are few ways in which the cards can be distributed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine import events as ev
from engine.codec import Secret
from engine.data import Data
from engine.domains import Random
from engine.resources import NOTHING, Hand, hand, single
from engine.terms import Piece
from engine.values import value

Hands = tuple[Hand, ...]
"""One way in which the cards can be distributed: the hand of each seat."""
Deals = dict[Hands, float]
"""The ways in which the cards can be distributed, each with its relative likelihood."""

MOST = 5_000
"""With more ways than this, nothing is counted for the rest of the game. Random games stay below."""


@value
class Counted:
    """A hand as far as it can be counted, by resource: at least, at most, and on average."""

    least: Hand
    most: Hand
    expected: tuple[float, ...]


@value
class Counts:
    """The ways in which the cards can be distributed, by what a seat or an onlooker knows. Hands of seats that have
    chosen their discard still include it (D4). Empty if there were too many ways."""

    distributions: tuple[tuple[Hands, float], ...]

    def deal(self, rng: Random) -> Hands:
        """Pick one of the ways at random, by likelihood. There must be at least one."""
        ways, at = [likely for _, likely in self.distributions], 0
        left = rng.random() * sum(ways)
        while at + 1 < len(ways) and left >= ways[at]:
            left -= ways[at]
            at += 1
        return self.distributions[at][0]

    def of(self, seat: int, size: int) -> Counted:
        """Another seat's hand of `size` cards. While its discard is secret, the counted hands are larger than that."""
        if not self.distributions:
            return Counted(NOTHING, hand([size] * 5), (size / 5,) * 5)
        hands = [(hands[seat], likely) for hands, likely in self.distributions]
        discarded, total = sum(hands[0][0]) - size, sum(likely for _, likely in hands)
        kinds = range(5)
        mean = [sum(cards[r] * likely for cards, likely in hands) / total for r in kinds]
        share = size / (size + discarded) if size else 0.0
        return Counted(
            hand(max(0, min(cards[r] for cards, _ in hands) - discarded) for r in kinds),
            hand(min(size, max(cards[r] for cards, _ in hands)) for r in kinds),
            tuple(n * share for n in mean),
        )


class Moved(NamedTuple):
    """An event that moved cards, linked to the one before it."""

    before: Moved | None
    event: ev.Event


class Tally:
    """Keeps the counts of each viewer during a game. An undo sets `latest` back, so what was undone is forgotten."""

    __slots__ = ("_known", "_start", "data", "latest")

    def __init__(self, data: Data, start: Hands) -> None:
        """`start`: the hands when counting begins, which all know."""
        self.data = data
        self.latest: Moved | None = None
        self._start = Counts(((start, 1.0),))
        self._known: dict[int | None, tuple[Moved | None, Counts]] = {}

    def note(self, events: Iterable[ev.Event]) -> None:
        """Note further events."""
        for event in events:
            if type(event) in MOVING:
                self.latest = Moved(self.latest, event)

    def copy(self) -> Tally:
        """An independent copy."""
        twin = Tally(self.data, self._start.distributions[0][0])
        twin.latest, twin._known = self.latest, self._known.copy()
        return twin

    def counts(self, viewer: int | None, known: Sequence[Hand | None] = (), bank: Hand | None = None) -> Counts:
        """What a seat or an onlooker (None) can count from what they have seen, and from these hands and the bank.

        `known`: the hand of each seat, if all can see it; `bank`: given once a player has left the game, unless some
        discards are still hidden.
        """
        counts = self._seen(viewer)
        if not known and bank is None:
            return counts
        return Counts(tuple((hands, n) for hands, n in counts.distributions if _fits(hands, known, bank, self.data)))

    def _seen(self, viewer: int | None) -> Counts:
        at, counts = self._known.get(viewer, (None, self._start))
        if at is self.latest:
            return counts
        news: list[ev.Event] = []
        node = self.latest
        while node is not at and node is not None:
            news.append(node.event)
            node = node.before
        deals = dict(counts.distributions if node is at else self._start.distributions)  # else something was undone
        for event in reversed(news):
            deals = after(deals, event, self.data, viewer)
        counts = Counts(tuple(deals.items()))
        self._known[viewer] = self.latest, counts
        return counts


def after(deals: Deals, event: ev.Event, data: Data, viewer: int | None) -> Deals:
    """The ways in which the cards can be distributed after an event, by what a viewer knows of it; empty if there are
    too many."""
    found: Deals = {}
    for hands, likely in deals.items():
        for way, share in _distributions_after(hands, event, data, viewer):
            found[way] = found.get(way, 0.0) + likely * share
    return found if len(found) <= MOST else {}


MOVING = {
    ev.Produced,
    ev.PlentyTaken,
    ev.CardTaken,
    ev.Monopolised,
    ev.Traded,
    ev.BankTraded,
    ev.Built,
    ev.CardBought,
    ev.Discarded,
    ev.Resigned,
}
"""Events that move resource cards."""


def _distributions_after(hands: Hands, event: ev.Event, data: Data, viewer: int | None) -> list[tuple[Hands, float]]:
    """The ways in which one distribution of the cards can look after an event, with likelihoods; empty if the event
    doesn't fit it."""
    match event:
        case ev.CardTaken():
            return _robbed(hands, event, viewer)
        case ev.Monopolised():
            taken = dict(event.taken)
            if any(cards[event.resource] != taken.get(s, 0) for s, cards in enumerate(hands) if s != event.seat):
                return []
            moves = [(s, single(event.resource, -n)) for s, n in event.taken]
            return _moved(hands, [*moves, (event.seat, single(event.resource, sum(taken.values())))])
        case ev.Traded():
            gain = _less(event.get, event.give)
            return _moved(hands, [(event.seat, gain), (event.partner, _less(NOTHING, gain))])
        case ev.BankTraded():
            return _moved(hands, [(event.seat, _less(event.get, event.give))])
        case ev.Produced() | ev.PlentyTaken():
            return _moved(hands, [(event.seat, event.cards)])
        case ev.Discarded() if hands[event.seat] == NOTHING:  # the seat has left the game since
            return [(hands, 1.0)]
        case ev.Discarded():
            return _moved(hands, [(event.seat, _less(NOTHING, event.cards))])
        case ev.Resigned():
            return _moved(hands, [(event.seat, _less(NOTHING, hands[event.seat]))])
        case ev.CardBought():
            return _moved(hands, [(event.seat, _less(NOTHING, data.card_cost))])
        case ev.Built(free=False):
            return _moved(hands, [(event.seat, _less(NOTHING, _price(event.piece, data)))])
    return [(hands, 1.0)]


def _robbed(hands: Hands, event: ev.CardTaken, viewer: int | None) -> list[tuple[Hands, float]]:
    """The hands after a robbery. Thief and victim know the card; to others all the victim's are equally likely (G2)."""
    card = event.card.for_seat(viewer) if isinstance(event.card, Secret) else event.card
    victim_hand = hands[event.victim]
    return [
        (way, victim_hand[r] / sum(victim_hand))
        for r in range(5)
        if victim_hand[r] and (card is None or card == r)
        for way, _ in _moved(hands, [(event.victim, single(r, -1)), (event.seat, single(r))])
    ]


def _moved(hands: Hands, moves: Iterable[tuple[int, Sequence[int]]]) -> list[tuple[Hands, float]]:
    """The hands after cards moved to and from seats; empty if a seat didn't hold what it gave."""
    new_hands = list(hands)
    for seat, cards in moves:
        b, lu, w, g, o = new_hands[seat]
        new_hands[seat] = new_hand = (b + cards[0], lu + cards[1], w + cards[2], g + cards[3], o + cards[4])
        if min(new_hand) < 0:
            return []
    return [(tuple(new_hands), 1.0)]


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


def _fits(hands: Hands, known: Sequence[Hand | None], bank: Hand | None, data: Data) -> bool:
    """Whether hands agree with the known ones and with what is in the bank."""
    for cards, counted in zip(known, hands, strict=False):
        if cards is not None and cards != counted and sum(cards) == sum(counted):  # sums differ if some are discarded
            return False
    return bank is None or all(sum(counted[r] for counted in hands) + bank[r] == data.bank for r in range(5))
