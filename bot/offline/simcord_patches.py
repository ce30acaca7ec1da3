"""Patches for what is slow or stubborn in simcord 3.2.1; each logs if it no longer fits because simcord has changed.

They reach into simcord's private parts, because it offers no other way. Without them the table still works.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import pickle
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import monotonic as steady  # simcord puts another clock into its module
from typing import Any

import simcord
from simcord import _runtime, interactions
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
_TIME = "computers may stand still."
_REFRESH = "press Refresh preview to see what others did."
_LANGUAGE = "all is in English, unless `/settings` names another language."
_HASTE = 12.0
"""Seconds for which an action waits for the one before it; by then simcord gives that one up."""
_LOOK = 0.1
"""Seconds between two looks for pages that have fallen behind."""


def _cure(owner: Any, name: str, wrapped: Callable[[Any], Any], without: str) -> None:
    """Wrap a function of simcord, once; if there is none, log what will be wrong `without` the patch."""
    plain = getattr(owner, name, None)
    if plain is None:
        log.warning(_CHANGED, without)
    elif not getattr(plain, "cured", False):
        cured = wrapped(plain)
        cured.cured = True
        setattr(owner, name, cured)


class DayClock:
    """A clock that runs by itself, in place of simcord's, which simcord moves."""

    def __init__(self, standing: datetime | None = None) -> None:
        """`standing`: a time that it always shows, instead of the present time."""
        self._standing = standing

    @property
    def elapsed(self) -> float:
        """Seconds by the event loop's clock, by which Harbormaster waits, too."""
        return steady()

    def now(self) -> datetime:
        """The time that is written on messages, and that Harbormaster takes for the present."""
        return self._standing or datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Do nothing: the clock runs by itself."""


def set_clock(env: simcord.Env, standing: datetime | None = None) -> None:
    """Let time pass in the simulated Discord as it does outside; before Harbormaster is there, it can stand still."""
    if hasattr(env.backend, "clock"):
        env.backend.clock = DayClock(standing)  # type: ignore[assignment]
    else:
        log.warning(_CHANGED, _TIME)


def _goes(env: simcord.Env) -> bool:
    """Whether time passes by itself there, unlike in a test's simulated Discord."""
    return isinstance(env.backend.clock, DayClock)


def let_time_pass() -> None:
    """Leave Harbormaster's timers to the event loop, no matter what the page does or what takes long.

    simcord would keep them itself, and fire a timer only when Harbormaster has nothing left to do. It waits some
    seconds for that; if it waits in vain, no timer fires until the next click.
    """
    _cure(_runtime, "_track_callback", _timely, _TIME)


def _timely(plain: Any) -> Any:
    def track(work: Any, original: Any, callback: Any, args: Any, **how: Any) -> asyncio.Handle:
        if how["when"] is not None and _goes(how["identity"][0]):
            timer: asyncio.Handle = original(*how["schedule_args"], callback, *args, context=how["context"])
            return timer
        handle: asyncio.Handle = plain(work, original, callback, args, **how)
        return handle

    return track


def wait_for_answers() -> None:
    """Let a click return as soon as it is answered: what follows from it reaches the page by itself.

    simcord would wait until Harbormaster has nothing to do at all: until bots have thought, and a replay is drawn.
    """
    _cure(simcord.Env, "_settle_internal", _answered, "clicks may take seconds.")


def _answered(plain: Any) -> Any:
    async def settle(self: Any, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        if not _goes(self):
            return await plain(self, timeout=timeout, **how)  # type: ignore[no-any-return]
        me, records = asyncio.current_task(), self._work.tasks
        set_off = [task for task, record in records.items() if record.owner is not None and record.owner() is me]
        if set_off:
            _, unfinished = await asyncio.wait(set_off, timeout=self.settle_timeout if timeout is None else timeout)
            for task in unfinished:
                records[task].owner = None  # so the next click doesn't wait for it
            if unfinished:
                raise TimeoutError("the bot did not answer in time")

    return settle


def mend_page() -> None:
    """Let a mouse open a select that is below a picture, and hide what only bot developers need.

    When a select is opened, the message is drawn again. The picture collapses for a moment, the select leaves the
    view, and the page closes it. The page's script is served without that closing.
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
    """Serve Harbormaster's PNG files as they are.

    A worker would decode and encode each picture again for every tab, which takes a second, and refuse if more than
    eight are waiting. A page that is opened late in a game would lack pictures.
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
    """Read each text's Markdown only once: to publish a page, simcord reads all texts of its fifty messages again.

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
    """Carry out clicks that come just when something else happens.

    simcord refuses them: another page's action is in progress, or this page has changed since the click. A click's id
    says what it is for. So a button that is gone is still refused, and Harbormaster refuses an old one.
    """
    _cure(_actions._ActionOps, "_action", _patient, "clicks may have to be repeated.")


def _patient(plain: Any) -> Any:
    async def action(self: Any, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(body, Mapping) and body.get("kind") in _ACTS:
            end = steady() + _HASTE
            # simcord doesn't tell when it is done
            while (self._active_action or self.env._operation_task) and steady() < end:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            page = self._get_page(context_id)
            seen, sequence = body.get("published_revision"), body.get("sequence")
            if isinstance(seen, int) and isinstance(sequence, int) and sequence > page.last_sequence:
                body = {**body, "published_revision": max(seen, page.revision)}
        done: dict[str, Any] = await plain(self, context_id, body)
        return done

    return action


def speak(locale: str) -> None:
    """Have everyone's Discord be in a language, by its locale; simcord knows English only."""

    def wrapped(plain: Any) -> Any:
        def made(*given: Any, **named: Any) -> Any:
            record, payload = plain(*given, **named)
            payload["locale"] = locale
            return record, payload

        return made

    _cure(interactions, "base_payload", wrapped, _LANGUAGE)


async def follow(env: simcord.Env, preview: simcord.Preview) -> None:
    """Show in every open tab what happens: by a click here or in another tab, or by the clock. Runs until canceled.

    A click publishes only its own page, as soon as it is answered.
    """
    publish, shown, failed = preview._publish, dict[str, int](), False

    def published(page: Any, **how: Any) -> None:
        shown[page.id] = len(env.backend.transcript)
        preview._advance_presentation_time()  # "ago" is counted from it; otherwise only Refresh does this
        publish(page, **how)

    def fallen_behind() -> list[Any]:
        elsewhere = (preview._python, preview._action_page)  # an action in progress publishes its page itself
        pages = [page for page in preview._pages.values() if page not in elsewhere]
        return [page for page in pages if shown.get(page.id) != len(env.backend.transcript)]

    preview._publish = published  # type: ignore[method-assign]
    while True:
        await asyncio.sleep(_LOOK)
        try:
            for page in fallen_behind():
                preview._publish(page, reason="refresh")
        except Exception:
            if not failed:  # once is enough: it could fail ten times a second
                log.warning(_CHANGED, _REFRESH, exc_info=True)
            failed = True
