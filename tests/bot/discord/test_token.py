"""What is kept of clicks that were answered."""

from __future__ import annotations

import gc

import discord

from engine.actions import MakeOffer
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, reply
from tests.bot.discord.moments import able


async def _click_panel_and_private_messages(hall: Hall) -> None:
    await hall.begin()
    game = await hall.advance(able(MakeOffer))
    for seat in range(3):
        person = await hall.person(seat)
        hand = reply(await person.click(await hall.panel(), label="My hand"))
        if seat == game.to_act[0]:
            await person.click(hand, label="Offer a trade")


async def test_no_interaction_is_kept_with_its_server_and_people(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await _click_panel_and_private_messages(hall)
        gc.collect()
        kept = [value for value in gc.get_objects() if isinstance(value, discord.Interaction)]
        assert not kept
