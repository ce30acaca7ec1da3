"""What the steps work with: the connection, the channel, the person who presses, and what must be removed later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import discord

from bot.discord.limits import LONGEST_WAIT, Limits
from bot.discord.show.signs import Signs
from bot.rehearsal.asking import Answer, Asker, Refused, trace
from bot.rehearsal.bodies import EPHEMERAL, GALLERY, PROMPT, TEXT, V2, text
from bot.screens.controls import Picture

Json = dict[str, Any]
COMMAND, COMPONENT, TYPED, SUBMITTED = 2, 3, 4, 5
"""Types of interactions."""
SAY, THINKING, NOTHING_YET, CHANGE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
"""Types of first answers."""
MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"
CALLBACK = "/interactions/{interaction_id}/{webhook_token}/callback"
HOOK = "/webhooks/{webhook_id}/{webhook_token}"
HOOKED = f"{HOOK}/messages/{{message_id}}"
EPOCH = 1_420_070_400.0
"""Seconds since 1970 at which Discord's ids begin."""


class Skip(Exception):
    """A step can't be tried; the text says why."""


class NotNeeded(Exception):
    """A step need not be tried here; the text says why."""


class Stopped(Exception):
    """The host has stopped the rehearsal."""


@dataclass(frozen=True, slots=True)
class Event:
    """What the gateway sent, and when (seconds since the epoch)."""

    name: str
    data: Any
    at: float


class Listener(discord.Client):
    """A client that keeps what arrives in `events`, as it was sent: the session's start, servers and interactions."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            http_trace=trace(),
        )
        Limits().keep(self)
        self.signs = Signs()
        self.events: list[Event] = []
        self.stopped = False
        self._news = asyncio.Event()
        parsers = self._connection.parsers
        for name in ("READY", "GUILD_CREATE"):
            parsers[name] = self._noted(name, parsers[name])
        parsers["INTERACTION_CREATE"] = self._noted("INTERACTION_CREATE", lambda data: None)

    def _noted(self, name: str, go_on: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def parse(data: Any) -> Any:
            self.events.append(Event(name, data, time.time()))
            self._news.set()
            return go_on(data)

        return parse

    def stop(self) -> None:
        """Have the next `go_on` raise `Stopped`. What is under way is finished, so it is known what must be removed."""
        self.stopped = True
        self._news.set()

    def go_on(self) -> None:
        if self.stopped:
            raise Stopped

    async def wait_for_event(self, fits: Callable[[Event], bool], within: float, since: int = 0) -> Event | None:
        """Wait `within` seconds at most for an event that fits, from number `since` on; or None. Raises `Stopped`."""
        end = time.monotonic() + within
        while True:
            self.go_on()
            self._news.clear()
            if found := next((event for event in self.events[since:] if fits(event)), None):
                return found
            try:
                await asyncio.wait_for(self._news.wait(), max(end - time.monotonic(), 0.001))
            except TimeoutError:
                if time.monotonic() >= end:
                    return None


class Stage:
    """What a step works with, and what it leaves to later ones."""

    def __init__(self, client: Listener, channel: int, within: float, turns: int, say: Callable[[str], None]) -> None:
        """`within`: seconds that a person has for each press; `turns` of the film; `say` tells the host what to do."""
        self.client, self.channel, self.within, self.turns, self.say = client, channel, within, turns, say
        self.asker = Asker(client)
        self.pictures: list[Picture] = []
        self.guild = 0
        self.server: Json = {}  # as the session brought it
        self.lacking: list[str] = []  # names of the permissions that are missing in the channel
        self.application = 0
        self.commands: list[Json] | None = None  # the bot's own, before the rehearsal
        self.message: Json = {}  # the one with the picture
        self.body: Json = {}  # the body that it was posted with
        self.posts: list[tuple[int, int]] = []  # ids of channel and message, to be deleted
        self.threads: list[int] = []
        self.emoji = 0  # id of the uploaded one
        self.whispers: list[Json] = []  # interactions with private answers
        self.person: Json = {}
        self.press: Json = {}  # the latest press of a button

    @property
    def roles(self) -> list[int]:
        """Roles of the server, except everyone's."""
        return [int(role["id"]) for role in self.server.get("roles", []) if int(role["id"]) != self.guild]

    async def post(self, body: Json, *files: Picture, channel: int = 0) -> Answer:
        """Post a message that is removed at the end."""
        self.client.go_on()
        where = channel or self.channel
        answer = await self.asker.attempt("POST", MESSAGES, body, files, channel_id=where)
        if answer.status < 400 and (where, int(answer.data["id"])) not in self.posts:
            self.posts.append((where, int(answer.data["id"])))
        return answer

    async def edit(self, message: Json, body: Json, *files: Picture) -> Answer:
        where = {"channel_id": message["channel_id"], "message_id": message["id"]}
        return await self.asker.attempt("PATCH", MESSAGE, body, files, **where)

    async def pressed(self, message: Json, button: str, ask: str) -> Event:
        """Ask the host to press a button of a message. Raises `Skip` if no one does."""
        self.say(f"{ask} You have {self.within:g} seconds.")

        def fits(event: Event) -> bool:
            data = event.data
            here = data.get("type") == COMPONENT and data["message"]["id"] == message["id"]
            return bool(here and data["data"]["custom_id"].startswith(f"{PROMPT}{button}"))

        press = await self.client.wait_for_event(fits, self.within)
        if press is None:
            raise Skip(f"no one pressed it within {self.within:g} s")
        self.press = press.data
        self.person = (press.data.get("member") or press.data).get("user") or self.person
        return press

    async def callback(self, interaction: Json, kind: int, data: Json | None = None, *files: Picture) -> Answer:
        """Send the first answer to an interaction."""
        ids = {"interaction_id": interaction["id"], "webhook_token": interaction["token"]}
        body = {"type": kind, **({"data": data} if data is not None else {})}
        return await self.asker.attempt("POST", CALLBACK, body, files, **ids)

    async def thank(self, interaction: Json) -> Answer:
        """Thank the person with a private first answer."""
        answer = await self.callback(interaction, SAY, {"flags": V2 | EPHEMERAL, "components": [text("Thank you.")]})
        self.whispers += [interaction] if answer.status < 400 else []
        return answer

    async def by_token(
        self, method: str, interaction: Json, message: str, body: Json | None = None, *files: Picture
    ) -> Answer:
        """Post (without `message`), edit or delete by the token of an interaction."""
        ids: Json = {"webhook_id": interaction["application_id"], "webhook_token": interaction["token"]}
        path = HOOKED if message else HOOK
        if message:
            ids["message_id"] = message
        return await self.asker.attempt(method, path, body, files, **ids)


def since_made(interaction: Json, at: float) -> float:
    """Seconds between the creation of an interaction, by Discord's clock, and a moment by this machine's clock."""
    return at - EPOCH - (int(interaction["id"]) >> 22) / 1000


def required(answer: Answer) -> Any:
    """The answer's data. Raises `Refused` for an error."""
    if answer.status >= 400:
        raise Refused(answer)
    return answer.data


def walk(components: list[Json]) -> list[Json]:
    """All components, however deeply nested."""
    found: list[Json] = []
    for part in components:
        inner = [*part.get("components", []), *(part[key] for key in ("accessory", "component") if part.get(key))]
        found += [part, *walk(inner)]
    return found


def text_of(message: Json) -> str:
    """All text of a message."""
    return "\n".join(part["content"] for part in walk(message["components"]) if part["type"] == TEXT)


def media_of(message: Json) -> list[Json]:
    """The pictures that a message shows, as Discord describes them."""
    return [item["media"] for part in walk(message["components"]) if part["type"] == GALLERY for item in part["items"]]
