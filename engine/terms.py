"""The game's terms as enums, which a type checker knows to be complete. Each member's value is its name in JSON."""

from __future__ import annotations

from enum import StrEnum


def N_(text: str) -> str:
    """Mark a text that is translated where it is shown, for the tools that collect such texts."""
    return text


CONTEXT = "\x04"
"""Separates a message's context from the message, as in gettext."""


def P_(about: str, text: str) -> str:
    """Like `N_`, for a text with two meanings that other languages tell apart; `about` tells translators which one."""
    return f"{about}{CONTEXT}{text}"


def NN_(one: str, many: str) -> tuple[str, str]:
    """Like `N_`, for a text about one and about several."""
    return one, many


class StepKind(StrEnum):
    """The kinds of decisions: one line for each step."""

    SETUP = "setup"
    CHOOSE_YIELD = "choose_yield"
    NEXT_TURN = "next_turn"
    PRE_ROLL = "pre_roll"
    MAIN = "main"
    TRADE_PHASE = "trade_phase"
    BUILDING_PHASE = "building_phase"
    DISCARD = "discard"
    MOVE_ROBBER = "move_robber"
    INTERRUPT = "interrupt"
    TAKE_CARD = "take_card"
    COUNT_KNIGHTS = "count_knights"
    ROAD_BUILDING = "road_building"
    LATE_REQUESTS = "late_requests"
    SPECIAL_BUILDING = "special_building"
    OVER = "over"


UNSEEN = (StepKind.NEXT_TURN, StepKind.COUNT_KNIGHTS)
"""Steps that settle themselves, so that no player ever sees them."""


class PlaceKind(StrEnum):
    """The kinds of places on a board."""

    INTERSECTION = "intersection"
    EDGE = "edge"
    HEX = "hex"


class Piece(StrEnum):
    """What can be built on the board."""

    ROAD = "road"
    BRIDGE = "bridge"
    SETTLEMENT = "settlement"
    CITY = "city"

    @property
    def on_edge(self) -> bool:
        """Whether it stands on an edge, not at an intersection."""
        return self in (Piece.ROAD, Piece.BRIDGE)


class Award(StrEnum):
    """The two cards worth 2 points each (I1, I3)."""

    LONGEST_ROAD = "longest_road"
    LARGEST_ARMY = "largest_army"


class EndReason(StrEnum):
    """Why a game is over (I5, I6, I7)."""

    TARGET = "target"
    LAST = "last"
    AGREEMENT = "agreement"
    ROUNDS = "rounds"
    CALLED_OFF = "called_off"
