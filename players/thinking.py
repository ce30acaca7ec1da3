"""Thinking ahead within one's own turn, over all that may come of it."""

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
"""Actions that change nothing by themselves: what follows is another's, or chance's."""
BUILDS: tuple[type[Action], ...] = (BuildSettlement, BuildCity, BuildRoad, BuildBridge, BuyCard)
TALK: tuple[type[Action], ...] = (MakeOffer, AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""Trade between players, which is thought about elsewhere (`players.trading`)."""

HEXES = 6
"""Places for the robber that are looked at closely, those that are best before a card is stolen."""
AHEAD, MOST = 1000, 1500
"""Seats weighed after which no more builds in a row, and no more offers are sought; a clock has no say in it."""
CLOSE = 0.03
"""How much worse than the best a way to go on may be, to be judged once more."""


class Line:
    """A way to go on: its actions, and how likely it makes the seat to win."""

    __slots__ = ("actions", "outcomes", "value")

    def __init__(self, actions: tuple[Action, ...], outcomes: Outcomes, value: float) -> None:
        self.actions = actions
        self.outcomes = outcomes
        """Where it leads; nowhere where nothing changes by it, or what follows is another's."""
        self.value = value

    @property
    def situation(self) -> Situation | None:
        """Where it leads, if that is certain."""
        return self.outcomes[0][1] if len(self.outcomes) == 1 else None


class Thinker:
    """Values what a seat may do, up to `depth` builds ahead, going on from the `width` best at each length.

    So many of the best ways as `rolls` are judged once more, by what the next roll brings.
    """

    def __init__(self, situation: Situation, chances: Chances, depth: int = 1, width: int = 1, rolls: int = 0) -> None:
        self.situation = situation
        self.seat = situation.seat
        self.chances = chances
        self.depth = depth
        self.width = width
        self.rolls = rolls

    def of(self, situation: Situation) -> Thinker:
        """One that thinks in another situation, also for another seat, and one action ahead."""
        return Thinker(situation, self.chances)

    def value(self, situation: Situation) -> float:
        """How likely the seat is to win."""
        return self.chances.of(situation, self.seat)

    def best(self, options: Options) -> Line:
        """The best way to go on."""
        return self.ranked(options)[0]

    def ranked(self, options: Options) -> list[Line]:
        """The best way to go on with each first action, the best of all first."""
        if self.depth > 1 and (MoveRobber in options or TakeCard in options):
            return self._robbing(options)
        beam = list(self._lines(self.situation, options, ()))
        best: dict[Action, Line] = {}
        alone: dict[Action, float] = {}
        for more in range(self.depth, 0, -1):
            for line in beam:
                known = best.get(line.actions[0])
                if known is None or line.value > known.value:
                    best[line.actions[0]] = line
            alone = alone or {action: line.value for action, line in best.items()}
            if more > 1 and len(best) > 1:
                beam = sorted([line for line in beam if line.situation], key=_value, reverse=True)[: self.width]
                beam = [after for line in beam if self.chances.weighed < AHEAD for after in self._after(line)]
            else:
                break
        lines = self.ordered([*best.values()])
        done = {*lines[0].actions}
        same = [line for line in lines if {*line.actions} == done]
        if len(same) > 1:  # what brings most comes first
            first = max(same, key=lambda line: alone[line.actions[0]])
            lines.remove(first)
            lines.insert(0, first)
        return lines

    def ordered(self, lines: list[Line]) -> list[Line]:
        """The best first; those that are close to it are judged once more."""
        lines = sorted(lines, key=lambda line: (-line.value, len(line.actions)))
        if self.rolls and len(lines) > 1 and lines[0].value < 1.0:  # what wins needs no second look
            self._look_ahead([line for line in lines[: self.rolls] if line.value > lines[0].value - CLOSE])
            lines.sort(key=_value, reverse=True)
        return lines

    def _robbing(self, options: Options) -> list[Line]:
        """Where the robber goes, or whom it robs, by the best that the seat can do next with each card."""
        lines = [*self._lines(self.situation, options, ())]
        for line in lines:
            following: Outcomes = []
            for likely, after in line.outcomes:
                following += _times(likely, self._next(after))
            line.value = self._after_roll(following) if self.rolls else self._mean(following)
        return sorted(lines, key=_value, reverse=True)

    def _next(self, situation: Situation) -> Outcomes:
        """Where the best thing to do next leads."""
        found: Outcomes = [(1.0, situation)]
        if situation.decides:
            for line in self._lines(situation, situation.options(), ()):
                if line.outcomes and line.value > self._mean(found):
                    found = line.outcomes
        return found

    def _look_ahead(self, lines: list[Line]) -> None:
        """Judges lines once more; together they stay as good as they were, and so comparable with all others."""
        found = [self._after_roll(line.outcomes or [(1.0, self.situation)]) for line in lines]
        more: float = sum([line.value - value for line, value in zip(lines, found, strict=True)])
        for line, value in zip(lines, found, strict=True):
            line.value = min(1.0, max(0.0, value + more / len(lines)))

    def _after_roll(self, outcomes: Outcomes) -> float:
        return sum([likely * after_roll(self.chances, after, self.seat) for likely, after in outcomes])

    def _after(self, line: Line) -> Iterator[Line]:
        situation = line.situation
        if situation is None or not situation.decides:
            return
        for found in self._lines(situation, situation.options(), line.actions):
            if len(found.actions) > len(line.actions) and type(found.actions[-1]) not in STANDING:
                yield found

    def _lines(self, situation: Situation, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """Each action with what it leads to; trades with the bank only where they pay for something."""
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

    def _worth_a_look(self, situation: Situation, domain: Domain) -> Iterable[Action]:
        """All of a domain, but of the robber's places only the best."""
        if not isinstance(domain, Places) or domain.cls is not MoveRobber or len(domain) <= HEXES:
            return domain
        moved, found = situation.copy(), []
        for at in bits(domain.mask):
            moved.state.robber = at
            found.append((-self.value(moved), at))
        return [MoveRobber(at) for _, at in sorted(found)[:HEXES]]

    def line(self, situation: Situation, action: Action, before: tuple[Action, ...] = ()) -> Line:
        """What an action leads to, with what the seat has to choose at once because of it."""
        found: Outcomes = []
        for likely, after in situation.outcomes(action):
            found += _times(likely, self._settled(after))
        return Line((*before, action), found, self._mean(found))

    def _mean(self, outcomes: Outcomes) -> float:
        return sum([likely * self.value(after) for likely, after in outcomes])

    def _settled(self, situation: Situation) -> Outcomes:
        """The same once the choices are made that an action brings with it: the robber's hex, whom to rob, roads."""
        while situation.decides:
            options = situation.options()
            if not options or any(kind in options for kind in STANDING) or Discard in options:
                break
            best: Outcomes = []
            value = -1.0
            for domain in options.values():
                for action in self._worth_a_look(situation, domain):
                    found = self._chosen(situation, action)
                    mean = self._mean(found)
                    if mean > value:
                        best, value = found, mean
            if len(best) != 1:
                return best
            situation = best[0][1]
        return [(1.0, situation)]

    def _chosen(self, situation: Situation, action: Action) -> Outcomes:
        """Where a choice leads by itself, or, where it asks whom to rob, with that."""
        outcomes = situation.outcomes(action)
        if len(outcomes) == 1:
            after = outcomes[0][1]
            if after.decides and TakeCard in after.options():
                return self._settled(after)
        return outcomes

    def _trades(self, situation: Situation, options: Options, before: tuple[Action, ...]) -> Iterator[Line]:
        """Trades with the bank, each with what it pays for; with too many cards in hand also trades by themselves."""
        trades, state = options[BankTrade], situation.state
        for kind, cost in self._prices(state):
            if kind in options:
                continue
            for give, get in exchanges(state.hands[self.seat], cost, state.rates[self.seat]):
                trade = BankTrade(give, get)
                if trade not in trades:
                    continue
                ((_, after),) = situation.outcomes(trade)
                then = (*before, trade)
                following = after.options()
                if kind not in following and EndTrade in following:
                    ((_, after),) = after.outcomes(EndTrade())
                    then = (*then, EndTrade())
                    following = after.options()
                for action in following.get(kind, ()):
                    yield self.line(after, action, then)
        if sum(state.hands[self.seat]) > state.rules.data.discard_limit:
            for each in trades:
                yield self.line(situation, each, before)

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
