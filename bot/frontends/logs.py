"""What the process tells its host: the log as text or JSON, and error reports."""

from __future__ import annotations

import logging

import discord
from discord.utils import MISSING

from bot.monitoring import reports
from bot.monitoring.logs import JsonFormatter
from bot.settings import Settings


def start_log(settings: Settings, level: str) -> None:
    """Log from `level` on, the way the settings say; raises `SettingsError` where reports can't be sent."""
    formatter = JsonFormatter() if settings.log_format == "json" else MISSING
    discord.utils.setup_logging(level=logging.getLevelName(level), formatter=formatter)
    if level == "DEBUG":  # at which discord.py prints what it sends and gets: hands, and decisions
        logging.getLogger("discord").setLevel(logging.INFO)
    if settings.sentry_dsn is not None:
        reports.start(settings.sentry_dsn.get_secret_value())
