"""Commands in channels that the bot itself can't see. Discord counts what it refuses, so it isn't asked each time."""

from __future__ import annotations

from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer


async def asked(hall: Hall, since: int) -> int:
    """How often Discord was asked about the channel since a request."""
    path = f"/channels/{hall.channel.id}"
    return sum((r.method, r.path) == ("GET", path) for r in hall.env.http_requests[since:])


async def test_discord_is_asked_once_a_minute_about_a_channel_that_the_bot_cant_see(open_hall: Opened) -> None:
    async with open_hall() as hall:
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=403, code=50001, message="no", times=None)
        since, person = len(hall.env.http_requests), hall.people[0]
        for _ in range(5):
            assert "Only my commands are on this server" in answer(await person.slash(hall.channel, "game new"))
        assert await asked(hall, since) == 1
        hall.env.backend.faults.clear()
        await hall.env.advance_time(61)
        await person.slash(hall.channel, "game new")
        assert await hall.table()


async def test_a_thread_to_which_the_bot_was_just_added_is_asked_about_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=403, code=50001, message="no", times=None)
        person, bot = hall.people[0], hall.bot.user
        assert bot is not None
        await person.slash(hall.channel, "game new")
        hall.env.backend.faults.clear()
        added = {
            "id": str(hall.channel.id),
            "guild_id": str(hall.guild.id),
            "added_members": [{"user_id": str(bot.id)}],
        }
        hall.env.backend.emit("THREAD_MEMBERS_UPDATE", added)
        await hall.env.settle()
        await person.slash(hall.channel, "game new")
        assert await hall.table()


async def test_after_the_bot_was_added_to_a_server_its_channels_are_asked_about_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=403, code=50001, message="no", times=None)
        await hall.people[0].slash(hall.channel, "game new")
        hall.env.backend.faults.clear()
        channels = [{"id": str(hall.channel.id), "type": 0}]
        hall.env.backend.emit("GUILD_CREATE", {"id": str(hall.guild.id), "channels": channels, "threads": []})
        await hall.env.settle()
        await hall.people[0].slash(hall.channel, "game new")
        assert await hall.table()
