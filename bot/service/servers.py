"""Servers: who can open tables there, where and how many, as their managers have chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from types import MappingProxyType
from typing import Any

from cachetools import TTLCache

from bot.servers import EVERYBODY, MANAGERS, Overview, ServerSettings
from bot.store import Store
from bot.table.acts.options import begin_with
from bot.table.options import HOUR
from bot.table.table import CANCELLED, Table
from engine.errors import RefereeError

MOST_OPENED = 20
"""How many tables one person can open on a server within an hour, whatever a server allows."""


@dataclass(frozen=True, slots=True)
class Asker:
    """A person who wants to open a table on a server, and where."""

    user: int
    guild: int
    channel: int
    """A thread counts as the channel that it is in."""
    manages: bool = False
    """Whether they can manage the server."""
    roles: frozenset[int] = frozenset()
    since: float = 0.0
    """For a rematch, when the game ended that it follows: only tables opened after that call for a pause."""


def check_opening(
    settings: ServerSettings,
    asker: Asker,
    tables: Sequence[Table],
    now: float,
    opened: Mapping[float, Table | None] = MappingProxyType({}),
) -> None:
    """Refuse a new table that the settings don't allow. `tables`: the server's open tables; `opened`: what the person
    opened there in the last hour by the time of that, None for what is just being opened; `now` in seconds since the
    epoch.

    Managers are held only to the channels and the numbers of tables, and to a pause after one that they canceled. Code:
    "not-opened".
    """
    if not asker.manages:
        if settings.openers == MANAGERS:
            raise RefereeError("not-opened/managers")
        if settings.openers != EVERYBODY and settings.role not in (*asker.roles, asker.guild):
            raise RefereeError("not-opened/role", role=f"<@&{settings.role}>")
    check_channel(settings, asker.channel)
    if settings.most and len(tables) >= settings.most:
        raise RefereeError("not-opened/full", n=settings.most)
    hosted = [table.created for table in tables if table.host == asker.user]
    if settings.most_by_person and len(hosted) >= settings.most_by_person:
        raise RefereeError("not-opened/yours", n=len(hosted))
    canceled = [time for time, table in opened.items() if table is not None and table.status == CANCELLED]
    counted = canceled if asker.manages else [*opened, *hosted]
    past = [time for time in counted if asker.since < time <= now]  # the clock can have been set back
    end = max(past, default=0.0) + settings.pause
    if len(opened) >= MOST_OPENED:
        end = max(end, sorted(opened)[-MOST_OPENED] + HOUR)
    if now < end:
        raise RefereeError("not-opened/pause", when=f"<t:{ceil(end)}:R>")


def check_channel(settings: ServerSettings, channel: int) -> None:
    """Refuse a channel where the server doesn't want games. Code: "not-opened/here"."""
    if settings.channels and channel not in settings.channels:
        raise RefereeError("not-opened/here", channels=", ".join(f"<#{channel}>" for channel in settings.channels))


class Openings:
    """The tables that people opened lately. Those that were canceled count: what they have posted stays."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._opened: TTLCache[tuple[int, int], dict[float, int]] = TTLCache(inf, HOUR, timer=now)

    def of(self, asker: Asker) -> dict[float, int]:
        """Numbers of the tables that the person opened on the server in the last hour, by time. 0: just being opened,
        or it could not be."""
        opened, since = self._opened.get((asker.guild, asker.user), {}), self._now() - HOUR
        return {time: number for time, number in opened.items() if since < time <= since + HOUR}  # by this clock

    def note(self, asker: Asker, time: float, number: int = 0) -> None:
        """Note that the person opens a table, and then its number."""
        self._opened[asker.guild, asker.user] = {**self.of(asker), time: number}


class ServerService:
    """The settings of servers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def settings(self, guild: int) -> ServerSettings:
        """A server's settings."""
        return await self._store.server(guild)

    async def change(self, guild: int, **changes: Any) -> ServerSettings:
        """Change settings by their names."""
        return await self._store.change_server(guild, lambda settings: replace(settings, **changes))

    async def begin_with(self, guild: int, changes: Mapping[str, Any]) -> None:
        """Change how a server's tables begin, by the names of options, or which of them are fixed. Codes: as
        `bot.table.acts.options.begin_with`."""
        await self._store.change_server(guild, lambda old: replace(old, begins=begin_with(old.begins, changes)))

    async def open_in(self, guild: int) -> Mapping[int, int]:
        """The versions of a server's open tables, by their rising numbers."""
        return await self._store.open_in(guild)

    async def overview(self, guild: int) -> Overview | None:
        """The message that lists a server's open games; None: there is none."""
        return await self._store.overview(guild)

    async def overviews(self) -> Mapping[int, Overview]:
        """The messages that list the open games of a server, by server."""
        return await self._store.overviews()

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        """Store which message lists a server's open games, or that there is none, as `Store.set_overview`
        does."""
        return await self._store.set_overview(guild, before, after)

    async def computers(self, guild: int | None) -> bool:
        """Whether bots can play on a server; None: in direct messages."""
        return guild is None or (await self._store.server(guild)).computers
