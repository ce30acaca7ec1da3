"""Standing numbers for the special building phase (J2): with how many cards a game calls a seat without its asking."""

from __future__ import annotations

import logging

from bot.models import Table
from bot.orders import Orders
from bot.preferences import USUAL
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.store import Store
from engine.actions import SetStanding
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


async def called_from(store: Store, table: Table, game: Game, seat: int, orders: Orders | None = None) -> int:
    """Cards from which a seat is called; 0: never. `orders`: what its owner is about to have ordered in this game.

    A computer is called as a game has it of itself; people as they have chosen, in their settings or, for this game, by
    an order to pass unless they can get something.
    """
    member = table.member_at(game, seat)
    if member.level:
        return game.rules.data.standing
    settings = await store.settings(member.user)
    if orders is None:
        orders = (await store.orders(table.number)).get(member.user)
    if orders is not None and orders.building:
        return settings.standing or USUAL
    return settings.called_from


async def tell_standing(store: Store, table: Table, game: Game, seat: int, orders: Orders | None = None) -> None:
    """Let a copy of a game know the number of a seat, where it asks for it; nobody else notices."""
    if not game.rules.data.special_building or game.state.resigned >> seat & 1:
        return
    standing = await called_from(store, table, game, seat, orders)
    if game.state.standing[seat] != standing:
        game.play(seat, SetStanding(standing))


async def told_again(
    store: Store, repository: GameRepository, games: GameService, number: int, user: int, interaction: str
) -> None:
    """Let a running game know the number of somebody who has chosen anew."""
    try:
        table, game = await repository.table(number), await repository.game(number)
        seat = table.seat_of(game, user)
        if not game.rules.data.special_building or seat is None:
            return
        standing = await called_from(store, table, game, seat)
        if game.state.standing[seat] != standing:
            await games.submit_action(number, user, SetStanding(standing), decision=None, interaction=interaction)
    except RefereeError as refusal:  # somebody who has left the game, or it ended just now
        log.info("Game %d: no standing number: %s", number, refusal)
