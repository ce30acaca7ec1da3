"""Who has left the server, and who is on vacation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.table.act import Act, By
from bot.table.table import RUNNING, Table
from engine.game import Game


@dataclass(frozen=True, slots=True)
class NoteGone(Act):
    """Somebody at the table is no longer on its server (the caller has seen that)."""

    kind = "gone"
    user: int

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        gone = table.gone
        if table.status != RUNNING or self.user in gone:  # who doesn't play is left out afterwards, as everywhere
            return table
        return replace(table, gone=(*gone, self.user))


@dataclass(frozen=True, slots=True)
class NoteBack(Act):
    """They are there again."""

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
    """Somebody has chosen another vacation: until when the game waits for them follows from that."""

    kind = "away"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return table
