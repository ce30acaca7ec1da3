"""Standing numbers for the special building phase (J2): chosen once for all games, and told to each of them."""

from __future__ import annotations

import logging

from bot.service.games import GameService
from bot.service.repository import GameRepository
from engine.actions import SetStanding
from engine.errors import RefereeError

log = logging.getLogger(__name__)


async def tell_standing(
    repository: GameRepository, games: GameService, number: int, user: int, standing: int, interaction: str
) -> None:
    """Let a running game know somebody's number of cards, where it asks for it."""
    try:
        table, game = await repository.table(number), await repository.game(number)
        seat = table.seat_of(game, user)
        if not game.rules.data.special_building or seat is None or game.state.standing[seat] == standing:
            return
        await games.submit_action(number, user, SetStanding(standing), decision=None, interaction=interaction)
    except RefereeError as refusal:  # somebody who has left the game, or it ended just now
        log.info("Game %d: no standing number: %s", number, refusal)
