"""What is kept in memory of stored tables and games; all of it may be dropped at any time."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from bot.models import Table
from engine.game import Game

T = TypeVar("T")


class Memory:
    """The games used last, with their tables. What is in here is stored: nothing runs ahead of the disk."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tables: OrderedDict[int, Table] = OrderedDict()
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._open: dict[int, int] = {}

    def table(self, number: int) -> Table | None:
        """The table, if it is here."""
        return _touch(self._tables, number)

    def in_channel(self, channel: int) -> Table | None:
        """The open table of a channel, if it is here."""
        number = self._open.get(channel)
        return None if number is None else self.table(number)

    def game(self, number: int) -> Game | None:
        """The game, if it is here."""
        return _touch(self._games, number)

    def keep_game(self, number: int, game: Game) -> None:
        """Take in a game that has just been stored, or read."""
        self._games[number] = game
        self._games.move_to_end(number)
        while len(self._games) > self._most:
            self._games.popitem(last=False)

    def keep(self, table: Table) -> None:
        """Take in a table that has just been stored, or read."""
        self._tables[table.number] = table
        self._tables.move_to_end(table.number)
        if table.open:
            self._open[table.channel] = table.number
        elif self._open.get(table.channel) == table.number:
            del self._open[table.channel]
        while len(self._tables) > 2 * self._most:  # lobbies have no game yet
            _, old = self._tables.popitem(last=False)
            if self._open.get(old.channel) == old.number:
                del self._open[old.channel]

    def forget(self, number: int) -> None:
        """Drop one table and its game."""
        self._games.pop(number, None)
        table = self._tables.pop(number, None)
        if table and self._open.get(table.channel) == number:
            del self._open[table.channel]

    def drop(self) -> None:
        """Drop everything."""
        self._tables.clear()
        self._games.clear()
        self._open.clear()


def _touch(shelf: OrderedDict[int, T], number: int) -> T | None:
    found = shelf.get(number)
    if found is not None:
        shelf.move_to_end(number)
    return found
