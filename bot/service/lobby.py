"""The lobby: from an open table to a dealt game, or to a canceled one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

from bot.languages import AUTO
from bot.projections import COMMITMENT, PANEL
from bot.service.games import Done, GameService
from bot.service.repository import GameRepository
from bot.service.servers import Asker, Openings, check_opening
from bot.store import Store
from bot.table.act import By
from bot.table.acts import lobby
from bot.table.acts.guests import with_guests
from bot.table.acts.lobby import AddComputer, Join, Start, check_start, config_of
from bot.table.acts.options import begun, spoken, with_seats
from bot.table.subscriptions import first_looks
from bot.table.table import LOBBY, Table
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class LobbyService:
    """How tables are opened and games dealt: what needs chance, and what the server decides."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
        games: GameService,
    ) -> None:
        """`now` in seconds since the epoch, `entropy(n)` n secret bytes."""
        self._store = store
        self._repository = repository
        self._now = now
        self._entropy = entropy
        self._games = games
        self._openings = Openings(now)

    async def new_table(
        self,
        guild: int | None,
        channel: int,
        user: int,
        host: Join,
        interaction: str,
        *,
        invited: tuple[tuple[int, str], ...] = (),
        learning: bool = False,
        asker: Asker | None = None,
        without: Collection[str] = (),
        language: str = AUTO,
        thread: Callable[[], Awaitable[int]] | None = None,
    ) -> Table:
        """Open a lobby, whose host sits down as `host` says; commitment and panel become due. `invited`: users for whom
        seats are kept, with their names; the scenario is one with seats for all, if there is one like the server's.
        `learning`: for a first game. `asker`: who opens it, for the server's
        settings; None: nothing there restricts them. `without`: names of options that don't begin as the server has
        chosen. `language`: code of the table's language, unless the server has chosen one. `thread` makes a thread for
        the table, which is opened there instead; it is called once nothing else can refuse the table.

        Codes: "color", "phrase", "keep", "channel-busy", "not-opened", "no-computers".
        """
        by = By(user, self._now(), interaction=interaction)
        table = lobby.empty_table(guild, channel, await self._playable(Config(colors=())), by)
        if not learning:
            table = await self._begun(table, without=without)
        table = host.on(with_seats(table, 1 + len(invited)), None, by)
        table = with_guests(table, invited, by)
        if learning:
            table = await self._begun(lobby.first_game(table, by), without=without)
        table = spoken(table, language)
        if thread is not None:
            await self._may_open(table, asker)
            table = replace(table, channel=await thread())
        return await self._repository.alone_in(table.channel, lambda: self._open(table, interaction, asker))

    async def rematch(
        self,
        number: int,
        user: int,
        interaction: str,
        asker: Asker | None = None,
        without: Collection[str] = (),
        language: str = AUTO,
    ) -> Table:
        """Open a lobby like a finished game in its channel: same options, except those that only the server's managers
        change, and hosted by `user`; seats are kept for the others. `without` and `language`: as
        for `new_table`.

        Codes: "no-table", "not-member", "not-over", "channel-busy", "not-opened", "no-computers".
        """
        by = By(user, self._now(), interaction=interaction)
        finished = await self._repository.table(number)
        table = lobby.rematch(finished, by)
        table = await self._begun(table, again=True, without=without)
        table = replace(spoken(table, language), config=await self._playable(table.config))
        asker = asker and replace(asker, since=finished.updated)
        return await self._repository.alone_in(table.channel, lambda: self._open(table, interaction, asker))

    async def add_computer(
        self, number: int, user: int, act: AddComputer, interaction: str, *, manages: int = 0
    ) -> Done:
        """Seat one or more bots if the server allows bots. Codes: as `AddComputer`, "no-computers"."""
        await self._check_computers(await self._repository.table(number))
        return await self._games.act(number, user, act, interaction, manages=manages)

    async def may_start(self, number: int, user: int, *, manages: int = 0) -> Table:
        """Refuse what `start` would refuse; ask this before the closing message is posted. Changes nothing."""
        table = await self._repository.table(number)
        check_start(table, By(user, self._now(), manages=manages == table.channel))
        return table

    async def start(
        self, number: int, user: int, closing: str, interaction: str, *, closed: int | None = None, manages: int = 0
    ) -> Done:
        """Deal the game. `closing` is the id of the message that closed the table: the last part of the entropy.

        `closed`: the version of the table that the message closed; if the lobby has changed since, nothing is done:
        no one must be able to add to the entropy once its last part is known. None: it has not.

        The panel and all hands become due. Codes: as `Start`.
        """

        async def as_closed() -> bool:
            table = await self._repository.table(number)
            return closed in (None, table.version) or table.status != LOBBY

        async def deal(table: Table) -> Game:
            check_start(table, By(user, self._now(), manages=manages == table.channel))
            config = await self._playable(config_of(table))
            seed = await self._store.seed(table.number)
            chance = SeededChance(seed, str(table.number), lobby.entropy(table, closing))
            return await asyncio.to_thread(Game.new, config, chance)

        start = Start(closing)
        return await self._games.act(number, user, start, interaction, manages=manages, deal=deal, still=as_closed)

    async def _may_open(self, table: Table, asker: Asker | None) -> None:
        """Refuse a table because of the server's settings. Codes: "not-opened", "no-computers"."""
        if asker is None:
            return
        if table.lesson or any(not member.is_person for member in table.members):
            await self._check_computers(table)
        settings = await self._store.server(asker.guild)
        tables = await self._repository.readable(await self._store.open_in(asker.guild))
        opened = self._openings.of(asker)
        known = {table.number: table for table in await self._repository.readable(filter(None, opened.values()))}
        lately = {time: known.get(number) for time, number in opened.items()}
        check_opening(settings, asker, tables, self._now(), lately)

    async def _open(self, table: Table, interaction: str, asker: Asker | None) -> Table:
        if earlier := await self._store.interaction(interaction):
            return await self._repository.table(earlier[0])
        if other := await self._store.open_table(table.channel):
            raise RefereeError(f"channel-busy/{'learn' if table.lesson else other.status}", number=other.number)
        await self._may_open(table, asker)
        if asker is not None:
            self._openings.note(asker, table.created)  # before it is stored: the person could be opening others
        jobs = first_looks(table) if await self._is_asked_for(table) else {}
        due = (COMMITMENT, PANEL)
        opened = await self._repository.add(table, self._entropy(SEED_BYTES), interaction, due, jobs)
        if asker is not None:
            self._openings.note(asker, table.created, opened.number)
        log.info("Game %d: opened in channel %d", opened.number, opened.channel)
        return opened

    async def _begun(self, table: Table, *, again: bool = False, without: Collection[str] = ()) -> Table:
        """A new table as its server wants tables to begin (`bot.table.acts.options.begun`)."""
        if table.guild is None:
            return table
        return begun(table, (await self._store.server(table.guild)).begins, again=again, without=without)

    async def _is_asked_for(self, table: Table) -> bool:
        """Whether anyone wants to hear of new tables like this one."""
        if table.guild is None or table.lesson:
            return False
        return bool((await self._store.server(table.guild)).called or await self._store.subscribers(table.guild))

    async def _check_computers(self, table: Table) -> None:
        """Refuse bots if the server doesn't allow them. Code: "no-computers"."""
        if table.guild is not None and not (await self._store.server(table.guild)).computers:
            raise RefereeError("no-computers/learn" if table.lesson else "no-computers")

    async def _playable(self, config: Config) -> Config:
        """The configuration in the newest format that every process plays, so that any of them can go on with the
        game."""
        return replace(config, format=await self._store.format(self._now()))
