"""Which games anyone can see in a browser, without Discord: where the host serves pages, as server and table allow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.options import HIDDEN, LIVE, stricter
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.tasks import Once
from engine.errors import RefereeError

CHANNELS, ASKED_AGAIN = 1000, 60.0
"""Of how many channels it is remembered whether everyone can see them, and for how many seconds."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the host has decided about pages for browsers."""

    served: bool = False
    address: str = ""
    """Where people reach them; empty: nothing links to them."""


class WebService:
    """The games on the web."""

    def __init__(self, store: Store, repository: GameRepository, site: Site) -> None:
        self._store, self._repository = store, repository
        self.site = site
        self._is_open: Callable[[Table], Awaitable[bool]] | None = None
        self._once = Once(CHANNELS, ASKED_AGAIN)

    def open_by(self, is_open: Callable[[Table], Awaitable[bool]]) -> None:
        """Ask `is_open` whether everyone on a server can see the channel of a table: games in private channels are for
        few people, too."""
        self._is_open = is_open

    async def allowed(self, guild: int | None) -> str:
        """Which games can be shown, at most: what their server has chosen. Games in direct messages (None) never are,
        since what is there is for few people."""
        if guild is None or not self.site.served:
            return HIDDEN
        return (await self._store.server(guild)).web

    async def shown(self, number: int) -> Table | None:
        """The table of a game that anyone can see now; None: there is none of which a browser may know."""
        try:
            table = await self._repository.table(number)
        except RefereeError:  # unknown, damaged or newer
            return None
        return table if await self._can_be_seen(table) else None

    async def link(self, table: Table) -> str | None:
        """The address of a game's page; None if it has none."""
        if not self.site.address or not await self._can_be_seen(table):
            return None
        return f"{self.site.address}/games/{table.number}"

    async def _can_be_seen(self, table: Table) -> bool:
        if not is_shown(table, await self.allowed(table.guild)):
            return False
        ask = self._is_open
        return ask is None or await self._once.of(table.channel, lambda: _asked(ask, table))

    async def versions(self, numbers: Collection[int]) -> Mapping[int, int]:
        """The versions of tables, by number: they grow with each change that anyone can notice, and only then."""
        return await self._store.versions(numbers)


async def _asked(is_open: Callable[[Table], Awaitable[bool]], table: Table) -> bool:
    return await is_open(table)


def is_shown(table: Table, allowed: str) -> bool:
    """Whether anyone can see a table's game in a browser; `allowed`: what its server has chosen."""
    holds = stricter(allowed, table.options.web)
    if table.status in (RUNNING, ARCHIVED):
        return holds == LIVE
    return table.status == OVER and holds != HIDDEN
