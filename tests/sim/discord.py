"""Discord in the town: the stand-in of `tests.wire`, which tells what goes over the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiohttp import web

from tests.sim.loop import Universe
from tests.wire.calls import Interaction, Request
from tests.wire.rest import Handler
from tests.wire.server import WireServer


class Discord(WireServer):
    """The stand-in. It logs each request and each interaction."""

    def __init__(self, universe: Universe) -> None:
        super().__init__()
        self.universe = universe
        self._random = universe.chance("latency")
        self.heard = list[Callable[[Request, Any], None]]()
        """Called with each request that was carried out or refused, and its answer."""
        self.delivered = list[Callable[[Interaction], None]]()
        """Called when an interaction is sent for the first time."""

    def _carry_out(self, handler: Handler, request: web.Request, call: Request) -> Any:
        answer = super()._carry_out(handler, request, call)
        self.universe.log(f"{call.method} {call.path} -> {call.status} {call.code or ''}")
        for heard in [*self.heard]:
            heard(call, answer)
        return answer

    async def deliver(self, it: Interaction) -> None:
        await super().deliver(it)
        if it.deliveries == 1:
            for delivered in [*self.delivered]:
                delivered(it)

    def forget_old(self, seconds: float = 1200.0) -> None:
        """Drop requests and interactions that are over, so that long plans stay small."""
        before = self.universe.now - seconds
        self.requests[:] = [one for one in self.requests if one.at >= before]
        world = self.world
        for token, it in list(world.interactions.items()):
            if it.sent < before:
                del world.interactions[token]
        for number, message in list(world.messages.items()):
            if message.deleted and self.world.ids.age(number) > seconds:
                del world.messages[number]
