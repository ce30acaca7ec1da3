"""Cures for what is slow or stubborn in simcord 3.2.1; each tells when simcord has changed and it no longer fits.

They reach into simcord's private parts, because it offers no other way. Without them the table still works.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import simcord
from simcord.preview import _server

log = logging.getLogger(__name__)

_SCRIPT = "/select-drafts.js"
_CLOSING = "cancelDropdown(wrap.dataset.controlKey);\n        continue;"
_LOOK = 0.3
"""Seconds between two looks for pages that have fallen behind."""


def quicken() -> None:
    """Let a click return as soon as the bot is idle: simcord would sleep 50 ms each time to be sure of it."""
    defaults = getattr(getattr(simcord.Env, "_settle_internal", None), "__kwdefaults__", None) or {}
    if "idle" in defaults:
        defaults["idle"] = 0.001
    else:
        log.warning("simcord has changed: clicks may take longer.")


def keep_selects_open() -> None:
    """Let a mouse open a select that stands below a picture.

    Opening it draws the message anew, the picture collapses for a moment, the select leaves the view, and the
    page closes it. Its script is served without that closing.
    """
    plain = getattr(_server.PreviewServer, "_static", None)
    if plain is None:
        log.warning("simcord has changed: selects below pictures may only open by keyboard.")
        return
    if getattr(plain, "cured", False):
        return

    async def static(self: _server.PreviewServer, request: Any) -> Any:
        response = await plain(self, request)
        if request.path == _SCRIPT:
            before = response.text
            response.text = before.replace(_CLOSING, "continue;")
            if response.text == before:
                log.warning("simcord has changed: selects below pictures may only open by keyboard.")
        return response

    static.cured = True  # type: ignore[attr-defined]
    _server.PreviewServer._static = static  # type: ignore[method-assign]


async def follow(env: simcord.Env, preview: simcord.Preview) -> None:
    """Show in every open tab what happened elsewhere: in another tab, or by the clock. Runs until cancelled.

    A click publishes only its own page. This must run outside of the bot's tasks, which simcord waits for.
    """
    try:
        shown: dict[str, int] = {}
        publish = preview._publish

        def published(page: Any, **how: Any) -> None:
            shown[page.id] = len(env.backend.transcript)
            publish(page, **how)

        preview._publish = published  # type: ignore[method-assign]
        while True:
            await asyncio.sleep(_LOOK)
            if env._operation_task is not None:  # an action is under way; its page publishes itself
                continue
            for page in list(preview._pages.values()):
                if shown.get(page.id) != len(env.backend.transcript):
                    preview._publish(page, reason="refresh")
    except (AttributeError, TypeError):
        log.warning("simcord has changed: press Refresh preview to see what others did.", exc_info=True)
