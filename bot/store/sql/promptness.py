"""How fast people decided: for each person of a game a row that counts their decisions by class."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bot.store.base import Change
from bot.store.sql.database import StorePart
from bot.store.sql.tables import Statement, StoredRow
from bot.table.promptness import Promptness, Tally

COLUMNS = {
    Promptness.HOUR: "in_hour",
    Promptness.HOURS: "in_hours",
    Promptness.DAY: "in_day",
    Promptness.LONGER: "longer",
    Promptness.LATE: "late",
}


def promptness_of(namespace: str, change: Change) -> Iterator[Statement]:
    """Statements that count the decisions that end with a change."""
    for decided in change.decided:
        column = COLUMNS[decided.promptness]
        upsert = (
            f'INSERT INTO promptness (game, "user", run, guild, {column}) VALUES (?, ?, ?, ?, 1)'
            f' ON CONFLICT (game, "user") DO UPDATE SET {column} = promptness.{column} + 1'
        )
        yield upsert, (change.table.number, decided.user, namespace, change.table.guild)


class PromptnessStore(StorePart):
    """How fast people decided, by server."""

    async def promptness(self, guild: int, users: Collection[int]) -> dict[int, Tally]:
        """The decisions of those users whose decisions in a server's games counted, by user."""
        if not users:
            return {}
        sums = ", ".join(f"sum({column}) AS {column}" for column in COLUMNS.values())
        query = (
            f'SELECT "user", count(*) AS games, {sums} FROM promptness'
            f' WHERE run = ? AND guild = ? AND "user" IN ({", ".join("?" * len(users))}) GROUP BY "user"'
        )
        rows = await self._database.read(query, self._namespace, guild, *users)
        return {row["user"]: _tally_in(row, row["games"]) for row in rows}

    async def promptness_by_game(self, user: int) -> list[tuple[int, int, Tally]]:
        """The decisions of a user in this namespace: game, server, and how many, in the order of the games."""
        query = 'SELECT * FROM promptness WHERE run = ? AND "user" = ? ORDER BY game'
        rows = await self._database.read(query, self._namespace, user)
        return [(row["game"], row["guild"], _tally_in(row, 1)) for row in rows]


def _tally_in(row: StoredRow, games: int) -> Tally:
    return Tally({one: row[column] for one, column in COLUMNS.items()}, games)
