"""What is kept in memory of stored tables and games; all of it may be dropped at any time."""

from __future__ import annotations

from collections import OrderedDict

from bot.table.table import Table
from engine.game import Game

GAME, RECORD, TABLE = 30_000, 270, 3_000
"""Bytes of memory that a game, each of its records and a table take, as measured."""


class Cache:
    """The tables used last, with their games. What is in here is stored: nothing runs ahead of the store."""

    def __init__(self, limit: int) -> None:
        """`limit`: how many bytes are kept, more or less."""
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[int, tuple[Table, Game | None]] = OrderedDict()
        self._channels: dict[int, int] = {}
        """The open tables, by channel."""

    def table(self, number: int) -> Table | None:
        """The table, if it is here."""
        return self._touched(number)[0]

    def game(self, number: int) -> Game | None:
        """The game, if it is here."""
        return self._touched(number)[1]

    def in_channel(self, channel: int) -> Table | None:
        """The open table of a channel, if it is here."""
        return self.table(self._channels[channel]) if channel in self._channels else None

    def keep(self, table: Table, game: Game | None = None) -> None:
        """Take in a table that has just been stored, or read, and its game; without one, the game stays what it was."""
        game = game or self.game(table.number)
        self.forget(table.number)
        self._kept[table.number] = table, game
        self._bytes += _size(game)
        if table.open:
            self._channels[table.channel] = table.number
        while self._bytes > self._limit and len(self._kept) > 1:
            self.forget(next(iter(self._kept)))

    def forget(self, number: int) -> None:
        """Drop a table and its game."""
        table, game = self._kept.pop(number, (None, None))
        if table is not None:
            self._bytes -= _size(game)
            if self._channels.get(table.channel) == number:
                del self._channels[table.channel]

    def _touched(self, number: int) -> tuple[Table | None, Game | None]:
        if number not in self._kept:
            return None, None
        self._kept.move_to_end(number)
        return self._kept[number]


def _size(game: Game | None) -> int:
    return TABLE if game is None else TABLE + GAME + RECORD * game.revision
