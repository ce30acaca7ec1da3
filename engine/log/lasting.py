"""The part of a log that was not undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.config import Config
from engine.events import Event, Undone
from engine.game import Game
from engine.record import Record


def lasting(log: Iterable[Sequence[Event]]) -> list[int]:
    """Numbers of the records that anyone could notice and that were not undone; `log` has the events of each record."""
    found: list[int] = []
    for number, events in enumerate(log):
        if any(isinstance(event, Undone) for event in events):
            found.pop()  # only the latest record can be undone
        elif events:
            found.append(number)
    return found


def ends_of_turns(config: Config, records: Iterable[Record]) -> dict[int, int]:
    """For each turn that is over (setup is turn 0), the number of the record that ended it; raises like
    `Game.replay`."""
    log: list[Sequence[Event]] = []
    turns: list[int] = []
    for game in Game.each(config, records):
        log.append(game.last_events)
        turns.append(game.turn)
    return {turns[number - 1]: number for number in lasting(log) if number and turns[number] > turns[number - 1]}
