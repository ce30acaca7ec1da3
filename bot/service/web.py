"""Which games anyone can see in a browser, without Discord: where the host serves pages, as server and table allow."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

from cachetools import TTLCache

from bot.service.repository import GameRepository
from bot.store import Store, Unavailable
from bot.table.options import HIDDEN, LIVE, stricter
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.tasks import Once
from engine.errors import RefereeError

log = logging.getLogger(__name__)

CHANNELS, ASKED_AGAIN = 1000, 60.0
"""Of how many channels it is remembered whether everyone can see them, and for how many seconds."""
TRIED_AGAIN = 5.0
"""Seconds after which it is asked again what wasn't answered."""
HOLDS = 600.0
"""Seconds for which the last answer holds for those who follow a game, if there is no other."""
MOST_ASKED, WITHIN = 20, 10.0
"""About how many channels it is asked for those who come, in so many seconds. Anyone can come, for any number of games,
and what is asked of Discord is taken from what all games can ask."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the host has decided about pages for browsers."""

    served: bool = False
    address: str = ""
    """Where people reach them; empty: nothing links to them."""


class WebService:
    """The games on the web."""

    def __init__(
        self, store: Store, repository: GameRepository, site: Site, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._repository = store, repository
        self.site = site
        self._is_open: Callable[[Table], Awaitable[bool]] | None = None
        self._once = Once(CHANNELS, ASKED_AGAIN, clock)
        self._unanswered: TTLCache[int, bool] = TTLCache(CHANNELS, TRIED_AGAIN, clock)
        """The channels about which there was no answer just now."""
        self._last: TTLCache[int, bool] = TTLCache(CHANNELS, HOLDS, clock)
        """By channel, the last answer."""
        self._asked: TTLCache[int, bool] = TTLCache(MOST_ASKED, WITHIN, clock)
        """The channels about which it was asked just now for those who come."""

    def open_by(self, is_open: Callable[[Table], Awaitable[bool]]) -> None:
        """Ask `is_open` whether everyone on a server can see the channel of a table: games in private channels are for
        few people, too. It raises `Unavailable` without an answer."""
        self._is_open = is_open

    async def allowed(self, guild: int | None) -> str:
        """Which games can be shown, at most: what their server has chosen. Games in direct messages (None) never are,
        since what is there is for few people."""
        if guild is None or not self.site.served:
            return HIDDEN
        return (await self._store.server(guild)).web

    async def shown(self, number: int, *, followed: bool = False) -> Table | None:
        """The table of a game that anyone can see now; None: there is none of which a browser may know. Raises
        `Unavailable` if no one says whether it can be seen; so it does for all others then, too, since this would tell
        that there is a game. `followed`: for those who see it already, for a while."""
        try:
            table = await self._repository.table(number)
        except RefereeError:  # unknown, damaged or newer
            table = None
        seen = table is not None and await self._can_be_seen(table, followed=followed)
        if seen is None or not (seen or followed or self._hears):
            raise Unavailable("no one says who can see a channel")
        return table if seen else None

    async def link(self, table: Table) -> str | None:
        """The address of a game's page; None if it has none."""
        if not self.site.address or not await self._can_be_seen(table, followed=True):
            return None
        return f"{self.site.address}/games/{table.number}"

    async def _can_be_seen(self, table: Table, *, followed: bool) -> bool | None:
        """Whether anyone can see a game; None without an answer. `followed`: the last answer holds for a while."""
        if not is_shown(table, await self.allowed(table.guild)):
            return False
        if (ask := self._is_open) is None:
            return True
        channel = table.channel
        if self._can_ask(channel, followed=followed):
            try:
                answer = await self._once.of(channel, lambda: _asked(ask, table))
            except Unavailable as error:
                log.info("It isn't known whether everyone can see a game: %s", error)
                self._unanswered[channel] = True
            else:
                self._last[channel] = answer
                return answer
        return self._last.get(channel) if followed else None

    def _can_ask(self, channel: int, *, followed: bool) -> bool:
        if channel in self._unanswered:
            return False
        if followed or channel in self._once:
            return True
        if can := len(self._asked) < MOST_ASKED:
            self._asked[channel] = True
        return can

    @property
    def _hears(self) -> bool:
        """Whether it could be asked right now about any channel."""
        return not self._unanswered and len(self._asked) < MOST_ASKED

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
