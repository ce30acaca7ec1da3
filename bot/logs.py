"""What the process tells its host: the log as text or JSON, and error reports."""

from __future__ import annotations

import logging
import os
import sys

import discord
from discord.utils import MISSING

from bot.monitoring import reports
from bot.monitoring.logs import JsonFormatter
from bot.settings import Settings, misspelled

log = logging.getLogger(__name__)

PLAIN = logging.Formatter("[{asctime}] [{levelname:<8}] {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")
"""discord.py's own format without colors."""


def start_log(settings: Settings, level: str) -> None:
    """Log from `level` on, as the settings say, beginning with what is set under a name that means nothing. Raises
    `SettingsError` if error reports can't be sent."""
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR")  # discord.py colors a container's log, too
    formatter = JsonFormatter() if settings.log_format == "json" else MISSING if colored else PLAIN
    discord.utils.setup_logging(level=logging.getLevelName(level), formatter=formatter)
    if level == "DEBUG":  # where discord.py would print what it sends and gets: hands and decisions
        logging.getLogger("discord").setLevel(logging.INFO)
    if settings.sentry_dsn is not None:
        reports.start(settings.sentry_dsn.get_secret_value())
    for found, advice in misspelled():
        log.warning("%s %s", found, advice)
