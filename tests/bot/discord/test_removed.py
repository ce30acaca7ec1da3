"""`/games` in a direct message, for someone with games on servers that have removed the bot or that they have left."""

from __future__ import annotations

from bot.projections import LEFT, Move, moved
from bot.table.acts.lobby import Join
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall


async def tables(hall: Hall, number: int, *, removed: bool) -> None:
    """Open tables of one person on that many servers."""
    host = hall.people[0]
    for n in range(number):
        guild = hall.env.create_guild(f"server {n}")
        guild.add_member(host.user)
        room = guild.create_text_channel("room")
        table = await hall.services.lobby.new_table(guild.id, room.id, host.id, Join("Ann"), f"new-{n}")
        if removed:
            note = moved(None, LEFT, Move.COVER, table.version)
            await hall.services.projections.note(table.number, [note])


async def asked(hall: Hall) -> int:
    """How many members Discord is asked for by one `/games`."""
    since = len(hall.env.http_requests)
    await hall.people[0].user.slash("games")
    return sum("/members/" in request.path for request in hall.env.http_requests[since:])


async def test_servers_that_have_removed_the_bot_are_not_asked(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await tables(hall, 5, removed=True)
        assert await asked(hall) == 0


async def test_discords_answers_are_remembered_for_a_minute(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await tables(hall, 3, removed=False)
        assert [await asked(hall) for _ in range(3)] == [3, 0, 0]
        await hall.env.advance_time(61)
        assert await asked(hall) == 3
