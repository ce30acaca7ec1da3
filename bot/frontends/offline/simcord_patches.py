"""Cures for what is slow or stubborn in simcord 3.2.1; each tells when simcord has changed and it no longer fits.

They reach into simcord's private parts, because it offers no other way. Without them the table still works.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import pickle
import struct
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import simcord
from simcord import env as _env
from simcord.preview import _actions, _component_projection, _markdown, _media, _messages, _queries, _server, _snapshot

log = logging.getLogger(__name__)

_CHANGED = "simcord has changed: %s"
_SCRIPT = "/select-drafts.js"
_CLOSING = "cancelDropdown(wrap.dataset.controlKey);\n        continue;"
_STYLE = "/preview.css"
_PLAIN_TABLE = "\n#capture-open, #inspector-toggle { display: none; }\n"
_PNG = b"\x89PNG\r\n\x1a\n"
_ACTS = ("click", "select", "modal_submit", "autocomplete_command", "run_command")
_KEYBOARD = "selects below pictures may only open by keyboard."
_SOON = 0.2
"""Seconds for which a click waits for what a timer will do."""
_HASTE = 5.0
"""Seconds for which an action waits for the one before it."""
_LOOK = 0.3
"""Seconds between two looks for pages that have fallen behind."""


def _cure(owner: Any, name: str, wrapped: Callable[[Any], Any], without: str) -> None:
    """Wrap a function of simcord, once; where there is none, say what is to be expected."""
    plain = getattr(owner, name, None)
    if plain is None:
        log.warning(_CHANGED, without)
    elif not getattr(plain, "cured", False):
        cured = wrapped(plain)
        cured.cured = True
        setattr(owner, name, cured)


def quicken() -> None:
    """Let a click return as soon as the bot is idle: simcord would sleep 50 ms each time to be sure of it."""
    defaults = getattr(getattr(simcord.Env, "_settle_internal", None), "__kwdefaults__", None) or {}
    if "idle" in defaults:
        defaults["idle"] = 0.001
    else:
        log.warning(_CHANGED, "clicks may take longer.")


def leave_timers_alone() -> None:
    """Let a click return although something is to be done some seconds later, by a timer of the bot's own.

    simcord waits for all that is due before the click would be given up, which every sweep is once in a while.
    """
    for name in ("_is_parked", "_callback_is_parked"):
        _cure(_env, name, _near, "some clicks take seconds.")


def _near(plain: Callable[[Any, Any, float], bool]) -> Callable[[Any, Any, float], bool]:
    def parked(state: Any, waiting: Any, deadline: float) -> bool:
        return plain(state, waiting, min(deadline, asyncio.get_running_loop().time() + _SOON))

    return parked


def tell_the_time(env: simcord.Env, time: datetime | None = None) -> None:
    """Set the simulated clock, which starts at New Year's and stands still, to a time, or that of the day."""
    clock: Any = getattr(env.backend, "clock", None)
    if isinstance(getattr(clock, "_epoch", None), datetime) and hasattr(clock, "elapsed"):
        clock._epoch = (time or datetime.now(UTC)) - timedelta(seconds=clock.elapsed)


def mend_page() -> None:
    """Let a mouse open a select that stands below a picture, and hide what only bot developers need.

    Opening a select draws the message anew, the picture collapses for a moment, the select leaves the view, and
    the page closes it. Its script is served without that closing.
    """
    _cure(_server.PreviewServer, "_static", _mended, _KEYBOARD)


def _mended(plain: Any) -> Any:
    async def static(self: _server.PreviewServer, request: Any) -> Any:
        response = await plain(self, request)
        if request.path == _SCRIPT:
            before = response.text
            response.text = before.replace(_CLOSING, "continue;")
            if response.text == before:
                log.warning(_CHANGED, _KEYBOARD)
        elif request.path == _STYLE:
            response.text += _PLAIN_TABLE
        return response

    return static


def show_pictures_at_once() -> None:
    """Serve the bot's PNG files as they are.

    A worker would decode and encode each anew for every tab, a second a picture, and refuse to do so with more
    than eight waiting: a page opened late in a game would lack pictures.
    """
    _cure(_media.MediaWorker, "validate", _at_once, "pictures may come late.")


def _at_once(plain: Any) -> Any:
    async def validate(self: _media.MediaWorker, key: str, blob: bytes, **how: Any) -> _media.MediaInfo:
        if not blob.startswith(_PNG) or how.get("media_time") is not None:
            checked: _media.MediaInfo = await plain(self, key, blob, **how)
            return checked
        width, height = struct.unpack(">II", blob[16:24])
        return _media.MediaInfo(
            "PNG", width, height, 1, width * height * 4, blob, "image/png", capture=blob, poster=blob
        )

    return validate


def remember_texts() -> None:
    """Read each text's markdown once: a page that is published reads all texts of its fifty messages anew.

    Late in a game that takes a third of a second for each tab after each action.
    """
    plain = getattr(_markdown, "markdown_tokens", None)
    readers = (_component_projection, _messages, _queries, _snapshot)
    if plain is None or not all(hasattr(module, "markdown_tokens") for module in readers):
        log.warning(_CHANGED, "the page may be slow in long games.")
        return

    @functools.lru_cache(maxsize=4096)
    def read(text: str, profile: str, context: bytes) -> bytes:
        return pickle.dumps(plain(text, profile, context=pickle.loads(context)))

    def markdown_tokens(value: Any, profile: str = "message", *, context: Any = None) -> Any:
        if value is None:
            return []
        return pickle.loads(read(str(value), profile, pickle.dumps(context)))  # a copy: some callers add to it

    for module in readers:
        module.markdown_tokens = markdown_tokens  # type: ignore[attr-defined]


def forgive_haste() -> None:
    """Carry out what is clicked in the moment in which something else happens.

    simcord refuses it: another page's action is under way, or this page has changed since the click. What is clicked
    says by its id what it is for, so a button that is gone is refused all the same, and the bot refuses an old one.
    """
    _cure(_actions._ActionOps, "_action", _patient, "clicks may have to be repeated.")


def _patient(plain: Any) -> Any:
    async def action(self: Any, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(body, Mapping) and body.get("kind") in _ACTS:
            end = time.monotonic() + _HASTE
            # simcord says nothing when it is done
            while (self._active_action or self.env._operation_task) and time.monotonic() < end:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            page = self._get_page(context_id)
            seen, sequence = body.get("published_revision"), body.get("sequence")
            if isinstance(seen, int) and isinstance(sequence, int) and sequence > page.last_sequence:
                body = {**body, "published_revision": max(seen, page.revision)}
        done: dict[str, Any] = await plain(self, context_id, body)
        return done

    return action


async def follow(env: simcord.Env, preview: simcord.Preview) -> None:
    """Show in every open tab what happened elsewhere: in another tab, or by the clock. Runs until cancelled.

    A click publishes only its own page. This must run outside of the bot's tasks, which simcord waits for.
    """
    try:
        shown: dict[str, int] = {}
        publish = preview._publish

        def published(page: Any, **how: Any) -> None:
            shown[page.id] = len(env.backend.transcript)
            tell_the_time(env)
            preview._advance_presentation_time()  # by which the page reckons "ago": by itself only what Refresh does
            publish(page, **how)

        preview._publish = published  # type: ignore[method-assign]
        while True:
            await asyncio.sleep(_LOOK)
            if env._operation_task is not None:  # an action is under way; its page publishes itself
                continue
            tell_the_time(env)
            for page in list(preview._pages.values()):
                if page is not preview._python and shown.get(page.id) != len(env.backend.transcript):
                    preview._publish(page, reason="refresh")
    except (AttributeError, TypeError):
        log.warning(_CHANGED, "press Refresh preview to see what others did.", exc_info=True)
