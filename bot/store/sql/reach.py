"""When games were out of reach, and when no process ran: no one's time is over because of that."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from bot.projections import Kind
from bot.store.base import CLOCK_WAS_SET, LOOK_JOB, GameLocation, MustEnd
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.rows import LIMITED, downtime_in
from bot.store.sql.tables import Statement, json_text
from bot.table.options import DAY
from bot.table.table import LOBBY, RUNNING
from bot.table.time import Interval, fewer, setbacks
from bot.table.time import run as ran

ALL, GAME, SHARD, DIRECT, OPENED, GREETING, SEEN = "all", "game", "shard", "direct", "opened", "greeting", "seen"
MOST_SERVERS = 500
"""Servers that one query asks about."""
KEEP_DOWNTIME, MOST_DOWNTIME = 150 * DAY, 60
"""Seconds for which downtime is kept, longer than a turn timer with a whole vacation; and how many intervals are kept
at most. If a process starts again and again, the time between two starts doesn't count either."""
LONG_ENOUGH = 90.0
"""Seconds by which a clock that others have, too, must have been set back to count as set: a time can be from before a
long wait."""
_SEEN = "INSERT INTO runs (run, seen) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET seen = excluded.seen"
_SEEN_TWICE = (
    "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, 0, ?) ON CONFLICT (run, kind, number) DO UPDATE"
    " SET at = excluded.at"
)
_MOVED = (
    ("runs SET seen = seen", "run = ? AND seen > 0"),
    ("jobs SET at = at", "run = ?"),
    ("subscriptions SET told = told", "run = ? AND told > 0"),
    ("overviews SET edited = edited", "run = ?"),
    ("identifies SET at = at", "run = ?"),
    *((f"{table} SET held_until = held_until", "run = ? AND held_until > 0") for table in ("shards", "processes")),
    ("reach SET at = at", f"run = ? AND kind NOT IN ('{SHARD}', '{OPENED}')"),  # these go by Discord's clock
)
"""The columns with times that move with a clock that was set, and of which rows."""
_LATEST = (
    "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, ?, ?) ON CONFLICT (run, kind, number) DO UPDATE"
    " SET at = excluded.at WHERE reach.at < excluded.at"
)


class ReachStore(StorePart):
    """When people couldn't see their games or act in them, kept for whichever process asks next. All that is noted here
    is a mark: it outlives the process, and costs no fsync."""

    async def lost(self, number: int | None, at: float) -> None:
        """Note that people couldn't see a game or act in it until `at`; None: all games of this namespace."""
        kind = ALL if number is None else GAME
        await self._database.mark(_LATEST, self._namespace, kind, number or 0, at, game=number)

    async def unseen(self, number: int) -> float:
        """When people last couldn't see a game or act in it; 0: never."""
        query = "SELECT at FROM reach WHERE run = ? AND (kind = ? OR kind = ? AND number = ?)"
        rows = await self._database.read(query, self._namespace, ALL, GAME, number, game=number)
        return max((row["at"] for row in rows), default=0.0)

    async def places(self, guilds: Collection[int] | None = None) -> list[GameLocation]:
        """Places of this namespace's games on these servers (None: on any), in ascending order of numbers."""
        if guilds is None:
            return await self._places("guild IS NOT NULL")
        remaining, places = sorted(guilds), list[GameLocation]()
        while remaining:
            batch, remaining = remaining[:MOST_SERVERS], remaining[MOST_SERVERS:]
            places += await self._places(f"guild IN ({', '.join('?' * len(batch))})", *batch)
        return sorted(places, key=lambda place: place.number)

    async def _places(self, where: str, *values: int) -> list[GameLocation]:
        query = (
            "SELECT number, guild, channel, games.version, status, EXISTS (SELECT 1 FROM shown WHERE game = number"
            f" AND kind IN ('{Kind.TROUBLE}', '{Kind.BARRED}')) AS unseen FROM games WHERE run = ? AND {where}"
            " AND number IN (SELECT number FROM games WHERE run = ? AND status IN ('lobby', 'running')"
            " UNION SELECT game FROM shown WHERE version < due) ORDER BY number"
        )
        rows = await self._database.read(query, self._namespace, *values, self._namespace)
        places = list[GameLocation]()
        for row in rows:
            is_open, unseen = row["status"] in (LOBBY, RUNNING), bool(row["unseen"])
            places.append(GameLocation(row["number"], row["guild"], row["channel"], row["version"], is_open, unseen))
        return places

    async def note_opened(self, number: int, at: float) -> None:
        """Note that Harbormaster opened a game's archived thread at `at`, by Discord's clock."""
        await self._database.mark(_LATEST, self._namespace, OPENED, number, at, game=number)

    async def opened(self, number: int) -> float:
        """When Harbormaster last opened a game's archived thread, by Discord's clock; 0: never."""
        return await self._at(OPENED, number)

    async def heard(self, shard: int) -> float:
        """When the connection of a shard, in whichever process, last brought people's clicks, as told to `share`; 0: no
        process has said."""
        return await self._at(SHARD, shard)

    async def stopped(self) -> float:
        """Until when no direct messages are opened in this namespace; 0: there was no such time."""
        return await self._at(DIRECT, 0)

    async def stop(self, until: float) -> None:
        """Have no direct messages opened until then."""
        await self._database.mark(_LATEST, self._namespace, DIRECT, 0, until)

    async def promise(self, user: int, at: float | None) -> None:
        """Note that a user of this namespace is written to by direct message at a time; None: no longer."""
        if at is None:
            delete = "DELETE FROM reach WHERE run = ? AND kind = ? AND number = ?"
            await self._database.mark(delete, self._namespace, GREETING, user)
            return
        upsert = (
            "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, ?, ?) ON CONFLICT (run, kind, number) DO UPDATE"
            " SET at = excluded.at"
        )
        promised = upsert, (self._namespace, GREETING, user, at)
        await self._database.write(lambda run: run(promised))  # the user is told

    async def promised(self) -> dict[int, float]:
        """When users of this namespace are written to, by user."""
        query = "SELECT number, at FROM reach WHERE run = ? AND kind = ? ORDER BY at, number"
        rows = await self._database.read(query, self._namespace, GREETING)
        return {row["number"]: row["at"] for row in rows}

    async def _at(self, kind: str, number: int) -> float:
        query = "SELECT at FROM reach WHERE run = ? AND kind = ? AND number = ?"
        rows = await self._database.read(query, self._namespace, kind, number)
        return rows[0]["at"] if rows else 0.0


class TimeStore(StorePart):
    """The clock by which everything is stored, and the time that doesn't count."""

    async def ahead(self) -> float:
        """Seconds by which this machine's clock is certainly ahead of the store's; negative: behind."""
        return 0.0

    def time(self) -> float:
        """Seconds since the epoch by the clock of all processes that share the store. Call `check` first."""
        return time.time()

    async def check(self) -> None:
        """Check whether this process can go on alongside others: raises `MustEnd` if its clock is off, or if a newer
        version has changed the schema. Call it at the start, and then every few seconds."""

    def on_must_end(self, end: Callable[[MustEnd], None]) -> None:
        """Have `end` called as soon as any method finds that this process must end."""

    async def note_downtime(self, now: float, least: float = 0.0) -> float:
        """Note for how many seconds no process served this namespace, and return them. In `Table.downtime` they are an
        interval that doesn't count, and the games in which people's time runs are due to be looked at now. Negative:
        the clock was set back by so much meanwhile; everything has moved with it, as after `move`.

        The namespace was last served when `alive` or this was last called, or when an open table last changed, if that
        was later. A change that might be from before the clock was set back says nothing. `least`, for processes that
        call `alive` all the time: fewer seconds count as none. Changes of tables then don't count as signs of life,
        because one can be stored before this is called.
        """

        async def body(run: Execute) -> float:
            mine = (self._namespace,)
            # Another process that wakes at the same moment waits for this row.
            seen = "INSERT INTO runs (run, seen) VALUES (?, 0) ON CONFLICT (run) DO UPDATE SET seen = runs.seen"
            query = "SELECT max(updated) FROM games WHERE run = ? AND status IN ('lobby', 'running')"
            twice = f"SELECT max(at) FROM reach WHERE run = ? AND kind = '{SEEN}'"
            [row], [[latest]], [[again]] = await run(
                (seen + " RETURNING seen, downtime", mine), (query, mine), (twice, mine)
            )
            back = setbacks(downtime_in(row["downtime"]))
            if latest is None or any(end < latest <= begin for begin, end in back):
                latest = 0.0
            set_by = min(row["seen"], max(latest, again or 0.0)) - now  # one alone could be damaged
            if set_by > (LONG_ENOUGH if least else CLOCK_WAS_SET):
                back_by: float = max(row["seen"], 0.0 if least else latest) - now
                await self._move(run, -back_by, now)
                await run(*self._seen(now))
                return -back_by
            if latest > now:
                latest = 0.0
            since = row["seen"] if least and row["seen"] else max(row["seen"], latest)
            down: float = max(now - since, 0.0) if since else 0.0  # a new store has missed nothing
            if down < least:
                down = 0.0
            if down:
                await self._down(run, since, now)
            await run(*self._seen(now))
            return down

        return await self._database.write(body)

    async def move(self, seconds: float, now: float) -> None:
        """Move all jobs by `seconds` (negative: back), and when people were told of new tables, as the clock was set by
        so many. Time that the clock skipped doesn't count, as after `note_downtime`. `now` is what the clock shows
        after that."""

        await self._database.write(lambda run: self._move(run, seconds, now))

    async def _move(self, run: Execute, seconds: float, now: float) -> None:
        moved = (seconds, self._namespace)
        await run(*((f"UPDATE {what} + ? WHERE {where}", moved) for what, where in _MOVED))
        await self._down(run, now - seconds, now)

    async def _down(self, run: Execute, since: float, now: float) -> None:
        """Note an interval of downtime, or by how much the clock was set back (`now` is before `since`). The
        `LOOK_JOB` jobs of games in which people's time would have run become due `now`."""
        [rows] = await run(("SELECT downtime FROM runs WHERE run = ?", (self._namespace,)))
        intervals = [interval for row in rows for interval in downtime_in(row["downtime"])]
        back, forth = setbacks(intervals), [interval for interval in intervals if interval[0] < interval[1]]
        gaps = [gap for gap in forth if ran(gap[1], now, [*forth, (since, now)]) < KEEP_DOWNTIME]
        if now < since:
            back, gaps = [*back, (since, now)], [(begin + now - since, end + now - since) for begin, end in gaps]
        else:
            gaps.append((since, now))
        note = (
            "INSERT INTO runs (run, seen, downtime) VALUES (?, 0, ?)"
            " ON CONFLICT (run) DO UPDATE SET downtime = excluded.downtime"
        )
        look = (
            f"UPDATE jobs SET at = ? WHERE run = ? AND name = '{LOOK_JOB}' AND game IN (SELECT number FROM"
            f" games WHERE run = ? AND status IN ('lobby', 'running') AND {LIMITED})"
        )
        await run(
            (note, (self._namespace, json_text([*back, *fewer(gaps, MOST_DOWNTIME)]))),
            (look, (now, self._namespace, self._namespace)),
        )

    async def downtime(self) -> tuple[Interval, ...]:
        """`Table.downtime` of this namespace's tables."""
        rows = await self._database.read("SELECT downtime FROM runs WHERE run = ?", self._namespace)
        return tuple(interval for row in rows for interval in downtime_in(row["downtime"]))

    async def alive(self, now: float) -> None:
        """Note a sign of life of this namespace; as durable as a mark."""
        await self._database.write(lambda run: run(*self._seen(now)), durable=False)

    def _seen(self, now: float) -> tuple[Statement, ...]:
        return (_SEEN, (self._namespace, now)), (_SEEN_TWICE, (self._namespace, SEEN, now))
