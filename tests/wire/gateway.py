"""The gateway: identify, resume with the missed events, heartbeats, and the ways in which a connection ends."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from tests.wire.model import Json
from tests.wire.sessions import (
    ACK,
    HEARTBEAT,
    HELLO,
    IDENTIFY,
    INVALID,
    RECONNECT,
    RESUME,
    Connection,
    Session,
    Starts,
)
from tests.wire.world import World

SENT_BY_CLIENTS = {HEARTBEAT, IDENTIFY, 3, 4, RESUME, 8, 31, 43}
INTENTS = (1 << 17) - 1 | 1 << 20 | 1 << 21 | 1 << 24 | 1 << 25
GUILDS, MEMBERS, PRESENCES, CONTENT = 1 << 0, 1 << 1, 1 << 8, 1 << 15
GOODBYES = {1000, 1001}
"""Close codes by which a client ends its session."""
FINAL = {4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}
"""Close codes after which there is nothing to resume. Except after 4007 and 4009, the client can't come back either."""


class Gateway:
    """All sessions. Each gets the events of its shard. `open = False` refuses connections (an outage)."""

    def __init__(self, world: World, token: str, url: Callable[[], str], changed: Callable[[], None]) -> None:
        self.world, self.token, self._url, self._changed = world, token, url, changed
        self.clock: Callable[[], float] = time.monotonic
        self.latency: Callable[[], float] = float  # seconds until a payload arrives
        self.open = True
        self.heartbeat = 41.25  # seconds
        self.patience = 10.0  # seconds by which a heartbeat can be late
        self.deaf = False  # no heartbeat is answered
        self.losing = 0  # this many coming events never arrive; heartbeats go on, so no one notices
        self.resume_within = 180.0  # seconds after the connection was lost
        self.resume_events = 1000  # the most missed events that can be resumed
        self.most_guilds = 2500  # in a session
        self.most_payloads = 120  # on a connection, in a minute
        self.privileged = 0  # intents that the owner has switched on
        self.changed_ready: Callable[[Json], Json] = lambda ready: ready  # changes READY before it is sent
        self.starts = Starts()
        self.sessions: list[Session] = []
        self.ready = 0  # how often READY was sent
        self.resumed = 0  # how often RESUMED was sent
        self.identified: list[float] = []  # when sessions began, by time.perf_counter
        self.refused: list[int] = []  # opcodes of the payloads answered by op 9
        self._connections: dict[Connection, None] = {}  # in order, unlike a set

    @property
    def session(self) -> Session | None:
        """The newest session."""
        return self.sessions[-1] if self.sessions else None

    @property
    def connected(self) -> bool:
        """Whether a bot is connected."""
        return any(session.connection is not None for session in self.sessions)

    @property
    def under_way(self) -> int:
        """Number of payloads that were sent and haven't arrived."""
        return sum(connection.under_way for connection in self._connections)

    def on(self, shard: int) -> Session | None:
        """The newest session of a shard."""
        if self.session is None:
            return None
        fitting = (s for s in reversed(self.sessions) if (s.shard, s.shards) == (shard, self.session.shards))
        return next(fitting, None)

    def start_limit(self) -> Json:
        """The session start limit object."""
        return self.starts.json(self.clock())

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event to the sessions of its shard that want it. A disconnected session keeps it for a resume."""
        number = data["id"] if event in ("GUILD_CREATE", "GUILD_DELETE") else data.get("guild_id")
        guild = self.world.guilds.get(int(str(number))) if str(number).isdecimal() else None
        if guild and not (guild.bot_in or event in ("GUILD_DELETE", "INTERACTION_CREATE")):
            return
        losing, self.losing = self.losing > 0, max(self.losing - 1, 0)
        for session in [s for s in self.sessions if s.gets(guild.id if guild else None) and self._lives(s)]:
            if not wanted(event, data, session.intents, self.world.bot.id):
                continue
            if losing:
                session.events.append((event, data))
            else:
                await session.dispatch(event, data)

    async def drop(self, code: int | None = 4000) -> None:
        """Close the bot's connection with a code, or (None) cut it without one."""
        if self.session is None or self.session.connection is None:
            raise RuntimeError("no bot is connected")
        connection = self.session.connection
        if code is not None:
            await self._close(connection, code)
            return
        self._abort(connection)

    def cut(self) -> None:
        """Cut all connections, as when the network fails."""
        for connection in list(self._connections):
            self._abort(connection)

    async def reconnect(self) -> None:
        """Ask the bot to come back (op 7)."""
        if self.session is not None and self.session.connection is not None:
            await self.session.connection.send(RECONNECT)

    async def invalidate(self, resumable: bool = False) -> None:
        """Tell the bot that its session is over (op 9), so it must identify again, or (`resumable`) resume."""
        if self.session is not None and self.session.connection is not None:
            self.session.over = not resumable
            await self.session.connection.send(INVALID, resumable)

    async def stop(self) -> None:
        """Close every connection."""
        for connection in list(self._connections):
            await connection.socket.close(code=1001)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket route."""
        if not self.open:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(socket, request.query.get("compress"), lambda: self.latency())
        self._connections[connection] = None
        try:
            await connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat * 1000)})
            await self._listen(connection, request.query.get("v", "10"))
        except ConnectionError:
            pass  # a killed bot doesn't say goodbye
        finally:
            self._lose(connection)
            self._connections.pop(connection, None)
            self._changed()
        return socket

    async def _listen(self, connection: Connection, version: str) -> None:
        if version not in ("9", "10"):
            await self._close(connection, 4012)
        while True:
            silence = self.heartbeat + self.patience
            try:
                message = await connection.socket.receive(None if math.isinf(silence) else silence)
            except TimeoutError:
                await self._close(connection, 4009)
                return
            if message.type is WSMsgType.CLOSE and message.data in GOODBYES:
                self._lose(connection, over=True)
            if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                return
            await self._receive(connection, message)

    async def _receive(self, connection: Connection, message: WSMessage) -> None:
        now = self.clock()
        connection.received = [*(at for at in connection.received if now - at < 60.0), now]
        if len(connection.received) > self.most_payloads:
            await self._close(connection, 4008)
            return
        try:
            payload = json.loads(message.data)
            op, data = payload["op"], payload["d"]
        except (ValueError, KeyError, TypeError):
            await self._close(connection, 4002)
            return
        session = self._of(connection)
        if op == HEARTBEAT:
            if not self.deaf:
                await connection.send(ACK)
        elif op not in SENT_BY_CLIENTS:
            await self._close(connection, 4001)
        elif op not in (IDENTIFY, RESUME):
            if session is None:
                await self._close(connection, 4003)
        elif session is not None:
            await self._close(connection, 4005)
        elif data["token"].removeprefix("Bot ") != self.token:
            await self._close(connection, 4004)
        elif op == IDENTIFY:
            await self._identify(connection, data)
        else:
            await self._resume(connection, data)

    async def _identify(self, connection: Connection, data: Json) -> None:
        shard, shards = data.get("shard", (0, 1))
        present = [guild for guild in self.world.guilds.values() if guild.bot_in]
        guilds = [guild for guild in present if (guild.id >> 22) % max(shards, 1) == shard]
        now, intents = self.clock(), data["intents"]
        if code := self._wrong(shard, shards, len(guilds), intents):
            await self._close(connection, code)
            return
        if not self.starts.spend(now):
            await self._end_all()
            return
        if self.starts.too_soon(shard, now):
            await self._refuse(connection, IDENTIFY)
            return
        session = Session(f"session-{len(self.sessions) + 1}", intents, connection, shard, shards)
        self.sessions.append(session)
        self.identified.append(time.perf_counter())
        ready = {
            "v": 10,
            "user": self.world.bot.json(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "shard": [shard, shards],
            "session_id": session.id,
            "resume_gateway_url": self._url(),
            "application": {"id": str(self.world.application_id), "flags": 0},
        }
        await session.dispatch("READY", self.changed_ready(ready))
        for guild in guilds if session.intents & GUILDS else ():
            if not guild.out:
                await session.dispatch("GUILD_CREATE", self.world.created(guild, bool(session.intents & MEMBERS)))
        self.ready += 1
        self._changed()

    def _wrong(self, shard: Any, shards: Any, guilds: int, intents: int) -> int:
        """The close code for an invalid identify, or 0 if it is valid."""
        if not 0 <= shard < shards:
            return 4010
        if guilds > self.most_guilds:
            return 4011
        if intents & ~INTENTS:
            return 4013
        return 4014 if intents & (MEMBERS | PRESENCES | CONTENT) & ~self.privileged else 0

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = next((s for s in self.sessions if s.id == data["session_id"] and self._lives(s)), None)
        if session is None or len(session.events) - data["seq"] > self.resume_events:
            if session is not None:
                session.over = True
            await self._refuse(connection, RESUME)
            return
        session.connection = connection
        if data["seq"] > len(session.events):
            await self._close(connection, 4007)
            return
        for number in range(data["seq"] + 1, len(session.events) + 1):
            await session.send(number)
        await session.dispatch("RESUMED", {})
        self.resumed += 1
        self._changed()

    async def _end_all(self) -> None:
        """End all sessions: the day's session starts are used up, and the owner must fetch a new token."""
        self.token = f"reset-{len(self.sessions)}-{self.token}"
        for session in self.sessions:
            session.over = True
        for connection in list(self._connections):
            await self._close(connection, 4004)

    async def _refuse(self, connection: Connection, op: int) -> None:
        self.refused.append(op)
        await connection.send(INVALID, False)

    async def _close(self, connection: Connection, code: int) -> None:
        self._lose(connection, over=code in FINAL)
        await connection.socket.close(code=code)

    def _abort(self, connection: Connection) -> None:
        self._lose(connection)
        if connection.socket._req is not None and connection.socket._req.transport is not None:
            connection.socket._req.transport.abort()

    def _of(self, connection: Connection) -> Session | None:
        return next((s for s in self.sessions if s.connection is connection and not s.over), None)

    def _lose(self, connection: Connection, over: bool = False) -> None:
        for session in self.sessions:
            if session.connection is connection:
                session.connection, session.lost = None, self.clock()
                session.over |= over

    def _lives(self, session: Session) -> bool:
        """Whether a session can be continued."""
        if session.connection is None and self.clock() - session.lost >= self.resume_within:
            session.over = True
        return not session.over


def wanted(event: str, data: Json, intents: int, bot: int) -> bool:
    """Whether a session with these intents gets an event. A bot always gets those about itself."""
    if event.startswith("GUILD_MEMBER_"):
        return bool(intents & MEMBERS) or (event == "GUILD_MEMBER_UPDATE" and data["user"]["id"] == str(bot))
    return bool(intents & GUILDS) or not event.startswith(("GUILD_", "CHANNEL_", "THREAD_"))
