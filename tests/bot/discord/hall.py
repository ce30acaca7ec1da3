"""A hall for the front's tests: a simulated Discord with the real bot and people, and what they see."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Unpack

import discord
import simcord
from simcord import components, results
from simcord.backend import serializers
from simcord.components import walk_components
from simcord.http import router

from bot.discord.client import Harbormaster
from bot.projections import PANEL, Place
from bot.screens.viewer import Viewer
from bot.servers import PAUSE
from bot.service import Services
from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.acts.play import Play
from bot.table.preferences import DM
from bot.table.table import Table
from bot.tasks import T, Values, Worker
from engine.game import Game
from tests.bot.batch import at_once
from tests.bot.discord import settling as settling
from tests.bot.playground import choose
from tests.bot.signs import without_signs
from tests.carried import carried
from tests.plain import copied

simcord.Env._schedule_timer = lambda *_: None  # type: ignore[method-assign]  # time passes where a test lets it
for _module in (components, results, serializers):
    _module.deepcopy = copied  # type: ignore[attr-defined]
for _module in (router, simcord.gateway):
    _module.copy = SimpleNamespace(deepcopy=copied)  # type: ignore[attr-defined]

NAMES = ("ann", "bob", "cem", "dot", "eve", "fay", "gus", "hal")
BUTTON, SELECT, TEXT, RADIOS = 2, 3, 10, 21
PATIENCE = 120.0
"""Seconds to wait on a busy machine."""
TIP = "🎓"
"""Marks a coach's tip, which can follow an answer."""


class Hall:
    """One channel of one server, with the bot and people in it."""

    def __init__(self, path: Path, env: simcord.Env, bot: Harbormaster, people: int) -> None:
        self.path, self.env, self.bot = path, env, bot
        env.settle_timeout = PATIENCE
        self.guild = env.create_guild("Harbor")
        self.channel = self.guild.create_text_channel("table")
        self.people = [
            self.guild.add_member(env.create_user(name, global_name=name.title())) for name in NAMES[:people]
        ]

    @property
    def services(self) -> Services:
        """The bot's services."""
        return self.bot.app.services

    async def allow_messages(self) -> None:
        """Have all people ask for their hands by direct message."""
        for person in self.people:
            await self.services.people.change_settings(person.id, dms=True)

    async def remind(self, person: Any, where: str) -> None:
        """Set where a person is reminded. With direct messages, one has been sent to them before."""
        direct = {"direct": person.user.dm_channel.id} if where == DM else {}
        await self.services.people.change_settings(person.id, choices={"reminders": where, **direct})

    def started_long_ago(self) -> None:
        """From now on, no earlier process can have had what people do: the first answer stays open for a while."""
        self.services.ownership._began = -inf

    async def room(self) -> discord.TextChannel:
        """The channel as an object of discord.py, for what others do with it."""
        channel = await self.bot.fetch_channel(self.channel.id)
        assert isinstance(channel, discord.TextChannel)
        return channel

    async def restart(self, *, closed: bool = False) -> None:
        """Start another process of the bot on the same file; `closed`: the last one is already stopped."""
        if not closed:
            await self.bot.close()
        self.bot = make_bot(self.path)
        await self.env.restart_bot(self.bot)

    async def table(self) -> Table:
        """The latest table of the channel."""
        table = await self.services.repository.latest(self.channel.id)
        assert table is not None
        return table

    async def game(self) -> Game:
        """The game of the latest table."""
        return await self.services.repository.game((await self.table()).number)

    async def step(self) -> Any:
        """What all see of the step that must be decided. `Any`, because each kind of step has its own facts."""
        return (await self.game()).view(None).step

    async def person(self, seat: int) -> Any:
        """The person in a seat."""
        user = (await self.table()).user_at(await self.game(), seat)
        return next(p for p in self.people if p.id == user)

    async def viewer(self, person: Any) -> Viewer:
        """The game as a person sees it."""
        return Viewer.of(await self.table(), await self.game(), person.id)

    async def change(self, person: Any) -> Any:
        """The menu of what a person can change about the game, two taps from the panel."""
        more = reply(await person.click(await self.panel(), label="More"))
        return reply(await person.click(more, label="Pause, leave, change…"))

    async def panel(self) -> discord.Message:
        """The message with the current panel or lobby."""
        marks = await self.services.projections.visible((await self.table()).number)
        return self.message(marks[PANEL].posted)

    def message(self, which: Place | int | None) -> discord.Message:
        """A message of the channel, by its place or id."""
        id_ = which.message if isinstance(which, Place) else which
        assert id_ is not None
        return results.to_discord_message(self.env, self.env.backend.messages[self.channel.id][id_])

    async def lobby(self, people: Sequence[Any] | None = None) -> None:
        """Open a lobby with these people: the first by a command, and the others join without Discord. Before another
        lobby, they wait for a minute."""
        first, *others = people or self.people
        if await self.services.repository.latest(self.channel.id) is not None:
            await self.env.advance_time(PAUSE)
        await first.slash(self.channel, "game new")
        number = (await self.table()).number
        for person in others:
            join = Join(person.user._user.global_name or person.name)
            await self.services.games.act(number, person.id, join, f"join-{number}-{person.id}")
        await self.bot.app.publisher.idle()

    async def begin(self, people: Sequence[Any] | None = None, **options: Any) -> None:
        """Start a game with these people."""
        who = people or self.people
        await self.lobby(who)
        if options:
            await self.options(**options)
        await who[0].click(await self.panel(), label="Start")

    async def options(self, **options: Any) -> None:
        """Set options of the table by name, as the host but without Discord; then have them shown."""
        table = await self.table()
        id = f"options-{table.number}-{table.version}"
        await self.services.games.act(table.number, table.host, SetOptions(options), id)
        await self.bot.app.publisher.idle()

    async def change_own(self, person: Any, which: str, **changes: Any) -> Any:
        """Fill in a form of a person's settings."""
        return await fill(person, reply(await person.slash(self.channel, "settings")), which, **changes)

    async def standing(self, person: Any, cards: int) -> None:
        """Have a person called to build from so many cards on; 0: only if they ask."""
        id = f"standing-{person.id}-{cards}"
        await self.services.people.change_settings(person.id, standing=cards, interaction=id)

    async def advance(self, until: Callable[[Game], bool], seed: int = 3, most: int = 3000) -> Game:
        """Play at random, without Discord, until a position is reached; then have everything shown."""
        rng = random.Random(seed)
        table, game = await self.table(), await self.game()
        with self.env._bot_scope():  # else no time would pass for jobs that are set
            async with at_once(self.services):
                for n in range(most):
                    if until(game):
                        break
                    assert game.outcome is None, "the game ended before"
                    seat = rng.choice(game.to_act)
                    user = table.user_at(game, seat)
                    action = choose(game, seat, rng)
                    played = await self.services.games.act(
                        table.number, user, Play(action), f"past-{seed}-{game.revision}-{n}"
                    )
                    game = played.game
        self.bot.app.publisher.refresh(table.number)
        await self.bot.app.publisher.idle()
        return await self.game()


class AtOnce(Executor):
    """Does work immediately, in the same thread: the simulated Discord wouldn't wait for others on a busy machine."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do the work now. Returns a future that is already done."""
        future = Future[Any]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Carrying(Worker):
    """A worker that does work on copies of all that a process would get and give back."""

    async def run(self, work: Callable[[Unpack[Values]], T], *values: *Values) -> T:
        """Call a function with some values and return its result."""
        return await super().run(carried, work, values, {})


_PAYLOADS: list[list[dict[str, Any]]] = []


def make_bot(path: Path, *, films: bool = False) -> Harbormaster:
    """A bot whose seeds are the same in each run. What it registers is put together only once for all of them."""

    async def payload() -> list[dict[str, Any]]:
        if not _PAYLOADS:
            _PAYLOADS.append(await bot.tree.payload())
        return copied(_PAYLOADS[0])  # type: ignore[no-any-return]

    bot = Harbormaster(
        path,
        namespace="test",
        entropy=random.Random(7).randbytes,
        films=films,
        emoji=False,
        worker=Carrying(AtOnce),
        thinker=Carrying(AtOnce),
    )
    bot.registration._payload = payload
    return bot


def parts(message: Any, *kinds: int) -> Iterator[dict[str, Any]]:
    """The components of some kinds in a message, as plain data."""
    components = message.components
    if components and not isinstance(components[0], dict):
        components = [component.to_dict() for component in components]
    return (c for c in walk_components(components) if c["type"] in kinds)


def text(message: Any) -> str:
    """All text of a message, with plain text in place of the bot's own emoji and clickable commands."""
    return without_signs("\n".join([message.content or "", *(c["content"] for c in parts(message, TEXT))]).strip())


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons."""
    return [c["label"] for c in parts(message, BUTTON)]


def button_id(message: Any, *words: str) -> str:
    """The id of the one button whose id contains these words, joined by colons."""
    ids: list[str] = [c["custom_id"] for c in parts(message, BUTTON) if "custom_id" in c]
    fitting = [i for i in ids if ":".join(words) in i]
    assert len(fitting) == 1, f"{words}: {fitting} among {ids}"
    return fitting[0]


def find_button(message: Any, *words: str) -> str | None:
    """The id of the first button that has all these words in its id, or None."""
    return _with_words(message, BUTTON, words)


def find_select(message: Any, *words: str) -> str | None:
    """The id of the first select that has all these words in its id, or None."""
    return _with_words(message, SELECT, words)


def _with_words(message: Any, kind: int, words: Sequence[str]) -> str | None:
    ids = (str(c["custom_id"]) for c in parts(message, kind) if "custom_id" in c)
    return next((i for i in ids if all(f":{word}:" in f"{i}:" for word in words)), None)


def select_with(message: Any, value: str, *words: str) -> str:
    """The id of the first select that offers a value and has all these words in its id."""
    for control in parts(message, SELECT):
        fits = all(f":{word}:" in f"{control['custom_id']}:" for word in words)
        if fits and any(option["value"] == value for option in control["options"]):
            return str(control["custom_id"])
    raise AssertionError(f"no select {words} offers {value}: {text(message)}")


def reply(result: Any) -> Any:
    """The message that answers an interaction, or whose component was used. Tips don't count."""
    followups = [message for message in result.followups if TIP not in text(message)]
    latest = followups[-1] if followups else result.response
    assert latest is not None
    return latest


def answer(result: Any) -> str:
    """The text of all private answers to an interaction."""
    messages = [result.response, *result.followups] if result.response is not None else result.followups
    return "\n".join(text(m) for m in messages if m.ephemeral)


async def order(hall: Hall, person: Any, which: str, **changes: Any) -> Any:
    """Fill in a form of a person's autopilot."""
    return await fill(person, reply(await person.slash(hall.channel, "auto")), which, **changes)


async def fields(person: Any, message: Any, label: str) -> list[str]:
    """The names of the fields in the form that a button opens."""
    form = await person.click(message, label=label)
    return [top["component"]["custom_id"] for top in form.modal["components"]]


async def fill(person: Any, message: Any, label: str, **changes: Any) -> Any:
    """Open a form by a button, change some of its fields and send it.

    A change is what is chosen or entered, or a dict for checkboxes: whether each is ticked, by its value.
    """
    form = await person.click(message, label=label)
    values: dict[str, Any] = {}
    for field in (top["component"] for top in form.modal["components"]):
        options, change = field.get("options"), changes.pop(field["custom_id"], None)
        if options is None:
            values[field["custom_id"]] = field.get("value") if change is None else change
            continue
        chosen = [o["value"] for o in options if o.get("default")]
        if isinstance(change, dict):
            chosen = [o["value"] for o in options if change.get(o["value"], o["value"] in chosen)]
        elif change is not None:
            chosen = [change] if isinstance(change, str) else list(change)
        values[field["custom_id"]] = (chosen or [None])[0] if field["type"] == RADIOS else chosen
    assert not changes, f"{form.modal['title']} has no {list(changes)}"
    return await person.submit_modal(form, {name: value for name, value in values.items() if value is not None})


async def allow(hall: Hall, **permissions: bool) -> None:
    """Set what the bot can do in the channel."""
    allow, deny = discord.PermissionOverwrite(**permissions).pair()
    assert hall.bot.user is not None
    await hall.bot.http.edit_channel_permissions(
        hall.channel.id, hall.bot.user.id, str(allow.value), str(deny.value), 1
    )
    await hall.env.settle()


async def manager(hall: Hall) -> object:
    """Let the first person manage the server. Returns the person."""
    role = hall.guild.create_role("Harbor master", permissions=discord.Permissions(manage_guild=True))
    person = hall.people[0]
    hall.env.backend.guilds[hall.guild.id].members[person.id].role_ids.append(role.id)
    return person


def moderator(hall: Hall) -> Any:
    """A person who doesn't play and can manage channels."""
    role = hall.guild.create_role("harbor master", permissions=discord.Permissions(manage_channels=True))
    return hall.guild.add_member(hall.env.create_user("mod", global_name="Mod"), roles=[role])


async def again(hall: Hall) -> None:
    """Deliver the last interaction a second time."""
    payload = next(
        p
        for kind, name, p in reversed(hall.env.backend.transcript)
        if (kind, name) == ("GATEWAY", "INTERACTION_CREATE")
    )
    hall.env.backend.emit("INTERACTION_CREATE", copy.deepcopy(payload))
    await hall.env.settle()
