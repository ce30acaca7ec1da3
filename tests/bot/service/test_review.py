"""Which choices a review judges: those that a person made themselves."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.acts.places import VoidGame
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import Replace
from engine.autoplay import default_action
from engine.errors import RefereeError
from players.moments import Moment
from tests.bot.playground import ANN, BOB, CEM, Playground


async def test_a_review_leaves_out_what_a_bot_did_in_the_players_seat(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ground.begun(ANN, BOB)
    number, made = table.number, dict[bool, list[int]]()
    for by_bot in (False, True):
        for _ in range(4):
            game = await ground.game(number)
            seat = game.to_act[0]
            action, user = default_action(game.state, seat, game.options(seat)), table.user_at(game, seat)
            bot = by_bot and user == ANN
            await ground.act(number, user, Play(action, how=COMPUTER if bot else "person"))
            made.setdefault(bot, []).extend([game.revision] if user == ANN else [])
        if not by_bot:
            await ground.act(number, ANN, Replace(ANN))
    await ground.act(number, BOB, VoidGame("Mod"))
    judged = list[int]()

    async def think(_judged: Any, _config: Any, _records: Any, _seat: int, numbers: list[int]) -> list[Moment]:
        judged.extend(numbers)
        return []

    monkeypatch.setattr(ground.services.reviews, "_think", think)
    await ground.services.reviews.of(number, ANN)
    assert judged
    assert {*judged} <= {*made[False]}
    assert made[True]


async def test_only_players_get_a_review_and_only_after_the_game(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    with pytest.raises(RefereeError, match=r"^not-over/moves$"):
        await ground.services.reviews.of(number, ANN)
    await ground.act(number, BOB, VoidGame("Mod"))
    with pytest.raises(RefereeError, match=r"^not-playing/onlooker$"):
        await ground.services.reviews.of(number, CEM)
