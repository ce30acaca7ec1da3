"""Moments of a game that tests wait for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.actions import Roll
from engine.game import Game
from engine.resources import KNIGHT


def at(step: str) -> Callable[[Game], bool]:
    """A condition: a step of this kind must be decided."""
    return lambda game: game.view(None).step.kind == step


def before_discards(game: Game) -> bool:
    """Whether the next roll makes several players discard."""
    if game.view(None).step.kind != "pre_roll":
        return False
    trial = game.copy()
    trial.play(trial.to_act[0], Roll())
    return trial.view(None).step.kind == "discard" and len(trial.to_act) > 1


def able(action: type) -> Any:
    """A condition: in the main part of their turn, a player can do an action of this type."""
    return lambda game: game.view(None).step.kind == "main" and action in game.options(game.to_act[0])


def can_offer(game: Game) -> bool:
    """Whether the player on turn has a card to offer, and all others have a resource that this player lacks."""
    step = game.view(None).step
    if step.kind != "main":
        return False
    me = game.to_act[0]
    hands = game.state.hands
    others = [hand for seat, hand in enumerate(hands) if seat != me]
    return any(hands[me]) and any(all(hand[kind] for hand in others) and not hands[me][kind] for kind in range(5))


def trading(game: Game) -> bool:
    """Whether, a few turns into the game, the player on turn has a card."""
    view = game.view(None)
    return (
        view.step.kind == "main" and game.turn > 3 and view.on_turn is not None and any(game.state.hands[view.on_turn])
    )


def ends_plainly(game: Game) -> bool:
    """Whether, some turns into the game, the player on turn doesn't have to confirm the end of the turn."""
    view = game.view(None)
    return view.step.kind == "main" and view.turn > 8 and view.players[view.on_turn or 0].hand_size <= 7


def before_window(game: Game) -> bool:
    """Whether the robber must be moved, and several others hold development cards: some, but not all, a knight that
    they can play."""
    if game.state.agenda[-1].kind != "move_robber":
        return False
    mover = game.to_act[0]
    others = [s for s in range(game.config.players) if s != mover and any(game.state.development_cards[s])]
    return 0 < len(knights(game, others)) < len(others)


def knights(game: Game, seats: Any) -> list[int]:
    """Which of these seats could play a knight."""
    return [s for s in seats if game.state.development_cards[s][KNIGHT] > game.state.fresh[s][KNIGHT]]
