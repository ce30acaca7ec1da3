"""A second world for a game: the same to all but a few, who hold other cards there."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.codec import Secret
from engine.config import Config
from engine.errors import RefereeError, ReplayError
from engine.events import Event
from engine.game import Game
from engine.record import Record
from engine.resources import VICTORY_POINT
from engine.rules import data_of
from engine.variants.knight_interrupt import Interrupt

LATEST = 3
"""How many of the latest hidden draws come out differently, one at a time."""


@dataclass(frozen=True)
class Twin:
    """A game, as it is in another world."""

    game: Game
    hiding: frozenset[int]
    """Seats that can tell the worlds apart."""
    why: str
    """How they differ."""


def hidden_draws(config: Config) -> tuple[str, ...]:
    """Kinds of draws whose outcome only some players learn."""
    return ("deck",) if data_of(config).open_hands else ("deck", "steal")


def other_cards(game: Game, rng: random.Random) -> Iterator[Twin]:
    """The same position with two cards of two hands swapped, and with another unplayed development card."""
    if not data_of(game.config).open_hands:
        holders = [seat for seat in range(game.config.players) if any(game.state.hands[seat])]
        pairs = [(one, other) for one in holders for other in holders if one < other]
        if found := _swapped(game, rng.sample(pairs, len(pairs)), rng):
            yield found
    if found := _another_card(game, rng):
        yield found
    yield _another_answer(game, rng)


def _swapped(game: Game, pairs: Sequence[tuple[int, int]], rng: random.Random) -> Twin | None:
    hands = game.state.hands
    for one, other in pairs:
        kinds = [(a, b) for a in range(5) for b in range(5) if a != b and hands[one][a] and hands[other][b]]
        if kinds:
            a, b = rng.choice(kinds)
            twin = game.copy()
            for seat, goes, comes in ((one, a, b), (other, b, a)):
                twin.state.hands[seat][goes] -= 1
                twin.state.hands[seat][comes] += 1
            return Twin(twin, frozenset((one, other)), f"seats {one} and {other} have swapped cards {a} and {b}")
    return None


def _another_card(game: Game, rng: random.Random) -> Twin | None:
    state = game.state
    found = [
        (seat, a, b)
        for seat in range(game.config.players)
        for a in range(5)
        for b in range(5)
        if a != b and state.development_cards[seat][a] and state.deck[b]
        if b != VICTORY_POINT or state.all_points(seat) + 1 < game.config.target
    ]
    if not found:
        return None
    seat, a, b = rng.choice(found)
    twin = game.copy()
    held, fresh, deck = twin.state.development_cards[seat], twin.state.fresh[seat], twin.state.deck
    held[a], held[b], deck[a], deck[b] = held[a] - 1, held[b] + 1, deck[a] + 1, deck[b] - 1
    if fresh[a]:
        fresh[a], fresh[b] = fresh[a] - 1, fresh[b] + 1
    return Twin(twin, frozenset((seat,)), f"seat {seat} holds card {b} instead of {a}")


def _another_answer(game: Game, rng: random.Random) -> Twin:
    """Someone has asked to build or not, has another standing number, has answered the robber or not (J2, L8)."""
    twin, seat = game.copy(), rng.randrange(game.config.players)
    state, top = twin.state, twin.state.agenda[-1]
    if isinstance(top, Interrupt) and top.asked >> seat & 1 and (top.asked ^ top.answered) & ~(1 << seat):
        top.answered ^= 1 << seat
    elif not hasattr(top, "answered"):
        state.asked ^= 1 << seat
        state.standing[seat] = (state.standing[seat] + 3) % 7
    return Twin(twin, frozenset((seat,)), f"seat {seat} has answered otherwise")


def other_draws(config: Config, records: Sequence[Record], rng: random.Random) -> Iterator[Twin]:
    """The same actions, with a hidden draw that came out differently, as far as they stay legal and all that is public
    stays the same."""
    for number, at in _drawn(config, records)[-LATEST:]:
        changed = _changed(records, number, at, rng)
        hiding = _hiding(config, records, changed)
        if hiding:
            kind, ordinal, _, result = records[number].draws[at]
            other = changed[number].draws[at][3]
            yield Twin(Game.replay(config, changed), hiding, f"draw {ordinal} of {kind} is {other}, not {result}")


def most_other_draws(config: Config, records: Sequence[Record], rng: random.Random) -> list[Record]:
    """The same with as many hidden draws that came out differently as can be."""
    found = [*records]
    for number, at in reversed(_drawn(config, records)):
        changed = _changed(found, number, at, rng)
        if _hiding(config, records, changed):
            found = changed
    return found


def _drawn(config: Config, records: Sequence[Record]) -> list[tuple[int, int]]:
    """Where hidden draws are: the number of the record, and the draw's place in it."""
    kinds = hidden_draws(config)
    return [
        (number, at)
        for number, record in enumerate(records)
        for at, (kind, _, n, _) in enumerate(record.draws)
        if kind in kinds and n > 1
    ]


def _changed(records: Sequence[Record], number: int, at: int, rng: random.Random) -> list[Record]:
    record = records[number]
    kind, ordinal, n, result = record.draws[at]
    other = (result + rng.randrange(1, n)) % n
    draws = (*record.draws[:at], (kind, ordinal, n, other), *record.draws[at + 1 :])
    return [*records[:number], dataclasses.replace(record, draws=draws), *records[number + 1 :]]


def _hiding(config: Config, here: Sequence[Record], there: Sequence[Record]) -> frozenset[int]:
    """The seats that can tell two logs apart; none if the second isn't legal, or all can."""
    found = set[int]()
    try:
        for one, other in zip(Game.each(config, here), Game.each(config, there), strict=True):
            if [*map(_public, one.last_events)] != [*map(_public, other.last_events)] or one.to_act != other.to_act:
                return frozenset()
            if one.state.bank != other.state.bank:  # someone has left, and their cards have gone back
                return frozenset()
            for mine, theirs in zip(one.last_events, other.last_events, strict=True):
                if mine != theirs:
                    found |= {getattr(mine, name) for name in ("seat", "victim") if hasattr(mine, name)}
            found |= {seat for seat in range(config.players) if _own(one, seat) != _own(other, seat)}
    except (ReplayError, RefereeError):
        return frozenset()
    return frozenset(found) if one.outcome is None and other.outcome is None else frozenset()


def _own(game: Game, seat: int) -> tuple[Any, ...]:
    state = game.state
    return (state.hands[seat], state.development_cards[seat], state.fresh[seat])


def _public(event: Event) -> Event:
    """An event without its secrets, whatever `redact` does."""
    hidden = {f.name: None for f in dataclasses.fields(event) if isinstance(getattr(event, f.name), Secret)}
    return dataclasses.replace(event, **hidden) if hidden else event
