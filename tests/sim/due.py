"""What must come by itself: jobs are done in time, bots play, and what a game leads to is stored."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from bot.projections import SEED
from bot.service.ratings import result_of
from bot.store import Store
from bot.store.base import LOOK_JOB
from bot.table.options import DECIDE
from bot.table.preferences import NEVER, UserSettings
from bot.table.reminders import next_look
from bot.table.table import OVER, RUNNING, People, Table
from bot.table.waiting import decisions
from tests.bot import oracle
from tests.sim import saves
from tests.sim.fair import COMING_BACK
from tests.sim.town import Town
from tests.wire.stored_game import StoredGame

LATE = 150.0
"""Seconds after which something is late."""
LATE_JOB = LATE + COMING_BACK
"""The same for a job: where Discord was perhaps away until just now, people have time to come back first."""
THOUGHT = 240.0
"""Seconds after which a bot must have played: it waits for answers for a minute."""


class Due:
    """In calm weather, no one waits forever: for a job, a bot, the end of a time, or what follows from a game's end."""

    name = "no one waits forever"

    def __init__(self, town: Town) -> None:
        self.town = town
        self._ended = set[int]()
        """Tables whose end was looked at."""
        self._changed = dict[int, float]()
        """When each person last changed their settings, in seconds since the epoch."""
        saves.listen_to_settings(self._noted)

    def _noted(self, settings: UserSettings) -> None:
        self._changed[settings.user] = self.town.time

    async def look(self, stored: StoredGame) -> None:
        """Look at a game. Nothing has disturbed the town for minutes."""
        store = await self.town.store()
        try:
            found = [f"game {stored.table.number}: {text}" async for text in self._late(store, stored)]
            channel, now = stored.table.channel, self.town.time
            for number in {*await store.tables_in(channel, [OVER], 10)} - self._ended:
                over = await StoredGame.of(store, number)
                if now - over.table.updated > LATE:
                    self._ended.add(number)
                    found += [f"game {number}: {text}" async for text in self._unfinished(store, over)]
        finally:
            await store.close()
        for text in found:
            self.town.universe.wrong(self.name, text)

    async def _late(self, store: Store, stored: StoredGame) -> AsyncIterator[str]:
        table, number, now = stored.table, stored.table.number, self.town.time
        rows = await store._database.read("SELECT name, at FROM jobs WHERE game = ?", number)
        jobs = {str(row[0]): float(row[1]) for row in rows}
        for name, at in jobs.items():
            if at < now - LATE_JOB:
                yield f"the job {name} is {now - at:.0f} s late"
        if table.status == RUNNING:
            people = People(await store.settings_of([user for user in table.people if user > 0]))
            look = next_look(table, stored.game(), people, now)
            if look is not None and look < now - LATE_JOB:
                yield f"for {now - look:.0f} s it has had to be looked after, and nothing came of it"
            if look is not None and jobs.get(LOOK_JOB, now + 1e9) > max(look, now) + LATE:
                yield f"it must be looked after in {look - now:.0f} s, and the job is {jobs.get(LOOK_JOB)}"
            for text in (*self._bots(stored), *self._out_of_time(table), *self._unreminded(stored, people)):
                yield text

    async def _unfinished(self, store: Store, over: StoredGame) -> AsyncIterator[str]:
        """What a game that is over lacks."""
        number = over.table.number
        kept = await store._database.read("SELECT 1 FROM results WHERE game = ?", number)
        if not kept and (result := result_of(over.table, over.game())) is not None:
            yield f"its result is lost: {result}"
        seed = (await store.visible(number)).get(SEED)
        if seed is None or seed.posted is None:
            yield "its seed isn't shown"

    def _bots(self, stored: StoredGame) -> Iterator[str]:
        table, game = stored.table, stored.game()
        silent = self.town.time - table.updated
        if table.paused or silent < THOUGHT:
            return
        for seat in game.to_act:
            member = table.member_at(game, seat)
            if member.level and silent > THOUGHT:
                yield f"the bot in seat {seat} hasn't played for {silent:.0f} s"

    def _out_of_time(self, table: Table) -> Iterator[str]:
        for wait in table.waits:
            if wait.over and table.options.expiry == DECIDE:
                yield f"nothing is decided for seat {wait.seat}, whose time is over"

    def _unreminded(self, stored: StoredGame, people: People) -> Iterator[str]:
        """Those who had a reminder that no one sees, though they want some, and it wasn't given in another game."""
        table, game = stored.table, stored.game()
        for wait in decisions(table) if len(self.town.games) == 1 else ():
            user = table.user_at(game, wait.seat)
            given = wait.pinged or wait.written or not wait.reminded or table.member_at(game, wait.seat).level
            if not given and people.of(user).choices.reminders != NEVER and self._changed.get(user, 0.0) < wait.since:
                yield f"seat {wait.seat} counts as reminded, and wasn't"


class Folded:
    """What is stored of a table is what its acts lead to, done again one after another."""

    name = "what is stored is the fold of all acts"

    def __init__(self, town: Town) -> None:
        self.town = town
        if not Folded._watching:
            Folded._watching = True
            oracle.watch()
        oracle.forget()

    _watching = False

    async def look(self, stored: StoredGame) -> None:
        """Do the latest acts again."""
        store, number = await self.town.store(), stored.table.number
        try:
            await oracle.check_acts(store, number)
        except AssertionError as error:
            self.town.universe.wrong(self.name, f"game {number}: {str(error)[:1000]}")
        finally:
            oracle.begin_again(store, number)
            await store.close()
