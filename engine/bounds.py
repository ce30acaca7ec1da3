"""What is known of all hands when there are too many ways to list them: of each resource at least and at most so many.

How many cards each seat holds is public, and so is how many of each resource all hold together. So hands are a table of
seats and resources with known sums, and each cell narrows the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.domains import Random
from engine.resources import Hand, covers, hand
from engine.values import value

Hands = tuple[Hand, ...]
"""One way in which the cards can be distributed: the hand of each seat."""
MANY: Hand = (10_000, 10_000, 10_000, 10_000, 10_000)
"""More than a seat can hold: no limit."""
EACH_RESOURCE = range(5)


class Change(NamedTuple):
    """What an event shows of a seat's hand: it held at least `least` and at most `most`; then between `fewest` and
    `extra` cards came to it by resource, and `size` in all. Cards that leave it are negative."""

    seat: int
    least: Hand
    fewest: Hand
    extra: Hand
    size: int
    most: Hand = MANY


@value
class Bounds:
    """Hands within bounds: of each seat the fewest and the most cards by resource."""

    least: Hands
    most: Hands
    sizes: tuple[int, ...]
    """How many cards each seat holds."""
    totals: Hand
    """How many cards of each resource all seats hold together."""

    @classmethod
    def of(cls, ways: Iterable[Hands]) -> Bounds:
        """The bounds of some ways, at least one. They differ neither in sizes nor in totals."""
        by_seat = [[*zip(*hands, strict=True)] for hands in zip(*ways, strict=True)]
        least = tuple([hand(map(min, kinds)) for kinds in by_seat])
        most = tuple([hand(map(max, kinds)) for kinds in by_seat])
        first = [[kind[0] for kind in kinds] for kinds in by_seat]
        return cls(least, most, tuple(map(sum, first)), hand(map(sum, zip(*first, strict=True))))

    @property
    def spread(self) -> int:
        """How much is open: the sum of the differences between most and least."""
        return sum(map(sum, self.most)) - sum(map(sum, self.least))

    def after(self, changes: Sequence[Change]) -> Bounds:
        """The bounds after changes, at most one to each seat."""
        least, most = self._shown(changes)
        _narrow(least, most, self.sizes, self.totals)
        sizes, totals = [*self.sizes], [*self.totals]
        for change in changes:
            seat = change.seat
            sizes[seat] += change.size
            for r in EACH_RESOURCE:
                least[seat][r] = max(0, least[seat][r] + change.fewest[r])
                most[seat][r] += change.extra[r]
                if change.fewest == change.extra:
                    totals[r] += change.extra[r]
        return _narrowed(least, most, sizes, totals)

    def before(self, changes: Sequence[Change], then: Bounds) -> Bounds:
        """The bounds before changes, if these are the ones after them; `then`: what was known before."""
        least, most = then._shown(changes)
        moved = {change.seat: change for change in changes}
        for seat, change in [(s, moved.get(s)) for s in range(len(least))]:
            for r in EACH_RESOURCE:
                fewest, extra = (change.fewest[r], change.extra[r]) if change else (0, 0)
                least[seat][r] = max(least[seat][r], self.least[seat][r] - extra)
                most[seat][r] = min(most[seat][r], self.most[seat][r] - fewest)
        return _narrowed(least, most, then.sizes, then.totals)

    def _shown(self, changes: Iterable[Change]) -> tuple[list[list[int]], list[list[int]]]:
        """The fewest and the most cards, by what changes show of the hands before."""
        least, most = [[*cards] for cards in self.least], [[*cards] for cards in self.most]
        for change in changes:
            seat = change.seat
            least[seat] = [max(pair) for pair in zip(least[seat], change.least, strict=True)]
            most[seat] = [min(pair) for pair in zip(most[seat], change.most, strict=True)]
        return least, most

    def fits(self, hands: Hands, seats: Iterable[int]) -> bool:
        """Whether hands of some seats are within the bounds."""
        return all(covers(hands[s], self.least[s]) and covers(self.most[s], hands[s]) for s in seats)

    def ways(self, most: int) -> list[Hands] | None:
        """All ways within the bounds, or None if there are more than `most`."""
        found: list[Hands] = []
        for way in self._ways(None):
            if len(found) == most:
                return None
            found.append(way)
        return found

    def deal(self, rng: Random) -> Hands:
        """One of the ways, at random."""
        return next(self._ways(rng))

    def expected(self, seat: int) -> tuple[float, ...]:
        """A guess at a seat's hand: what is open is spread over the resources that leave it open."""
        least, most = self.least[seat], self.most[seat]
        free = sum(most) - sum(least)
        share = (self.sizes[seat] - sum(least)) / free if free else 0.0
        return tuple([a + share * (b - a) for a, b in zip(least, most, strict=True)])

    def _ways(self, rng: Random | None) -> Iterator[Hands]:
        """The ways within the bounds; with `rng` in any order."""
        room = [[b - a for a, b in zip(*pair, strict=True)] for pair in zip(self.least, self.most, strict=True)]
        cells: list[Cell] = []
        in_row, in_column = [0] * len(room), [0] * 5
        for s in reversed(range(len(room))):
            for r in EACH_RESOURCE:
                if room[s][r]:
                    cells.append((s, r, room[s][r], in_row[s], in_column[r]))
                    in_row[s] += room[s][r]
                    in_column[r] += room[s][r]
        hands = [[*cards] for cards in self.least]
        rows = [n - sum(cards) for n, cards in zip(self.sizes, hands, strict=True)]
        columns = [n - sum(cards) for n, cards in zip(self.totals, zip(*hands, strict=True), strict=True)]
        return _filled(hands, rows, columns, cells, rng)


Cell = tuple[int, int, int, int, int]
"""A seat and a resource, how many cards more than the fewest there can be, and how many in the rest of row and column.
"""


def _filled(
    hands: list[list[int]], rows: list[int], columns: list[int], cells: list[Cell], rng: Random | None
) -> Iterator[Hands]:
    """Fill the cells, the last one first, until nothing is left of `rows` and `columns`."""
    if not cells:
        if not any(rows) and not any(columns):
            yield tuple([hand(cards) for cards in hands])
        return
    *others, (seat, r, room, in_row, in_column) = cells
    fewest = max(0, rows[seat] - in_row, columns[r] - in_column)
    numbers = [*range(fewest, min(room, rows[seat], columns[r]) + 1)]
    if rng is not None:
        first = int(rng.random() * len(numbers))
        numbers = numbers[first:] + numbers[:first]
    for n in numbers:
        hands[seat][r] += n
        rows[seat] -= n
        columns[r] -= n
        yield from _filled(hands, rows, columns, others, rng)
        hands[seat][r] -= n
        rows[seat] += n
        columns[r] += n


def _narrow(least: list[list[int]], most: list[list[int]], sizes: Sequence[int], totals: Sequence[int]) -> None:
    """Narrow bounds by the sums of rows and columns, until that changes nothing."""
    seats = range(len(sizes))
    lines = [([(s, r) for r in EACH_RESOURCE], sizes[s]) for s in seats]
    lines += [([(s, r) for s in seats], totals[r]) for r in EACH_RESOURCE]
    changed = True
    while changed:
        changed = False
        for cells, total in lines:
            spare = total - sum([least[s][r] for s, r in cells])
            short = sum([most[s][r] for s, r in cells]) - total
            assert spare >= 0 <= short  # the true hands fit
            for s, r in cells:
                few, many = least[s][r], most[s][r]
                if many - few > min(spare, short):
                    least[s][r], most[s][r] = max(few, many - short), min(many, few + spare)
                    changed = True


def _narrowed(least: list[list[int]], most: list[list[int]], sizes: Sequence[int], totals: Sequence[int]) -> Bounds:
    _narrow(least, most, sizes, totals)
    return Bounds(tuple(map(hand, least)), tuple(map(hand, most)), tuple(sizes), hand(totals))
