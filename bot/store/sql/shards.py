"""Which process connects which shard of Discord's gateway. After a power cut all of it is worthless, so no fsync."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf

from bot.store.base import Session, Sharing
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.tables import Statement
from engine.config import FORMAT

BEFORE = 3
"""The format played by a process that doesn't say which one it plays."""


class ShardStore(StorePart):
    """Which process connects which shard of Discord's gateway. Rows of both are valid until a time."""

    async def share(
        self, now: float, until: float, sessions: Mapping[int, Session | None], heard: Collection[int] = ()
    ) -> Sharing:
        """Announce that this process is alive, and keeps the shards in `sessions`, until `until`; None: the shard's
        session isn't known. `heard`: shards whose connections bring people's clicks now (`heard`).

        A process whose time has run out still has its shards as long as no other took them.
        """

        async def body(run: Execute) -> Sharing:
            alive = (
                "INSERT INTO processes (run, process, held_until, format) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (run, process) DO UPDATE SET held_until = excluded.held_until"
            )
            await run(
                (alive, (self._namespace, self._process, until, FORMAT)),
                *(self._leave(shard, session, until) for shard, session in sorted(sessions.items())),
                *(self._heard(shard, now) for shard in sorted(heard)),
            )
            processes, shards = await run(
                ("SELECT process FROM processes WHERE run = ? AND held_until >= ?", (self._namespace, now)),
                ("SELECT * FROM shards WHERE run = ? AND held_until >= ?", (self._namespace, now)),
            )
            return Sharing(
                self._process,
                frozenset(row["process"] for row in processes),
                {row["shard"]: row["process"] for row in shards},
                max((row["shards"] for row in shards), default=0),
            )

        return await self._database.write(body, durable=False)

    async def format(self, now: float) -> int:
        """The newest format of the rules that all living processes play, so that any can go on with games that begin
        now."""
        query = "SELECT min(coalesce(format, ?)) AS oldest FROM processes WHERE run = ? AND held_until >= ?"
        [row] = await self._database.read(query, BEFORE, self._namespace, now)
        return FORMAT if row["oldest"] is None else min(row["oldest"], FORMAT)

    async def take_shard(self, shard: int, of: int, now: float, until: float) -> bool:
        """Take a shard that no process has, until `until`; return whether this process has it."""
        upsert = (
            "INSERT INTO shards (run, shard, shards, process, held_until) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (run, shard) DO UPDATE SET process = excluded.process, held_until = excluded.held_until,"
            " session = CASE WHEN shards.shards = excluded.shards THEN shards.session END, shards = excluded.shards"
            " WHERE shards.held_until < ? RETURNING shard"
        )
        values = (self._namespace, shard, of, self._process, until, now)
        return bool(await self._database.mark(upsert, *values))

    async def session(self, shard: int) -> Session | None:
        """The session that the previous process left for a shard."""
        query = "SELECT session, sequence, gateway FROM shards WHERE run = ? AND shard = ? AND session IS NOT NULL"
        rows = await self._database.read(query, self._namespace, shard)
        return Session(*rows[0]) if rows else None

    async def leave_shards(self, sessions: Mapping[int, Session | None]) -> None:
        """Give up shards, so that others can take them and resume their sessions."""
        statements = [self._leave(shard, session, 0.0) for shard, session in sorted(sessions.items())]
        await self._database.write(lambda run: run(*statements), durable=False)

    async def leave(self) -> None:
        """Remove this process, and give up its shards."""
        statements = [
            ("DELETE FROM processes WHERE run = ? AND process = ?", (self._namespace, self._process)),
            ("UPDATE shards SET held_until = 0 WHERE run = ? AND process = ?", (self._namespace, self._process)),
        ]
        await self._database.write(lambda run: run(*statements), durable=False)

    async def reserve_turn(self, bucket: int, now: float, apart: float) -> float:
        """When this process can begin a new session: now, but at least `apart` seconds after the previous one in that
        bucket."""
        turn = await self.turn_before(inf, bucket, now, apart)
        assert turn is not None
        return turn

    async def turn_before(self, latest: float, bucket: int, now: float, apart: float) -> float | None:
        """The same, but reserve no turn that would come after `latest`: None."""
        upsert = (
            "INSERT INTO identifies (run, bucket, at) VALUES (?, ?, ?) ON CONFLICT (run, bucket) DO UPDATE SET at ="
            " CASE WHEN identifies.at + ? > excluded.at THEN identifies.at + ? ELSE excluded.at END"
            " WHERE identifies.at + ? <= ? RETURNING at"
        )
        values = (self._namespace, bucket, now, apart, apart, apart, latest)
        rows = await self._database.mark(upsert, *values)
        return rows[0]["at"] if rows else None

    def _heard(self, shard: int, now: float) -> Statement:
        """Statement that notes that a shard of this process brings clicks."""
        upsert = (
            "INSERT INTO reach (run, kind, number, at) SELECT run, 'shard', shard, CAST(? AS DOUBLE PRECISION)"
            " FROM shards WHERE run = ? AND shard = ? AND process = ?"
            " ON CONFLICT (run, kind, number) DO UPDATE SET at = excluded.at"
        )
        return upsert, (now, self._namespace, shard, self._process)

    def _leave(self, shard: int, session: Session | None, until: float) -> Statement:
        """Statement that sets until when this process holds a shard, and which session can be resumed."""
        resumable = (session.id, session.sequence, session.gateway) if session else (None, None, None)
        update = (
            "UPDATE shards SET held_until = ?, session = coalesce(?, session), sequence = coalesce(?, sequence),"
            " gateway = coalesce(?, gateway) WHERE run = ? AND shard = ? AND process = ?"
        )
        return update, (until, *resumable, self._namespace, shard, self._process)
