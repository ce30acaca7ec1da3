"""How a change of who plays a running game, or of what they want of each other, is stored."""

from __future__ import annotations

from dataclasses import replace

from bot.projections import PANEL, hand_name
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.table.table import Table
from engine.game import Game


async def save_change(
    repository: GameRepository,
    games: GameService,
    table: Table,
    before: Table,
    interaction: str,
    now: float,
    old: Game | None = None,
    game: Game | None = None,
) -> Table:
    """Store it; panel becomes due, and all hands where somebody has come or left.

    `old` and `game`: the game before and after it, with what was played because of it; None: only what they want has
    changed. `now` in seconds since the epoch.
    """
    table = replace(table, version=before.version + 1, updated=now)
    was = None if old is None else (before, old)
    jobs = {} if game is None else await games.planned(table, game, was=was)
    hands = [hand_name(user) for user in {*table.people, *before.people} if table.users != before.users]
    members = table.members != before.members
    records = [] if old is None or game is None else game.records[old.revision :]
    return await repository.save(
        *(table, interaction, (PANEL, *hands)),
        before=before,
        members=members,
        game=game if records else None,
        records=records,
        jobs=jobs,
    )
