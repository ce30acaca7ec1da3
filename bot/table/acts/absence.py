"""Who has left the server, and who is on vacation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.table.act import Act, By
from bot.table.table import RUNNING, Table
from engine.game import Game


@dataclass(frozen=True, slots=True)
class NoteGone(Act):
    """Note that a user at the table is no longer on its server (the caller has seen that)."""

    kind = "gone"
    user: int

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        gone = table.gone
        if table.status != RUNNING or self.user in gone:  # users who don't play are pruned later, as everywhere
            return table
        return replace(table, gone=(*gone, self.user))


@dataclass(frozen=True, slots=True)
class NoteBack(Act):
    """Note that a user is back on the server."""

    kind = "back"
    user: int
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status != RUNNING:
            return table
        gone = tuple(other for other in table.gone if other != self.user)
        return replace(table, gone=gone)


@dataclass(frozen=True, slots=True)
class GoAway(Act):
    """Take a player's changed vacation into account. How long the game waits for them follows from it."""

    kind = "away"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return table
