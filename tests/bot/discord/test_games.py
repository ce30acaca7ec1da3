"""`/games`: everything that waits for a person, or why nothing does."""

from __future__ import annotations

from bot.table.acts.play import Play
from engine.actions import MakeOffer, PassOn, Resign
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import answer
from tests.bot.discord.moments import trading
from tests.bot.discord.tables import interrupted, sides


async def test_the_games_command_lists_offers_votes_pauses_and_tables(open_hall: Opened) -> None:
    async with open_hall() as hall:
        one, two, three, four = hall.people
        await hall.lobby()
        assert "Table 1 is waiting for players" in answer(await four.slash(hall.channel, "games"))
        await one.slash(hall.channel, "game timer", time="1 day")
        await one.click(await hall.panel(), label="Start")
        game = await hall.advance(trading)
        me = game.state.on_turn
        other, third = await hall.person((me + 1) % 4), await hall.person((me + 2) % 4)
        await by_components(hall, await hall.person(me), MakeOffer(*sides(game, me), ((me + 1) % 4,)))
        [wait] = [wait for wait in (await hall.table()).waits if wait.offer]
        content = answer(await other.slash(hall.channel, "games"))
        assert "answer an offer" in content
        assert f"deadline <t:{wait.until:.0f}:R>" in content
        assert "1 game is waiting for others" in answer(await third.slash(hall.channel, "games"))
        await one.slash(hall.channel, "game pause")
        asker = await hall.person(me)
        asked = next(p for p in (two, three, four) if p not in (other, asker))
        assert "vote" in answer(await asked.slash(hall.channel, "games"))
        for person in (two, three):
            await person.slash(hall.channel, "game pause")
        content = answer(await one.slash(hall.channel, "games"))
        assert "1 game is paused" in content
        assert "waiting for others" not in content
        await four.slash(hall.channel, "game resign")
        await hall.services.games.act(1, four.id, Play(Resign()), "gone")
        assert "aren't in any game" in answer(await four.slash(hall.channel, "games"))


async def test_the_games_command_lists_a_robber_window_until_the_player_has_answered(open_hall: Opened) -> None:
    async with open_hall() as hall:
        _, mover, (first, *_rest) = await interrupted(hall)
        person, other = await hall.person(first), await hall.person(mover)
        assert "waiting for others" in answer(await other.slash(hall.channel, "games"))
        content = answer(await person.slash(hall.channel, "games"))
        limit = (await hall.table()).deadline
        assert limit is not None
        assert f"answer the robber with a knight, or pass · deadline <t:{limit.at:.0f}:R>" in content
        await by_components(hall, person, PassOn())
        assert "waiting for others" in answer(await person.slash(hall.channel, "games"))
