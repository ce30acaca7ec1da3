"""The process and its host: the log as text or JSON, error reports to Sentry or to a service that speaks its protocol,
and an end that comes no matter what still holds the process."""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any, NoReturn

import discord
from discord.utils import MISSING

from bot.settings import Settings, SettingsError, misspelled

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


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
        start(settings.sentry_dsn.get_secret_value())
    for found, advice in misspelled():
        log.warning("%s %s", found, advice)


def allow_open_files() -> None:
    """Let this process have as many connections and files open as the machine allows: the usual limit is 1,024."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, MOST_FILES) if most > 0 else MOST_FILES, most))


MOST_FILES = 65_536
"""More than Harbormaster could ever use."""

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
    flush(LAST_WORDS / 2)


# --- for hosts who want them: JSON and error reports

# --- the log as JSON


class JsonFormatter(logging.Formatter):
    """Fields: time (UTC, ISO 8601), level, logger, message, and exception or stack where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack"] = self.formatStack(record.stack_info)
        return json.dumps(fields, ensure_ascii=False)


# --- error reports

BREADCRUMBS = 20
"""Log lines that come with a report."""


def start(dsn: str, **more: Any) -> None:
    """From now on, send each ERROR of the log, and each uncaught exception; `more` is for `sentry_sdk.init`.

    Nothing is sent that the log wouldn't hold: no variables, no arguments of log lines, no requests. So no integrations
    are used but these: others would send addresses, and addresses of interactions hold tokens.

    Raises `SettingsError` if the package isn't installed, or the DSN isn't valid.
    """
    try:
        import sentry_sdk
        from sentry_sdk.integrations.atexit import AtexitIntegration
        from sentry_sdk.integrations.dedupe import DedupeIntegration
        from sentry_sdk.integrations.excepthook import ExcepthookIntegration
        from sentry_sdk.integrations.logging import LoggingIntegration
        from sentry_sdk.utils import BadDsn
    except ImportError:
        raise SettingsError(
            "SENTRY_DSN is set, but the package for error reports isn't installed: pip install "
            "'sentry-sdk>=2.75', or unset it."
        ) from None
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=f"harbormaster@{metadata.version('harbormaster')}",
            default_integrations=False,
            auto_enabling_integrations=False,
            integrations=[
                LoggingIntegration(level=logging.INFO, event_level=logging.ERROR),
                ExcepthookIntegration(),
                DedupeIntegration(),
                AtexitIntegration(callback=lambda pending, timeout: None),
            ],
            include_local_variables=False,
            max_breadcrumbs=BREADCRUMBS,
            auto_session_tracking=False,
            before_send=_without_arguments,
            **more,
        )
    except BadDsn:
        raise SettingsError("SENTRY_DSN is not the DSN of a Sentry project.") from None


def flush(within: float) -> None:
    """Wait at most `within` seconds until the reports under way have been sent."""
    try:
        import sentry_sdk
    except ImportError:
        return
    sentry_sdk.flush(within)


def _without_arguments(event: Event, hint: Hint) -> Event:
    """Remove the arguments of a log line: their `repr` can reveal more than the line does."""
    if entry := event.get("logentry"):
        event["logentry"] = {name: value for name, value in entry.items() if name != "params"}
    event.pop("extra", None)
    return event
