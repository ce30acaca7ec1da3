"""Which games anyone can see in a browser, without Discord: where the host serves pages, as server and table allow."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf

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
DEAREST = 6.0
"""How many times as much as the first of these games the last one costs. So an address can pay for four at once, and
only some twenty addresses can pay for all, again and again."""


class TooMany(Exception):
    """Someone asks for more than they can."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the host has decided about pages for browsers."""

    served: bool = False
    address: str = ""
    """Where people reach them; empty: nothing links to them."""


@dataclass(slots=True)
class Known:
    """What is known about a channel."""

    is_open: bool = False
    """The last answer: whether everyone can see it."""
    at: float = -inf
    """When that came."""
    again: float = -inf
    """When it is asked again."""


class WebService:
    """The games on the web."""

    def __init__(
        self, store: Store, repository: GameRepository, site: Site, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._repository = store, repository
        self.site = site
        self._is_open: Callable[[Table], Awaitable[bool]] | None = None
        self._clock = clock
        self._known: LRUCache[int, Known] = LRUCache(CHANNELS)
        """By channel."""
        self._once = Once(CHANNELS, ASKED_AGAIN, clock)
        """The questions under way, by channel."""
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
        self, number: int, *, followed: bool = False, afford: Callable[[float], bool] = lambda times: True
    ) -> Table | None:
        """The table of a game that anyone can see now; None: there is none of which a browser may know. `followed`: for
        those who see it already. `afford`: whether a visitor can have something asked that costs so many times what is
        usual.

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
        if not followed:
            if table and self._is_known(table.channel):
                return table
            self._pay(number, afford)
        return table if table and await self._can_be_seen(table) else None

    def _is_known(self, channel: int) -> bool:
        """Whether everyone can see a channel by an answer that holds, and a visitor has nothing asked: it isn't time,
        someone else has just asked, or too many have."""
        if self._is_open is None:
            return True
        known = self._known.get(channel)
        if known is None or not self._is_seen(known):
            return False
        return self._clock() < known.again or channel in self._once or len(self._asked) >= MOST_ASKED

    def _pay(self, number: int, afford: Callable[[float], bool]) -> None:
        """Count what a visitor has asked for a game. The more games others have asked for, the more it costs."""
        taken = 0.0 if number in self._asked else len(self._asked) / MOST_ASKED
        if not afford(1.0 + (DEAREST - 1.0) * taken):
            raise TooMany
        if taken >= 1.0:
            raise Unavailable("visitors ask for too many games")
        self._asked.setdefault(number, True)  # asking again keeps no place

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
        known = self._known.setdefault(table.channel, Known())
        if self._clock() >= known.again:
            try:
                async with asyncio.timeout(ANSWERED_WITHIN):
                    await self._once.of(table.channel, partial(self._ask, self._is_open, table, known))
            except TimeoutError:
                known.again = self._clock() + TRIED_AGAIN
        if known.is_open and not self._is_seen(known):
            raise Unavailable("no one says who can see a channel")
        return known.is_open

    async def _ask(self, is_open: Callable[[Table], Awaitable[bool]], table: Table, known: Known) -> None:
        try:
            known.is_open = await is_open(table)
            known.at = self._clock()
            known.again = known.at + (ASKED_AGAIN if known.is_open else CLOSED)
        except Unavailable as error:
            log.info("It isn't known whether everyone can see a game: %s", error)
            known.again = self._clock() + TRIED_AGAIN
        finally:
            self._once.forget(table.channel)

    def _is_seen(self, known: Known) -> bool:
        return known.is_open and self._clock() - known.at <= HOLDS

    async def versions(self, numbers: Collection[int]) -> Mapping[int, int]:
        """The versions of tables, by number: they grow with each change that anyone can notice, and only then."""
        return await self._store.versions(numbers)


def is_shown(table: Table, allowed: str) -> bool:
    """Whether anyone can see a table's game in a browser; `allowed`: what its server has chosen."""
    holds = stricter(allowed, table.options.web)
    if table.status in (RUNNING, ARCHIVED):
        return holds == LIVE
    return table.status == OVER and holds != HIDDEN
