"""The plainest legal choice, made for a seat that has left (I7) or whose time is over."""

from __future__ import annotations

from engine.actions import Action, BuildSettlement, ChooseYield, Discard, EndTurn, MoveRobber, PassOn, Roll
from engine.board import pips
from engine.domains import Cards, Options, Places
from engine.geometry import bits
from engine.resources import hand
from engine.state import State


def default_action(state: State, seat: int, options: Options) -> Action:
    """The plainest action for a seat that owes a decision: end the turn, roll, pass, discard what is most plentiful,
    move the robber away from everyone, or else the first option."""
    simplest: tuple[Action, ...] = (EndTurn(), Roll(), PassOn())
    for action in simplest:
        if options.allows(action):
            return action
    if isinstance(cards := options.get(Discard), Cards):
        return Discard(most_plentiful(cards))
    if isinstance(places := options.get(MoveRobber), Places):
        return MoveRobber(plainest_hex(state, seat, places.mask))
    return next(options.actions())


def expired_action(state: State, seat: int, options: Options) -> Action:
    """The same for a seat whose time is over, except that in setup it takes the intersection with the most pips."""
    if not state.turn:
        for kind in (BuildSettlement, ChooseYield):
            if isinstance(places := options.get(kind), Places):
                return kind(max(bits(places.mask), key=state.board.pips_at))
    return default_action(state, seat, options)


def most_plentiful(cards: Cards) -> tuple[int, int, int, int, int]:
    """Pick `total` cards, each time of the kind with the most left."""
    left, chosen = list(cards.caps), [0] * 5
    for _ in range(cards.total):
        r = left.index(max(left))
        left[r] -= 1
        chosen[r] += 1
    return hand(chosen)


def seats_at(state: State, hex_: int) -> list[int]:
    """Seats with a building at a hex."""
    nodes = state.board.hex_node_mask[hex_]
    return [s for s in range(state.players) if (state.settlements[s] | state.cities[s]) & nodes]


def plainest_hex(state: State, seat: int, places: int) -> int:
    """The hex where the robber does the least harm: not next to the seat's own buildings, then by the fewest points of
    the seats there, then by the rarest number."""

    def harm(hex_: int) -> tuple[bool, int, int]:
        seats = seats_at(state, hex_)
        return (seat in seats, sum(state.points(s) for s in seats), pips(state.board.tokens[hex_]))

    return min(bits(places), key=harm)
