"""Commands in a person's menu: an offer to them, and their profile."""

from __future__ import annotations

from engine.actions import MakeOffer
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, find_button, find_select, reply
from tests.bot.discord.moments import able


def _trading(game: Game) -> bool:
    return able(MakeOffer)(game) and game.to_act[0] == game.view(None).on_turn


async def test_an_offer_to_a_player_can_begin_in_their_user_menu(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=20)
        game = await hall.advance(_trading)
        seat = game.to_act[0]
        person, other, third = [await hall.person((seat + n) % 4) for n in range(3)]
        cards = game.view(seat).players[seat].hand or ()
        kind = next(kind for kind, n in enumerate(cards) if n)
        draft = reply(await person.context_menu(hall.channel, "Offer a trade", other))
        for side, value in (("give", f"{kind}.1"), ("want", f"{(kind + 1) % 5}.1")):
            draft = reply(await person.select(draft, [value], custom_id=find_select(draft, "draft", side)))
        await person.click(draft, custom_id=find_button(draft, "offer"))
        action = (await hall.game()).records[-1].action
        assert isinstance(action, MakeOffer)
        assert action.to == ((seat + 1) % 4,)
        refused = answer(await person.context_menu(hall.channel, "Offer a trade", person))
        assert "You can't offer that to yourself" in refused
        zoe = hall.guild.add_member(hall.env.create_user("zoe"))
        assert "zoe doesn't play in this game" in answer(await person.context_menu(hall.channel, "Offer a trade", zoe))
        assert "not playing" in answer(await zoe.context_menu(hall.channel, "Offer a trade", person))
        if (game.view((seat + 2) % 4).players[(seat + 2) % 4].hand_size) > 0:
            elsewhere = answer(await third.context_menu(hall.channel, "Offer a trade", other))
            assert "you can only trade with them" in elsewhere


async def test_a_profile_can_be_opened_in_the_user_menu(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        content = answer(await ann.context_menu(hall.channel, "Profile", bob))
        assert content == answer(await ann.slash(hall.channel, "profile", user=bob.user))
