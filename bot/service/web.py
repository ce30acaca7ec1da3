"""Which games anyone can see in a browser, without Discord: where the host serves pages, as server and table allow."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from cachetools import LRUCache, TTLCache

from bot.service.repository import GameRepository
from bot.store import Store, Unavailable
from bot.table.options import HIDDEN, LIVE, stricter
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.tasks import Once
from engine.errors import RefereeError

log = logging.getLogger(__name__)

CHANNELS, ASKED_AGAIN, CLOSED = 1000, 60.0, 600.0
"""Of how many channels it is remembered whether everyone can see them; after how many seconds it is asked again, and
after how many if not everyone could. Channels that Harbormaster can't see are such, too: Discord bans an address for
too many questions about these."""
TRIED_AGAIN = 5.0
"""Seconds after which it is asked again what wasn't answered."""
ANSWERED_WITHIN = 2.5
"""Seconds for which an answer is waited for."""
HOLDS = 600.0
"""Seconds for which the last answer holds if there is no other."""
MOST_ASKED, WITHIN = 20, 10.0
"""For how many games visitors can have it asked, in so many seconds. Anyone can come, for any number of games, and what
is asked of Discord is taken from what all games can ask."""


class TooMany(Exception):
    """Someone asks for more than they can."""


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
        self._clock = clock
        self._once = Once(CHANNELS, ASKED_AGAIN, clock)
        self._unanswered: TTLCache[int, bool] = TTLCache(CHANNELS, TRIED_AGAIN, clock)
        """The channels about which there was no answer just now."""
        self._last: LRUCache[int, tuple[bool, float]] = LRUCache(CHANNELS)
        """By channel, the last answer, and when it came."""
        self._asked: TTLCache[int, bool] = TTLCache(MOST_ASKED, WITHIN, clock)
        """The games for which visitors had it asked just now, whether or not there are such games."""

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

    async def shown(
        self, number: int, *, followed: bool = False, afford: Callable[[], bool] = lambda: True
    ) -> Table | None:
        """The table of a game that anyone can see now; None: there is none of which a browser may know. `followed`: for
        those who see it already. `afford`: whether a visitor can have something asked.

        What may not be known costs as much as what isn't there, and is refused at the same times, so that no one can
        tell them apart. Raises `TooMany`, and `Unavailable` if too many have asked, or if no one says whether what
        could be seen still can.
        """
        try:
            table = await self._repository.table(number)
        except RefereeError:  # unknown, damaged or newer
            table = None
        if table is not None and not is_shown(table, await self.allowed(table.guild)):
            table = None
        if not followed and not (table and self._is_known(table)):
            self._pay(number, afford)
        return table if table and await self._can_be_seen(table) else None

    def _is_known(self, table: Table) -> bool:
        """Whether it is known without a question that everyone can see a table's channel."""
        return self._is_open is None or (table.channel in self._once and self._last_answer(table.channel))

    def _pay(self, number: int, afford: Callable[[], bool]) -> None:
        """Count what a visitor has asked for a game."""
        if not afford():
            raise TooMany
        if number not in self._asked and len(self._asked) >= MOST_ASKED:
            raise Unavailable("visitors ask for too many games")
        self._asked[number] = True

    async def link(self, table: Table) -> str | None:
        """The address of a game's page; None if it has none."""
        if not self.site.address or not is_shown(table, await self.allowed(table.guild)):
            return None
        with suppress(Unavailable):
            if await self._can_be_seen(table):
                return f"{self.site.address}/games/{table.number}"
        return None

    async def _can_be_seen(self, table: Table) -> bool:
        """Whether everyone can see a table's channel. Without an answer, the last one holds for a while; then this
        raises `Unavailable` if everyone could see it."""
        if self._is_open is None:
            return True
        if self._can_ask(table.channel):
            try:
                async with asyncio.timeout(ANSWERED_WITHIN):
                    await self._once.of(table.channel, partial(self._ask, self._is_open, table))
            except TimeoutError:
                self._unanswered[table.channel] = True
        return self._last_answer(table.channel)

    def _can_ask(self, channel: int) -> bool:
        answer, at = self._last.get(channel, (True, 0.0))
        return channel not in self._unanswered and (answer or self._clock() - at >= CLOSED)

    async def _ask(self, is_open: Callable[[Table], Awaitable[bool]], table: Table) -> None:
        channel = table.channel
        try:
            self._last[channel] = await is_open(table), self._clock()
        except Unavailable as error:
            log.info("It isn't known whether everyone can see a game: %s", error)
            self._unanswered[channel] = True
            self._once.forget(channel)

    def _last_answer(self, channel: int) -> bool:
        answer, at = self._last.get(channel, (False, 0.0))
        if answer and self._clock() - at > HOLDS:
            raise Unavailable("no one says who can see a channel")
        return answer

    async def versions(self, numbers: Collection[int]) -> Mapping[int, int]:
        """The versions of tables, by number: they grow with each change that anyone can notice, and only then."""
        return await self._store.versions(numbers)


def is_shown(table: Table, allowed: str) -> bool:
    """Whether anyone can see a table's game in a browser; `allowed`: what its server has chosen."""
    holds = stricter(allowed, table.options.web)
    if table.status in (RUNNING, ARCHIVED):
        return holds == LIVE
    return table.status == OVER and holds != HIDDEN
