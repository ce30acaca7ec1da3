"""What must hold, whatever happens to the town. Each class is one invariant, and tells the universe if it is broken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.store import Change
from bot.table.preferences import UserSettings
from bot.table.table import Table
from engine.errors import ReplayError
from engine.game import Game as Position
from engine.record import Record
from tests.bot import invariants
from tests.sim import saves
from tests.sim.able import Able, Running
from tests.sim.calls import Awaited, Called, Rested
from tests.sim.channel import Limited, Resumed, Tidy
from tests.sim.due import Due, Folded
from tests.sim.fair import Fair
from tests.sim.people import Player
from tests.sim.replaced import Replaced
from tests.sim.secrets.canaries import Canaries
from tests.sim.secrets.marks import PRIVATE
from tests.sim.secrets.twins import Twins
from tests.sim.shown import Shown
from tests.sim.town import Game, Town
from tests.sim.weather import Weather
from tests.wire.calls import Interaction, Request
from tests.wire.chaos import Told, has_made, is_stored, still_asks
from tests.wire.messages import LOADING
from tests.wire.party import answered
from tests.wire.seen import misread
from tests.wire.stored_game import StoredGame

FIRST = 3.0
"""Seconds within which Discord wants the first answer."""
WHOLE = 60.0
"""Seconds within which everything must be shown and answered."""

TOO_LATE = "It isn't your turn."
REPLACED_PICTURE = "REFERENCED_ATTACHMENT_NOT_FOUND"
QUITE = 250.0
"""Seconds after which all that comes by itself must have come, too."""


class Answers:
    """Who presses something gets an answer: the first one in three seconds, and no one waits forever."""

    name = "who presses something gets an answer"

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        town.wire.delivered.append(self._delivered)

    def _delivered(self, it: Interaction) -> None:
        if self.weather.answers() and self.town.served():
            loop = self.town.universe.loop
            loop.call_later(FIRST + 0.01, self._first, it)
            loop.call_later(WHOLE, self._whole, it)

    def _first(self, it: Interaction) -> None:
        ended = not self.town.served()  # by itself, as where the disk has been full for minutes
        if it.callback is None and not ended and self.weather.answers(WHOLE + FIRST):
            self.town.universe.wrong(self.name, f"{it.user.name}'s interaction {_what(it)} has no first answer")

    def _whole(self, it: Interaction) -> None:
        """Look whether someone still waits, once nothing slows the processes down; one that has died owes nothing."""
        waits = it.response is not None and not it.response.deleted and it.response.flags & LOADING
        if waits and self.weather.answers(self.town.universe.now - it.sent + WHOLE) and self.town.served():
            if self.weather.calm():
                self.town.universe.wrong(self.name, f"{it.user.name} waits forever for {_what(it)}")
            else:
                self.town.universe.loop.call_later(WHOLE, self._whole, it)


class Kept:
    """What was stored stays: records are only added, and no table goes back."""

    name = "what was stored stays"

    def __init__(self, town: Town) -> None:
        self.town = town
        self._last = dict[int, StoredGame]()
        self._changes, self._records = dict[int, set[int]](), dict[int, set[int]]()
        """By game: the changes from which others were made, and the numbers of records, that processes have stored."""
        self._settings = dict[int, list[UserSettings]]()
        """By user: those that were last stored, and those that were perhaps stored since."""
        saves.listen(self._saved)
        saves.listen_to_tables(self._added)
        saves.listen_to_trying(lambda old, new: self._settings.setdefault(new.user, [old]).append(new))
        saves.listen_to_settings(self._chosen)

    def _chosen(self, settings: UserSettings) -> None:
        """Note that settings are stored, and none that were tried before them."""
        tried = self._settings[settings.user]
        if settings in tried:  # else a later change was heard of first
            del tried[: tried.index(settings)]

    async def look_at_people(self) -> None:
        """Read people's settings again."""
        chosen, store = {user: [*tried] for user, tried in self._settings.items()}, await self.town.store()
        try:
            stored = await store.settings_of(chosen)
        finally:
            await store.close()
        for user, tried in chosen.items():
            if stored.get(user, UserSettings(user)) not in self._settings[user] + tried:
                self._wrong(f"settings of {user} are lost: {tried[0]}, {stored.get(user)}")

    def _added(self, table: Table) -> None:
        if table.number in self._changes:
            self._wrong(f"two tables have number {table.number}")
        self._changes[table.number], self._records[table.number] = {-1}, set()

    def _saved(self, change: Change, game: Position | None) -> None:
        """Look at a change that was just stored: what it is made from, and its records, must be new."""
        number, before = change.table.number, change.table.changes
        changes, records = self._changes.setdefault(number, set()), self._records.setdefault(number, set())
        if before in changes:
            self._wrong(f"table {number}: two changes were made from change {before}")
        changes.add(before)
        for record, _, _ in change.records:
            if record in records:
                self._wrong(f"game {number}: record {record} was stored twice")
            records.add(record)

    async def look(self, game: Game) -> StoredGame:
        """Read a game, and compare it with what was read and stored of it before."""
        known = {
            number: (max(changes), max(self._records[number], default=-1)) for number, changes in self._changes.items()
        }
        stored = await game.read()
        number, revision, table = stored.table.number, stored.revision, stored.table
        before = self._last.get(number)
        self._last[number] = stored
        if before is stored:
            return stored
        change, record = known.get(number, (-1, -1))
        if table.changes <= change or revision <= record:
            self._wrong(f"game {number} lost changes or records: {change} and {record} were stored")
        if before is not None:
            if stored.records[: len(before.records)] != before.records:
                self._wrong(f"game {number} lost or changed records: {before.revision}, {revision}")
            if table.changes < before.table.changes:
                self._wrong(f"table {number} went back from change {before.table.changes} to {table.changes}")
            for key, made in before.made_by.items():
                if stored.made_by.get(key, made) != made:
                    self._wrong(f"interaction {key} made another record")
        return stored

    def _wrong(self, what: str) -> None:
        self.town.universe.wrong(self.name, what)


class Once:
    """What was acknowledged is stored, and what was done is done once."""

    name = "what was acknowledged is stored, once"

    def __init__(self, town: Town, players: list[Player], able: Able) -> None:
        self.town, self.able = town, able
        self.told = 0
        self._stored = set[tuple[int, str]]()
        """Interactions that have made a change, by game."""
        saves.listen(self._saved)
        for player in players:
            player.was_told, player.was_confused = self._was_told, able.was_confused

    def _saved(self, change: Change, game: Position | None) -> None:
        key = change.table.number, change.interaction or ""
        if key in self._stored:
            self.town.universe.wrong(self.name, f"game {key[0]}: interaction {key[1]} was carried out twice")
        elif change.interaction:
            self._stored.add(key)

    def _was_told(self, player: Player, told: Told, number: int) -> None:
        if not _asks(told.it):  # else the rest is done by another interaction
            self.town.universe.loop.create_task(self._look(player, told, number))

    async def _look(self, player: Player, told: Told, number: int) -> None:
        """Look once the answer is there, but before the interaction can be forgotten."""
        await asyncio.sleep(30.0)
        if not answered(told.it) or still_asks(told.it) or _asks(told.it):
            return
        stored = await player.game.read()
        if stored.table.number != number:  # another game has begun meanwhile
            stored = await player.game.stored_game(number)
        by_people = replace(stored, made_by={k: v for k, v in stored.made_by.items() if k[0].isdigit()})
        texts = [message.text for message in told.it.messages]
        self.able.look(player, told, by_people)
        refused = any(PRIVATE in text for text in texts)  # someone, the referee or a bot came first
        self.told += has_made(told, by_people)
        if not refused and not is_stored(told, by_people):
            self.town.universe.wrong(
                self.name, f"{player.person.human.name} was told of {told.action}, and it is lost: {texts}"
            )

    def look(self, game: Game, stored: StoredGame) -> None:
        """Check that each record was made once."""
        made = [record for record in stored.made_by.values() if record is not None]
        if len(made) != len(set(made)):
            self.town.universe.wrong(self.name, f"game {game.number}: two interactions made one record")


def _asks(it: Interaction) -> bool:
    """Whether an answer only asks whether it is really meant."""
    ids = [str(c["custom_id"]) for message in it.messages if message.only_for for c in message.interactive]
    asks_to_build = any(one.startswith("hb:ask:") and not one.endswith(":no") for one in ids)
    return asks_to_build or any(verb in one for one in ids for verb in (":finish:", ":do:", ":buy:"))


class Allowed:
    """Discord's limits are never broken."""

    name = "Discord's limits are kept"

    def __init__(self, town: Town) -> None:
        self.town = town
        plan = town.plan
        self.returns = plan.processes > 1 and any(event.kind == "stand_still" for event in plan.events)
        """Whether a process can go on with an edit after another has taken its games: that one then refers to a picture
        that is gone, and sends it when Discord refuses that."""
        town.wire.heard.append(self._heard)

    def _heard(self, call: Request, answer: Any) -> None:
        wire, universe = self.town.wire, self.town.universe
        if call.code == 50035 and not (self.returns and REPLACED_PICTURE in json.dumps(answer)):
            universe.wrong(self.name, f"{call}: {json.dumps(answer)[:500]} for {str(call.json)[:500]}")
        for what in (*wire.unserved, *wire.undescribed):
            universe.wrong(self.name, what[:1000])
        wire.unserved.clear()
        wire.undescribed.clear()
        message = wire.world.messages.get(int(answer.get("id") or 0)) if isinstance(answer, dict) else None
        if message is not None and not message.deleted and (message.broken_media or message.hidden_files):
            universe.wrong(self.name, f"{message.id} has a picture or file that isn't shown")

    def look(self) -> None:
        """Look at what people read."""
        people = zip(self.town.wire.users, self.town.plan.habits, strict=False)
        attackers = [human.name for human, habit in people if habit.attacks]
        world = self.town.wire.world
        left = {user.name for user in world.users for guild in world.guilds.values() if user.id in guild.left}
        for what in misread(world):
            name, _, line = what.partition(": ")
            named = name in attackers and "#unknown" in line  # they have named a channel that isn't there
            if not named and not (name in left and "#No Access" in line):
                self.town.universe.wrong(self.name, f"a client can't read {what}")


class Sound:
    """What is stored of a table is consistent, and its game follows from its records."""

    name = "what is stored is sound"

    def __init__(self, town: Town) -> None:
        self.town = town
        invariants.forget()
        if not Sound._watching:
            invariants.watch(Sound._found)
            Sound._watching = True
        Sound._town = town
        self._positions = dict[int, Position]()
        """The position after the last change of each game."""
        saves.listen(self._saved)

    _watching = False
    _town: Town

    @staticmethod
    def _found(text: str) -> None:
        Sound._town.universe.wrong(Sound.name, text)

    def _saved(self, change: Change, game: Position | None) -> None:
        """Do again what was just stored: the records alone must lead to the same position."""
        if not change.records or game is None:
            return
        number, before = change.table.number, self._positions.get(change.table.number)
        self._positions[number] = game
        if before is None or before.revision != change.records[0][0]:
            return
        try:
            after = before.followed_by(Record.from_json(data) for _, _, data in change.records)
        except ReplayError as error:
            self._found(f"game {number}: what is stored can't be done again: {error}")
        else:
            if after.hash() != game.hash():
                self._found(f"game {number}: what is stored leads elsewhere, at record {after.revision}")

    def look(self, stored: StoredGame) -> None:
        """Replay the new records: all draws and actions must be what the rules ask for."""
        if stored.records:
            stored.game()


def _what(it: Interaction) -> str:
    data = it.payload.get("data")
    return str(data.get("custom_id") or data.get("name")) if isinstance(data, dict) else f"with {data!r}"


class Checks:
    """All invariants of a town."""

    def __init__(self, town: Town, weather: Weather, players: list[Player], canaries: Canaries) -> None:
        self.town, self.weather = town, weather
        self.running, self.able = Running(town, weather), Able(town, weather)
        self.answers, self.kept, self.once = Answers(town, weather), Kept(town), Once(town, players, self.able)
        self.called, self.allowed, self.sound = Called(town), Allowed(town), Sound(town)
        self.awaited, self.rested = Awaited(town, weather, self.called), Rested(town)
        self.shown, self.replaced = Shown(town, weather), Replaced(town)
        self.fair, self.due, self.folded = Fair(town, weather), Due(town), Folded(town)
        self.tidy, self.resumed, self.limited = Tidy(town), Resumed(town, weather), Limited(town)
        self.canaries, self.twins = canaries, Twins(town)
        town.rests.told = lambda: town.universe.loop.create_task(self._look_at_times())

    async def look(self) -> None:
        """Ask all that can be asked while people play."""
        for game in self.town.games:
            stored = await self.kept.look(game)
            self.sound.look(stored)
            self.once.look(game, stored)
            self.canaries.look(game, stored)
            await self.twins.look(game, stored)
        await self.kept.look_at_people()
        await self.canaries.judge()
        self.allowed.look()
        self.limited.look()
        self.town.wire.forget_old()

    async def _look_at_times(self) -> None:
        """Ask whether all comes in time. It must after each change of someone's rest, and soon they act again."""
        for game in self.town.games:
            if self.weather.calm(3 * WHOLE):
                await self.due.look(await game.read())

    async def look_closely(self) -> None:
        """Ask all, while people pause."""
        await self.look()
        for game in self.town.games:
            await self.shown.look(game)
            await self.folded.look(await game.read())
            if self.weather.calm(3 * WHOLE):
                await self.due.look(await game.read())
                self.awaited.look(await game.read())
            if self.weather.calm(2 * WHOLE):
                await self.tidy.look(game)
                self.resumed.look()

    async def keep_looking(self, pause: Any) -> None:
        """Ask again and again. `pause` makes people pause, as a context."""
        rng, plan, happened = self.town.universe.chance("checks"), self.town.plan, self.weather.happened
        step = plan.seconds / 40
        for turn in self._turns():
            with suppress(TimeoutError):
                async with asyncio.timeout(rng.uniform(0.5, 1.5) * step):
                    await happened.wait()
            if plan.looks and happened.is_set():
                async with pause():
                    await self.shown_when_calm()
                    await self.shown_when_calm(QUITE)
            else:
                await self.look()
                if turn % 5 == 0:
                    async with pause():
                        await self.shown_when_calm()
            happened.clear()

    async def shown_when_calm(self, seconds: float = WHOLE) -> None:
        """Wait a while for calm weather, and look closely."""
        for _ in range(30):
            if self.weather.calm(seconds):
                await self.look_closely()
                return
            await asyncio.sleep(10.0)

    @staticmethod
    def _turns() -> Iterator[int]:
        turn = 0
        while True:
            turn += 1
            yield turn
