"""The gateway: identify, resume with the missed events, heartbeats, and the ways a connection dies."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from tests.wire.model import Json
from tests.wire.world import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11


class Connection:
    """One WebSocket, compressed as the client asked (zlib-stream, or not at all)."""

    def __init__(self, socket: web.WebSocketResponse, compress: str | None) -> None:
        self.socket = socket
        self._zlib = zlib.compressobj() if compress == "zlib-stream" else None

    async def send(self, op: int, data: Any = None, event: str | None = None, seq: int | None = None) -> None:
        """Send one payload."""
        text = json.dumps({"op": op, "d": data, "t": event, "s": seq}, separators=(",", ":"))
        if self._zlib is None:
            await self.socket.send_str(text)
        else:
            data = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
            await self.socket.send_bytes(data)


@dataclass(eq=False)
class Session:
    """What lives on over a resume: every event with its number."""

    id: str
    intents: int
    connection: Connection | None
    shard: int = 0
    shards: int = 1
    events: list[tuple[str, Json]] = field(default_factory=list)

    async def send(self, number: int) -> None:
        """Send event `number` (from 1), when there is a connection to send it on."""
        event, data = self.events[number - 1]
        if self.connection is not None:
            try:
                await self.connection.send(DISPATCH, data, event, number)
            except ConnectionError:  # the bot has just gone: a resume will fetch it
                self.connection = None

    async def dispatch(self, event: str, data: Json) -> None:
        """Number an event, keep it, send it."""
        self.events.append((event, data))
        await self.send(len(self.events))


class Gateway:
    """All sessions; the newest of a shard is the bot's. `open = False` refuses connections (an outage)."""

    def __init__(self, world: World, token: str, url: Callable[[], str], changed: Callable[[], None]) -> None:
        self.world, self._token, self._url, self._changed = world, token, url, changed
        self.open = True
        self.heartbeat = 41.25  # seconds
        self.losing = 0  # so many of the next events never arrive, while heartbeats go on and nobody notices
        self.sessions: list[Session] = []
        self.ready = 0  # how often READY was sent
        self.resumed = 0  # how often RESUMED was
        self.identified: list[float] = []  # when new sessions were begun, by time.perf_counter
        self._sockets: set[web.WebSocketResponse] = set()

    @property
    def session(self) -> Session | None:
        """The newest session."""
        return self.sessions[-1] if self.sessions else None

    @property
    def connected(self) -> bool:
        """A bot is there and listens."""
        return any(session.connection is not None for session in self.sessions)

    def of(self, guild: int | None) -> Session | None:
        """The newest session of a guild's shard (None: direct messages')."""
        if self.session is None:
            return None
        return self.on((guild >> 22) % self.session.shards if guild else 0)

    def on(self, shard: int) -> Session | None:
        """The newest session of a shard."""
        if self.session is None:
            return None
        fitting = (s for s in reversed(self.sessions) if (s.shard, s.shards) == (shard, self.session.shards))
        return next(fitting, None)

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event to the newest session of its shard; while it's away it waits there for a resume."""
        session = self.of(int(data["guild_id"]) if data.get("guild_id") else None)
        if session is None:
            return
        if self.losing:
            self.losing -= 1
            session.events.append((event, data))
        else:
            await session.dispatch(event, data)

    async def drop(self, code: int | None = 4000) -> None:
        """Close the bot's connection with a code, or (None) cut it without a word."""
        if self.session is None or self.session.connection is None:
            raise RuntimeError("no bot is connected")
        socket, self.session.connection = self.session.connection.socket, None
        if code is not None:
            await socket.close(code=code)
        elif socket._req is not None and socket._req.transport is not None:
            socket._req.transport.abort()

    async def reconnect(self) -> None:
        """Ask the bot to come back (op 7)."""
        if self.session is not None and self.session.connection is not None:
            await self.session.connection.send(RECONNECT)

    async def invalidate(self) -> None:
        """Tell the bot that its session is over (op 9): it has to identify again."""
        if self.session is not None and self.session.connection is not None:
            connection, self.session.id = self.session.connection, ""
            await connection.send(INVALID, False)

    async def stop(self) -> None:
        """Close every connection."""
        for socket in list(self._sockets):
            await socket.close(code=1001)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket route."""
        if not self.open:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        self._sockets.add(socket)
        connection = Connection(socket, request.query.get("compress"))
        try:
            await connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat * 1000)})
            async for message in socket:
                await self._receive(connection, message)
        except ConnectionError:
            pass  # a killed bot doesn't say goodbye
        finally:
            self._sockets.discard(socket)
            for session in self.sessions:
                if session.connection is connection:
                    session.connection = None
            self._changed()
        return socket

    async def _receive(self, connection: Connection, message: WSMessage) -> None:
        if message.type is not WSMsgType.TEXT:
            return
        payload = json.loads(message.data)
        op, data = payload["op"], payload["d"]
        if op == HEARTBEAT:
            await connection.send(ACK)
        elif op in (IDENTIFY, RESUME) and data["token"].removeprefix("Bot ") != self._token:
            await connection.socket.close(code=4004, message=b"Authentication failed.")
        elif op == IDENTIFY:
            await self._identify(connection, data)
        elif op == RESUME:
            await self._resume(connection, data)

    async def _identify(self, connection: Connection, data: Json) -> None:
        shard, shards = data.get("shard", (0, 1))
        session = Session(f"session-{len(self.sessions) + 1}", data["intents"], connection, shard, shards)
        self.sessions.append(session)
        self.identified.append(time.perf_counter())
        guilds = [guild for guild in self.world.guilds if (guild >> 22) % shards == shard]
        ready = {
            "v": 10,
            "user": self.world.bot.json(),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in guilds],
            "shard": [shard, shards],
            "session_id": session.id,
            "resume_gateway_url": self._url(),
            "application": {"id": str(self.world.application_id), "flags": 0},
        }
        await session.dispatch("READY", ready)
        for guild in guilds if session.intents & 1 else ():
            await session.dispatch("GUILD_CREATE", self.world.guild(guild))
        self.ready += 1
        self._changed()

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = next((s for s in self.sessions if s.id == data["session_id"]), None)
        if session is None:
            await connection.send(INVALID, False)
            return
        session.connection = connection
        for number in range(data["seq"] + 1, len(session.events) + 1):
            await session.send(number)
        await session.dispatch("RESUMED", {})
        self.resumed += 1
        self._changed()
