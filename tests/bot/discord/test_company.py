"""Whole games of every scenario with one person and bots, played through what the person sees."""

from __future__ import annotations

import pytest

from bot.service.computers import choose
from bot.table.table import OVER
from engine.actions import Action, MakeOffer
from engine.events import OfferMade
from engine.game import Game
from engine.resources import single
from engine.scenarios import SCENARIOS
from engine.views import View
from tests.bot.discord.company import play
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, text
from tests.bot.discord.scenarios import GAMES, Played, choose_in_the_lobby
from tests.bot.thinking import decides


async def whole(open_hall: Opened, game: Played, level: str, target: int) -> None:
    """Play from the lobby to the end. The person decides everything by components."""
    async with open_hall(1) as hall:
        [ann] = hall.people
        await ann.slash(hall.channel, "game new")
        await choose_in_the_lobby(hall, game, target)
        filled = await ann.slash(hall.channel, "game bot add", level=level, fill=True)
        assert "Bot Ada" in answer(filled)
        await hall.options(pause=0, round_limit=30)
        await ann.click(await hall.panel(), label="Start")
        config = (await hall.game()).config
        assert config.players == max(SCENARIOS[game.scenario].players)
        assert set(config.variants) == set(game.rules)
        done = await play(hall, ann)
        await hall.env.advance_time(1)
        over, table = await hall.game(), await hall.table()
        assert over.outcome is not None
        assert done >= 4, "two settlements and two roads at least"
        assert table.status == OVER
        assert "🏁" in text(await hall.panel())
        assert Game.replay(over.config, over.records).hash() == over.hash()


SHORT = ("beginner",)
"""Scenarios of the short run. Other tests play whole games of all scenarios, with people only and with bots only."""


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=[pytest.mark.soak] * (g.scenario not in SHORT), id=str(g)) for g in GAMES]
)
async def test_one_person_and_bots_play_a_short_game(open_hall: Opened, game: Played) -> None:
    await whole(open_hall, game, "easy", target=4)


async def offers(level: str, view: View) -> Action:
    """The action of a bot that offers one of its cards for another as soon as it can."""
    assert view.seat is not None
    hand = view.players[view.seat].hand or ()
    mine = next((r for r in range(5) if hand and hand[r]), None)
    made = any(isinstance(e, OfferMade) and e.seat == view.seat for e in view.events)
    if view.step.kind == "main" and view.on_turn == view.seat and mine is not None and not made:
        return MakeOffer(single(mine), single((mine + 1) % 5))
    return choose(level, view)


async def test_a_bot_that_waits_for_an_answer_says_so(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await ann.slash(hall.channel, "game learn")
        hall.services.computers._think = decides(offers)
        for _ in range(60):
            if (await hall.game()).state.offers:
                break
            await play(hall, ann, (await hall.game()).turn)
            await hall.env.advance_time(2)
        game = await hall.game()
        assert (await hall.table()).member_at(game, game.state.offers[0].seat).level
        head = text(await hall.panel()).splitlines()[1]
        assert head.startswith("**Bot ")
        assert head.endswith("** is waiting for **Ann**'s answer.")
        assert "is waiting for your answer." in answer(await ann.slash(hall.channel, "help"))
        assert "is waiting for **Ann**'s answer." in answer(await bob.slash(hall.channel, "catchup"))
        await ann.click(await hall.panel(), label=f"Decline {game.state.offers[0].id}")
        assert "is waiting for" not in text(await hall.panel())


@pytest.mark.soak
@pytest.mark.parametrize("level", ["easy", "hard"])
@pytest.mark.parametrize("game", GAMES, ids=str)
async def test_one_person_and_bots_play_to_ten_points(open_hall: Opened, game: Played, level: str) -> None:
    await whole(open_hall, game, level, target=10)
