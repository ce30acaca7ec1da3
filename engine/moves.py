"""What moves share: the rows of the table of moves, and paying."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import IllegalAction
from engine.refusals import CardList, refusal
from engine.resources import Hand, covers, hand
from engine.state import Move, State


def by_action(*moves: Move) -> dict[type[Action], Move]:
    """A row of the table of moves: what can be done in one step."""
    return {move.action: move for move in moves}


def pay(state: State, seat: int, cost: Hand) -> None:
    """Move cards from a seat to the bank."""
    own_cards, bank = state.hands[seat], state.bank
    for r in range(5):
        n = cost[r]
        if n:
            own_cards[r] -= n
            bank[r] += n


def receive(state: State, seat: int, cards: Hand) -> None:
    """Move cards from the bank to a seat."""
    own_cards, bank = state.hands[seat], state.bank
    for r in range(5):
        n = cards[r]
        if n:
            own_cards[r] += n
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
    """The refusal that names the cost and what is missing; None if the seat can pay."""
    own_cards = state.hands[seat]
    if covers(own_cards, cost):
        return None
    missing = hand(max(0, c - h) for c, h in zip(cost, own_cards, strict=True))
    return UNAFFORDABLE[what](cost=CardList(cost), missing=CardList(missing))
