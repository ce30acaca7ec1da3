"""Formats: until its end, a game keeps the behavior of the rules that it began with.

The rules as written play the newest format. A change of behavior gets a new number here, and the format before it gets
a patch that restores the old behavior. So running games, and those in archives, replay to the same hashes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.actions import AcceptOffer, DeclineOffer
from engine.config import Config
from engine.data import Data
from engine.refusals import Listed, config_refusal
from engine.state import Rules
from engine.steps.cards import FreeRoads

UNKNOWN_FORMAT = config_refusal("format", "This program plays format {known} of the rules, not {format}.")


@dataclass(frozen=True, slots=True)
class Format:
    """How a format differs from the rules as written: in their data and in their tables."""

    data: Callable[[Data], Data] = lambda data: data
    patch: Callable[[Rules], None] = lambda rules: None


def _counted_at_any_time(rules: Rules) -> None:
    """Points could be counted by agreement at any time (I6)."""
    _no_answers_to_free_roads(rules)
    rules.may_count_points = lambda state: True


def _counted_from_round_two(rules: Rules) -> None:
    """Points could be counted by agreement once the second round had begun (I6)."""
    _no_answers_to_free_roads(rules)
    rules.may_count_points = lambda state: state.round > 1


def _up_to_two(data: Data) -> Data:
    """The same offer could be open twice (E2), and a counter-offer outlived the offer that it answers (E3)."""
    return replace(_up_to_three(data), equal_offers=True, counters_outlive=True)


def _up_to_three(data: Data) -> Data:
    """The same offer could be open twice if one was a counter-offer, or once a player had resigned (E2). A largest army
    that no one held stayed that way when a player resigned (I7)."""
    return replace(_up_to_four(data), equal_counters=True, army_stays_aside=True)


def _up_to_four(data: Data) -> Data:
    """When the player on turn resigned, the turn ended before the rest of it was settled. So players were called to
    build by the cards that they held before a seven or a robbery (J2, I7)."""
    return replace(_up_to_five(data), leaver_ends_turn=True)


def _up_to_five(data: Data) -> Data:
    """Players who passed in the window for late requests were called nevertheless if they held enough cards. It also
    waited for those who are called only when they ask (J2)."""
    return replace(data, window_asks_all=True)


def _no_answers_to_free_roads(rules: Rules) -> None:
    """While a card's free roads were placed, offers could not be answered (E2, H4)."""
    for action in (AcceptOffer, DeclineOffer):
        del rules.moves[FreeRoads][action]


FORMATS: dict[int, Format] = {
    1: Format(_up_to_two, _counted_at_any_time),
    2: Format(_up_to_two, _counted_from_round_two),
    3: Format(_up_to_three, _counted_from_round_two),
    4: Format(_up_to_four, _no_answers_to_free_roads),
    5: Format(_up_to_five, _no_answers_to_free_roads),
    6: Format(),
}
"""All formats by number; `engine.config.FORMAT` is the one of new games."""


def format_of(config: Config) -> Format:
    """The format of a game; raises `ConfigError` if it is unknown."""
    game_format = FORMATS.get(config.format)
    if game_format is None:
        raise UNKNOWN_FORMAT(known=Listed([str(number) for number in FORMATS], choice=True), format=config.format)
    return game_format
