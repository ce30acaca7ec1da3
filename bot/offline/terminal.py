"""What of the log stands in a player's terminal: what is broken, and not what passes by itself."""

from __future__ import annotations

import logging

PASSING = ("bot.store", "bot.monitoring", "bot.service.jobs", "bot.service.clock", "bot.discord")
"""Begin the names of those who warn of a busy file or a slow machine; each tries again, and nobody can do anything."""


def is_for_players(record: logging.LogRecord) -> bool:
    """Whether a player is to read it: a fault, a job that is late, or what they can do something about."""
    passing = record.name.startswith(PASSING) and not record.exc_info
    return record.levelno >= logging.ERROR or not passing


def quieten() -> None:
    """Have the log show only that, from now on."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(is_for_players)
