"""Bots at one table: which seat acts next, and what it does."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import AcceptOffer, Action, AskToBuild, CloseOffer, DeclineOffer, EndTurn, WithdrawOffer
from engine.autoplay import default_action
from engine.errors import IllegalAction
from engine.game import Game
from engine.terms import StepKind
from engine.views import OfferView, View
from players.player import Player


def unanswered(view: View) -> OfferView | None:
    """The first open offer that the view's seat must still answer. An open counteroffer of its own is an answer.

    While a card's roads are placed, answers can wait (up to format 5 of the rules, they must).
    """
    if view.seat is None or view.step.kind is StepKind.ROAD_BUILDING:
        return None
    countered = {offer.answers for offer in view.offers if offer.seat == view.seat and offer.to & ~offer.declined}
    for offer in view.offers:
        if offer.to & ~offer.accepted & ~offer.declined & 1 << view.seat and offer.id not in countered:
            return offer
    return None


def move(game: Game, players: Sequence[Player]) -> tuple[int, Action]:
    """The next action at a table where only bots play, and its seat. Answers to offers come first."""
    if game.state.offers:
        for seat, player in enumerate(players):
            view = game.view(seat, counted=True)
            if offer := unanswered(view):
                return seat, player.answer(view, game.options(seat), offer)
    seat = game.to_act[0]
    return seat, players[seat].decide(game.view(seat, counted=True), game.options(seat))


def play(game: Game, players: Sequence[Player]) -> None:
    """Carry out the next action."""
    seat, action = move(game, players)
    if type(action) is EndTurn and game.rules.data.special_building:
        for other in game.state.following(seat):
            if players[other].asks_to_build(game.view(other)) and not game.state.asked >> other & 1:
                game.play(other, AskToBuild())
    carry_out(game, seat, action)


def carry_out(game: Game, seat: int, action: Action) -> None:
    """Play an action, or the plainest one if it is refused: a partner may no longer hold the cards to give (E2)."""
    try:
        game.play(seat, action)
    except IllegalAction:
        game.play(seat, instead(game, seat, action))


def instead(game: Game, seat: int, refused: Action) -> Action:
    """The plainest action for a seat whose action was refused, so that the game goes on."""
    if isinstance(refused, CloseOffer):
        return WithdrawOffer(refused.offer)
    if isinstance(refused, AcceptOffer):
        return DeclineOffer(refused.offer)
    return default_action(game.state, seat, game.options(seat))
