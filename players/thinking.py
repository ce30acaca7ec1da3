"""Thinking ahead within the seat's own turn, over everything that an action can lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    MoveRobber,
    PassOn,
    Roll,
    TakeCard,
    WithdrawOffer,
)
from engine.domains import Domain, Options, Places
from engine.geometry import bits
from engine.resources import Hand
from engine.state import State
from players.ahead import after_roll
from players.chances import Chances
from players.exchanges import exchanges
from players.situation import Outcomes, Situation

STANDING: tuple[type[Action], ...] = (Roll, EndTurn, PassOn, EndTrade)
"""Actions that change nothing by themselves: what follows is up to other players or to chance."""
BUILDS: tuple[type[Action], ...] = (BuildSettlement, BuildCity, BuildRoad, BuildBridge, BuyCard)
TALK: tuple[type[Action], ...] = (MakeOffer, AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""Trade between players, which is thought about elsewhere (`players.trading`)."""

HEXES = 6
"""How many places for the robber are looked at closely: the best ones before a card is stolen."""
AHEAD, MOST_WEIGHED = 1000, 1500
"""Thinking stops seeking builds in a row (`AHEAD`) and offers (`MOST_WEIGHED`) after weighing so many seats, not by a
clock."""
CLOSE = 0.03
"""How much worse than the best line another one can be and still be judged a second time."""


class Line:
    """A way to go on: its actions, and the chance to win that it gives the seat."""

    __slots__ = ("actions", "outcomes", "value")

    def __init__(self, actions: tuple[Action, ...], outcomes: Outcomes, value: float) -> None:
        self.actions = actions
        self.outcomes = outcomes
        """Where it leads; empty if it changes nothing, or if what follows is up to others."""
        self.value = value

    @property
    def situation(self) -> Situation | None:
        """Where it leads, if that is certain."""
        return self.outcomes[0][1] if len(self.outcomes) == 1 else None


class Thinker:
    """Judges what a seat can do, up to `depth` builds ahead, going on from the `width` best lines of each length.

    The `rolls` best lines are judged a second time, by what the next roll brings.
    """

    def __init__(self, situation: Situation, chances: Chances, depth: int = 1, width: int = 1, rolls: int = 0) -> None:
        self.situation = situation
        self.seat = situation.seat
        self.chances = chances
        self.depth = depth
        self.width = width
        self.rolls = rolls

    def of(self, situation: Situation) -> Thinker:
        """A thinker in another situation, perhaps for another seat, that looks one action ahead."""
        return Thinker(situation, self.chances)

    def value(self, situation: Situation) -> float:
        """How likely the seat is to win."""
        return self.chances.of(situation, self.seat)

    def best(self, options: Options) -> Line:
        """The best line."""
        return self.ranked(options)[0]

    def ranked(self, options: Options) -> list[Line]:
        """The best line for each first action, the best of all first."""
        if self.depth > 1 and (MoveRobber in options or TakeCard in options):
            return self._robbing(options)
        beam = list(self._lines(self.situation, options, ()))
        best: dict[Action, Line] = {}
        alone: dict[Action, float] = {}
        for more in range(self.depth, 0, -1):
            for line in beam:
                earlier = best.get(line.actions[0])
                if earlier is None or line.value > earlier.value:
                    best[line.actions[0]] = line
            alone = alone or {action: line.value for action, line in best.items()}
            if more > 1 and len(best) > 1:
                beam = sorted([line for line in beam if line.situation], key=_value, reverse=True)[: self.width]
                beam = [after for line in beam if self.chances.weighed < AHEAD for after in self._after(line)]
            else:
                break
        lines = self.ordered([*best.values()])
        actions = {*lines[0].actions}
        same = [line for line in lines if {*line.actions} == actions]
        if len(same) > 1:  # the same actions in other orders: the one that brings most comes first
            first = max(same, key=lambda line: alone[line.actions[0]])
            lines.remove(first)
            lines.insert(0, first)
        return lines

    def ordered(self, lines: list[Line]) -> list[Line]:
        """Sort lines, the best first. Those close to the best are judged a second time."""
        lines = sorted(lines, key=lambda line: (-line.value, len(line.actions)))
        if self.rolls and len(lines) > 1 and lines[0].value < 1.0:  # what wins needs no second look
            self._look_ahead([line for line in lines[: self.rolls] if line.value > lines[0].value - CLOSE])
            lines.sort(key=_value, reverse=True)
        return lines

    def _robbing(self, options: Options) -> list[Line]:
        """Lines for where the robber goes, or whom it robs, by the best that the seat can do next with each card."""
        lines = [*self._lines(self.situation, options, ())]
        for line in lines:
            following: Outcomes = []
            for likely, after in line.outcomes:
                following += _times(likely, self._next(after))
            line.value = self._after_roll(following) if self.rolls else self._mean(following)
        return sorted(lines, key=_value, reverse=True)

    def _next(self, situation: Situation) -> Outcomes:
        """Where the best next action leads."""
        best: Outcomes = [(1.0, situation)]
        if situation.decides:
            for line in self._lines(situation, situation.options(), ()):
                if line.outcomes and line.value > self._mean(best):
                    best = line.outcomes
        return best

    def _look_ahead(self, lines: list[Line]) -> None:
        """Judge lines again, by the next roll. Their mean value stays the same, so that others stay comparable."""
        values = [self._after_roll(line.outcomes or [(1.0, self.situation)]) for line in lines]
        difference: float = sum([line.value - value for line, value in zip(lines, values, strict=True)])
        for line, value in zip(lines, values, strict=True):
            line.value = min(1.0, max(0.0, value + difference / len(lines)))

    def _after_roll(self, outcomes: Outcomes) -> float:
        return sum([likely * after_roll(self.chances, after, self.seat) for likely, after in outcomes])

    def _after(self, line: Line) -> Iterator[Line]:
        situation = line.situation
        if situation is None or not situation.decides:
            return
        for longer in self._lines(situation, situation.options(), line.actions):
            if len(longer.actions) > len(line.actions) and type(longer.actions[-1]) not in STANDING:
                yield longer

    def _lines(self, situation: Situation, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """A line for each action, following the actions `before`; trades with the bank only as in `_trades`."""
        for kind, domain in options.items():
            if kind in TALK or kind is BankTrade:
                continue
            if kind in STANDING:
                for action in domain:
                    yield Line((*before, action), [], self.value(situation))
                continue
            for action in self._worth_a_look(situation, domain):
                yield self.line(situation, action, before)
        if BankTrade in options:
            yield from self._trades(situation, options, before)
        if EndTrade in options:
            yield from self._built(situation, before)

    def _worth_a_look(self, situation: Situation, domain: Domain) -> Iterable[Action]:
        """All actions of a domain, but only the best of the robber's places."""
        if not isinstance(domain, Places) or domain.cls is not MoveRobber or len(domain) <= HEXES:
            return domain
        moved, places = situation.copy(), []
        for at in bits(domain.mask):
            moved.state.robber = at
            places.append((-self.value(moved), at))
        return [MoveRobber(at) for _, at in sorted(places)[:HEXES]]

    def line(self, situation: Situation, action: Action, before: tuple[Action, ...] = ()) -> Line:
        """The line of an action, including the choices that the seat must make because of it."""
        outcomes: Outcomes = []
        for likely, after in situation.outcomes(action):
            outcomes += _times(likely, self._settled(after))
        return Line((*before, action), outcomes, self._mean(outcomes))

    def _mean(self, outcomes: Outcomes) -> float:
        return sum([likely * self.value(after) for likely, after in outcomes])

    def _settled(self, situation: Situation) -> Outcomes:
        """Where a situation leads once the seat has made an action's choices: the robber's hex, whom to rob, roads."""
        while situation.decides:
            options = {kind: domain for kind, domain in situation.options().items() if kind not in TALK}
            if not options or any(kind in options for kind in STANDING) or Discard in options:
                break
            best: Outcomes = []
            value = -1.0
            for domain in options.values():
                for action in self._worth_a_look(situation, domain):
                    outcomes = self._chosen(situation, action)
                    mean = self._mean(outcomes)
                    if mean > value:
                        best, value = outcomes, mean
            if len(best) != 1:
                return best
            situation = best[0][1]
        return [(1.0, situation)]

    def _chosen(self, situation: Situation, action: Action) -> Outcomes:
        """Where a choice leads, including whom to rob if it asks for that."""
        outcomes = situation.outcomes(action)
        if len(outcomes) == 1:
            after = outcomes[0][1]
            if after.decides and TakeCard in after.options():
                return self._settled(after)
        return outcomes

    def _trades(self, situation: Situation, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """Lines of bank trades with what they pay for; with too many cards in hand also of trades by themselves."""
        trades, state = options[BankTrade], situation.state
        for kind, cost in self._prices(state):
            if kind in options:
                continue
            for give, get in exchanges(state.hands[self.seat], cost, state.rates[self.seat]):
                trade = BankTrade(give, get)
                if trade not in trades:
                    continue
                ((_, after),) = situation.outcomes(trade)
                actions = (*before, trade)
                following = after.options()
                if kind not in following and EndTrade in following:
                    ((_, after),) = after.outcomes(EndTrade())
                    actions = (*actions, EndTrade())
                    following = after.options()
                for action in following.get(kind, ()):
                    yield self.line(after, action, actions)
        if sum(state.hands[self.seat]) > state.rules.data.discard_limit:
            for each in trades:
                yield self.line(situation, each, before)

    def _built(self, situation: Situation, before: tuple[Action, ...]) -> Iterator[Line]:
        """Lines of what can be built once trade has ended (L11)."""
        ((_, after),) = situation.outcomes(EndTrade())
        for kind, domain in after.options().items():
            if kind in BUILDS:
                for action in domain:
                    yield self.line(after, action, (*before, EndTrade()))

    def _prices(self, state: State) -> Iterator[tuple[type[Action], Hand]]:
        data = state.rules.data
        yield BuildSettlement, data.settlement_cost
        yield BuildCity, data.city_cost
        yield BuildRoad, data.road_cost
        if state.board.bridges:
            yield BuildBridge, data.bridge_cost
        yield BuyCard, data.card_cost


def _value(line: Line) -> float:
    return line.value


def _times(likely: float, outcomes: Outcomes) -> Outcomes:
    return [(likely * each, after) for each, after in outcomes]
