"""What a type of action does in a step: what is possible, why something isn't, and what it changes."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.actions import Action
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.refusals import CardList, refusal
from engine.resources import Hand, covers, hand
from engine.state import State
from engine.step import Step
from engine.tx import Tx


class Move:
    """One type of action in one kind of step; stateless, so that one instance serves all games."""

    action: ClassVar[type[Action]]
    undoable: ClassVar[bool] = False
    """Whether it can be taken back while nothing was drawn (see `Game.play`)."""

    quiet: ClassVar[bool] = False
    """Whether nobody else may notice it: it doesn't stand in the way of another's undo."""

    def domain(self, state: State, step: Any, seat: int) -> Domain | None:
        """What is possible for the seat, from what it may know; None when nothing is."""
        raise TypeError("a move must say what is possible")

    def do(self, state: State, step: Any, seat: int, action: Any, tx: Tx) -> None:
        """Carry out an action of the domain; may still raise `IllegalAction` before any change (E2)."""
        raise TypeError("a move must do something")

    def why(self, state: State, step: Any, seat: int, action: Any) -> IllegalAction:
        """Why the action is refused; called only when it is."""
        return out_of_turn(state, step, seat)


WRONG_TURN = refusal("wrong-turn", "It isn't your turn: the game is waiting for {players}.")


def by_action(*moves: Move) -> dict[type[Action], Move]:
    """A row of the table of moves: what can be done in a step."""
    return {move.action: move for move in moves}


def out_of_turn(state: State, step: Step, seat: int) -> IllegalAction:
    """The refusal of what doesn't fit the step: somebody else's turn, or something else first."""
    if step.awaited(state) >> seat & 1 or state.on_turn == seat:
        return step.prompt()()
    return WRONG_TURN(players=state.players_in(step.shown(state, seat)))


def pay(state: State, seat: int, cost: Hand) -> None:
    """Cards from a seat to the bank."""
    held, bank = state.hands[seat], state.bank
    for r in range(5):
        n = cost[r]
        if n:
            held[r] -= n
            bank[r] += n


def receive(state: State, seat: int, cards: Hand) -> None:
    """Cards from the bank to a seat."""
    held, bank = state.hands[seat], state.bank
    for r in range(5):
        n = cards[r]
        if n:
            held[r] += n
            bank[r] -= n


UNAFFORDABLE = {
    "road": refusal("unaffordable/road", "A road costs {cost}. You still need {missing}."),
    "bridge": refusal("unaffordable/bridge", "A bridge costs {cost}. You still need {missing}."),
    "settlement": refusal("unaffordable/settlement", "A settlement costs {cost}. You still need {missing}."),
    "city": refusal("unaffordable/city", "A city costs {cost}. You still need {missing}."),
    "development card": refusal(
        "unaffordable/development card", "A development card costs {cost}. You still need {missing}."
    ),
}


def unaffordable(state: State, seat: int, what: str, cost: Hand) -> IllegalAction | None:
    """The refusal that names the cost and what is missing, or None when it can be paid."""
    have = state.hands[seat]
    if covers(have, cost):
        return None
    missing = hand(max(0, c - h) for c, h in zip(cost, have, strict=True))
    return UNAFFORDABLE[what](cost=CardList(cost), missing=CardList(missing))
