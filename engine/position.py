"""A position to think with: the same rules as the game, without log, story, refusals, undo and provable chance.

position = Position.of(game.view(seat), rng)     # what the seat can't know is dealt at random
while position.outcome is None:
    seat = position.to_act[0]
    position.play(seat, position.options(seat).sample(rng), rng)
"""

from __future__ import annotations

from engine.actions import Action, BuildBridge, BuildCity, BuildRoad, BuildSettlement
from engine.domains import Options, Random
from engine.events import CardBought, Event
from engine.geometry import bits
from engine.offer import Offer
from engine.outcome import Outcome
from engine.pieces import road_places, settlement_places
from engine.resources import KNIGHT, NOTHING, Hand, hand
from engine.rules import rules_of
from engine.state import State, Tx
from engine.steps.over import settle
from engine.steps.robber import CountKnights
from engine.steps.turn import NextTurn
from engine.terms import Piece
from engine.views import PlayerView, View

BUILDS: dict[Piece, type[Action]] = {
    Piece.ROAD: BuildRoad,
    Piece.BRIDGE: BuildBridge,
    Piece.SETTLEMENT: BuildSettlement,
    Piece.CITY: BuildCity,
}
"""The action that builds a piece."""


class Position:
    """A game's position that is played on with any source of chance. Not safe for use by several threads at the same
    time."""

    __slots__ = ("rules", "state")

    def __init__(self, state: State) -> None:
        """The position changes the state itself: pass a copy if it is needed elsewhere."""
        self.state = state
        self.rules = state.rules

    @classmethod
    def of(cls, view: View, rng: Random) -> Position:
        """A position that fits what a seat knows. Others' cards and the deck are dealt at random."""
        return cls(_state(view, rng))

    def copy(self) -> Position:
        """An independent copy."""
        return Position(self.state.copy())

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        return self.state.outcome

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        return tuple(bits(self.state.agenda[-1].awaited(self.state)))

    def options(self, seat: int) -> Options:
        """What a seat can do in the decision on top, like `Game.options`."""
        return self.rules.options(self.state, seat)

    def room(self, seat: int, piece: Piece) -> int:
        """Mask of the places where a seat could build, no matter what it holds, has left, or whose turn it is (F2-F5,
        L7)."""
        state, step = self.state, self.state.agenda[-1]
        if not self.rules.open_to(state, step, seat, BUILDS[piece]):
            return 0
        if piece is Piece.SETTLEMENT:
            return settlement_places(state, seat)
        if piece is Piece.CITY:
            return state.settlements[seat]
        return road_places(state, seat, state.board.edges_for(piece is Piece.BRIDGE))

    def play(self, seat: int, action: Action, rng: Random) -> None:
        """Carry out an action, which must be one of the seat's options; draws come from `rng`.

        Raises `IllegalAction`, and changes nothing, if a partner no longer holds the cards of a trade (E2).
        """
        state = self.state
        step = state.agenda[-1]
        tx = _Trial(state, rng)
        self.rules.moves[type(step)][type(action)].do(state, step, seat, action, tx)
        settle(state, tx)


class _Trial(Tx):
    """An action in progress in such a position: draws and events leave no trace."""

    __slots__ = ("rng",)

    def __init__(self, state: State, rng: Random) -> None:
        self.state = state
        self.rng = rng

    def draw(self, kind: str, n: int) -> int:
        return int(self.rng.random() * n)

    def emit(self, event: Event) -> None:
        for react in self.state.rules.reactions.get(type(event), ()):
            react(self.state, self, event)


def _state(view: View, rng: Random) -> State:
    """The state that a view shows. What the view can't know is dealt at random."""
    rules, board = rules_of(view.config), view.board
    players = view.players
    state = State.new(rules, board, tuple(player.player for player in players))
    kinds = {step.kind: step for step in rules.moves}
    for kind, fields in view.agenda:
        state.push(kinds[kind](*fields))
    for s, player in enumerate(players):
        state.played[s] = list(player.played)
        state.roads[s], state.settlements[s], state.cities[s] = player.roads, player.settlements, player.cities
        state.road_length[s] = player.road_length
        state.rates[s] = list(player.rates)
        state.resigned |= player.resigned << s
        state.buildings |= player.settlements | player.cities
        state.paved |= player.roads
        for e in bits(player.roads):
            state.reach[s] |= board.grid.edge_node_mask[e]
    state.closed = board.settle_mask & ~view.free_intersections
    state.bank = list(view.bank)
    state.robber = view.robber
    state.longest = -1 if view.longest_road is None else view.longest_road
    state.army = -1 if view.largest_army is None else view.largest_army
    state.first, state.turn, state.round = view.first, view.turn, view.round
    state.turns = list(view.turns)
    state.on_turn = -1 if view.on_turn is None else view.on_turn
    now = state.on_turn
    if now < 0:
        now = next((step.seat - 1 for step in state.agenda if isinstance(step, NextTurn)), state.first)
    state.place = (now - state.first) % state.players
    state.dice, state.rolls = view.dice, list(view.rolls)
    state.card_played, state.built = view.card_played, view.built
    state.offers = [Offer(o.id, o.seat, o.give, o.want, o.to, o.answers, o.accepted, o.declined) for o in view.offers]
    state.next_offer = max((offer.id for offer in view.offers), default=0) + 1
    if view.seat is not None:
        state.asked = view.asked_to_build << view.seat
    state.votes = view.end_votes
    state.outcome = view.outcome
    _deal_resources(state, view, rng)
    _deal_development_cards(state, view, rng)
    return state


def _deal_resources(state: State, view: View, rng: Random) -> None:
    """Deal unknown hands in one of the ways that were counted. Discards that are still hidden go to the bank."""
    counts = view.counts
    hands = counts.deal(rng) if counts else _any(state, view, rng)
    for s, player in enumerate(view.players):
        state.hands[s] = list(player.hand or hands[s])
        if player.hand is None:
            for kind in _shuffled(state.hands[s], rng)[player.hand_size :]:
                state.hands[s][kind] -= 1
                state.bank[kind] += 1


def _any(state: State, view: View, rng: Random) -> list[Hand]:
    """Hands dealt from all unseen cards, for when nothing was counted."""
    unseen = [state.rules.data.bank - n for n in view.bank]
    for player in view.players:
        unseen = [a - b for a, b in zip(unseen, player.hand or NOTHING, strict=True)]
    pile = _shuffled(unseen, rng)
    dealt = [[pile.pop() for _ in range(p.hand_size if p.hand is None else 0)] for p in view.players]
    return [hand(map(cards.count, range(5))) for cards in dealt]


def _deal_development_cards(state: State, view: View, rng: Random) -> None:
    """Deal unknown development cards, and the deck."""
    for s, player in enumerate(view.players):
        if player.development_cards is not None:
            state.development_cards[s] = list(player.development_cards)
            state.fresh[s] = list(player.fresh_cards or state.fresh[s])
    pile = _shuffled(unseen_cards(state, view), rng)
    for s, player in enumerate(view.players):
        if player.development_cards is None:
            fresh = _bought(view, player)
            for n in range(player.development_count):
                kind = pile.pop()
                state.development_cards[s][kind] += 1
                state.fresh[s][kind] += n < fresh
    deck = pile[: view.deck]  # the other cards left the game with players who resigned
    state.deck = [deck.count(kind) for kind in range(5)]


def unseen_cards(state: State, view: View) -> list[int]:
    """The development cards that a view doesn't show, by kind: in the deck, with others, or gone with players who
    resigned."""
    unseen = list(state.rules.data.deck)
    for step in state.agenda:
        if isinstance(step, CountKnights):
            unseen[KNIGHT] -= len(step.seats)
    for player in view.players:
        for shown in (player.played, player.development_cards or NOTHING):
            unseen = [a - b for a, b in zip(unseen, shown, strict=True)]
    return unseen


def _bought(view: View, player: PlayerView) -> int:
    """How many development cards a player has bought this turn."""
    if view.on_turn != player.seat:
        return 0
    return sum(isinstance(event, CardBought) and event.seat == player.seat for event in view.events)


def _shuffled(counts: list[int], rng: Random) -> list[int]:
    """A shuffled pile of cards; `counts` by kind."""
    pile = [kind for kind, n in enumerate(counts) for _ in range(n)]
    for at in range(len(pile) - 1, 0, -1):
        other = int(rng.random() * (at + 1))
        pile[at], pile[other] = pile[other], pile[at]
    return pile
