"""People at a table over the wire. They act by the functions of `tests.bot.discord.doing` and use what they see."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from bot import languages
from bot.screens.viewer import Viewer
from bot.settings import StoreAddress
from bot.store import open_store
from bot.table.preferences import PersonalChoices
from engine.actions import Action, EndTurn, Roll
from engine.game import Game
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.playground import choose, new_file
from tests.wire.calls import Interaction
from tests.wire.forms import set_options
from tests.wire.messages import Message
from tests.wire.model import Json
from tests.wire.places import Channel
from tests.wire.position import Position
from tests.wire.process import BotProcess
from tests.wire.seen import misread
from tests.wire.server import WireServer
from tests.wire.stored_game import StoredGame, shown
from tests.wire.users import Human

BOT = [sys.executable, "-m", "bot", "run"]
SUGGESTED = ("place", "hex", "player", "offer")
"""Options whose suggestions must contain every legal value."""
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE = 4, 5, 6, 7
"""Types of first answers."""
ACKNOWLEDGMENTS = DEFERRED, DEFERRED_UPDATE
PRIVATE = frozenset(
    ("place", "build", "draft", "bank", "offers", "close", "cards", "discard", "answer", "ask", "hand", "more", "undo")
)
"""What buttons of the game message only show to who presses them."""
STILL = 4.0
"""Seconds without a request after which a click is taken to have no message to its person. The first picture that a
process draws takes long."""
READY = 0.8
"""Seconds from the gateway's READY until the bot has looked for unfinished work."""


@dataclass
class Person:
    """A user of the wire. Each action returns once the message or form that it opens is there."""

    party: Party
    human: Human

    @property
    def id(self) -> int:
        """The user's id."""
        return self.human.id

    async def click(self, message: Message, *, label: str = "", custom_id: str = "") -> Interaction:
        """Press a button. `label`: in English, whatever the language of the message."""
        labels = (str(c.get("label")) for c in message.interactive)
        which = custom_id or next((one for one in labels if one in spoken(label)), label)
        return await self.party.done(self.human.click(message, which, **self.party.how))

    async def select(self, message: Message, values: list[str], *, custom_id: str) -> Interaction:
        """Choose in a select."""
        return await self.party.done(self.human.select(message, custom_id, values, **self.party.how))

    async def submit_modal(self, form: Interaction, values: Json) -> Interaction:
        """Send a form."""
        return await self.party.done(self.human.submit_modal(form, values, **self.party.how))

    async def slash(self, channel: Channel, path: str, *, check: bool = True, **values: Any) -> Interaction:
        """Run a command. The suggestions for its options must contain the chosen values, unless these are free text."""
        options = {name: v.human if isinstance(v, Person) else v for name, v in values.items()}
        for name in self.party.suggested & set(options) if check else ():
            choices = await self.human.autocomplete(path, options, name, channel=channel)
            assert options[name] in [c["value"] for c in choices], f"/{path} {options}: {name} offers {choices}"
        return await self.party.done(self.human.slash(path, options, channel=channel, **self.party.how))


@dataclass
class Party:
    """A running bot, its people and its one game. The stored file decides what can be done next."""

    wire: WireServer
    bot: BotProcess
    people: list[Person]
    rng: random.Random
    how: Any = field(default_factory=dict)
    """How interactions are delivered."""
    suggested: frozenset[str] = frozenset(SUGGESTED)
    delivered: set[str] = field(default_factory=set)
    """Ids of the interactions that the bot has answered."""
    last_read: StoredGame | None = None
    """The file as it was last read."""
    number: int = 1
    """Number of the game that is played."""
    place: Channel | None = None
    """The channel where they play. None: the world's `table`."""

    @property
    def channel(self) -> Channel:
        """The channel where they play."""
        return self.place or self.wire.world.table

    async def done(self, doing: Any) -> Interaction:
        """Wait for the answer to an interaction. A click can also end without a message to its person."""
        it: Interaction = await doing
        self.delivered.add(str(it.id))
        if it.kind == DEFERRED:
            await self.wire.until(lambda: answered(it), what="no answer came")
        elif it.kind == DEFERRED_UPDATE or _has_more_to_come(it):
            await self.wire.until(lambda: answered(it) or self.wire.is_settled(STILL), 10.0, "the bot doesn't stop")
        if self.how.get("twice"):
            await self.settled()
        return it

    async def settled(self, revision: int = 0, within: float = 20.0) -> StoredGame:
        """Wait until the file has this many records, everything is shown, and the bot sends nothing more."""
        end = time.perf_counter() + within
        while True:
            await self.wire.settled(0.03, within)
            stored = await self.read()
            if stored.revision >= revision and not stored.due:
                await self.wire.settled(0.03, within)
                return stored
            if time.perf_counter() > end:
                raise TimeoutError(f"record {revision} of {stored.revision}, due {stored.due}\n{self.wire.story()}")

    async def read(self) -> StoredGame:
        """Read the file."""
        self.last_read = await StoredGame.read(self.bot.address, self.number, self.last_read)
        return self.last_read

    async def game(self) -> Game:
        """The game as stored."""
        return (await self.read()).game()

    async def viewer(self, person: Person) -> Viewer:
        """The game as a person sees it."""
        stored = await self.read()
        return Viewer.of(stored.table, stored.game(), person.id)

    async def person(self, seat: int) -> Person:
        """The person in a seat."""
        assert self.last_read is not None
        user = self.last_read.table.user_at(self.last_read.game(), seat)
        return next(p for p in self.people if p.id == user)

    async def panel(self) -> Message:
        """The newest message that can be used."""
        return self.panels()[-1]

    def panels(self) -> list[Message]:
        """All messages in the channel that can be used for playing: a single one if all is well."""
        return [m for m in self.wire.messages(self.channel) if m.is_panel]

    async def begin(self, **options: Any) -> None:
        """Go from no table to a dealt game."""
        await self.gather()
        host = self.people[0]
        if options:
            await set_options(self, **options)
        await host.click(await self.panel(), label="Start")
        await self.settled(1)

    async def gather(self) -> None:
        """Open a table that all people join."""
        host, *others = self.people
        await host.slash(self.channel, "game new")
        await self.settled()
        for person in others:
            await person.click(await self.panel(), label="Join")
            await self.settled()

    async def rematch(self, **options: Any) -> None:
        """Begin a rematch that all people join. From here on, the file is read for the new game."""
        host, *others = self.people
        await host.click(await self.panel(), label="Rematch")
        self.number += 1
        await self.settled()
        for person in others:
            await person.click(await self.panel(), label="Join")
            await self.settled()
        if options:
            await set_options(self, **options)
        await self.people[0].click(await self.panel(), label="Start")
        await self.settled(1)

    async def choose(self) -> tuple[Person, Action]:
        """A person who must act, and a random action of theirs."""
        game = await self.game()
        seat = self.rng.choice(game.to_act)
        return await self.person(seat), choose(game, seat, self.rng)

    async def do(self, person: Person, action: Action) -> Interaction:
        """Do an action, by components or by a command."""
        way = by_components if self.rng.random() < 0.7 else by_commands
        it: Interaction = await way(self, person, action)
        return it

    async def do_and_forget(self, person: Person, action: Action) -> None:
        """Do an action by a command, whether or not the bot answers."""
        with contextlib.suppress(TimeoutError):
            await by_commands(self, person, action)

    async def stored(self, revision: int, within: float = 5.0) -> None:
        """Wait until the file has this many records."""
        end = time.perf_counter() + within
        while (await self.read()).revision < revision:
            assert time.perf_counter() < end, f"record {revision} isn't stored\n{self.wire.story()}"
            await asyncio.sleep(0.02)

    async def step(self) -> Action:
        """Do one action, and check that it is stored once and shown."""
        person, action = await self.choose()
        await self.play(person, action)
        return action

    async def play(self, person: Person, action: Action) -> None:
        """Do this action, and check the same."""
        before = (await self.read()).revision
        await self.do(person, action)
        stored = await self.settled(before + 1)
        assert stored.revision == before + 1, f"{action} was played more than once"
        assert stored.records[before]["do"] == action.to_json()

    async def until_turn(self, turn: int) -> None:
        """Play until this turn of the game, doing only what must be done."""
        while (game := await self.game()).turn < turn:
            seat = game.to_act[0]
            options = game.options(seat)
            action = EndTurn() if EndTurn in options else Roll() if Roll in options else choose(game, seat, self.rng)
            await self.play(await self.person(seat), action)

    async def panel_current(self, within: float = 15.0, newest: bool = False) -> float:
        """Wait until a single message can be used and shows the stored game with its picture. Returns the seconds.

        `newest`: older messages can still be usable.
        """
        began = read = time.perf_counter()
        revision, wanted = -1, None
        while True:
            if revision < 0 or time.perf_counter() > read + 0.5:  # an acknowledged action is perhaps stored only now
                stored, read = await self.read(), time.perf_counter()
                if stored.revision != revision:
                    revision, wanted = stored.revision, await stored.panel()
            if [shown(message) for message in self.panels()[-1 if newest else 0 :]] == [wanted]:
                return time.perf_counter() - began
            if time.perf_counter() > began + within:
                raise TimeoutError(f"the panel isn't right after {within} s\n{self.wire.story()}")
            await asyncio.sleep(0.02)


async def allow_messages(address: StoreAddress, wire: WireServer) -> None:
    """Store that all people have asked for their hand by direct message, and have an open DM."""
    store = await open_store(address)
    try:
        for human in wire.users:
            wire.world.direct.opened.add(human.id)
            choices = PersonalChoices(messages=True, direct=wire.world.dm(human).id)
            await store.change_settings(human.id, partial(replace, choices=choices))
    finally:
        await store.close()


@cache
def spoken(label: str) -> set[str]:
    """A button's label in all languages. It can contain one number."""
    number = "".join(re.findall("[0-9]+", label))
    template = label.replace(number, "{n}") if number else label
    return {language.gettext(template).replace("{n}", number) for language in languages.offered()}


def answered(it: Interaction) -> bool:
    """Whether more than an acknowledgment has come."""
    only_acknowledged = it.kind in ACKNOWLEDGMENTS or _has_more_to_come(it)
    return any(r.accepted and not (r.path.endswith("/callback") and only_acknowledged) for r in it.requests)


def _has_more_to_come(it: Interaction) -> bool:
    """Whether a click brought the game message up to date, and its private answer comes after that."""
    public = it.source is not None and it.source.only_for is None
    _, _, address = str((it.payload.get("data") or {}).get("custom_id")).partition(":")
    return it.kind == UPDATE and public and address.partition(":")[0] in PRIVATE


def check_discord(wire: WireServer) -> None:
    """Check what must be true of all that the bot has sent, and of what people see in the end."""
    assert wire.unserved == []
    assert sorted(set(wire.undescribed)) == []
    broken = [(str(r), r.json) for r in wire.requests if r.code == 50035]
    assert broken == [], f"a limit of Discord's was broken: {str(broken)[:3000]}"
    assert misread(wire.world) == [], f"somebody's client doesn't know a name: {misread(wire.world)[:3]}"
    present = [message for message in wire.world.messages.values() if not message.deleted]
    unseen = [(str(m), m.broken_media, m.hidden_files) for m in present if m.broken_media or m.hidden_files]
    assert unseen == [], f"a picture or a file isn't shown: {unseen}"


@asynccontextmanager
async def party(
    folder: Path,
    seed: int = 0,
    people: int = 4,
    *,
    argv: Sequence[str] = BOT,
    twice: bool = False,
    position: Position | None = None,
    env: Mapping[str, str] | None = None,
    limits: bool = False,
    messages: bool = True,
) -> AsyncIterator[Party]:
    """A running bot with some people. `twice`: everything they do is delivered twice.

    `position`: they go on from there. `env`: added to the bot's environment. `limits`: Discord's limits apply. Then
    people who act within a second wait for seconds, as do bots that are killed. `messages`: all have asked for direct
    messages.
    """
    database = folder / "game.db"
    world = position.laid_out(database) if position else None
    async with WireServer(world=world) as wire, BotProcess(wire, argv, database, env) as bot:
        if not limits:
            wire.unlimited()
        if isinstance(bot.address, Path) and not bot.address.exists():
            new_file(bot.address)
        if position is None and messages:
            await allow_messages(bot.address, wire)
        await bot.start()
        table = Party(wire, bot, [], random.Random(seed), {"twice": twice})
        table.people = [Person(table, human) for human in wire.users[:people]]
        if position is not None:
            table.suggested = frozenset()
            await asyncio.sleep(READY)
            await table.settled()
        yield table
        check_discord(wire)
