"""The moments of a whole log."""

from __future__ import annotations

from collections.abc import Iterable

from engine.config import Config
from engine.log.moments import Moment, Reading
from engine.record import Record


def moments_of(config: Config, records: Iterable[Record]) -> list[Moment]:
    """The game after the deal and after each action that anyone could notice and that was not undone."""
    reading = Reading(config)
    reading.read(records)
    return reading.since(0)
