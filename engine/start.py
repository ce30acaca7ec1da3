"""How a game begins: seats, board, who goes first (C1, C2), and the first decision."""

from __future__ import annotations

from engine.chance import Chance
from engine.events import FirstPlayer, FirstRolls, SeatsTaken
from engine.pieces import place_road, place_settlement
from engine.rules import Rules
from engine.scenarios import deal
from engine.scenarios.components import shuffled
from engine.state import State
from engine.steps.setup import ChooseYields, Setup, setup_order, starting_cards
from engine.steps.turn import NextTurn
from engine.tx import Tx


def begin(rules: Rules, chance: Chance) -> tuple[State, Tx]:
    """A new position with the first decision on its agenda, and the draws and events that led to it."""
    config = rules.config
    ordinals: dict[str, int] = {}
    early: list[tuple[str, int, int, int]] = []

    def draw(kind: str, n: int) -> int:
        """Draws that come before there is a position."""
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
    if rules.scenario.start:
        place_start(state, tx)
    else:
        state.push(Setup(setup_order(state.first, state.players)))
    rules.settle(state, tx)
    return state, tx


def roll_for_first(state: State, tx: Tx) -> int:
    """Everybody rolls; those tied for highest roll again among themselves (C2)."""
    seats = list(range(state.players))
    while len(seats) > 1:
        rolls = tuple((s, tx.draw("first", 6) + 1, tx.draw("first", 6) + 1) for s in seats)
        tx.emit(FirstRolls(rolls))
        best = max(a + b for _, a, b in rolls)
        seats = [s for s, a, b in rolls if a + b == best]
    return seats[0]


def place_start(state: State, tx: Tx) -> None:
    """The pieces of a fixed board, and the cards that they yield (B7, A2)."""
    rules = state.rules
    colors = {state.color(s): s for s in range(state.players)}
    for piece in rules.scenario.start:
        if piece.color in colors:
            seat = colors[piece.color]
            place_settlement(state, seat, piece.settlement, tx, free=True)
            place_road(state, seat, piece.road, tx, free=True)
    if rules.data.choose_yield:
        state.push(ChooseYields(state.active()))
        return
    for piece in rules.scenario.start:
        if piece.color in colors and piece.yields:
            starting_cards(state, colors[piece.color], piece.settlement, tx)
    state.push(NextTurn(state.first))
