"""Thinking ahead within one's own turn, over positions that may be."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    MakeOffer,
    PassOn,
    Roll,
    TakeCard,
    WithdrawOffer,
)
from engine.domains import Cards, Options, Random
from engine.errors import IllegalAction
from engine.position import Position
from engine.resources import Hand, hand
from players.chances import Chances

STANDING: tuple[type[Action], ...] = (Roll, EndTurn, PassOn, EndTrade)
"""Actions that change nothing by themselves: what follows is another's, or chance's."""
BUILDS: tuple[type[Action], ...] = (BuildSettlement, BuildCity, BuildRoad, BuildBridge, BuyCard)
TALK: tuple[type[Action], ...] = (MakeOffer, AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""Trade between players, which is thought about elsewhere (`players.trading`)."""


class Fixed:
    """Chance that gives one number for ever."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        """That number."""
        return self.number


class Line:
    """A way to go on: its first action, and how likely it makes the seat to win."""

    __slots__ = ("actions", "position", "value")

    def __init__(self, actions: tuple[Action, ...], position: Position | None, value: float) -> None:
        self.actions = actions
        self.position = position
        """Where it leads; None where that depends on chance."""
        self.value = value


class Thinker:
    """Values what a seat may do, up to `depth` builds ahead, going on from the `width` best at each length."""

    def __init__(self, position: Position, seat: int, chances: Chances, rng: Random, depth: int, width: int) -> None:
        self.position = position
        self.seat = seat
        self.chances = chances
        self.rng = rng
        self.depth = depth
        self.width = width

    def of(self, position: Position, seat: int) -> Thinker:
        """One that thinks for another seat, or in another position, and one action ahead."""
        return Thinker(position, seat, self.chances, self.rng, 1, 1)

    def value(self, position: Position) -> float:
        """How likely the seat is to win."""
        return self.chances.of(position.state, self.seat)

    def best(self, options: Options) -> Line:
        """The best way to go on from the position."""
        if Discard in options:
            return self._discard(options)
        lines = list(self._lines(self.position, options, ()))
        best = max(lines, key=_value)
        if len(lines) > 1:
            beam = lines
            for _ in range(self.depth - 1):
                beam = [line for line in beam if line.position is not None and line.actions]
                beam = sorted(beam, key=_value, reverse=True)[: self.width]
                beam = [more for line in beam for more in self._after(line)]
                if not beam:
                    break
                best = max(best, max(beam, key=_value), key=_value)
        return best

    def _after(self, line: Line) -> Iterator[Line]:
        position = line.position
        if position is None or position.outcome is not None or self.seat not in position.to_act:
            return
        options = position.options(self.seat)
        for found in self._lines(position, options, line.actions):
            if len(found.actions) > len(line.actions) and type(found.actions[-1]) not in STANDING:
                yield found

    def _lines(self, position: Position, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """Each action with what it leads to; trades with the bank only where they pay for something."""
        for kind, domain in options.items():
            if kind in TALK or kind is BankTrade:
                continue
            if kind in STANDING:
                for action in domain:
                    yield Line((*before, action), None, self.value(position))
                continue
            for action in domain:
                yield self.line(position, action, before)
        if BankTrade in options:
            yield from self._trades(position, options, before)

    def line(self, position: Position, action: Action, before: tuple[Action, ...] = ()) -> Line:
        """What an action leads to, with what the seat has to choose at once because of it."""
        if type(action) is BuyCard:
            return Line((*before, action), None, self._bought(position))
        after = position.copy()
        try:
            after.play(self.seat, action, self.rng)
        except IllegalAction:  # the partner, as dealt here, can't keep the trade
            return Line((*before, action), None, 0.0)
        self._follow(after)
        return Line((*before, action), after, self.value(after))

    def _follow(self, position: Position) -> None:
        """Make the choices that an action brings with it: the robber's hex, whom to rob, free roads."""
        while position.outcome is None and self.seat in position.to_act:
            options = position.options(self.seat)
            if not options or any(kind in options for kind in STANDING) or Discard in options:
                return
            best, value = None, -1.0
            for action in options.actions():
                after = position.copy()
                after.play(self.seat, action, self.rng)
                if TakeCard in after.options(self.seat):
                    self._follow(after)
                found = self.value(after)
                if found > value:
                    best, value = after, found
            if best is None:
                return
            position.state = best.state

    def _bought(self, position: Position) -> float:
        """The mean over all cards that the bought one may turn out to be."""
        deck = position.state.deck
        left, seen, total = sum(deck), 0, 0.0
        for count in deck:
            if count:
                after = position.copy()
                after.play(self.seat, BuyCard(), Fixed((seen + 0.5) / left))
                total += count * self.value(after)
                seen += count
        return total / left

    def _trades(self, position: Position, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """Trades with the bank, each with what it pays for; with too many cards in hand also trades by themselves."""
        trades = options[BankTrade]
        for kind, cost in self._prices(position):
            if kind in options:
                continue
            for give, get in exchanges(position.state.hands[self.seat], cost, position.state.rates[self.seat]):
                trade = BankTrade(give, get)
                if trade not in trades:
                    continue
                after = position.copy()
                after.play(self.seat, trade, self.rng)
                then = (*before, trade)
                following = after.options(self.seat)
                if kind not in following and EndTrade in following:
                    after.play(self.seat, EndTrade(), self.rng)
                    then = (*then, EndTrade())
                    following = after.options(self.seat)
                for action in following.get(kind, ()):
                    yield self.line(after, action, then)
        if sum(position.state.hands[self.seat]) > position.state.rules.data.discard_limit:
            for each in trades:
                yield self.line(position, each, before)

    def _prices(self, position: Position) -> Iterator[tuple[type[Action], Hand]]:
        data = position.state.rules.data
        yield BuildSettlement, data.settlement_cost
        yield BuildCity, data.city_cost
        yield BuildRoad, data.road_cost
        if position.state.board.bridges:
            yield BuildBridge, data.bridge_cost
        yield BuyCard, data.card_cost

    def _discard(self, options: Options) -> Line:
        """Card by card, each time the one that is missed least."""
        cards = options[Discard]
        assert isinstance(cards, Cards)
        position = self.position.copy()
        held, chosen = position.state.hands[self.seat], [0, 0, 0, 0, 0]
        for _ in range(cards.total):
            best, value = -1, -1.0
            for r in range(5):
                if chosen[r] < cards.caps[r]:
                    held[r] -= 1
                    found = self.value(position)
                    held[r] += 1
                    if found > value:
                        best, value = r, found
            held[best] -= 1
            chosen[best] += 1
        return Line((Discard(hand(chosen)),), None, self.value(position))


def _value(line: Line) -> float:
    return line.value


def exchanges(have: list[int], cost: Hand, rates: list[int]) -> Iterator[tuple[Hand, Hand]]:
    """Trades with the bank after which a price can be paid, no more of them than are needed."""
    get = [max(0, cost[r] - have[r]) for r in range(5)]
    lots = sum(get)
    spare = [max(0, have[r] - cost[r]) // rates[r] for r in range(5)]
    if not 0 < lots <= sum(spare):
        return
    for chosen in _split(lots, spare, 0):
        yield hand(chosen[r] * rates[r] for r in range(5)), hand(get)


def _split(lots: int, spare: list[int], at: int) -> Iterator[list[int]]:
    """Ways to take so many lots out of what is spare."""
    if at == 4:
        if lots <= spare[4]:
            yield [0, 0, 0, 0, lots]
        return
    for n in range(min(lots, spare[at]) + 1):
        for rest in _split(lots - n, spare, at + 1):
            rest[at] = n
            yield rest
