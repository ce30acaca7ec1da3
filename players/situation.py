"""A position with what one seat knows of the others' cards; where an action leads, and how likely that is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from engine.actions import Action, BuyCard, MoveRobber, PassOn, PlayMonopoly, TakeCard
from engine.bounds import Hands
from engine.domains import Options
from engine.position import Position, unseen_cards
from engine.resources import Hand, hand, single
from engine.state import State
from engine.terms import StepKind
from engine.views import View
from players.belief import WAYS, Belief

Outcomes = list[tuple[float, "Situation"]]
"""Situations that an action can lead to, each with its probability; these add up to 1."""


class Situation:
    """A position as one seat sees it.

    In `position`, others' cards and the deck are right only in their number. Which cards they can be, `beliefs` and
    `unseen` say.
    """

    __slots__ = ("beliefs", "position", "seat", "state", "unseen")

    def __init__(self, position: Position, seat: int, beliefs: list[Belief | None], unseen: list[int]) -> None:
        self.position = position
        self.state: State = position.state
        self.seat = seat
        self.beliefs = beliefs
        """By seat; None if the cards in the position are the true ones."""
        self.unseen = unseen
        """Development cards in the deck, with others, or gone with those who left, by kind."""

    @classmethod
    def of(cls, view: View) -> Situation:
        """The situation of the view's seat. Equal views give equal situations."""
        assert view.seat is not None
        position = Position.of(view, random.Random(0))  # any seed will do, as only the number of cards counts
        state = position.state
        unseen = unseen_cards(state, view)
        deals = view.counts.distributions if view.counts else ()
        deals = deals or tuple([(_dealt(view, n), 1.0) for n in range(WAYS)])
        beliefs = [_belief(view, seat, unseen, deals) for seat in range(state.players)]
        return cls(position, view.seat, beliefs, unseen)

    def copy(self) -> Situation:
        """An independent copy."""
        return Situation(self.position.copy(), self.seat, self.beliefs[:], self.unseen)

    @property
    def decides(self) -> bool:
        """Whether the seat owes a decision."""
        state = self.state
        return state.outcome is None and bool(state.agenda[-1].awaited(state) >> self.seat & 1)

    def options(self) -> Options:
        """What the seat can do."""
        return self.position.options(self.seat)

    def seen_by(self, other: int, cards: Hand) -> Situation:
        """The same situation for another seat, which holds these cards."""
        twin = self.copy()
        twin.seat, twin.beliefs[other] = other, None
        twin.state.hands[other] = [*cards]
        return twin

    def outcomes(self, action: Action) -> Outcomes:
        """Where an action of the seat leads."""
        kind = type(action)
        if kind is BuyCard:
            return [*self._bought()]
        after = self.copy()
        after.position.play(self.seat, action, _FIRST)
        after.let_pass()
        if isinstance(action, PlayMonopoly):
            return [*self._monopolised(after, action.resource)]
        if kind is MoveRobber or kind is TakeCard:
            before, now = self.state.hands[self.seat], after.state.hands[self.seat]
            for r in range(5):
                if now[r] > before[r]:
                    return [*self._robbed(after, r)]
        return [(1.0, after)]

    def let_pass(self) -> None:
        """Suppose that everyone else lets the robber's move stand, if they are asked (L8): few hold a knight."""
        position, seat = self.position, self.seat
        while self.state.agenda[-1].kind is StepKind.INTERRUPT and seat not in position.to_act:
            position.play(position.to_act[0], PassOn(), _FIRST)

    def traded(self, partner: int, give: Hand, get: Hand) -> Situation | None:
        """The situation after a trade with a partner; None if the partner can't have the cards."""
        twin = self.copy()
        belief = self.beliefs[partner]
        mine, theirs = twin.state.hands[self.seat], twin.state.hands[partner]
        if belief is not None:
            changed = belief.traded(get, give)
            if changed is None:
                return None
            twin.beliefs[partner] = changed
            theirs[:] = changed.ways[0][0]
        elif any(theirs[r] < get[r] for r in range(5)):
            return None
        else:
            theirs[:] = [theirs[r] - get[r] + give[r] for r in range(5)]
        mine[:] = [mine[r] - give[r] + get[r] for r in range(5)]
        return twin

    def _bought(self) -> Iterator[tuple[float, Situation]]:
        total = sum(self.unseen)
        for kind, n in enumerate(self.unseen):
            if n:
                after = self.copy()
                after.state.deck = [*single(kind, sum(after.state.deck))]
                after.position.play(self.seat, BuyCard(), _FIRST)
                after.unseen = [count - (k == kind) for k, count in enumerate(self.unseen)]
                yield n / total, after

    def _robbed(self, after: Situation, drawn: int) -> Iterator[tuple[float, Situation]]:
        """Outcomes by the stolen card. `after` is the situation if it was `drawn`, a card that the victim has in the
        position."""
        seat = self.seat
        victim = next(s for s in range(self.state.players) if s != seat and after.state.hands[s] != self.state.hands[s])
        belief = self.beliefs[victim]
        cards = self.state.hands[victim]
        for r in range(5):
            likely = cards[r] / sum(cards) if belief is None else belief.drawn(r)
            if likely:
                twin = after.copy()
                mine, theirs = twin.state.hands[seat], twin.state.hands[victim]
                mine[drawn] -= 1
                mine[r] += 1
                if theirs[r]:
                    theirs[drawn] += 1
                    theirs[r] -= 1
                twin.beliefs[victim] = None if belief is None else belief.robbed(r)
                yield likely, twin

    def _monopolised(self, after: Situation, resource: int) -> Iterator[tuple[float, Situation]]:
        """Outcomes of a monopoly: the two whole numbers of cards around the average."""
        mean = 0.0
        for s in range(self.state.players):
            belief = self.beliefs[s]
            if belief is not None:
                mean += sum([likely * cards[resource] for cards, likely in belief.ways])
                after.beliefs[s] = belief.stripped(resource)
            elif s != self.seat:
                mean += self.state.hands[s][resource]
        few = int(mean)
        for n, likely in ((few, 1.0 - mean + few), (few + 1, mean - few)):
            if likely > 1e-9:
                twin = after.copy()
                twin.state.hands[self.seat][resource] = self.state.hands[self.seat][resource] + n
                yield likely, twin


class _First:
    """Chance that always draws the first possibility."""

    def random(self) -> float:
        return 0.0


_FIRST = _First()


def _dealt(view: View, n: int) -> Hands:
    """Possible hands, judging only by what the view shows."""
    return tuple([hand(cards) for cards in Position.of(view, random.Random(n)).state.hands])


def _belief(view: View, seat: int, unseen: list[int], deals: Iterable[tuple[Hands, float]]) -> Belief | None:
    """What the viewer knows of a seat's cards; None if that is everything."""
    player = view.players[seat]
    if player.development_cards is not None or player.resigned:
        return None
    hidden = sum(unseen)
    share = player.development_count / hidden if hidden else 0.0
    ways: dict[Hand, float] = {}
    if player.hand is not None:
        ways[player.hand] = 1.0
    else:
        for hands, likely in deals:
            cards = _left(hands[seat], player.hand_size)
            ways[cards] = ways.get(cards, 0.0) + likely
    if len(ways) == 1 and not player.development_count:
        return None
    return Belief(ways.items(), tuple([n * share for n in unseen]))


def _left(cards: Hand, size: int) -> Hand:
    """What is left of a hand after secret discards down to `size`: some of every resource, as far as possible."""
    left = [*cards]
    for _ in range(sum(cards) - size):
        left[left.index(max(left))] -= 1
    return hand(left)
