"""If a player undoes the end of a turn, its message shows how it finally ended, whatever happens in secret (M)."""

from __future__ import annotations

import random

from bot.screens.history import TurnMemory
from bot.screens.viewer import Viewer
from engine.actions import BankTrade, EndTurn, SetStanding, Undo
from engine.game import Game
from tests.bot.screens.played import move, played, table


def _trading() -> tuple[Game, int]:
    """A game, and the seat of a player who can trade with the bank, end the turn, and undo that."""
    game, rng = played(5, 60), random.Random(1)
    while True:
        seat = game.to_act[0]
        if BankTrade in game.options(seat) and EndTurn in game.options(seat):
            ended = game.copy()
            ended.play(seat, EndTurn())
            if ended.can_undo(seat) and ended.turn > game.turn:
                return game, seat
        move(game, rng)


async def test_a_turn_is_shown_as_it_finally_ended_despite_undo_and_secret_actions() -> None:
    begun, seat = _trading()
    trade = begun.options(seat)[BankTrade].sample(random.Random(1))
    other = (seat + 1) % begun.config.players
    views = []
    for secret in (False, True):
        memory, game = TurnMemory(), begun.copy()
        secret_actions = [(other, SetStanding(99))] * secret
        for who, action in ((seat, EndTurn()), (seat, Undo()), (seat, trade), *secret_actions, (seat, EndTurn())):
            before = game.copy()
            if game.play(who, action):  # the publisher isn't notified of secret actions
                memory.remember(7, before, game.copy())
        public = Viewer(table(game.config), game)
        remembered, replayed = [await memory.end_of(public, begun.turn) for _ in range(2)]
        assert remembered is not None
        assert replayed is not None, "and by the log"
        assert remembered.view == replayed.view
        views.append(remembered.view)
    assert views[0] == views[1]
