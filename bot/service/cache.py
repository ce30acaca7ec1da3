"""What is kept in memory of stored tables and games; all of it may be dropped at any time."""

from __future__ import annotations

from collections import OrderedDict

from bot.models import Table
from engine.game import Game


class Cache:
    """The tables used last, with their games. What is in here is stored: nothing runs ahead of the store."""

    def __init__(self, most: int) -> None:
        """`most`: how many tables are kept."""
        self._most = most
        self._kept: OrderedDict[int, tuple[Table, Game | None]] = OrderedDict()

    def table(self, number: int) -> Table | None:
        """The table, if it is here."""
        return self._touched(number)[0]

    def game(self, number: int) -> Game | None:
        """The game, if it is here."""
        return self._touched(number)[1]

    def in_channel(self, channel: int) -> Table | None:
        """The open table of a channel, if it is here."""
        tables = (table for table, _ in reversed(self._kept.values()))
        return next((table for table in tables if table.open and table.channel == channel), None)

    def keep(self, table: Table, game: Game | None = None) -> None:
        """Take in a table that has just been stored, or read, and its game; without one, the game stays what it was."""
        self._kept[table.number] = table, game or self.game(table.number)
        self._kept.move_to_end(table.number)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def forget(self, number: int) -> None:
        """Drop a table and its game."""
        self._kept.pop(number, None)

    def _touched(self, number: int) -> tuple[Table | None, Game | None]:
        if number not in self._kept:
            return None, None
        self._kept.move_to_end(number)
        return self._kept[number]
