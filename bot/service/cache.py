"""Stored tables and games that are kept in memory; any of them can be dropped at any time."""

from __future__ import annotations

from cachetools import LRUCache

from bot.table.table import Table
from engine.game import Game

GAME, RECORD, TABLE = 30_000, 270, 3_000
"""Bytes of memory that a game, each of its records and a table take, as measured."""


class Cache(LRUCache[int, tuple[Table, Game | None]]):
    """The tables used last, with their games. Everything in here is stored: nothing runs ahead of the store."""

    def __init__(self, limit: int) -> None:
        """`limit`: roughly how many bytes are kept."""
        self._channels: dict[int, int] = {}
        """Numbers of the open tables, by channel."""
        super().__init__(limit, lambda kept: min(_size(kept[1]), limit))  # one game is kept, however large

    def table(self, number: int) -> Table | None:
        """The table, if it is cached."""
        return self.get(number, (None, None))[0]

    def game(self, number: int) -> Game | None:
        """The game, if it is cached."""
        return self.get(number, (None, None))[1]

    def in_channel(self, channel: int) -> Table | None:
        """The open table of a channel, if it is cached."""
        return self.table(self._channels[channel]) if channel in self._channels else None

    def keep(self, table: Table, game: Game | None = None) -> None:
        """Keep a table that has just been stored or read, and its game; without a game, the cached one stays."""
        game = game or self.game(table.number)
        self.forget(table.number)
        self[table.number] = table, game
        if table.open:
            self._channels[table.channel] = table.number

    def forget(self, number: int) -> None:
        """Drop a table and its game."""
        self.pop(number, None)

    def __delitem__(self, number: int) -> None:
        table, _ = self[number]
        super().__delitem__(number)
        if self._channels.get(table.channel) == number:
            del self._channels[table.channel]


def _size(game: Game | None) -> int:
    return TABLE if game is None else TABLE + GAME + RECORD * game.revision
