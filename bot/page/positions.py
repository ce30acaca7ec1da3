"""Positions as a page has them: each is one flat dictionary, and the page carries only what changes.

Facts have names like "turn", "points.2" (of seat 2) and "node.17" (what stands at intersection 17); what isn't so, or
can't be known, has none. All facts come from a view, so a running game's page has what an onlooker sees (section M).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engine.geometry import bits
from engine.log.chronicle import Account
from engine.terms import Piece
from engine.views import PlayerView, View

Position = dict[str, Any]
"""Facts by name, as plain data; None is no fact."""


def position(view: View, accounts: Sequence[Account]) -> Position:
    """The facts of a view and, by seat, what became of the resource cards so far."""
    facts: Position = {
        "turn": view.turn,
        "round": view.round,
        "seat": view.on_turn,
        "dice": view.dice and list(view.dice),
        "rolls": list(view.rolls),
        "bank": list(view.bank),
        "deck": view.deck,
        "robber": view.robber,
        "road": view.longest_road,
        "army": view.largest_army,
    }
    for player, account in zip(view.players, accounts, strict=True):
        facts |= _of(player, view.board.bridge_mask)
        facts |= _ways(player.seat, account)
    return {name: fact for name, fact in facts.items() if fact is not None}


# An action changes little: most players and accounts are those of the position before.
@lru_cache(maxsize=16)
def _ways(seat: int, account: Account) -> Position:
    """What became of a player's resource cards."""
    return {f"{way}.{seat}": n for way, n in zip(Account._fields, account, strict=True) if n}


@lru_cache(maxsize=16)
def _of(player: PlayerView, bridges: int) -> Position:
    """A player's facts. A hand is the number of cards of each kind, or only that of all of them."""
    seat, hand, cards = player.seat, player.hand, player.development_cards
    points = player.points if player.all_points is None else player.all_points
    facts: Position = {
        f"points.{seat}": points,
        f"hidden.{seat}": points - player.points or None,
        f"hand.{seat}": player.hand_size if hand is None else list(hand),
        f"cards.{seat}": player.development_count if cards is None else list(cards),
        f"played.{seat}": list(player.played),
        f"length.{seat}": player.road_length,
        f"left.{seat}": player.resigned or None,
    }
    for kind, piece, mask in (
        ("edge", Piece.ROAD, player.roads & ~bridges),
        ("edge", Piece.BRIDGE, player.roads & bridges),
        ("node", Piece.SETTLEMENT, player.settlements),
        ("node", Piece.CITY, player.cities),
    ):
        facts |= {f"{kind}.{place}": [seat, piece] for place in bits(mask)}
    return facts


def difference(before: Position, now: Position) -> Position:
    """What a position changes in the one before; None: the fact is gone."""
    changed = {name: fact for name, fact in now.items() if before.get(name) != fact}
    return changed | {name: None for name in before if name not in now}
