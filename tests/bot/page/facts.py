"""What a page must show, read from the engine's own position, not from views; and the data in a page."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from engine.config import Config
from engine.events import Event
from engine.game import Game
from engine.geometry import bits
from engine.log.chronicle import Account
from engine.log.lasting import lasting
from engine.record import Record
from tests.engine.moments import moments_of

Facts = dict[str, Any]


def facts_by_moment(config: Config, records: Sequence[Record], *, opened: bool) -> list[Facts]:
    """The facts after each action that was not undone; `opened`: with all hands."""
    log: list[Sequence[Event]] = []
    found = []
    for game in Game.each(config, records):
        log.append(game.last_events)
        found.append(facts_now(game, opened=opened))
    moments = zip(lasting(log), moments_of(config, records), strict=True)
    return [found[number] | ways(moment.accounts) for number, moment in moments]


def facts_now(game: Game, *, opened: bool) -> Facts:
    """The facts of a position, without what became of the cards."""
    state = game.state
    facts: Facts = {
        "turn": state.turn,
        "round": state.round,
        "rolls": state.rolls[:],
        "bank": state.bank[:],
        "deck": sum(state.deck),
        "robber": state.robber,
    }
    if state.on_turn >= 0 and state.outcome is None:
        facts["seat"] = state.on_turn
    if state.dice:
        facts["dice"] = list(state.dice)
    if state.longest >= 0:
        facts["road"] = state.longest
    if state.army >= 0:
        facts["army"] = state.army
    for seat in range(state.players):
        hand, cards = state.hands[seat], state.development_cards[seat]
        facts[f"points.{seat}"] = state.all_points(seat) if opened else state.points(seat)
        if opened and state.all_points(seat) > state.points(seat):
            facts[f"hidden.{seat}"] = state.all_points(seat) - state.points(seat)
        facts[f"hand.{seat}"] = hand[:] if opened or game.rules.data.open_hands else sum(hand)
        facts[f"cards.{seat}"] = cards[:] if opened else sum(cards)
        facts[f"played.{seat}"] = state.played[seat][:]
        facts[f"length.{seat}"] = state.road_length[seat]
        if state.resigned >> seat & 1:
            facts[f"left.{seat}"] = True
        for edge in bits(state.roads[seat]):
            facts[f"edge.{edge}"] = [seat, "bridge" if state.board.bridge_mask >> edge & 1 else "road"]
        facts |= {f"node.{node}": [seat, "settlement"] for node in bits(state.settlements[seat])}
        facts |= {f"node.{node}": [seat, "city"] for node in bits(state.cities[seat])}
    return facts


def ways(accounts: Sequence[Account]) -> Facts:
    """What became of the cards, by seat."""
    return {f"{way}.{seat}": n for seat, account in enumerate(accounts) for way, n in account._asdict().items() if n}


def held(facts: Facts, seat: int) -> int:
    """How many resource cards a seat must hold, from what became of them."""
    return Account(*(facts.get(f"{way}.{seat}", 0) for way in Account._fields)).held


def data_of(made: bytes, name: str = "data") -> Any:
    """A block of data in a page."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', made.decode(), re.DOTALL)
    return found and json.loads(found[1])
