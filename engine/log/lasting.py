"""What of a log was not taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.config import Config
from engine.events import Event, Undone
from engine.game import Game
from engine.record import Record


def lasting(log: Iterable[Sequence[Event]]) -> list[int]:
    """Numbers of the records that anybody could notice and that were not taken back; `log` is what each one did."""
    found: list[int] = []
    for number, events in enumerate(log):
        if any(isinstance(event, Undone) for event in events):
            found.pop()  # only the latest thing can be taken back
        elif events:
            found.append(number)
    return found


def ends_of_turns(config: Config, records: Iterable[Record]) -> dict[int, int]:
    """For each turn that is over, setup being turn 0, the number of the record that ended it; raises as
    `Game.replay`."""
    log: list[Sequence[Event]] = []
    turns: list[int] = []
    for game in Game.each(config, records):
        log.append(game.last_events)
        turns.append(game.turn)
    return {turns[number - 1]: number for number in lasting(log) if number and turns[number] > turns[number - 1]}
