"""The process and its host: the log as text or JSON, error reports, and an end that comes no matter what still holds
the process."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
from typing import NoReturn

import discord
from discord.utils import MISSING

from bot.monitoring import reports
from bot.monitoring.reports import JsonFormatter
from bot.settings import Settings, misspelled

# --- the log

log = logging.getLogger(__name__)

PLAIN_LOG = logging.Formatter("[{asctime}] [{levelname:<8}] {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")
"""discord.py's own format without colors."""


def start_log(settings: Settings, level: str) -> None:
    """Log from `level` on, as the settings say, beginning with what is set under a name that means nothing. Raises
    `SettingsError` if error reports can't be sent."""
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR")  # discord.py colors a container's log, too
    formatter = JsonFormatter() if settings.log_format == "json" else MISSING if colored else PLAIN_LOG
    discord.utils.setup_logging(level=logging.getLevelName(level), formatter=formatter)
    if level == "DEBUG":  # where discord.py would print what it sends and gets: hands and decisions
        logging.getLogger("discord").setLevel(logging.INFO)
    if settings.sentry_dsn is not None:
        reports.start(settings.sentry_dsn.get_secret_value())
    for found, advice in misspelled():
        log.warning("%s %s", found, advice)


# --- the end

UNCLEAN_EXIT = 70
"""Exit status if Harbormaster gave up, or something could not be closed properly."""
CLOSE_WITHIN = 15.0
"""Seconds from the start of closing until the process is ended."""
LAST_WORDS = 5.0
"""Seconds for logging the reason, which can hang, too."""


def end_at_the_latest() -> None:
    """End the process after `CLOSE_WITHIN`. Call this when closing begins: a thread that hangs, on a dead disk for
    example, must not keep the process alive."""
    reason = f"Harbormaster could not be closed within {CLOSE_WITHIN:.0f} s"
    timer = threading.Timer(CLOSE_WITHIN, end_at_once, (reason,))
    timer.daemon = True
    timer.start()


def end_at_once(reason: str) -> NoReturn:
    """End the process immediately, as it is."""
    telling = threading.Thread(target=_tell, args=(reason,), daemon=True)
    telling.start()
    telling.join(LAST_WORDS)
    os._exit(UNCLEAN_EXIT)


def _tell(reason: str) -> None:
    log.critical("%s; it ends as it is", reason)
    faulthandler.dump_traceback()  # shows what holds the process: places in the code, no values
    reports.flush(LAST_WORDS / 2)
