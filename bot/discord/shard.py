"""One shard's connection to Discord's gateway. However it is lost, its session is resumed, or else a new one begins.

discord.py would begin a new session after the first attempt that fails, wait ever longer between attempts, and end the
client on errors that it doesn't know.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Protocol

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard

from bot.discord.show.channels import Backoff
from bot.store.base import Session
from bot.tasks import in_own_context, result_of

log = logging.getLogger(__name__)

RESUMABLE = 4000
"""Code for closing a connection whose session another process can resume."""
RETRY = Backoff((1.0, 2.0, 5.0))
"""Waits before each new attempt to connect. An attempt that Discord doesn't answer costs it nothing."""
OPENING = 10.0
"""Most seconds that opening a connection can take."""
LASTED = 30.0
"""Seconds after which a connection counts as a good one, so that the next attempts come soon again."""
GOODBYE = 2.0
"""Most seconds that closing a connection can take."""
TOKEN, SHARDS, INTENTS = 4004, 4011, 4014
FINAL = (TOKEN, 4010, SHARDS, 4012, 4013, INTENTS)
"""Codes with which Discord closes a connection that it will never accept: a wrong token, too few shards, an intent that
the host must switch on, and errors of this program. Everything else is an outage."""

LOOK_AGAIN = 0.5
"""Seconds until a process looks again whether it still has its shards."""

ENDED = (ReconnectWebSocket, discord.ConnectionClosed, aiohttp.ClientError, OSError)
"""Errors of a connection that has ended."""


class Holder(Protocol):
    """Who holds shards."""

    def is_held(self, shard: Shard) -> bool:
        """Whether this process still has a shard."""

    def may_be_lost(self) -> bool:
        """Whether another process might have this process's shards by now: this one has long not said that it has
        them."""

    def unread(self, event: str, error: Exception) -> None:
        """Note an event, by its name, that could not be read."""

    def failed(self, shard: int, error: Exception, failures: int) -> float:
        """Note that so many attempts to connect a shard have failed in a row. Returns the seconds until the next one.
        Raises an error that no attempt can end."""

    def renew(self, shard: int, began: bool) -> None:
        """Begin a new session for a shard, whose last one had begun properly, or not."""


def is_final(error: BaseException) -> bool:
    """Whether Discord refuses a connection for good, so that only the host can do something about it."""
    return isinstance(error, discord.ConnectionClosed) and error.code in FINAL


_still_needed: ContextVar[Callable[[], bool]] = ContextVar("still_needed", default=lambda: True)
"""Whether the connection that is being opened is still needed. Its shard can have gone to another process meanwhile:
resuming the session would cut off that one."""


class Socket(DiscordWebSocket):
    """A connection that drops an event which can't be read, instead of ending."""

    unread: Callable[[str, Exception], None]

    async def identify(self) -> None:
        await self._check_needed()
        await super().identify()

    async def resume(self) -> None:
        await self._check_needed()
        await super().resume()

    async def _check_needed(self) -> None:
        if not _still_needed.get()():
            await _close(self)
            raise ConnectionAbortedError(f"shard {self.shard_id} may belong to another process now")

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        receive = socket.receive

        async def received(**values: Any) -> Any:
            message = await receive(**values)
            if message.type is aiohttp.WSMsgType.CLOSE and message.data in FINAL:
                # Later, if Discord is gone before it gets the answer, aiohttp knows no code anymore.
                raise discord.ConnectionClosed(socket, shard_id=self.shard_id, code=message.data)
            return message

        socket.receive = received  # type: ignore[assignment, method-assign]

    async def received_message(self, msg: Any, /) -> None:
        if type(msg) is bytes:
            msg = self._decompressor.decompress(msg)
            if msg is None:  # only a part
                return
        session, sequence = self.session_id, self.sequence
        try:
            await super().received_message(msg)
        except ENDED:
            raise
        except Exception as error:
            if session is None:  # a session whose beginning can't be read is of no use
                self.session_id = None
            if session is None or (event := _event(msg)) is None:
                raise
            self.unread(event, error)
        if self.session_id is not None and not isinstance(self.sequence, int):
            self.sequence = sequence


def _event(text: Any) -> str | None:
    """The name of an event that could not be read; None: it is no event, but about the connection."""
    try:
        payload = json.loads(text)
        return str(payload.get("t")) if payload["op"] == DiscordWebSocket.DISPATCH else None
    except (ValueError, TypeError, KeyError):
        return None


async def opened(
    client: discord.AutoShardedClient, holder: Holder, shard: int, session: Session | None, failures: int
) -> DiscordWebSocket:
    """Open a connection that resumes a session; None: that begins one. After every other failure that is tried at the
    usual address, since the one that the session came from can be gone for good.

    A connection that comes too late, or that no one waits for anymore, is closed: its heartbeats would go on forever.
    """
    values: dict[str, Any] = {}
    if session is not None:
        values = {"session": session.id, "sequence": session.sequence, "resume": True}
        if not failures % 2:
            values["gateway"] = yarl.URL(session.gateway)
    waits = True
    told = _still_needed.set(lambda: waits and not holder.may_be_lost())
    opening = asyncio.ensure_future(Socket.from_client(client, shard_id=shard, **values))
    _still_needed.reset(told)
    try:
        async with asyncio.timeout(OPENING):
            ws = await result_of(opening)
    except BaseException:
        waits = False
        opening.add_done_callback(_abandoned)
        raise
    ws.unread = holder.unread
    return ws


def _abandoned(opening: asyncio.Future[Socket]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        in_own_context(asyncio.ensure_future, _close(opening.result()))


async def _close(ws: DiscordWebSocket) -> None:
    """Close a connection so that its session can be resumed."""
    try:
        async with asyncio.timeout(GOODBYE):
            await ws.close(RESUMABLE)
    except ENDED as error:
        log.debug("Shard %s: no goodbye (%s)", ws.shard_id, error)


class HeldShard(Shard):
    """A shard that is connected as long as this process holds it."""

    def __init__(
        self,
        ws: DiscordWebSocket,
        client: discord.AutoShardedClient,
        holder: Holder,
        put: Callable[[EventItem], None],
    ) -> None:
        super().__init__(ws, client, put)
        self._sharded, self._holder = client, holder
        self._began = False
        self.heard = time.perf_counter()
        """When something last came, even an answer to a heartbeat, by `time.perf_counter`."""

    @property
    def session(self) -> Session | None:
        """The session that could be resumed, if there is one."""
        ws = self.ws
        return Session(ws.session_id, ws.sequence, str(ws.gateway)) if ws.session_id and ws.sequence else None

    @property
    def running(self) -> bool:
        """Whether its connection is read, or resumed."""
        return self._task is not None and not self._task.done()

    def go_on(self, ws: DiscordWebSocket) -> None:
        """Use another connection, on which a new session begins."""
        self.ws, self._began = ws, False
        self.launch()

    async def worker(self) -> None:
        """Read all that comes, and connect again whenever the connection is lost."""
        try:
            await self._work()
        except Exception as error:
            self._queue_put(EventItem(EventType.terminate, self, error))

    async def _work(self) -> None:
        loop, failures = asyncio.get_running_loop(), -1
        while self._holder.is_held(self):
            since = loop.time()
            error = await self._end()
            await self.let_go()
            if not self._holder.is_held(self):
                return
            self._dispatch("disconnect")
            self._dispatch("shard_disconnect", self.id)
            if is_final(error):
                raise error
            failures = 0 if loop.time() - since >= LASTED else failures + 1
            if not await self._resume(failures):
                self._holder.renew(self.id, self._began)
                return

    async def _end(self) -> Exception:
        """Read until the connection is lost. Returns why."""
        while True:
            try:
                await self.ws.poll_event()
            except ENDED as error:
                return error
            except Exception as error:
                log.warning("Shard %s: its connection can't be read", self.id, exc_info=error)
                return error
            self.heard = time.perf_counter()
            self._began |= self.ws.session_id is not None

    async def _resume(self, failures: int) -> bool:
        """Resume the session, however often that must be tried. False if there is none anymore."""
        wait = RETRY.after(failures)
        while (session := self.session) is not None:
            await asyncio.sleep(wait)
            if self._holder.may_be_lost():  # that process would no longer hear anything, and not know
                wait = LOOK_AGAIN
                continue
            try:
                self.ws = await opened(self._sharded, self._holder, self.id, session, failures)
            except Exception as error:
                failures += 1
                wait = self._holder.failed(self.id, error, failures)
            else:
                return True
        return False

    async def let_go(self) -> None:
        """Close the connection so that its session can be resumed."""
        await _close(self.ws)
