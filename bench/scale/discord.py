"""A wire server with a whole town in it, for long runs. It counts what arrives and forgets what is no longer needed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from typing import Any

from aiohttp import web

from bench.scale.town import Standing, Town
from bot.discord.show import panel
from bot.screens.controls import Picture
from bot.screens.viewer import Viewer
from tests.wire.calls import Interaction, Request
from tests.wire.messages import EPHEMERAL, V2, Message, is_ping, live
from tests.wire.model import Json, User
from tests.wire.places import Channel, Guild
from tests.wire.rates import GlobalLimit
from tests.wire.rest import Handler
from tests.wire.server import WireServer
from tests.wire.users import Human
from tests.wire.world import World

SUGGESTIONS, UPDATES, ANSWERS = 8, (6, 7), (4, 7)
"""Types of callbacks."""
VERBS = {"POST": "post ", "PATCH": "edit ", "DELETE": "delete ", "GET": "get "}
KEPT = 500
"""How many events of a session are kept, and how many requests."""
YOUNG = 60.0
"""Seconds for which a message is kept with everything in it."""


class Streets(World):
    """A world with hundreds of channels and people, which are found by their ids without a search."""

    def __init__(self, town: Town, shards: int) -> None:
        super().__init__()
        self.guilds = {number: Guild(number, self.bot) for number in town.guilds}
        self.home = self.guilds[town.guilds[0]]
        self.channels = {}
        self.shards = shards
        self.settle([Human(person.id, person.name) for person in town.people])
        self._by_id: dict[int, User] = {user.id: user for user in self.users}
        self._dms: dict[int, Channel] = {}
        self.panels: dict[int, Message] = {}
        """The latest panel, by channel."""
        for person in town.people:
            room = Channel(person.dm, f"dm-{person.name}", recipient=self._by_id[person.id])
            self.channels[room.id] = self._dms[person.id] = room
            self.direct.opened.add(person.id)
        for standing in town.games:
            self._stand(standing)

    def _stand(self, standing: Standing) -> None:
        """Add a game's channel with its panel, whose picture no one looks at, and the hands."""
        table = standing.table
        assert table.guild is not None
        room = self.channels[table.channel] = Channel(
            table.channel, f"game-{table.number}", guild=self.guilds[table.guild]
        )
        layout: Any = panel.panel_layout(Viewer(table, standing.game), Picture(b"", ""))
        message = Message(standing.panel, room, self.bot, V2, components=layout.to_components())
        self.messages[message.id] = self.panels[room.id] = message
        for user, number in standing.hands.items():
            self.messages[number] = Message(number, self._dms[user], self.bot, V2)

    def human(self, user_id: int) -> Human:
        """A person who plays."""
        person = self._by_id[user_id]
        assert isinstance(person, Human)
        return person

    def user(self, user_id: int) -> User:
        return self._by_id.get(user_id) or super().user(user_id)

    def dm(self, user: User) -> Channel:
        return self._dms[user.id]

    def post(
        self, channel: Channel, body: Json, files: Any, only_for: User | None = None, it: Interaction | None = None
    ) -> Message:
        message = super().post(channel, body, files, only_for, it)
        if only_for is None and message.is_panel:
            self.panels[channel.id] = message
        return message


class BenchServer(WireServer):
    """The server of a run. `bench.scale.load` and `bench.scale.runs` read what it has counted."""

    world: Streets

    def __init__(self, town: Town, shards: int, limit: GlobalLimit | None = None) -> None:
        super().__init__(world=Streets(town, shards))
        self.unlimited()
        self.global_limit = limit
        self.kinds: Counter[str] = Counter()
        """Requests by their purpose."""
        self.by_second: Counter[int] = Counter()
        """By second: requests that count toward the bot's limit."""
        self.refused: Counter[str] = Counter()
        self.pictures: dict[int, float] = defaultdict(float)
        """By channel: when the last picture of its panel came, by `time.perf_counter`."""
        self.fresh: deque[Interaction] = deque()
        """Interactions that haven't been counted yet."""
        self._pruned: Counter[str] = Counter()

    async def _serve(self, handler: Handler, request: web.Request, call: Request) -> web.StreamResponse:
        answer = await super()._serve(handler, request, call)
        kind = self._kind(call)
        self.kinds[kind] += 1
        if GlobalLimit.counts(call.path):
            self.by_second[int(call.at)] += 1
        if call.status >= 400:
            self.refused[f"{call.status} {call.code} {kind}"] += 1
        elif _shows_board(message := sent(call)):
            room = self._room_of(call)
            if room is not None and live(message.get("components") or []):
                self.pictures[room] = call.done
        call.files.clear()
        return answer

    def _kind(self, call: Request) -> str:
        """The purpose of a request, in a few words."""
        where, it = call.path.split("/")[1], call.interaction
        if where == "interactions":
            kind = (call.json or {}).get("type")
            if kind in ANSWERS:
                return (
                    "private answer" if it is None or it.source is None or _is_private(it, call) else "panel as answer"
                )
            return "suggestions" if kind == SUGGESTIONS else "acknowledgement"
        if where == "webhooks":
            if call.method == "DELETE":
                return "delete private answer"
            public = call.method == "PATCH" and it is not None and it.source is not None and not it.source.only_for
            return "panel by token" if public and it is not None and it.kind in UPDATES else "private answer"
        if "/messages" in call.path:
            room = self.world.channels.get(int(call.path.split("/")[2]))
            if room is not None and room.recipient:
                return VERBS[call.method] + "hand"
            if call.method == "DELETE" or not call.json.get("components") or is_ping(call.json):
                return VERBS[call.method] + "ping"
            if live(call.json["components"]):
                return VERBS[call.method] + "panel"
            return "post notice" if call.method == "POST" else VERBS[call.method] + "old panel"
        return f"{call.method} {re.sub(r'[0-9]+', '…', call.path)}"

    def _room_of(self, call: Request) -> int | None:
        """The channel whose public picture a request brings."""
        if found := re.match(r"/channels/(\d+)/messages", call.path):
            return int(found[1])
        it = call.interaction
        return it.channel.id if it is not None and it.source is not None and not _is_private(it, call) else None

    async def deliver(self, it: Interaction) -> None:
        self.fresh.append(it)
        await super().deliver(it)
        if len(self.requests) > 2 * KEPT:
            self._tidy()

    def _tidy(self) -> None:
        """Forget what is old."""
        del self.requests[:-KEPT]
        self.world.pings.clear()
        self.world.nonces.clear()
        for session in self.gateway.sessions:
            for number in range(self._pruned[session.id], len(session.events) - KEPT):
                session.events[number] = "", {}
            self._pruned[session.id] = max(len(session.events) - KEPT, 0)
        present = {message.id for message in self.world.panels.values()}
        for message in list(self.world.messages.values()):
            message.history.clear()
            if message.id in present or self.world.ids.age(message.id) < YOUNG:
                continue
            for attachment in message.attachments:
                attachment.data = b""
            if message.only_for or message.deleted:
                del self.world.messages[message.id]


def sent(call: Request) -> Any:
    """The message that a request sends, or changes."""
    return call.json.get("data") or {} if call.path.endswith("/callback") else call.json


def _is_private(it: Interaction, call: Request) -> bool:
    """Whether only the person sees what a request about their click sends."""
    return bool((it.source is not None and it.source.only_for) or (sent(call).get("flags") or 0) & EPHEMERAL)


def _shows_board(body: Any) -> bool:
    """Whether a message has a board, sent with it or kept from before."""
    return isinstance(body, dict) and any(part.get("filename") == "board.png" for part in body.get("attachments") or [])
