"""How a game begins: seats, board, who goes first (C1, C2), and the first decision."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Chance, DrawRecord
from engine.events import FirstPlayer, FirstRolls, SeatsTaken
from engine.pieces import place_road, place_settlement
from engine.scenarios import SCENARIOS, StartPiece, deal
from engine.scenarios.components import shuffled
from engine.state import Rules, State, Tx
from engine.steps.over import settle
from engine.steps.setup import ChooseYields, Setup, setup_order, starting_cards
from engine.steps.turn import NextTurn


def begin(rules: Rules, chance: Chance) -> tuple[State, Tx]:
    """A new position with the first decision on its agenda, and the draws and events that led to it."""
    config = rules.config
    ordinals: dict[str, int] = {}
    early: list[DrawRecord] = []

    def draw(kind: str, n: int) -> int:
        """Make a draw before there is a position."""
        ordinal = ordinals.get(kind, 0)
        result = chance.draw(kind, ordinal, n)
        ordinals[kind] = ordinal + 1
        early.append((kind, ordinal, n, result))
        return result

    order = list(range(config.players))
    if config.shuffle_seats:
        order = shuffled(order, draw, "seats")
    state = State.new(rules, deal(config, draw), tuple(order))
    tx = Tx(state, chance)
    tx.count(early)
    tx.emit(SeatsTaken(state.order))
    state.first = roll_for_first(state, tx)
    tx.emit(FirstPlayer(state.first))
    if start := SCENARIOS[config.scenario].start:
        place_start(state, start, tx)
    else:
        state.push(Setup(setup_order(state.first, state.players)))
    settle(state, tx)
    return state, tx


def roll_for_first(state: State, tx: Tx) -> int:
    """Find who begins: all players roll, and those tied for the highest roll again among themselves (C2)."""
    seats = list(range(state.players))
    while len(seats) > 1:
        rolls = tuple((s, tx.draw("first", 6) + 1, tx.draw("first", 6) + 1) for s in seats)
        tx.emit(FirstRolls(rolls))
        best = max(a + b for _, a, b in rolls)
        seats = [s for s, a, b in rolls if a + b == best]
    return seats[0]


def place_start(state: State, start: Sequence[StartPiece], tx: Tx) -> None:
    """Place the pieces of a fixed board, and give the cards that they yield (B7, A2)."""
    colors = {state.color(s): s for s in range(state.players)}
    for piece in start:
        if piece.color in colors:
            seat = colors[piece.color]
            place_settlement(state, seat, piece.settlement, tx, free=True)
            place_road(state, seat, piece.road, tx, free=True)
    if state.rules.data.choose_yield:
        state.push(ChooseYields(state.active()))
        return
    for piece in start:
        if piece.color in colors and piece.yields:
            starting_cards(state, colors[piece.color], piece.settlement, tx)
    state.push(NextTurn(state.first))
