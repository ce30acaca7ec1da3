"""A small Discord on loopback, with REST v10 and gateway over real sockets. The bot doesn't know that it isn't real.

async with WireServer() as wire, BotProcess(wire, argv, database) as bot:
    await bot.start()
    it = await wire.users[0].slash("build road", {"place": "c4"})
    await wire.settled()
"""

from __future__ import annotations

import asyncio
import copy
import json
import random
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

from aiohttp import BodyPartReader, web

from bot.discord.show.messages import SIGNS
from tests.wire import described, invalid
from tests.wire.application_emoji import ApplicationEmoji
from tests.wire.calls import Interaction, Request
from tests.wire.faults import Fault
from tests.wire.gateway import Gateway
from tests.wire.interactions import Interactions
from tests.wire.messages import Message
from tests.wire.model import Json, Permission, Refused
from tests.wire.places import Channel
from tests.wire.rates import GlobalLimit, Headers, Rates, too_many
from tests.wire.rest import Handler, Rest
from tests.wire.staff import Staff
from tests.wire.threads import Threads
from tests.wire.users import Human
from tests.wire.world import NAMES, World

T = TypeVar("T")
API = "/api/v10"
LOOK = 0.05
"""Seconds after which `until` looks again if nothing has happened."""


class WireServer:
    """The server. `requests` has all REST calls in order, `unserved` those that it failed to serve, and `undescribed`
    what in the requests doesn't match Discord's published description.

    `clock` (seconds since the epoch) gives ids their time, and decides when the tokens of interactions expire.
    """

    network: tuple[float, float] | None = None
    """Seconds, from and to, until an answer or an event arrives."""

    def __init__(self, clock: Callable[[], float] = time.time, world: World | None = None) -> None:
        """`world`: an existing world to continue with."""
        self.world = world or World(clock)
        self.gateway = Gateway(self.world, "wire-token", lambda: self.gateway_url, self._wake)
        self.gateway.latency = self.latency
        self.interactions = Interactions(self.world)
        self.staff = Staff(self.world)
        if not self.world.users:
            self.world.settle([Human(self.world.ids(), name) for name in NAMES])
            self.world.emoji = {str(self.world.ids()): name for name in SIGNS}  # a bot has run here before
        self.users: list[Human] = [u for u in self.world.users if isinstance(u, Human)]
        for user in self.users:
            user.server = self
        self.requests: list[Request] = []
        self.unserved: list[str] = []
        self.undescribed: list[str] = []
        self.faults: list[Fault] = []
        self.garble: Callable[[Json], None] = lambda payload: None  # further changes to the payloads of interactions
        self.rates = Rates(lambda number: self.world.ids.age(number))
        self.global_limit: GlobalLimit | None = GlobalLimit()
        self.invalid = invalid.Invalid()
        self._random = random.Random(0)
        self.bot_output: Callable[[], str] = str  # set by BotProcess
        self.port = 0  # until it listens; another number is the port where it does
        self._in_flight = 0
        self._last = 0.0  # when the last request was answered
        self._waiting: set[asyncio.Future[None]] = set()
        self._telling: set[asyncio.Task[None]] = set()

    def user(self, name: str) -> Human:
        """The user with that name (Alice, Bob, Carol, Dave, Erin, Frank, Grace, Heidi)."""
        return next(u for u in self.users if u.name == name)

    # -- life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=128 * 2**20)
        rest = Rest(self.world, lambda: self.gateway_url, self.gateway.start_limit)
        self.world.told = self._tell
        for method, path, handler in [
            *rest.routes(),
            *Threads(self.world, rest).routes(),
            *self.interactions.routes(),
            *ApplicationEmoji(self.world).routes(),
        ]:
            app.router.add_route(method, API + path, self._endpoint(handler))
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._attachment)
        app.router.add_route("*", "/{rest:.*}", self._unknown)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        self.world.cdn.base = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.gateway.stop()
        await self._runner.cleanup()

    @property
    def token(self) -> str:
        """The bot's token. Discord can replace it."""
        return self.gateway.token

    @property
    def rest_base(self) -> str:
        """What the bot uses as https://discord.com/api/v10."""
        return self.world.base + API

    @property
    def gateway_url(self) -> str:
        """What the bot uses as wss://gateway.discord.gg."""
        return f"ws://127.0.0.1:{self.port}/gateway"

    def _tell(self, event: str, data: Json) -> None:
        telling = asyncio.create_task(self.gateway.dispatch(event, data))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    # -- for tests

    def fault(self, where: str, status: int = 0, **more: Any) -> Fault:
        """Spoil coming requests (see `Fault`). `until` looks again each time one arrives."""
        self.faults.append(Fault(where, status, **more))
        return self.faults[-1]

    def unlimited(self) -> None:
        """Never refuse requests for coming too fast, for benches and long campaigns. `rates.exceeded` still counts."""
        self.rates.enforced, self.global_limit, self.gateway.starts.apart = False, None, 0.0

    async def deliver(self, it: Interaction) -> None:
        """Dispatch an interaction, for the first time or again with the same id."""
        it.sent = time.perf_counter()
        it.deliveries += 1
        payload = json.loads(json.dumps(it.payload))
        self.garble(payload)
        await self.gateway.dispatch("INTERACTION_CREATE", payload)

    async def forbid(self, channel: Channel, permissions: Permission) -> None:
        """Take permissions from the bot in a channel, and wait until its sessions have the event."""
        self.staff.deny(channel, self.world.bot, permissions)
        await self.told()

    async def allow(self, channel: Channel, permissions: Permission) -> None:
        """Give the bot permissions in a channel, and wait until its sessions have the event."""
        self.staff.allow(channel, self.world.bot, permissions)
        await self.told()

    async def told(self) -> None:
        """Wait until all events so far have been sent to the sessions."""
        if self._telling:
            await asyncio.wait(set(self._telling))

    async def until(self, condition: Callable[[], T], within: float = 5.0, what: str = "") -> T:
        """The first true value of `condition`, which is checked after every request and every change of the gateway.

        It is also checked every `LOOK` seconds, for what becomes true by time or inside the bot.

        :raises TimeoutError: after `within` seconds, with `what` as its text.
        """
        end = time.perf_counter() + within
        while not (value := condition()):
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            await asyncio.wait({future}, timeout=max(0.0, min(LOOK, end - time.perf_counter())))
            self._waiting.discard(future)
            if time.perf_counter() >= end and not condition():
                raise TimeoutError(f"{what or 'the condition never became true'}\n{self.story()}")
        return value

    async def settled(self, quiet: float = 0.1, within: float = 10.0) -> None:
        """Wait until the bot has sent no request for `quiet` seconds."""
        end = time.perf_counter() + within
        start = time.perf_counter()
        while time.perf_counter() < start + quiet or not self.is_settled(quiet):
            if time.perf_counter() > end:
                raise TimeoutError(f"the bot doesn't stop\n{self.story()}")
            await asyncio.sleep(0.005)

    def is_settled(self, quiet: float) -> bool:
        """Whether the bot has sent no request for `quiet` seconds."""
        busy = self._in_flight or self.gateway.under_way
        return not busy and time.perf_counter() - self._last >= quiet

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """Public messages that are now in a channel (by default `table`), oldest first."""
        room = channel or self.world.table
        every = self.world.messages.values()
        return [m for m in every if m.channel is room and not m.deleted and not m.only_for]

    def dms(self, user: Human) -> list[Message]:
        """Messages that are now in the DM with a user."""
        return self.messages(self.world.dm(user))

    def calls(self, where: str) -> list[Request]:
        """Requests whose "METHOD /path" contains `where`."""
        return [r for r in self.requests if where in f"{r.method} {r.path}"]

    def story(self) -> str:
        """The last requests and the end of the bot's output, to explain a failure."""
        return "\n".join(["--- last requests", *map(str, self.requests[-10:]), "--- the bot", self.bot_output()])

    def forget(self) -> None:
        """Drop the log and all interactions, for long runs. Messages stay."""
        self.requests.clear()
        self.world.interactions.clear()
        self.world.pings.clear()

    # -- HTTP

    def latency(self) -> float:
        """Seconds that the network takes this time."""
        return self._random.uniform(*self.network) if self.network else 0.0

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    def _endpoint(self, handler: Handler) -> Callable[[web.Request], Any]:
        async def endpoint(request: web.Request) -> web.StreamResponse:
            call = Request(request.method, request.path.removeprefix(API), time.perf_counter())
            self._in_flight += 1
            address = request.remote or ""
            try:
                if left := self.invalid.banned(address):
                    self.requests.append(call)
                    call.status = 429
                    answer: web.StreamResponse = invalid.page(left)
                else:
                    answer = await self._serve(handler, request, call)
                    self.invalid.note(address, answer.status, answer.headers)
                await _pause(request, self.latency())
                return answer
            finally:
                self._in_flight -= 1
                self._last = call.answered = time.perf_counter()
                self._wake()

        return endpoint

    async def _serve(self, handler: Handler, request: web.Request, call: Request) -> web.StreamResponse:
        await _read(call, request)
        self.requests.append(call)
        described.look_up(call)
        self.undescribed += described.faults(call)
        fault = next((f for f in self.faults if f.takes(call)), None)
        headers, answer = Headers(), None
        if fault:
            self._wake()
            if not await _pause(request, fault.delay):
                return web.Response()  # the client is gone: no one will get it
        if fault and fault.status:
            pass
        elif self.global_limit and (wait := self.global_limit.spend(call.path)):
            headers, answer = too_many(wait, "global")
        else:
            headers, answer = self.rates.spend(call.method, call.path)
        if answer is not None:
            call.status, call.code = 429, answer["code"]
        elif fault is None or fault.effect or not (fault.status or fault.cut):
            answer = self._carry_out(handler, request, call)
        if fault:
            await _pause(request, fault.reply_delay)
            if fault.lie and call.status < 300:
                answer = copy.deepcopy(answer)
                fault.lie(answer)
            if fault.cut and request.transport:
                request.transport.abort()
            if fault.status:
                answer, more = fault.answer()
                headers |= more
                call.status, call.code = fault.status, fault.code
        if answer is None:
            return web.Response(status=204, headers=headers)
        # discord.py compares the type with exactly "application/json", so no charset can follow
        headers["Content-Type"] = "application/json"
        if fault and fault.body is not None:
            return web.Response(body=fault.body, status=call.status, headers=headers)
        return web.Response(body=json.dumps(answer).encode(), status=call.status, headers=headers)

    def _carry_out(self, handler: Handler, request: web.Request, call: Request) -> Any:
        try:
            self._authorize(request)
            if not _by_token(request):  # a request by token is checked once its interaction is known
                described.check(call)
            answer = handler(call, **request.match_info)
        except Refused as refused:
            call.status, call.code = refused.status, refused.code
            return refused.json()
        except Exception as error:  # malformed, or a fault of this server: the test must learn of it
            self.unserved.append(f"{call.method} {call.path}: {error!r} for {call.json}")
            raise
        call.status = 204 if answer is None else 200
        return answer

    def _authorize(self, request: web.Request) -> None:
        if not _by_token(request) and request.headers.get("Authorization") != f"Bot {self.token}":
            raise Refused(401, 0, "401: Unauthorized")

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        number, messages = request.match_info["id"], (m for m in self.world.messages.values() if not m.deleted)
        if self.world.cdn.is_valid(str(request.url)):
            for attachment in (a for m in messages for a in m.attachments):
                if str(attachment.id) == number:
                    return web.Response(body=attachment.data, content_type=attachment.look.content_type)
        return web.Response(status=404, text="This content is no longer available.")

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self.unserved.append(f"{request.method} {request.path}")
        return web.json_response({"message": "404: Not Found", "code": 0}, status=404)


def _by_token(request: web.Request) -> bool:
    return request.path.startswith((f"{API}/webhooks/", f"{API}/interactions/"))


async def _pause(request: web.Request, seconds: float) -> bool:
    """Sleep. Returns False immediately if the client closes the connection meanwhile."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        if request.transport is None or request.transport.is_closing():
            return False
        await asyncio.sleep(min(left, 0.02))
    return True


async def _read(call: Request, request: web.Request) -> None:
    """Read the query and body of a request: JSON, or multipart with payload_json and files[n]."""
    call.query, call.headers = dict(request.query), dict(request.headers)
    if request.content_type.startswith("multipart/"):
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            data = bytes(await part.read())
            if part.name == "payload_json":
                call.json = json.loads(data)
            else:
                number = int((part.name or "").removeprefix("files[").removesuffix("]"))
                call.files[number] = (part.filename or "", data)
    elif request.can_read_body:
        call.json = json.loads(await request.read())
    call.done = time.perf_counter()
