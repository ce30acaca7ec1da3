"""What the steps work with: the connection, the channel, the person who presses, and what must be removed later; and
what they post: a text with all signs that the bot uses, pictures, buttons, a form, a film."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import discord

import render
from bot.discord.interaction import Json
from bot.discord.limits import LONGEST_WAIT, Limits
from bot.discord.show.channels import FIRST_PART_ID
from bot.discord.show.messages import OwnSigns
from bot.rehearsal.findings import Answer, Refused, Sender, trace
from bot.screens.controls import Picture
from bot.screens.history import caption, frames
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.scenarios import SCENARIOS

TEXT, ROW, BUTTON, SELECT, INPUT, GALLERY, LABEL, RADIOS, CHECKBOXES = 10, 1, 2, 3, 4, 12, 18, 21, 22
V2, EPHEMERAL, SILENT = 1 << 15, 1 << 6, 1 << 12
SIGNS = (
    "\u2060±·×–—“”…→↩⇒−⌛⌨⏭⏮⏰⏳⏸▁▂▃▄▅▆▇█▫▶◀⚔⚙⚠⚪⚀⚁⚂⚃⚄⚅✅✉✋✏✖✨❌➔➕➜➡➤⟶⬅️🃏🌉🌐🌙🌾🎁🎓🎨🎬🎯🎲🎴🏁🏅🏆🏖🏗🏛🏠🏦🏳🐑👁👉👋👍👎"
    "👥💡💰📈📊📋📍📖📜📣📦📨🔀🔁🔍🔎🔑🔒🔔🔕🔴🔵🗑🗞🗺🙋🚪🛑🛠🛤🟠🟢🟣🟤🤖🤝🥇🥈🥉🥷🧭🧮🧵🧱🩵🪑🪨🪵"
)
"""All characters beyond ASCII in the bot's texts."""
WORDS = (
    "### Game 7 · Ann’s turn\n**Ann** rolled 4 + 3 = **7**, `a1` ~~b2~~ *c3* ||d4||, 2 × 3 = 6, <t:1700000000:R>\n"
    "-# A try by `harbormaster rehearse`; it goes away by itself.\n\n> quoted\n1. one\n- two\n" + SIGNS
)
"""A text with all kinds of markup; it must come back as it was sent."""
MARK = FIRST_PART_ID + 4711
"""The number of a message's first part, by which the bot recognizes its own messages."""
NAMES = ("Ann", "Ben", "Cleo", "Dan")
NAME = "rehearse"
"""Name of the one command."""
PROMPT = "rehearse:"
"""Prefix of the custom ids of all buttons and of the form; the form's fields have none."""


def text_body(content: str) -> Json:
    return {"type": TEXT, "content": content}


def gallery_body(picture: Picture) -> Json:
    """The component that shows a file of the same message."""
    return {"type": GALLERY, "items": [{"media": {"url": f"attachment://{picture.name}"}, "description": picture.alt}]}


def buttons_body(*labels: str) -> Json:
    """A row of buttons. Each one's id has its label's first word and its number."""
    ids = (f"{PROMPT}{label.split()[0].casefold()}:{number}" for number, label in enumerate(labels))
    row = [{"type": BUTTON, "style": 1, "label": label, "custom_id": id} for label, id in zip(labels, ids, strict=True)]
    return {"type": ROW, "components": row}


def list_body(*pictures: Picture, kept: Json | None = None) -> list[Json]:
    """The files that a message should have: one that it has already (`kept`, by id and name), and new ones."""
    attachments = [kept] if kept else []
    return attachments + [
        {"id": n, "filename": picture.name, "description": picture.alt} for n, picture in enumerate(pictures)
    ]


def message_body(
    *parts: Json, mentions: list[str] | None = None, files: list[Json] | None = None, loud: bool = False
) -> Json:
    """A V2 message. It notifies no one, unless it is `loud`: then it notifies those whom it mentions."""
    first = {**parts[0], "id": MARK}
    body: Json = {"flags": V2 if loud else V2 | SILENT, "components": [first, *parts[1:]]}
    body["allowed_mentions"] = {"parse": [], "users": mentions or []}
    return body if files is None else {**body, "attachments": files}


def call_body(words: str, user: str, *labels: str) -> Json:
    """A text that calls someone, with buttons below, as games call the players for whom they wait."""
    return {
        "content": words,
        "components": [buttons_body(*labels)],
        "allowed_mentions": {"parse": [], "users": [user]},
        "nonce": secrets.token_hex(12),
        "enforce_nonce": True,
    }


def edited_body(body: Json) -> Json:
    """A message's body for an edit, which can't be silent."""
    return {**body, "flags": V2}


FIELD, CHOICE, SIDE, BOXES = "words", "level", "side", "cards"
LEVELS, SIDES, CARDS = ("Easy", "Strong"), ("Sea", "Land"), ("Wool", "Ore")


def form_body() -> Json:
    """A form with a text, a list, radio buttons, and checkboxes, all in labels. One box is already ticked, and one
    option chosen."""
    sides = [{"label": side, "value": side.casefold()} for side in SIDES]
    cards = [{"label": card, "value": card.casefold(), "default": card == CARDS[0]} for card in CARDS]
    radios = {"type": RADIOS, "custom_id": SIDE, "options": sides, "required": True}
    boxes = {"type": CHECKBOXES, "custom_id": BOXES, "options": cards, "required": False, "min_values": 0}
    about: list[Json] = [
        {"label": level, "value": level.casefold(), "description": "How bots play"} for level in LEVELS
    ]
    options = [{**about[0], "default": True}, *about[1:]]
    words = {"type": INPUT, "custom_id": FIELD, "style": 1, "required": True, "max_length": 100}
    levels = {"type": SELECT, "custom_id": CHOICE, "options": options, "required": True, "max_values": len(LEVELS)}
    return {
        "title": "Rehearsal",
        "custom_id": f"{PROMPT}form",
        "components": [
            {"type": LABEL, "label": "Type some words", "component": words},
            {"type": LABEL, "label": "Choose one", "component": levels},
            {"type": LABEL, "label": "And here", "component": radios},
            {"type": LABEL, "label": "Leave this as it is", "component": {**boxes, "max_values": len(CARDS)}},
        ],
    }


def command_body() -> Json:
    """The one command that is registered, in one server."""
    option = {"type": 3, "name": "place", "description": "Type a letter, choose a place", "required": True}
    return {
        "name": NAME,
        "description": "Tries out commands; goes away by itself",
        "type": 1,
        "options": [{**option, "autocomplete": True}],
    }


def sample_pictures() -> Iterator[Picture]:
    """Two boards."""
    for number, id in enumerate(list(SCENARIOS)[:2]):
        scenario = SCENARIOS[id]
        colors = scenario.colors_for(max(scenario.players))[: max(scenario.players)]
        game = Game.new(Config(colors, scenario=id), SeededChance(bytes(SEED_BYTES), "", ()))
        yield Picture(render.board(game.view(None)), f"Board {number}", f"board-{number}.png")


def sample_film(turns: int) -> Picture:
    """A film of that many turns of random moves, drawn like that of a real game. It takes some 50 ms per turn."""
    game = Game.new(Config(("red", "blue", "white", "orange")), SeededChance(bytes(SEED_BYTES), "", ()))
    rng = random.Random(0)
    while game.outcome is None and game.view(None).turn <= turns:
        seat = game.to_act[0]
        game.play(seat, game.options(seat).sample(rng))
    views = frames(game.config, game.records)[-turns:]
    data = render.film(views, [caption(view, NAMES) for view in views], NAMES)
    return Picture(data, "A game, turn by turn.", "game-7.webp")


COMMAND, COMPONENT, TYPED, SUBMITTED = 2, 3, 4, 5
"""Types of interactions."""
SAY, THINKING, NOTHING_YET, CHANGE, CHOICES, OPEN_FORM = 4, 5, 6, 7, 8, 9
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
        self.signs = OwnSigns()
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
                async with asyncio.timeout(max(end - time.monotonic(), 0.001)):
                    await self._news.wait()
            except TimeoutError:
                if time.monotonic() >= end:
                    return None


class Stage:
    """What a step works with, and what it leaves to later ones."""

    def __init__(self, client: Listener, channel: int, within: float, turns: int, say: Callable[[str], None]) -> None:
        """`within`: seconds that a person has for each press; `turns` of the film; `say` tells the host what to do."""
        self.client, self.channel, self.within, self.turns, self.say = client, channel, within, turns, say
        self.asker = Sender(client)
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
        """Thank the person with a private first answer that has a picture, as hands have one."""
        picture = self.pictures[0]
        body = message_body(text_body("Thank you."), gallery_body(picture), files=list_body(picture))
        answer = await self.callback(interaction, SAY, {**body, "flags": V2 | EPHEMERAL}, picture)
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
