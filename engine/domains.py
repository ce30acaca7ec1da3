"""Domains: what is possible for one type of action right now. The options shown and the actions accepted both come
from them.

`action in domain` decides. Iteration lists the actions (of offers, only a small part), `len` counts what iteration
lists, and `sample` picks one of those with the caller's random number generator. Each is equally likely, except that
`Cards` draws card by card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Protocol

from engine.actions import Action, BankTrade, CloseOffer, MakeOffer, PlaceAction
from engine.geometry import bits, mask_of
from engine.resources import Hand, hand, single


class Random(Protocol):
    """What sampling needs from a random number generator; `random.Random` has it."""

    def random(self) -> float: ...


class Domain:
    """Base of all domains."""

    __slots__ = ()

    def __contains__(self, action: object) -> bool:
        raise TypeError("a domain must say what it contains")

    def __iter__(self) -> Iterator[Action]:
        raise TypeError("a domain must list itself")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def sample(self, rng: Random) -> Action:
        """Pick one of the listed actions, each equally likely."""
        actions = list(self)
        return actions[int(rng.random() * len(actions))]


ANYTHING = Domain()
"""Stands for any domain when the only question is whether alternate rules leave something of it."""


class Single(Domain):
    """Exactly one action."""

    __slots__ = ("action",)

    def __init__(self, action: Action) -> None:
        self.action = action

    def __contains__(self, action: object) -> bool:
        return action is self.action or action == self.action

    def __iter__(self) -> Iterator[Action]:
        yield self.action

    def __len__(self) -> int:
        return 1

    def sample(self, rng: Random) -> Action:
        return self.action


class Places(Domain):
    """Actions with a place; the bits of `mask` are the possible places."""

    __slots__ = ("cls", "mask")

    def __init__(self, cls: type[PlaceAction], mask: int) -> None:
        self.cls = cls
        self.mask = mask

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, PlaceAction)
            and type(action) is self.cls
            and action.at >= 0
            and bool(self.mask >> action.at & 1)
        )

    def __iter__(self) -> Iterator[PlaceAction]:
        return map(self.cls, bits(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def sample(self, rng: Random) -> Action:
        mask = self.mask
        for _ in range(int(rng.random() * mask.bit_count())):
            mask &= mask - 1
        return self.cls((mask & -mask).bit_length() - 1)


class Listed(Domain):
    """A few actions of any shape."""

    __slots__ = ("actions",)

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = actions

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)


class Choices(Domain):
    """Actions with one field: an offer's id, a seat, a resource."""

    __slots__ = ("cls", "values")

    def __init__(self, cls: type[Any], values: Sequence[int]) -> None:
        self.cls = cls
        self.values = tuple(values)

    def __contains__(self, action: object) -> bool:
        return type(action) is self.cls and action in map(self.cls, self.values)

    def __iter__(self) -> Iterator[Action]:
        return map(self.cls, self.values)

    def __len__(self) -> int:
        return len(self.values)


class Cards(Domain):
    """Actions with `cards`: `total` cards, at most `caps` of each kind."""

    __slots__ = ("caps", "cls", "total")

    def __init__(self, cls: type[Any], caps: Sequence[int], total: int) -> None:
        self.cls = cls
        self.caps = hand(caps)
        self.total = total

    def __contains__(self, action: object) -> bool:
        if type(action) is not self.cls:
            return False
        cards: Hand = action.cards  # type: ignore[attr-defined]
        return sum(cards) == self.total and all(0 <= n <= cap for n, cap in zip(cards, self.caps, strict=True))

    def __iter__(self) -> Iterator[Action]:
        return map(self.cls, self.hands())

    def hands(self) -> Iterator[Hand]:
        """The hands that can be picked."""
        *firsts, last = self.caps
        for counts in product(*(range(min(cap, self.total) + 1) for cap in firsts)):
            if 0 <= (last_count := self.total - sum(counts)) <= last:
                yield hand((*counts, last_count))

    def __len__(self) -> int:
        ways = [1] + [0] * self.total  # by number of cards, over the kinds so far
        for cap in self.caps:
            ways = [sum(ways[max(0, n - cap) : n + 1]) for n in range(self.total + 1)]
        return ways[self.total]

    def sample(self, rng: Random) -> Action:
        left, cards = list(self.caps), [0] * 5
        for _ in range(self.total):
            n = int(rng.random() * sum(left))
            kind = 0
            while n >= left[kind]:
                n -= left[kind]
                kind += 1
            left[kind] -= 1
            cards[kind] += 1
        action: Action = self.cls(hand(cards))
        return action


class BankTrades(Domain):
    """Trades with the bank (E4, E5): whole lots at `rates`, paid from `hand`, while the `bank` holds what is asked.

    Iteration lists only the trades of one lot.
    """

    __slots__ = ("bank", "hand", "rates")

    def __init__(self, rates: Sequence[int], hand: Sequence[int], bank: Sequence[int]) -> None:
        self.rates = rates
        self.hand = hand
        self.bank = bank

    def __contains__(self, action: object) -> bool:
        if type(action) is not BankTrade:
            return False
        lots = 0
        for give, get, rate, have, bank in zip(action.give, action.get, self.rates, self.hand, self.bank, strict=True):
            if give < 0 or get < 0 or give > have or get > bank or give % rate or (give and get):
                return False
            lots += give // rate - get
        return lots == 0 and sum(action.get) > 0

    def pairs(self) -> list[tuple[int, int]]:
        """The trades of one lot, as (resource given, resource got)."""
        given = [r for r in range(5) if self.hand[r] >= self.rates[r]]
        return [(r, s) for r in given for s in range(5) if s != r and self.bank[s]]

    def __iter__(self) -> Iterator[Action]:
        return (BankTrade(single(r, self.rates[r]), single(s)) for r, s in self.pairs())

    def __len__(self) -> int:
        stocked = 5 - list(self.bank).count(0)
        return sum(stocked - (self.bank[r] > 0) for r in range(5) if self.hand[r] >= self.rates[r])

    def sample(self, rng: Random) -> Action:
        pairs = self.pairs()
        r, s = pairs[int(rng.random() * len(pairs))]
        return BankTrade(single(r, self.rates[r]), single(s))


class Offers(Domain):
    """Offers from `hand` (E2) to some of `seats`, or counter-offers to one of `answers`.

    Iteration lists only those of one card for one.
    """

    __slots__ = ("answers", "equal_counters", "hand", "open", "same_resource", "seats")

    def __init__(
        self,
        hand: Sequence[int],
        seats: int,
        same_resource: bool,
        answers: Mapping[int, int] | None = None,
        open: Sequence[tuple[Hand, Hand, int]] = (),
        equal_counters: bool = False,
    ) -> None:
        """`answers`: ids of the offers that can be countered, each with the mask of the seats that a counter asks.

        `open`: the seat's own open offers, which can't be made again, as (given, wanted, mask of seats asked);
        `equal_counters`: they can be made again as counter-offers.
        """
        self.hand = hand
        self.seats = seats
        self.same_resource = same_resource
        self.answers = answers or {}
        self.open = open
        self.equal_counters = equal_counters

    def __contains__(self, action: object) -> bool:
        return type(action) is MakeOffer and self.fault(action) is None

    def fault(self, offer: MakeOffer) -> str | None:
        """The code of what is wrong with an offer, or None."""
        if min(offer.give) < 0 or min(offer.want) < 0 or not sum(offer.give) or not sum(offer.want):
            return "empty-side"
        if max(offer.give) > 99 or max(offer.want) > 99:
            return "too-many"
        if not self.same_resource and any(g and w for g, w in zip(offer.give, offer.want, strict=True)):
            return "same-resource"
        if any(g > h for g, h in zip(offer.give, self.hand, strict=True)):
            return "unaffordable"
        if len(set(offer.to)) != len(offer.to) or any(s < 0 or not self.seats >> s & 1 for s in offer.to):
            return "nobody-to-ask"
        if offer.answers != -1 and offer.answers not in self.answers:
            return "no-such-offer"
        if self.open and not (self.equal_counters and offer.answers != -1) and self._is_open(offer):
            return "already-open"
        return None

    def _is_open(self, offer: MakeOffer) -> bool:
        asked = mask_of(offer.to) or self.answers.get(offer.answers, self.seats)
        return any((give, want) == (offer.give, offer.want) and not asked & ~to for give, want, to in self.open)

    def __iter__(self) -> Iterator[Action]:
        offers = (
            MakeOffer(single(r), single(s))
            for r in range(5)
            if self.hand[r]
            for s in range(5)
            if s != r or self.same_resource
        )
        return (offer for offer in offers if not self._is_open(offer)) if self.open else offers


class Closings(Domain):
    """Ways to close the seat's own offers; `pairs` are (offer, seat that accepted)."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        self.pairs = tuple(pairs)

    def __contains__(self, action: object) -> bool:
        return type(action) is CloseOffer and (action.offer, action.seat) in self.pairs

    def __iter__(self) -> Iterator[Action]:
        return (CloseOffer(offer, seat) for offer, seat in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


class Options(dict[type[Action], Domain]):
    """What a seat can do: a domain for each type of action that is possible."""

    def allows(self, action: Action) -> bool:
        """Whether an action is possible."""
        domain = self.get(type(action))
        return domain is not None and action in domain

    def sample(self, rng: Random, offers: bool = False) -> Action:
        """Pick one of the listed actions at random; offers to players only with `offers`, or if nothing else is
        possible. The options must not be empty."""
        total, ends = 0, []
        offers = offers or self.keys() == {MakeOffer}
        for kind, domain in self.items():
            if offers or kind is not MakeOffer:
                total += len(domain)
                ends.append((total, domain))
        n = int(rng.random() * total)
        for end, domain in ends:
            if n < end:
                return domain.sample(rng)
        raise ValueError("no options")

    def actions(self) -> Iterator[Action]:
        """All listed actions."""
        for domain in self.values():
            yield from domain
