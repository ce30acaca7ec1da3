"""What is kept of people for all their games: a row each for their settings, and for each game that counts for
ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from bot.ratings import GameResult
from bot.store.base import Job, Line
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.due import job_of
from bot.store.sql.reach import GREETING
from bot.store.sql.rows import LINES, result_statement, results_in
from bot.store.sql.tables import StoredRow, chosen_in, chosen_text
from bot.table.preferences import PersonalChoices, UserSettings

# --- settings

MOST_ASKED = 500
"""People whose settings one query asks for."""

_IN_NAMESPACE = "game IN (SELECT number FROM games WHERE run = ?)"
_SETTINGS = 'SELECT dms, dms_closed, standing, choices FROM people WHERE run = ? AND "user" = ?'


class PeopleStore(StorePart):
    """People's settings, and the tables that know of people."""

    async def settings(self, user: int) -> UserSettings:
        """A user's settings in this namespace, or the defaults."""
        rows = await self._database.read(_SETTINGS, self._namespace, user)
        return _settings_in(user, rows[0]) if rows else UserSettings(user)

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """Settings of those users who have chosen any, by user."""
        settings, ids = dict[int, UserSettings](), sorted(users)
        for first in range(0, len(ids), MOST_ASKED):
            batch = ids[first : first + MOST_ASKED]
            query = f'SELECT * FROM people WHERE run = ? AND "user" IN ({", ".join("?" * len(batch))})'
            rows = await self._database.read(query, self._namespace, *batch)
            settings.update((row["user"], _settings_in(row["user"], row)) for row in rows)
        return settings

    async def change_settings(
        self, user: int, change: Callable[[UserSettings], UserSettings], jobs: Collection[Job] = ()
    ) -> UserSettings:
        """Replace a user's settings by what `change` makes of them; no one else changes them meanwhile. Returns the new
        settings. `jobs`: what must be done because of that, set with them."""

        async def body(run: Execute) -> UserSettings:
            key, default = (self._namespace, user), UserSettings(user)
            insert = (
                'INSERT INTO people (run, "user", dms, dms_closed, standing, choices) VALUES (?, ?, ?, ?, ?, ?)'
                ' ON CONFLICT (run, "user") DO NOTHING'
            )
            _, [row] = await run((insert, (*key, *_settings_values(default))), (_SETTINGS + " FOR UPDATE", key))
            settings = change(_settings_in(user, row))
            update = 'UPDATE people SET dms = ?, dms_closed = ?, standing = ?, choices = ? WHERE run = ? AND "user" = ?'
            await run((update, (*_settings_values(settings), *key)), *(job_of(self._namespace, job) for job in jobs))
            return settings

        return await self._database.write(body)

    async def concerning(self, user: int) -> list[int]:
        """Numbers of tables of this namespace that know of a user, for whatever reason, in ascending order."""
        query = (
            "SELECT number FROM games WHERE run = ? AND (host = ? OR ended_by = ? OR choices LIKE ? OR orders LIKE ? OR"
            ' number IN (SELECT game FROM members WHERE "user" = ?)) ORDER BY number'
        )
        values = (self._namespace, user, user, f"%{user}%", f"%{user}%", user)
        return [row[0] for row in await self._database.read(query, *values)]

    async def acts_of(self, user: int) -> list[Line]:
        """What the audits of this namespace's tables say of a user, table by table, in order."""
        query = f"{LINES} WHERE actor = ? AND {_IN_NAMESPACE} ORDER BY game, number"
        return [Line(*row) for row in await self._database.read(query, user, self._namespace)]

    async def forget(self, user: int) -> None:
        """Forget a user's settings and subscriptions in this namespace, how fast they decided, what audits say of them,
        autopilots that version 0.2.0 stored if they are the user's or name them, and the projections of what was shown
        to the user alone."""
        # Autopilots of version 0.2.0: they are no longer read, and other people's can name this user.
        orders = (
            f'DELETE FROM orders WHERE ("user" = ? OR body LIKE ?) AND {_IN_NAMESPACE}',
            (user, f"%{user}%", self._namespace),
        )
        shown = (f'DELETE FROM shown WHERE "user" = ? AND {_IN_NAMESPACE}', (user, self._namespace))
        acts = (f"UPDATE acts SET actor = 0 WHERE actor = ? AND {_IN_NAMESPACE}", (user, self._namespace))
        promptness = ('DELETE FROM promptness WHERE run = ? AND "user" = ?', (self._namespace, user))
        settings = ('DELETE FROM people WHERE run = ? AND "user" = ?', (self._namespace, user))
        promise = ("DELETE FROM reach WHERE run = ? AND kind = ? AND number = ?", (self._namespace, GREETING, user))
        told = ('DELETE FROM subscriptions WHERE run = ? AND "user" = ?', (self._namespace, user))
        await self._database.write(lambda run: run(orders, acts, shown, promise, promptness, told, settings))


def _settings_values(settings: UserSettings) -> tuple[int, int, int, str]:
    return int(settings.dms), int(settings.dms_closed), settings.standing, chosen_text(settings.choices)


def _settings_in(user: int, row: StoredRow) -> UserSettings:
    choices = chosen_in(PersonalChoices, row["choices"])
    # Earlier releases sent direct messages unless forbidden, so what they stored in `dms` is no one's choice.
    return UserSettings(user, bool(row["dms_closed"]), row["standing"], choices)


# --- results


class ResultStore(StorePart):
    """Results, which are read all together: the rows are short, and ratings follow from all of them."""

    async def results(self, guild: int | None = None) -> list[GameResult]:
        """Results of a server's games in this namespace (None: of all servers), in the order of their ends."""
        where, values = ("", ()) if guild is None else (" AND guild = ?", (guild,))
        query = f"SELECT * FROM results WHERE run = ?{where} ORDER BY ended, game"
        rows = await self._database.read(query, self._namespace, *values)
        return await asyncio.to_thread(results_in, rows)  # years of a server's games take milliseconds

    async def set_result(self, number: int, result: GameResult | None) -> None:
        """Replace the stored result of a game of this namespace that is over; None: remove it."""
        delete = ("DELETE FROM results WHERE run = ? AND game = ?", (self._namespace, number))
        statement = delete if result is None else result_statement(self._namespace, result)
        await self._database.write(lambda run: run(statement), game=number)
