"""How a game went, told after its end: points by turn, and what everybody did with cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine import events as ev
from engine.config import Config
from engine.game import Game
from engine.record import Record


class Story(NamedTuple):
    """Figures of a whole game, by seat; nothing in them is hidden, so they are for after the end (M)."""

    points: tuple[tuple[int, ...], ...]
    """All points, those of hidden cards too, at the end of setup, of each turn and of the game."""
    made: tuple[int, ...]
    """Cards from the bank, by dice and by year of plenty."""
    taken: tuple[int, ...]
    """Cards from others, by robber and monopoly."""
    lost: tuple[int, ...]
    """Cards that others took."""
    traded: tuple[int, ...]
    """Cards given to others in trades."""
    bank: tuple[int, ...]
    """Cards given to the bank in trades."""


def story_of(config: Config, records: Iterable[Record]) -> Story:
    """The figures of a game that is over, from its log; raises `ValueError` for one that is not, else as `replay`."""
    seats = range(config.players)
    points: dict[int, tuple[int, ...]] = {}
    done: list[tuple[int, tuple[ev.Event, ...]]] = []
    game: Game | None = None
    for game in Game.each(config, records):
        if actor := _taken_back(game.last_events):
            del done[max(at for at, (seat, _) in enumerate(done) if seat == actor - 1)]
        elif game.last_events:
            done.append((game.records[-1].actor, game.last_events))
        points[game.turn] = tuple(game.state.all_points(seat) for seat in seats)
    if game is None or game.outcome is None:
        raise ValueError("the game isn't over")
    counts = {name: [0] * config.players for name in Story._fields[1:]}
    for _, events in done:
        for event in events:
            for name, seat, n in _moved(event):
                counts[name][seat] += n
    by_turn = tuple(points[turn] for turn in sorted(points) if turn <= game.turn)
    return Story(by_turn, **{name: tuple(found) for name, found in counts.items()})


def _taken_back(events: Iterable[ev.Event]) -> int:
    """The seat that took its last action back, counted from 1; 0: none."""
    return next((event.seat + 1 for event in events if isinstance(event, ev.Undone)), 0)


def _moved(event: ev.Event) -> list[tuple[str, int, int]]:
    """What an event moved: (field, seat, cards)."""
    match event:
        case ev.Produced() | ev.PlentyTaken():
            return [("made", event.seat, sum(event.cards))]
        case ev.CardTaken():
            return [("taken", event.seat, 1), ("lost", event.victim, 1)]
        case ev.Monopolised():
            lost = [("lost", seat, n) for seat, n in event.taken]
            return [("taken", event.seat, sum(n for _, n in event.taken)), *lost]
        case ev.Traded():
            return [("traded", event.seat, sum(event.give)), ("traded", event.partner, sum(event.get))]
        case ev.BankTraded():
            return [("bank", event.seat, sum(event.give))]
    return []
