"""A plain client of the gateway, and a stand-in where the test sets the gateway's clock."""

from __future__ import annotations

from typing import Any

import aiohttp

from tests.wire.model import Json
from tests.wire.server import WireServer
from tests.wire.sessions import IDENTIFY, RESUME, Session

HEARD = {10: "HELLO", 11: "ACK", 7: "RECONNECT"}


class Client:
    """One connection."""

    def __init__(self, wire: WireServer, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.wire, self.socket = wire, socket
        self.seq = 0

    async def send(self, op: int, data: Any) -> None:
        """Send a payload."""
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, shard: int = 0, shards: int = 1, **more: Any) -> str:
        """Begin a session. Returns what comes first."""
        await self.send(IDENTIFY, {"token": self.wire.token, "intents": 1, "shard": [shard, shards], **more})
        return await self.hear()

    async def resume(self, session: Session | None, seq: int) -> str:
        """Go on with a session. Returns what comes first."""
        assert session is not None
        await self.send(RESUME, {"token": self.wire.token, "session_id": session.id, "seq": seq})
        return await self.hear()

    async def hear(self) -> str:
        """What comes next: an event's name, an opcode's name, or the code by which the connection was closed."""
        message = await self.socket.receive(timeout=5.0)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return str(message.data or self.socket.close_code)
        payload = message.json()
        self.seq = payload["s"] or self.seq
        self.data = payload["d"]
        return payload["t"] or HEARD.get(payload["op"]) or f"INVALID {payload['d']}"


class Clocked(WireServer):
    """A server where the test sets the gateway's clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.gateway.clock = lambda: self.now
        self.rates.enforced = False
        self.http = aiohttp.ClientSession()

    async def client(self, query: str = "") -> Client:
        """A new connection that has received HELLO."""
        client = Client(self, await self.http.ws_connect(self.gateway_url + query))
        assert await client.hear() == "HELLO"
        return client

    async def begun(self, shard: int = 0, shards: int = 1) -> Client:
        """A connection with a session, begun some time after the previous one."""
        self.now += 5.0
        client = await self.client()
        assert await client.identify(shard, shards) == "READY"
        for _ in client.data["guilds"]:
            assert await client.hear() == "GUILD_CREATE"
        return client

    async def start_limit(self) -> Json:
        """The session start limit, as GET /gateway/bot says it."""
        headers = {"Authorization": f"Bot {self.token}"}
        async with self.http.get(f"{self.rest_base}/gateway/bot", headers=headers) as answer:
            limit: Json = (await answer.json())["session_start_limit"]
            return limit

    async def happen(self, times: int = 1) -> None:
        """Dispatch an event that every session without shards gets."""
        for _ in range(times):
            await self.gateway.dispatch("TYPING_START", {})
