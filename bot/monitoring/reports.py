"""Error reports to Sentry, or to what speaks its protocol, where the host wants them."""

from __future__ import annotations

import logging
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bot.settings import SettingsError

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

BREADCRUMBS = 20
"""Lines of the log that come with a report."""


def start(dsn: str, **more: Any) -> None:
    """Send each ERROR of the log and what nobody catches from now on; `more` is for `sentry_sdk.init`.

    Nothing is sent that the log wouldn't hold: no variables, no arguments of the log's lines, no requests. Hence no
    integrations but these: others would send addresses, and those of interactions hold tokens.

    Raises `SettingsError` where the extra isn't installed, or the DSN is none.
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
    """Wait until what is under way has been sent, for so many seconds."""
    try:
        import sentry_sdk
    except ImportError:
        return
    sentry_sdk.flush(within)


def _without_arguments(event: Event, hint: Hint) -> Event:
    """Leave the arguments of a line away: their `repr` may tell more than the line does."""
    if entry := event.get("logentry"):
        event["logentry"] = {name: value for name, value in entry.items() if name != "params"}
    event.pop("extra", None)
    return event
