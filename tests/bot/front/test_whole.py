"""Whole games with the real bot: by components only, and by commands only."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.bot.front.conftest import Opened
from tests.bot.front.doing import by_commands, by_components
from tests.bot.front.hall import Hall, labels, text
from tests.bot.playground import choose


async def play_on(hall: Hall, way: Any, rng: random.Random, most: int = 3000) -> None:
    """Play at random, with a liking for what ends games, until the end."""
    for _ in range(most):
        game = await hall.game()
        if game.outcome is not None:
            return
        seat = rng.choice(game.to_act)
        action = choose(game, seat, rng)
        await way(hall, await hall.person(seat), action)
        after = await hall.game()
        assert after.revision == game.revision + 1, f"{action} was not played"
        assert after.records[-1].action == action


@pytest.mark.parametrize("way", [by_components, by_commands])
async def test_a_whole_game_from_lobby_to_victory(open_hall: Opened, way: Any) -> None:
    async with open_hall() as hall:
        await hall.begin(target=3)
        await play_on(hall, way, random.Random(3))
        assert (await hall.game()).outcome is not None
        panel = await hall.panel()
        assert "🏁" in text(panel)
        assert labels(panel) == ["Rematch", "Dice so far"]
        assert len(panel.attachments) == 1
        assert any("Seed `" in text(m) for m in hall.channel.history())
