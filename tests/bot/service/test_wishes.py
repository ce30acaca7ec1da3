"""Requests as the services keep them: stored, shown, and posted or canceled once.

`tests/bot/table/test_wishes.py` tests their rules.
"""

from __future__ import annotations

import pytest

from bot.projections import PANEL
from bot.table.acts.wishes import PostWish, WithdrawWish, open_wishes
from engine.resources import hand_of
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground
from tests.bot.service.tables import refused

BRICK, SHEEP = hand_of(brick=1), hand_of(wool=2)


async def begun(ground: Playground) -> tuple[int, int]:
    """The number of a game in the main part of a turn, and a user who isn't on turn."""
    number = (await ground.begun(ANN, BOB, CEM, DOT, target=20)).number
    table, game = await ground.advance(number, lambda game: game.turn > 0 and game.view(None).step.kind == "main")
    return number, table.user_at(game, (game.state.on_turn + 1) % 4)


@pytest.mark.on_databases
async def test_a_request_is_stored_and_shown(ground: Playground) -> None:
    number, user = await begun(ground)
    posted = (await ground.act(number, user, PostWish(BRICK))).table
    assert (await ground.services.projections.visible(number))[PANEL].due == posted.version
    await ground.kill()
    table, game = await ground.table(number), await ground.game(number)
    assert [(wish.user, wish.want) for wish in open_wishes(table, game).values()] == [(user, BRICK)]
    assert (await ground.act(number, user, PostWish(BRICK))).table == table, "the same once more is no change"


@pytest.mark.on_databases
async def test_an_interaction_posts_or_cancels_a_request_once(ground: Playground) -> None:
    number, user = await begun(ground)
    await ground.act(number, user, PostWish(BRICK), "77")
    changed = (await ground.act(number, user, PostWish(SHEEP))).table
    assert (await ground.act(number, user, PostWish(BRICK), "77")).table == changed
    canceled = (await ground.act(number, user, WithdrawWish(), "78")).table
    assert (await ground.act(number, user, WithdrawWish(), "78")).table == canceled


async def test_a_refused_request_changes_nothing(ground: Playground) -> None:
    number, user = await begun(ground)
    table = await ground.table(number)
    await refused(ground.act(number, user, PostWish(BRICK, BRICK), "77"), "wish/same-resource")
    await refused(ground.act(99, user, PostWish(BRICK)), "no-table")
    assert (await ground.store.table(number), await ground.store.interaction("77")) == (table, None)
