"""The closed lists of the game's words: what a type checker knows to be complete. Each member is its name in JSON."""

from __future__ import annotations

from enum import StrEnum


def N_(text: str) -> str:
    """Mark a text that whoever shows it may translate, for the tools that collect such texts."""
    return text


CONTEXT = "\x04"
"""Between a message and what it is about, as gettext has it."""


def P_(about: str, text: str) -> str:
    """The same for a text that is two things in another language; `about`: which of them, for who translates it."""
    return f"{about}{CONTEXT}{text}"


class StepKind(StrEnum):
    """The kinds of decisions: the registry of steps, one line each."""

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
"""Steps that settle themselves: nobody ever meets them."""


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
