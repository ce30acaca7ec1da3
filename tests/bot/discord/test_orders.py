"""The autopilot, as its owner sets and reads it by forms; and what others see when it acts."""

from __future__ import annotations

from bot.service.orders import DELAY
from bot.table.orders import Orders
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, fields, fill, labels, reply, text
from tests.bot.discord.moments import at


async def test_the_autopilot_is_set_in_forms_and_can_be_turned_off(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        bob = hall.people[1]
        more = reply(await bob.click(await hall.panel(), label="More"))
        page = reply(await bob.click(more, label="Autopilot"))
        assert "Nothing is automated" in text(page)
        assert "Turn all off" not in labels(page)
        ticked = dict.fromkeys(("roll", "end", "discards"), True)
        page = reply(await fill(bob, page, "What to do for me", does=ticked, keep=["3", "4"]))
        other = str(hall.people[2].id)
        page = reply(await fill(bob, page, "What to decline", never=["4"], least="2", refused=[other]))
        for words in ("Roll for me", "End my turn", "Discard for me", "want my", "fewer than 2 cards for each of mine"):
            assert words in text(page)
        await hall.restart()
        mine = await hall.services.orders.of(1, bob.id)
        assert (mine.roll, mine.end, mine.keep, mine.never, mine.least) == (True, True, (3, 4), (4,), 2)
        assert len(mine.refused) == 1
        page = reply(await fill(bob, page, "What to do for me", does={"roll": False}))
        mine = await hall.services.orders.of(1, bob.id)
        assert (mine.roll, mine.end, mine.keep, mine.never) == (False, True, (3, 4), (4,))
        page = reply(await bob.click(page, label="Turn all off"))
        assert await hall.services.orders.of(1, bob.id) == Orders(bob.id)
        assert labels(page) == ["What to do for me", "What to decline"]


async def test_only_players_have_an_autopilot_and_only_for_phases_their_game_has(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        bob = hall.people[1]
        page = reply(await bob.slash(hall.channel, "auto"))
        assert "building" not in await fields(bob, page, "What to do for me"), "there is no special building phase"
        stranger = hall.guild.add_member(hall.env.create_user("zoe"))
        assert "not playing" in answer(await stranger.slash(hall.channel, "auto"))


async def test_only_its_owner_is_told_what_the_autopilot_did(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: at("pre_roll")(game) and len(game.options(game.to_act[0])) == 1)
        seat = game.to_act[0]
        person = await hall.person(seat)
        page = reply(await person.slash(hall.channel, "auto"))
        await fill(person, page, "What to do for me", does={"roll": True})
        await hall.env.advance_time(DELAY[1] + 1)
        after = await hall.game()
        assert after.revision > game.revision
        other = await hall.person((seat + 1) % 4)
        for command in ("hand", "auto", "catchup"):
            assert "📋 Done for you: rolled the dice." in answer(await person.slash(hall.channel, command))
            assert "Done for you" not in answer(await other.slash(hall.channel, command))
        assert not [m for m in hall.channel.history() if "Done for you" in text(m)]
