"""What people have asked to hear of servers' new tables, a row for each person and server."""

from __future__ import annotations

from collections.abc import Callable, Collection

from bot.projections import Move, moved
from bot.store.base import Telling
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.due import due_statement, noted_statement
from bot.store.sql.tables import StoredRow, chosen_in, chosen_text
from bot.table.subscriptions import ROLE, Subscriber, Subscription
from bot.table.table import Table

_ONE = 'SELECT * FROM subscriptions WHERE run = ? AND guild = ? AND "user" = ?'
_INSERT = (
    'INSERT INTO subscriptions (run, guild, "user", choices, told, through) VALUES (?, ?, ?, ?, 0, 0)'
    ' ON CONFLICT (run, guild, "user") DO NOTHING'
)


class SubscriptionStore(StorePart):
    """Subscriptions in this namespace."""

    async def subscriber(self, guild: int, user: int) -> Subscriber:
        """What a user has asked to hear of a server; by default nothing."""
        rows = await self._database.read(_ONE, self._namespace, guild, user)
        return _subscriber_in(rows[0]) if rows else Subscriber(user)

    async def subscribers(self, guild: int) -> list[Subscriber]:
        """All rows about a server, by user."""
        query = 'SELECT * FROM subscriptions WHERE run = ? AND guild = ? ORDER BY "user"'
        return [_subscriber_in(row) for row in await self._database.read(query, self._namespace, guild)]

    async def subscriptions_of(self, user: int) -> dict[int, Subscriber]:
        """What a user has asked to hear, by server."""
        query = 'SELECT * FROM subscriptions WHERE run = ? AND "user" = ? ORDER BY guild'
        rows = await self._database.read(query, self._namespace, user)
        return {row["guild"]: _subscriber_in(row) for row in rows}

    async def change_subscription(
        self, guild: int, user: int, change: Callable[[Subscriber], Subscriber]
    ) -> Subscriber:
        """Replace what a user has asked to hear by what `change` makes of it; no one else changes it meanwhile. Returns
        the new state."""

        async def body(run: Execute) -> Subscriber:
            key = (self._namespace, guild, user)
            _, [row] = await run((_INSERT, (*key, "{}")), (_ONE + " FOR UPDATE", key))
            after = change(_subscriber_in(row))
            update = (
                'UPDATE subscriptions SET choices = ?, told = ?, through = ? WHERE run = ? AND guild = ? AND "user" = ?'
            )
            await run((update, (chosen_text(after.chosen), after.told, after.through, *key)))
            return after

        return await self._database.write(body)

    async def note_told(self, table: Table, at: float, tellings: Collection[Telling]) -> list[int]:
        """Note that subscribers are told of a table at `at`, and have it shown. Returns their users, without those who
        were told since they were read."""

        async def body(run: Execute) -> list[int]:
            roles = [(_INSERT, (*self._key(table, telling), "{}")) for telling in tellings if telling.to.user == ROLE]
            claim = (
                "UPDATE subscriptions SET told = ?, through = ?"
                ' WHERE run = ? AND guild = ? AND "user" = ? AND told = ? RETURNING "user"'
            )
            claims = [
                (claim, (at, telling.through, *self._key(table, telling), telling.to.told)) for telling in tellings
            ]
            told = [row["user"] for rows in await run(*roles, *claims) for row in rows]
            there = [telling for telling in tellings if telling.to.user in told]
            if due := dict.fromkeys(telling.due for telling in there):
                await run(due_statement(table.number, due, table.version))
            if called := [telling.note for telling in there if telling.note is not None]:
                notes = [moved(None, name, Move.COVER, table.version) for name in called]
                await run(noted_statement(table.number, notes))
            return told

        return await self._database.write(body, game=table.number)

    async def drop_subscriptions(self, guild: int) -> None:
        """Forget all rows about a server."""
        delete = ("DELETE FROM subscriptions WHERE run = ? AND guild = ?", (self._namespace, guild))
        await self._database.write(lambda run: run(delete))

    def _key(self, table: Table, telling: Telling) -> tuple[str, int | None, int]:
        return self._namespace, table.guild, telling.to.user


def _subscriber_in(row: StoredRow) -> Subscriber:
    return Subscriber(row["user"], chosen_in(Subscription, row["choices"]), row["told"], row["through"])
