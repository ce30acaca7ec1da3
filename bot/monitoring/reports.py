"""For hosts who want them: the log as JSON, one object a line, and error reports to Sentry, or to a service that speaks
its protocol."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bot.settings import SettingsError

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


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

    Raises `SettingsError` if the extra isn't installed, or the DSN isn't valid.
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
            "SENTRY_DSN is set, but the package for error reports isn't installed: pip install 'harbormaster[sentry]', "
            "or unset it."
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
