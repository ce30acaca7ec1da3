"""Whether one person alone has a bot play for another one too early, without a turn timer."""

from __future__ import annotations

from bot.store import Change
from bot.table.acts.seats import Replace
from bot.table.reminders import held_until
from bot.table.seats import LONG_SILENCE, OFTEN, SILENCE
from bot.table.table import Table
from bot.table.waiting import decisions
from engine.game import Game
from tests.sim import saves
from tests.sim.town import Town

MINUTE, ROUNDED = 60.0, 180.0
"""Seconds between two moments that are looked at, and by which what they come to can differ."""


class Replaced:
    """No one alone has a bot play for a person who couldn't be asked for an hour, as their settings say."""

    name = "no one is replaced before they can be asked"

    def __init__(self, town: Town) -> None:
        self.town = town
        self._last = dict[int, tuple[Table, Game]]()
        saves.listen(self._saved)

    def _saved(self, change: Change, game: Game | None) -> None:
        table, before = change.table, self._last.get(change.table.number)
        if game is not None:
            self._last[table.number] = table, game
        elif before is not None:
            self._last[table.number] = table, before[1]
        if before is None or change.act != Replace.kind or before[0].options.pace or before[0].paused:
            return
        for old, new in zip(before[0].members, table.members, strict=True):
            if new.level and not old.level and old.user == new.user != change.user:
                self.town.universe.loop.create_task(self._look(*before, old.user, change.user))

    async def _look(self, table: Table, game: Game, user: int, by: int) -> None:
        """Look at a person for whom a bot plays now, at the table as it was before."""
        seat, now = table.seat_of(game, user), self.town.time
        wait = next((wait for wait in decisions(table) if wait.seat == seat), None)
        voted = any(motion.absent == user and {*motion.ayes} - {user, by} for motion in table.motions)
        often = any(missed.user == user and missed.times >= OFTEN for missed in table.missed)
        left = any(user in guild.left for guild in self.town.wire.world.guilds.values())
        since = now if wait is None else wait.since
        if voted or often or left or self.town.rests.has_changed(user, self.town.universe.now - now + since):
            return
        store = await self.town.store()
        try:
            known = (await store.settings_of([user])).get(user)
        finally:
            await store.close()
        moments = [since + MINUTE * n for n in range(int((now - since) / MINUTE))]
        vacation = known and known.choices.vacation
        there = [at for at in moments if not vacation or not vacation[0] <= at < vacation[1]]
        awake = [at for at in there if known is None or held_until(known.choices, at) is None]
        if MINUTE * len(awake) < SILENCE - ROUNDED and MINUTE * len(there) < LONG_SILENCE - ROUNDED:
            self.town.universe.wrong(
                self.name, f"game {table.number}: {user} could be asked for {len(awake)} of {len(moments)} minutes"
            )
