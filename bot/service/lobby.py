"""The lobby: from an open table to a dealt game, or to a cancelled one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.projections import COMMITMENT, PANEL, hand_name
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.service.servers import Asker, check_opening
from bot.store import Store
from bot.table import choosing, waiting
from bot.table import lobby as rules
from bot.table.people import tell_standing
from bot.table.table import CANCELLED, LOBBY, RUNNING, Table
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class LobbyService:
    """Opening, joining, choosing, starting. Each method returns the table as it stands afterwards."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
        games: GameService,
    ) -> None:
        """`now` in seconds since the epoch, `entropy(n)` n secret bytes; `games` says what is to be done after the
        deal."""
        self._store = store
        self._repository = repository
        self._now = now
        self._entropy = entropy
        self._games = games

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
        learning: bool = False,
        asker: Asker | None = None,
    ) -> Table:
        """Open a lobby and join it as host; commitment and panel become due. `learning`: it is for a first game.
        `asker`: who it is to the server; None: nobody decides what they may.

        Codes: "color", "phrase", "channel-busy", "not-opened", "no-computers".
        """
        table = Table(
            number=0,
            guild=guild,
            channel=channel,
            status=LOBBY,
            host=user,
            anyone_starts=False,
            config=await self._playable(Config(colors=())),
            members=(),
            commitment="",
            entropy=(),
            version=1,
            created=self._now(),
            updated=self._now(),
        )
        table = rules.joined(table, user, name, interaction, color, phrase)
        if learning:
            table = rules.lesson(table, user)
        return await self._repository.alone_in(channel, lambda: self._open(table, interaction, asker))

    async def rematch(self, number: int, user: int, interaction: str, asker: Asker | None = None) -> Table:
        """A new lobby in the same channel after the end: same options, hosted by `user`; the others are invited.

        Codes: "no-table", "not-member", "not-over", "channel-busy", "not-opened", "no-computers".
        """
        table = rules.again(await self._repository.table(number), user, interaction, self._now())
        table = replace(table, config=await self._playable(table.config))
        asker = asker and replace(asker, again=True)
        return await self._repository.alone_in(table.channel, lambda: self._open(table, interaction, asker))

    async def join(
        self, number: int, user: int, name: str, interaction: str, *, color: str | None = None, phrase: str = ""
    ) -> Table:
        """Join a lobby; who has joined may join again with another colour or phrase.

        Codes: "no-table", "not-lobby", "phrase", "full", "color", "color-taken".
        """
        return await self._change(
            number, interaction, lambda table: rules.joined(table, user, name, interaction, color, phrase)
        )

    async def add_phrase(self, number: int, user: int, phrase: str, interaction: str) -> Table:
        """A member's own words for the chance. Codes: "no-table", "not-lobby", "not-member", "phrase"."""
        return await self._change(number, interaction, lambda table: rules.phrased(table, user, phrase))

    async def leave(self, number: int, user: int, interaction: str) -> Table:
        """Leave a lobby: the next one becomes host; with nobody left the table is cancelled.

        Codes: "no-table", "not-lobby", "not-member".
        """
        return await self._change(number, interaction, lambda table: rules.left(table, user))

    async def add_computer(self, number: int, user: int, level: str, interaction: str, *, fill: bool = False) -> Table:
        """Seat a computer of a level, as host; `fill`: at every free place.

        Codes: "no-table", "not-lobby", "not-member", "not-host", "level", "full", "no-computers".
        """
        await self._check_computers(await self._repository.table(number))
        return await self._change(number, interaction, lambda table: rules.with_computers(table, user, level, fill))

    async def set_level(self, number: int, user: int, level: str, interaction: str) -> Table:
        """Have all computers of a lobby play at a level, as host. Codes as `add_computer`, without "full"."""
        return await self._change(number, interaction, lambda table: rules.leveled(table, user, level))

    async def remove_computer(self, number: int, user: int, interaction: str) -> Table:
        """Take the computer that came last off the table, as host.

        Codes: "no-table", "not-lobby", "not-member", "not-host", "no-computer".
        """
        return await self._change(number, interaction, lambda table: rules.without_computer(table, user))

    async def set_options(self, number: int, user: int, interaction: str, **changes: Any) -> Table:
        """Change options by their names (`bot.options`), as host, before the game, or in it what isn't fixed by then.

        Codes: "no-table", "not-lobby" (once it is too late), "not-member", "not-host", "option", "pace", and those of
        `engine.scenarios.check`.
        """

        async def chosen(before: Table) -> Table:
            host = before.host
            if before.status == RUNNING:
                host = before.host_in(await self._repository.game(number))
            return await self._made(before, interaction, lambda t: choosing.chosen(t, user, changes, host))

        return await self._repository.alone(number, chosen)

    async def cancel(self, number: int, user: int, interaction: str) -> Table:
        """Cancel a lobby, as host (a running game ends by the players' agreement). Codes as `set_options`."""
        return await self._change(number, interaction, lambda table: rules.cancelled(table, user))

    async def close(self, number: int, user: int, name: str, interaction: str) -> Table:
        """Cancel a lobby for somebody who manages the channel (the caller has checked that); panel becomes due.

        Codes: "no-table", "not-lobby".
        """
        return await self._change(number, interaction, lambda table: rules.closed(table, user, name))

    async def may_start(self, number: int, user: int) -> Table:
        """Refuse just as `start` would; to be asked before the closing message is posted. Changes nothing."""
        table = await self._repository.table(number)
        rules.check_start(table, user)
        return table

    async def start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        """Deal the game. `closing` is the id of the message that closed the table: the last of the entropy.

        Panel and all hands become due. Codes: "no-table", "not-lobby", "not-member", "not-host",
        and those of `engine.scenarios.check` (wrong number of players, colours).
        """
        return await self._repository.alone(number, lambda table: self._start(table, user, closing, interaction))

    async def may_open(self, asker: Asker) -> None:
        """Refuse just as `new_table` would, as far as it is for the server to say. Code: "not-opened"."""
        settings = await self._store.server(asker.guild)
        tables = [await self._repository.table(number) for number in await self._store.open_in(asker.guild)]
        check_opening(settings, asker, tables, self._now())

    async def _open(self, table: Table, interaction: str, asker: Asker | None) -> Table:
        if earlier := await self._store.interaction(interaction):
            return await self._repository.table(earlier[0])
        if other := await self._store.open_table(table.channel):
            raise RefereeError(f"channel-busy/{other.status}", number=other.number)
        if asker is not None:
            await self.may_open(asker)
            if table.choices.lesson or any(not member.is_person for member in table.members):
                await self._check_computers(table)
        table = await self._repository.add(table, self._entropy(SEED_BYTES), interaction, (COMMITMENT, PANEL))
        log.info("Game %d: opened in channel %d", table.number, table.channel)
        return table

    async def _check_computers(self, table: Table) -> None:
        """Code: "no-computers"."""
        if table.guild is not None and not (await self._store.server(table.guild)).computers:
            raise RefereeError("no-computers/learn" if table.choices.lesson else "no-computers")

    async def _playable(self, config: Config) -> Config:
        """In the newest format that every process plays: another one may have to go on with it."""
        return replace(config, format=await self._store.format(self._now()))

    async def _change(self, number: int, interaction: str, change: Callable[[Table], Table]) -> Table:
        return await self._repository.alone(number, lambda before: self._made(before, interaction, change))

    async def _made(self, before: Table, interaction: str, change: Callable[[Table], Table]) -> Table:
        if await self._store.interaction(interaction):
            return before
        table = replace(change(before), version=before.version + 1, updated=self._now())
        await self._repository.save(table, interaction, (PANEL,), before=before, members=True)
        if table.status == CANCELLED:
            by = "before the start" if table.ended_by is None else "by who manages the channel"
            log.info("Game %d: cancelled %s", table.number, by)
        return table

    async def _start(self, before: Table, user: int, closing: str, interaction: str) -> Table:
        if await self._store.interaction(interaction):
            return before
        rules.check_start(before, user)
        begun = choosing.with_requests(replace(before, config=await self._playable(before.config)))
        entropy = rules.entropy(before, closing)
        chance = SeededChance(await self._store.seed(before.number), str(before.number), entropy)
        game = await asyncio.to_thread(Game.new, begun.config, chance)
        people = await self._repository.people(begun)
        for seat in range(game.config.players):
            tell_standing(begun, game, people, seat)
        now = self._now()
        table = replace(begun, status=RUNNING, entropy=entropy, version=before.version + 1, updated=now)
        table = waiting.after(table, game, people, now)
        due = (PANEL, *map(hand_name, table.people))
        jobs = await self._games.planned(table, game)
        await self._repository.save(table, interaction, due, before=before, game=game, records=game.records, jobs=jobs)
        log.info("Game %d: begun by %d players", table.number, len(table.members))
        return table
