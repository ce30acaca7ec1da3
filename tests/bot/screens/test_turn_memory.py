"""How a turn is put away in which its player has taken the end back: as it ended at last, whatever is secret (M)."""

from __future__ import annotations

import random

from bot.screens.history import TurnMemory
from bot.screens.viewer import Viewer
from engine.actions import BankTrade, EndTurn, SetStanding, Undo
from engine.game import Game
from tests.bot.screens.played import move, played, table


def _trading() -> tuple[Game, int]:
    """Somebody's turn in which they can trade with the bank, and take the end of the turn back."""
    game, rng = played(5, 60), random.Random(1)
    while True:
        seat = game.to_act[0]
        if BankTrade in game.options(seat) and EndTurn in game.options(seat):
            ended = game.copy()
            ended.play(seat, EndTurn())
            if ended.can_undo(seat) and ended.turn > game.turn:
                return game, seat
        move(game, rng)


async def test_a_turn_is_put_away_as_it_ended_at_last_whatever_is_secret() -> None:
    begun, seat = _trading()
    trade = begun.options(seat)[BankTrade].sample(random.Random(1))
    other = (seat + 1) % begun.config.players
    seen = []
    for secret in (False, True):
        memory, game = TurnMemory(), begun.copy()
        asks = [(other, SetStanding(99))] * secret
        for who, action in ((seat, EndTurn()), (seat, Undo()), (seat, trade), *asks, (seat, EndTurn())):
            before = game.copy()
            if game.play(who, action):  # who shows a game isn't told of what is a secret
                memory.remember(7, before, game.copy())
        public = Viewer(table(game.config), game)
        found, afterwards = [await memory.end_of(public, begun.turn) for _ in range(2)]
        assert found is not None
        assert afterwards is not None, "and by the log"
        assert found.view == afterwards.view
        seen.append(found.view)
    assert seen[0] == seen[1]
