"""Controls and commands of a game that come from elsewhere: what happens with a game is decided by its own server."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import _component_interaction

from bot.servers import EVERYBODY, MANAGERS
from bot.table.acts.places import VoidGame
from bot.table.seats import who_plays
from bot.table.table import LOBBY
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, labels, manager, reply
from tests.bot.discord.moments import at
from tests.bot.discord.tables import stranger

FOREIGN = "Game 1 belongs to another server."


async def forged(hall: Hall, person: Any, channel: int, custom_id: str) -> str:
    """The answer to a button that only a forged message has there. In a direct message, the person is a user."""
    backend = hall.env.backend
    message = backend.create_message(channel, backend.bot_user.id, "x")
    return answer(await _component_interaction(person, message, {"component_type": 2, "custom_id": custom_id}))


async def plays(hall: Hall, person: Any) -> bool:
    return person.id in who_plays(await hall.table(), await hall.game())


async def test_a_control_of_a_game_does_nothing_on_another_server(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin()
        host, bob = hall.people[:2]
        own = hall.env.create_guild("Own")
        room, host_there = own.create_text_channel("mine"), own.add_member(host.user)
        seat = (await hall.table()).seat_of(await hall.game(), bob.id)
        before = await hall.table()
        for control in (f"replaced:1::{seat}", "propose:1::pause", "hand:1:", "guests:1:"):
            assert FOREIGN in await forged(hall, host_there, room.id, f"hb:{control}"), control
        assert await hall.table() == before
        assert await plays(hall, bob)
        zoe = own.add_member(stranger(hall).user)
        assert "There is no game 1 here" in await forged(hall, zoe, room.id, "hb:hand:1:"), "no more than before"


@pytest.mark.parametrize("command", ["stats", "catchup", "game log", "game verify", "game move", "game resume"])
async def test_a_command_is_refused_a_game_of_another_server(open_hall: Opened, command: str) -> None:
    async with open_hall() as hall:
        await hall.begin()
        own = hall.env.create_guild("Own")
        room, ann = own.create_text_channel("mine"), own.add_member(hall.people[0].user)
        assert FOREIGN in answer(await ann.slash(room, command, game=1))
        assert "Game 1" in answer(await hall.people[0].slash(hall.channel, "game log", game=1))


async def test_by_direct_message_the_games_server_says_who_has_left(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin()
        await hall.allow_messages()
        host, bob = hall.people[:2]
        direct = host.user.dm_channel.id
        button = f"hb:replaced:1::{(await hall.table()).seat_of(await hall.game(), bob.id)}"
        assert "1 of 2 needed" in await forged(hall, host.user, direct, button)
        assert await plays(hall, bob)
        hall.guild.remove_member(bob.user)
        assert "A bot is playing for Bob" in await forged(hall, host.user, direct, button)


async def test_a_rematch_is_opened_only_where_the_game_was(open_hall: Opened) -> None:
    """Who can open tables there is known only from an interaction there."""
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.allow_messages()
        await hall.advance(at("pre_roll"))
        await hall.services.games.act(1, hall.people[0].id, VoidGame("Mod"), "void")
        await hall.env.settle()
        await hall.services.servers.change(hall.guild.id, openers=MANAGERS)
        ann, bob, _cem = hall.people
        elsewhere, own = hall.guild.create_text_channel("elsewhere"), hall.env.create_guild("Own")
        room = own.create_text_channel("mine")
        for person, channel, refusal in (
            (ann, hall.channel, "Only people who manage this server can open tables here."),
            (ann, elsewhere, "There is no game in this channel"),
            (ann.user, ann.user.dm_channel, "There is no game in this channel"),
            (own.add_member(ann.user), room, FOREIGN),
        ):
            assert refusal in await forged(hall, person, channel.id, "hb:rematch:1:")
            assert await hall.services.repository.in_channel(hall.channel.id) is None
        await hall.services.servers.change(hall.guild.id, openers=EVERYBODY)
        await hall.env.advance_time(60)
        await ann.click(await hall.panel(), label="Rematch")
        assert "The rematch is table 2" in await forged(hall, bob, elsewhere.id, "hb:rematch:1:")
        assert (await hall.table()).status == LOBBY
        assert bob.id in (await hall.table()).users


async def test_a_game_is_voided_only_in_its_channel_and_not_offered_to_be_elsewhere(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await manager(hall)
        ann, elsewhere, backend = hall.people[0], hall.guild.create_text_channel("elsewhere"), hall.env.backend
        for channel, offered in ((elsewhere, False), (hall.channel, True)):
            message = backend.create_message(channel.id, backend.bot_user.id, "x")
            data = {"component_type": 2, "custom_id": "hb:change:1:"}
            menu = reply(await _component_interaction(ann, message, data))
            assert ("Void the game" in labels(menu)) == offered
