"""The ways in which a game can end (I5 to I7). The recorded games show each of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import (
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    BuildBridge,
    BuildCity,
    BuildSettlement,
    BuyCard,
    CallOff,
    DecideFor,
    Expire,
    PlayRoadBuilding,
    PlayVictoryPoint,
    Resign,
)
from engine.events import AwardMoved, TurnBegan
from engine.game import Game
from engine.terms import Award, EndReason

Condition = Callable[[Game], bool]
CLOCK = (DecideFor, Expire)
"""What the referee does when a player's time is over."""


def ways(game: Game) -> set[str]:
    """The names of the ways in which a finished game has ended."""
    assert game.outcome is not None
    reason = game.outcome.reason
    return {name for name, (why, *conditions) in WAYS.items() if why == reason and all(so(game) for so in conditions)}


def _by(*kinds: type[Action]) -> Condition:
    """Whether an action of these kinds was the last one."""
    return lambda game: isinstance(game.records[-1].action, kinds)


def _not_by(*kinds: type[Action]) -> Condition:
    return lambda game: not isinstance(game.records[-1].action, kinds)


def _moved(award: Award) -> Condition:
    """Whether an award moved with the last action."""
    return lambda game: any(isinstance(event, AwardMoved) and event.award == award for event in game.last_events)


def _free_road(game: Game) -> bool:
    """Whether the last action was the first or second road of a road building card."""
    return any(isinstance(record.action, PlayRoadBuilding) for record in game.records[-3:-1])


def _turn_began(game: Game) -> bool:
    return any(isinstance(event, TurnBegan) for event in game.last_events)


def _shared(game: Game) -> bool:
    return game.outcome is not None and len(game.outcome.winners) > 1


def _alone(game: Game) -> bool:
    return not _shared(game)


def _in_setup(game: Game) -> bool:
    return game.turn == 0


def _later(game: Game) -> bool:
    return game.turn > 0


_ROAD, _ARMY = _moved(Award.LONGEST_ROAD), _moved(Award.LARGEST_ARMY)
_ON_TIME = _not_by(Resign, *CLOCK)

WAYS: dict[str, tuple[EndReason, *tuple[Condition, ...]]] = {
    # the target (I5)
    "a settlement": (EndReason.TARGET, _by(BuildSettlement)),
    "a city": (EndReason.TARGET, _by(BuildCity)),
    "a card that was bought": (EndReason.TARGET, _by(BuyCard)),
    "a victory point that was played": (EndReason.TARGET, _by(PlayVictoryPoint)),
    "the longest road": (EndReason.TARGET, _ROAD, _not_by(BuildSettlement, Resign)),
    "the longest road by a bridge": (EndReason.TARGET, _ROAD, _by(BuildBridge)),
    "the longest road by a free road": (EndReason.TARGET, _ROAD, _free_road),
    "the longest road of another, cut": (EndReason.TARGET, _ROAD, _by(BuildSettlement)),
    "the longest road of a player who left": (EndReason.TARGET, _ROAD, _by(Resign)),
    "the largest army": (EndReason.TARGET, _ARMY, _not_by(Resign)),
    "the largest army of a player who left": (EndReason.TARGET, _ARMY, _by(Resign)),
    "a turn that begins": (EndReason.TARGET, _turn_began, _ON_TIME),
    "a turn that begins when another's time is over": (EndReason.TARGET, _turn_began, _by(*CLOCK)),
    "a turn that begins when another leaves": (EndReason.TARGET, _turn_began, _by(Resign)),
    # the limit of rounds (I6)
    "the limit": (EndReason.ROUNDS, _alone, _ON_TIME),
    "the limit, and the win is shared": (EndReason.ROUNDS, _shared, _ON_TIME),
    "the limit, when a player's time is over": (EndReason.ROUNDS, _by(*CLOCK)),
    "the limit, when a player leaves": (EndReason.ROUNDS, _by(Resign)),
    # votes (I6)
    "all agree to end": (EndReason.AGREEMENT, _alone, _by(AgreeToEnd)),
    "all agree to end, and the win is shared": (EndReason.AGREEMENT, _shared, _by(AgreeToEnd)),
    "all agree to end but one, who leaves": (EndReason.AGREEMENT, _by(Resign)),
    "all agree to void": (EndReason.CALLED_OFF, _later, _by(AgreeToCallOff)),
    "all agree to void in setup": (EndReason.CALLED_OFF, _in_setup, _by(AgreeToCallOff)),
    "all agree to void but one, who leaves": (EndReason.CALLED_OFF, _by(Resign)),
    # the referee, for those who run the table
    "voided": (EndReason.CALLED_OFF, _later, _by(CallOff)),
    "voided in setup": (EndReason.CALLED_OFF, _in_setup, _by(CallOff)),
    # all but one have left (I7)
    "all but one leave": (EndReason.LAST, _later),
    "all but one leave in setup": (EndReason.LAST, _in_setup),
}
"""Each way by its name: the reason that the outcome gives, and what else is true at the end.

A game that no one can win anymore ends by none of its own: by a vote or the limit, or the referee voids it."""
