"""The game service: one lock per game, each interaction has one effect, and what is told has been stored."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any, Unpack
from weakref import WeakValueDictionary

from bot.export import Player, export
from bot.service import lobby
from bot.service.memory import Memory
from bot.service.values import Options, Played
from bot.store import Store
from bot.tables import (
    CANCELLED,
    COMMITMENT,
    LOBBY,
    OVER,
    PANEL,
    RUNNING,
    SEED,
    Member,
    Projection,
    Table,
    UserSettings,
    hand_of,
)
from bot.tasks import Shielded
from engine.actions import Action, AgreeToEnd, Resign
from engine.chance import SEED_BYTES, SeededChance, commitment
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game, Record

log = logging.getLogger(__name__)

MOST_STANDING = 20
"""Cards; the standing number of J2 goes up to here."""


class Service:
    """All methods are coroutines but `peek`, `seat_of`, `user_at` and `drop_cache`.

    Refusals are `RefereeError` with a code and one sentence for the person; they leave no trace. Everything else
    that is raised is a bug or a broken disk. Interaction ids are strings, unique in a run; one that has been
    carried out before has no second effect and gives its result again, also after a restart. Every change goes
    on to its end when the caller is cancelled. A `Game` or `Table` handed out never changes and is always stored.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        games: int = 256,
    ) -> None:
        """`now` in seconds since the epoch, `entropy(n)` n secret bytes, `games` kept in memory."""
        self._store = store
        self._now = now
        self._entropy = entropy
        self._memory = Memory(games)
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()
        self._tasks = Shielded()

    async def close(self) -> None:
        """Wait until what is under way is done; then the store can be closed."""
        await self._tasks.finished()

    # --- the lobby; each returns the table as it stands afterwards

    async def new_table(
        self,
        guild: int | None,
        channel: int,
        user: int,
        name: str,
        interaction: str,
        *,
        color: str | None = None,
        phrase: str = "",
    ) -> Table:
        """Open a lobby and join it as host; commitment and panel become due.

        Codes: "channel-busy", "color", "phrase".
        """
        table = Table(
            number=0,
            guild=guild,
            channel=channel,
            status=LOBBY,
            host=user,
            anyone_starts=False,
            config=Config(colors=()),
            members=(),
            commitment="",
            entropy=(),
            version=1,
            created=self._now(),
            updated=self._now(),
        )
        table = lobby.joined(table, user, name, interaction, color, phrase)
        return await self._tasks.run(self._open(table, interaction))

    async def join(
        self,
        number: int,
        user: int,
        name: str,
        interaction: str,
        *,
        color: str | None = None,
        phrase: str = "",
    ) -> Table:
        """Join a lobby; who has joined may join again with another colour or phrase.

        Codes: "no-table", "not-lobby", "full", "color", "color-taken", "phrase".
        """
        return await self._change(
            number, interaction, lambda table: lobby.joined(table, user, name, interaction, color, phrase)
        )

    async def leave(self, number: int, user: int, interaction: str) -> Table:
        """Leave a lobby: the next one becomes host; with nobody left the table is cancelled.

        Codes: "no-table", "not-lobby", "not-member".
        """
        return await self._change(number, interaction, lambda table: lobby.left(table, user))

    async def set_options(
        self, number: int, user: int, interaction: str, **changes: Unpack[Options]
    ) -> Table:
        """Change options, as host. What no number of players could play is refused at once (`ConfigError`).

        A new scenario keeps what it can of the layout and drops the other scenario's own options.
        Codes: "no-table", "not-lobby", "not-member", "not-host", and those of `engine.scenarios.check`.
        """
        return await self._change(number, interaction, lambda table: lobby.configured(table, user, changes))

    async def cancel(self, number: int, user: int, interaction: str) -> Table:
        """Cancel a lobby, as host (a running game ends by `agree_to_end`). Codes as `set_options`."""
        return await self._change(number, interaction, lambda table: lobby.cancelled(table, user))

    async def may_start(self, number: int, user: int) -> Table:
        """Refuse just as `start` would; to be asked before the closing message is posted. Changes nothing."""
        table = await self.table(number)
        lobby.check_start(table, user)
        return table

    async def start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        """Deal the game. `closing` is the id of the message that closed the table: the last part of the chance.

        Panel and all hands become due. Codes: "no-table", "not-lobby", "not-member", "not-host",
        and those of `engine.scenarios.check` (wrong number of players, colours).
        """
        return await self._tasks.run(self._start(number, user, closing, interaction))

    async def rematch(self, number: int, user: int, name: str, interaction: str) -> Table:
        """A new lobby in the same channel, same people and options, hosted by `user`, after the end of a game.

        Codes: "no-table", "not-member", "not-over", "channel-busy".
        """
        table = lobby.again(await self.table(number), user, interaction)
        fresh = replace(table, created=self._now(), updated=self._now())
        return await self._tasks.run(self._open(fresh, interaction))

    # --- the game

    async def play(
        self, number: int, user: int, action: Action, *, decision: str | None, interaction: str
    ) -> Played:
        """Play an action. `decision` is `Game.decision(seat)` from the button, None for a typed command.

        Panel and the hands that changed become due; the seed, when the game is over.
        Codes: "no-table", "not-started", "not-playing", "stale", "over", and those of `IllegalAction`.
        """
        return await self._tasks.run(self._play(number, user, action, decision, interaction))

    async def resign(self, number: int, user: int, interaction: str) -> Played:
        """`play` of `Resign` (I7)."""
        return await self.play(number, user, Resign(), decision=None, interaction=interaction)

    async def agree_to_end(self, number: int, user: int, interaction: str, *, agree: bool = True) -> Played:
        """`play` of `AgreeToEnd` (I6)."""
        return await self.play(number, user, AgreeToEnd(agree), decision=None, interaction=interaction)

    async def game(self, number: int) -> Game:
        """The game as stored, from memory or by replay; never waits for the game's lock (autocomplete).

        Codes: "no-table", "not-started".
        """
        if kept := self._memory.game(number):
            return kept
        table = await self.table(number)
        if table.status not in (RUNNING, OVER):
            raise RefereeError("not-started", "This game has not begun.")
        chance = SeededChance(await self._store.seed(number), str(number), table.entropy)
        while True:
            records = [Record.from_json(data) for data in await self._store.records(number)]
            game = await asyncio.to_thread(Game.replay, table.config, records, chance)
            if kept := self._memory.game(number):
                return kept
            # Somebody may have played meanwhile, and been dropped from memory too.
            if await self._store.revision(number) == len(records):
                break
        table = await self.table(number)
        self._memory.keep(table, game)
        return game

    def peek(self, number: int) -> Game | None:
        """The game as stored if it is in memory."""
        return self._memory.game(number)

    # --- who and where

    async def table(self, number: int) -> Table:
        """A table of any status. Code: "no-table"."""
        if kept := self._memory.table(number):
            return kept
        table = await self._store.table(number)
        if table is None:
            raise RefereeError("no-table", f"There is no game {number} here.")
        self._memory.keep(table)
        return table

    async def in_channel(self, channel: int) -> Table | None:
        """The lobby or running game of a channel or thread."""
        if kept := self._memory.in_channel(channel):
            return kept
        table = await self._store.open_table(channel)
        if table:
            self._memory.keep(table)
        return table

    async def latest(self, channel: int) -> Table | None:
        """The latest table of a channel, whatever its status."""
        return await self._store.latest_table(channel)

    @staticmethod
    def seat_of(table: Table, game: Game, user: int) -> int | None:
        """The user's seat (seats may have been shuffled, C1), None when not playing."""
        player = table.player(user)
        if player is None:
            return None
        return next(p.seat for p in game.view(None).players if p.player == player)

    @staticmethod
    def user_at(table: Table, game: Game, seat: int) -> int:
        """The user in a seat."""
        return table.members[game.view(None).players[seat].player].user

    async def rename(self, number: int, user: int, name: str) -> Table:
        """Note a member's present display name; does nothing when it is the same or they aren't at the table."""
        table = await self.table(number)
        place = table.player(user)
        if place is None or table.members[place].name == name:
            return table
        return await self._tasks.run(self._rename(number, user, name))

    # --- what is shown (no fsync: rides in the next commit)

    async def shown(
        self, number: int, what: str, version: int, *, channel: int | None = None, message: int | None = None
    ) -> None:
        """Note that `what` shows a version, in which message (None: the same message as before).

        Unknown names are fine: a ping, an old panel. A later version that was noted stays.
        """
        await self._store.shown(number, what, version, channel, message)

    async def gone(self, number: int, what: str) -> None:
        """Forget a projection: its message was deleted, or nothing is left to do about it."""
        await self._store.gone(number, what)

    async def projections(self, number: int) -> dict[str, Projection]:
        """All that is, or must be, visible of a game, by name."""
        return {p.what: p for p in await self._store.projections(number)}

    async def pending(self) -> list[tuple[Table, tuple[Projection, ...]]]:
        """Tables of this run with what is not yet shown: for redrawing after a restart or an outage."""
        found = []
        for number in await self._store.pending():
            projections = await self._store.projections(number)
            found.append((await self.table(number), tuple(p for p in projections if p.pending)))
        return found

    # --- people, and the rest

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings, or the defaults."""
        return await self._store.settings(user)

    async def change_settings(
        self,
        user: int,
        *,
        dms: bool | None = None,
        dms_closed: bool | None = None,
        standing: int | None = None,
    ) -> UserSettings:
        """Change settings; None: as it was. Switching DMs on forgets that they were closed.

        Code: "standing" (1 to 20 cards).
        """
        if standing is not None and not 1 <= standing <= MOST_STANDING:
            raise RefereeError("standing", f"The standing number is 1 to {MOST_STANDING} cards.")
        async with self._lock(("user", user)):
            settings = await self._store.settings(user)
            if dms is not None:
                settings = replace(settings, dms=dms, dms_closed=settings.dms_closed and not dms)
            if dms_closed is not None:
                settings = replace(settings, dms_closed=dms_closed)
            if standing is not None:
                settings = replace(settings, standing=standing)
            await self._store.save_settings(settings)
            return settings

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `verify`. Codes: "no-table", "not-over"."""
        table = await self.table(number)
        if table.status != OVER:
            raise RefereeError("not-over", "The game is not over; until then the seed stays secret.")
        game = await self.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    def drop_cache(self) -> None:
        """Forget everything in memory; it is read again from the store when needed."""
        self._memory.drop()

    # --- within the locks

    def _lock(self, key: Hashable) -> asyncio.Lock:
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    async def _save(
        self,
        table: Table,
        interaction: str,
        due: Iterable[str],
        *,
        members: bool = False,
        game: Game | None = None,
    ) -> None:
        """Store a change of a table, and the game's new record; only then does memory know of it."""
        record = None
        if game:
            latest = game.records[-1]
            record = (latest.number, latest.actor, latest.to_json())
        try:
            await self._store.save(table, interaction, due, members=members, record=record)
        except BaseException:
            self._memory.forget(table.number)  # it may have been committed all the same: the disk will tell
            raise
        self._memory.keep(table, game)

    async def _open(self, table: Table, interaction: str) -> Table:
        async with self._lock(("channel", table.channel)):
            if earlier := await self._store.interaction(interaction):
                return await self.table(earlier[0])
            if other := await self.in_channel(table.channel):
                state = "is being played" if other.status == RUNNING else "is waiting for players"
                raise RefereeError(
                    "channel-busy",
                    f"Game {other.number} {state} in this channel; use another channel or a thread.",
                    number=other.number,
                )
            seed = self._entropy(SEED_BYTES)
            table = await self._store.add_table(
                table, seed, lambda number: commitment(seed, str(number)), interaction, (COMMITMENT, PANEL)
            )
            self._memory.keep(table)
            log.info("Game %d: opened in channel %d", table.number, table.channel)
            return table

    async def _change(self, number: int, interaction: str, change: Callable[[Table], Table]) -> Table:
        return await self._tasks.run(self._changed(number, interaction, change))

    async def _changed(self, number: int, interaction: str, change: Callable[[Table], Table]) -> Table:
        async with self._lock(number):
            table = await self.table(number)
            if await self._store.interaction(interaction):
                return table
            table = replace(change(table), version=table.version + 1, updated=self._now())
            await self._save(table, interaction, (PANEL,), members=True)
            if table.status == CANCELLED:
                log.info("Game %d: cancelled before the start", number)
            return table

    async def _start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        async with self._lock(number):
            table = await self.table(number)
            if await self._store.interaction(interaction):
                return table
            lobby.check_start(table, user)
            entropy = lobby.entropy(table, closing)
            chance = SeededChance(await self._store.seed(number), str(number), entropy)
            game = await asyncio.to_thread(Game.new, table.config, chance)
            table = replace(
                table, status=RUNNING, entropy=entropy, version=table.version + 1, updated=self._now()
            )
            await self._save(table, interaction, (PANEL, *map(hand_of, table.users)), game=game)
            log.info("Game %d: begun by %d players", number, len(table.members))
            return table

    async def _play(
        self, number: int, user: int, action: Action, decision: str | None, interaction: str
    ) -> Played:
        async with self._lock(number):
            table = await self.table(number)
            if earlier := await self._store.interaction(interaction):
                return await self._played_before(table, user, earlier)
            if table.status == OVER:
                raise RefereeError("over", "This game is over.")
            old = await self.game(number)
            seat = self.seat_of(table, old, user)
            if seat is None:
                raise RefereeError("not-playing", "You are not playing in this game.")
            if decision is not None and decision != old.decision(seat):
                raise RefereeError("stale", "That button is from an earlier moment; use the present panel.")
            game = old.copy()
            events = game.play(seat, action)
            over = game.outcome is not None
            table = replace(
                table, status=OVER if over else RUNNING, version=table.version + 1, updated=self._now()
            )
            due = [PANEL, *(hand_of(user) for user in self._changed_hands(table, old, game))]
            await self._save(table, interaction, [*due, SEED] if over else due, game=game)
            log.info("Game %d: record %d, %s by seat %d", number, game.revision, action.name, seat)
            told = tuple(event.redact(seat) for event in events)
            return Played(table, game, seat, game.revision, told, repeated=False)

    async def _played_before(self, table: Table, user: int, earlier: tuple[int, int | None]) -> Played:
        """The result of an interaction that has been carried out, as far as the log tells it."""
        number, record = earlier
        game = await self.game(table.number)
        seat = self.seat_of(table, game, user)
        if number != table.number or record is None or seat is None:
            raise RefereeError("repeated", "That has been done already.")
        then = game
        if record + 1 < game.revision:
            then = await asyncio.to_thread(Game.replay, game.config, game.records[: record + 1])
        told = tuple(event.redact(seat) for event in then.last_events)
        return Played(table, game, seat, record + 1, told, repeated=True)

    @staticmethod
    def _changed_hands(table: Table, old: Game, new: Game) -> list[int]:
        """Users whose own hand, as they see it, isn't what it was."""
        changed = []
        for seat in range(table.config.players):
            before, after = old.view(seat).players[seat], new.view(seat).players[seat]
            if (before.hand, before.development_cards, before.fresh_cards, before.rates) != (
                after.hand,
                after.development_cards,
                after.fresh_cards,
                after.rates,
            ):
                changed.append(table.members[after.player].user)
        return changed

    async def _rename(self, number: int, user: int, name: str) -> Table:
        async with self._lock(number):
            table = await self.table(number)
            await self._store.rename(number, user, name)
            members: list[Member] = [
                replace(member, name=name) if member.user == user else member for member in table.members
            ]
            table = replace(table, members=tuple(members))
            self._memory.keep(table)
            return table
