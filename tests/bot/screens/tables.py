"""Positions for the tests of texts: dealt boards and views made by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.board import Board
from engine.changes import Changes
from engine.config import COLORS, Config
from engine.geometry import bits, mask_of
from engine.resources import Hand
from engine.scenarios import SCENARIOS, deal
from engine.step import PlacingView, StepView
from engine.steps.discard import DiscardsView
from engine.steps.robber import RobberView
from engine.steps.special import SpecialBuildingView
from engine.steps.take_card import TakeView
from engine.steps.turn import MainView, PreRollView
from engine.terms import Piece, StepKind
from engine.variants.knight_interrupt import InterruptView
from engine.views import PlayerView, View

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
ZERO: Hand = (0, 0, 0, 0, 0)


def config(scenario: str = "beginner", players: int = 4, **values: Any) -> Config:
    """A configuration with colors that the scenario allows."""
    colors = SCENARIOS[scenario].colors_for(players)
    return Config(colors=tuple(c for c in COLORS if c in colors)[:players], scenario=scenario, **values)


def board(config: Config, seed: int = 1) -> Board:
    """A dealt board."""
    rng = random.Random(seed)
    return deal(config, lambda kind, n: rng.randrange(n))


def player(seat: int, color: str, **values: Any) -> PlayerView:
    """A player with nothing, as an onlooker sees them."""
    nothing = PlayerView(
        seat=seat, player=seat, color=color, roads=0, settlements=0, cities=0, hand_size=0, hand=None,
        development_count=0, development_cards=None, fresh_cards=None, played=ZERO, points=0, all_points=None,
        road_length=0, pieces_left=(15, 5, 4), rates=(4, 4, 4, 4, 4),
    )  # fmt: skip
    return replace(nothing, **values)


FACTS: dict[StepKind, tuple[type[StepView], dict[str, Any]]] = {
    StepKind.SETUP: (PlacingView, {"piece": Piece.SETTLEMENT, "nth": 0}),
    StepKind.PRE_ROLL: (PreRollView, {"may_play_card": False}),
    StepKind.MAIN: (MainView, {"may_trade": True}),
    StepKind.DISCARD: (DiscardsView, {"owed": (0,) * 8, "chosen": None}),
    StepKind.MOVE_ROBBER: (RobberView, {"hexes": 0, "may_leave": False}),
    StepKind.TAKE_CARD: (TakeView, {"victims": 0, "may_decline": False}),
    StepKind.ROAD_BUILDING: (PlacingView, {"piece": Piece.ROAD, "nth": 0}),
    StepKind.SPECIAL_BUILDING: (SpecialBuildingView, {"queue": (1,)}),
    StepKind.INTERRUPT: (InterruptView, {"mover": 0}),
}
"""The step views that show more than their kind, with the facts that they have unless a test sets others."""


def step(kind: str, awaited: int = 1, **facts: Any) -> StepView:
    """A step view of that kind."""
    step_kind = StepKind(kind)
    cls, usual = FACTS.get(step_kind, (StepView, {}))
    return cls(step_kind, awaited, **(usual | facts))


def view(config_: Config | None = None, **values: Any) -> View:
    """The first turn of the first player, before the roll, as an onlooker sees it; `values` change it."""
    chosen = config_ or config()
    table = values.pop("board", None) or board(chosen)
    plain = View(
        seat=None, config=chosen, board=table, revision=1, step=step("pre_roll"),
        agenda=((StepKind.PRE_ROLL, (0,)),), on_turn=0, turn=1, round=1,
        turns=(1, *(0 for _ in chosen.colors[1:])), first=0,
        free_intersections=table.settle_mask,
        players=tuple(player(s, c) for s, c in enumerate(chosen.colors)),
        bank=(19, 19, 19, 19, 19), deck=25,
        robber=table.robber, longest_road=None, largest_army=None, dice=None, rolls=(0,) * 13, offers=(), events=(),
        last=(), changes=Changes(), built=False, card_played=False, may_count_points=True, end_votes=0,
        call_off_votes=0, asked_to_build=False,
    )  # fmt: skip
    return replace(plain, **values)


def with_player(view_: View, seat: int, **values: Any) -> View:
    """The view with one player changed."""
    players = list(view_.players)
    players[seat] = replace(players[seat], **values)
    return replace(view_, players=tuple(players), free_intersections=_free(view_.board, players))


def _free(board_: Board, players: Iterable[PlayerView]) -> int:
    """The intersections where the land and the buildings nearby leave room for a settlement, as a mask."""
    taken = 0
    for player_ in players:
        taken |= player_.settlements | player_.cities
    return mask_of(n for n in bits(board_.settle_mask) if not board_.blocks[n] & taken)
