"""How fast people decide, as others are told: in the games of one server, unless they have chosen that it isn't
shown."""

from __future__ import annotations

from collections.abc import Collection

from bot.store import Store
from bot.table.promptness import Promptness, counts_at
from bot.table.table import Table


class PromptnessService:
    """How fast people decide. People of whom nothing is said are missing, whatever the reason."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, guild: int, users: Collection[int]) -> dict[int, Promptness]:
        """The classes of these users in a server, by user."""
        tallies = await self._store.promptness(guild, users)
        known = {user: promptness for user, tally in tallies.items() if (promptness := tally.promptness)}
        hidden = {u for u, one in (await self._store.settings_of(known)).items() if not one.choices.promptness}
        return {user: promptness for user, promptness in known.items() if user not in hidden}

    async def at(self, table: Table, users: Collection[int]) -> dict[int, Promptness]:
        """The classes of these users in the table's server; none if its turn timer is too short for it to matter."""
        if table.guild is None or not counts_at(table):
            return {}
        return await self.of(table.guild, users)
