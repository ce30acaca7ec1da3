"""Which log records a player's terminal shows: what is broken, but not what passes by itself."""

from __future__ import annotations

import logging

PASSING = ("bot.store", "bot.monitoring", "bot.service.jobs", "bot.service.clock", "bot.discord")
"""Prefixes of loggers that warn of a busy file or a slow machine. The program tries again; there is nothing to do."""


def is_for_players(record: logging.LogRecord) -> bool:
    """Whether players should read a record: a fault, a late job, or something that they can act on."""
    passing = record.name.startswith(PASSING) and not record.exc_info
    return record.levelno >= logging.ERROR or not passing


def quieten() -> None:
    """From now on, show only these records."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(is_for_players)
