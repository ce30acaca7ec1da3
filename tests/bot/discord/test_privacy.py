"""`/privacy`: how people read, export and delete what is kept about them."""

from __future__ import annotations

import json

from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, reply


async def test_a_user_can_read_export_and_delete_their_data(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        bob = hall.people[1]
        await hall.lobby()
        response = await bob.slash(hall.channel, "privacy")
        assert "I don't read messages" in answer(response)
        file = await bob.click(reply(response), label="Export my data")
        [attached] = reply(file).attachments
        data = json.loads(await attached.read())
        assert [game["name"] for game in data["games"]] == ["Bob"]
        response = await bob.click(reply(file), label="Forget me")
        assert "You're at table 1" in answer(response)
        await bob.click(await hall.panel(), label="Leave")
        await hall.services.people.change_settings(bob.id, choices={"zone": "Europe/Berlin"})
        settings = await bob.slash(hall.channel, "settings")
        response = await bob.click(reply(settings), label="My data")
        sure = await bob.click(reply(response), label="Forget me")
        assert "can't be undone" in answer(sure)
        kept = await bob.click(reply(sure), label="Keep it")
        sure = await bob.click(reply(kept), label="Forget me")
        assert "I've forgotten you" in answer(await bob.click(reply(sure), label="Yes, forget me"))
        assert "Berlin" not in answer(await bob.slash(hall.channel, "settings"))
