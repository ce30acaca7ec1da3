"""Games that Discord refuses to show: how often they are tried."""

from __future__ import annotations

import pytest

from bot.discord.show.private import STILL_FOR
from bot.discord.show.trouble import HANDS, TABLE
from bot.projections import Kind
from bot.store import Unavailable
from bot.store.base import CALL_JOB, Job
from bot.table.preferences import DM
from engine.actions import EndTurn
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall
from tests.bot.discord.moments import at

HOUR, DAY = 3600, 86_400


def refuse(hall: Hall, code: int = 50001, channel: int = 0) -> None:
    """Have Discord refuse all messages in a channel from now on, by default in the game's."""
    path = f"/channels/{channel or hall.channel.id}/messages*"
    for method in ("PATCH", "POST", "DELETE"):
        hall.env.inject_error(method, path, status=403, code=code, message="no", times=None)


def tries(hall: Hall, since: int) -> int:
    """How many messages the bot has tried to change in the game's channel since a request."""
    path = f"/channels/{hall.channel.id}/messages"
    return sum(r.method != "GET" and r.path.startswith(path) for r in hall.env.http_requests[since:])


async def test_a_call_that_discord_refuses_is_tried_no_more_often_than_the_lane(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        unreached = await hall.person((game.to_act[0] + 1) % 4)
        refuse(hall)
        refuse(hall, 50007, unreached.user.dm_channel.id)
        await hall.advance(lambda game: game.turn == 3)
        await hall.env.advance_time(STILL_FOR + HOUR)
        since = len(hall.env.http_requests)
        await hall.env.advance_time(HOUR)
        assert 0 < tries(hall, since) <= 20


async def test_a_call_comes_once_discord_no_longer_refuses_it(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        roller, following = game.to_act[0], (game.to_act[0] + 1) % 4
        person = await hall.person(following)
        await hall.remind(person, DM)
        await hall.env.advance_time(STILL_FOR + 60)
        refuse(hall, 50007, person.user.dm_channel.id)
        path = f"/channels/{hall.channel.id}/messages*"
        hall.env.inject_error("POST", path, status=403, code=50001, message="no", times=12)
        await by_components(hall, await hall.person(roller), EndTurn())
        await hall.env.advance_time(2 * HOUR)
        [call] = [m for m in hall.channel.history() if "the game is waiting for you" in m.content]
        assert [user.id for user in call.mentions] == [person.id]


async def test_a_call_waits_only_for_its_own_lane(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        publisher, tried = hall.bot.app.publisher, list[int]()

        async def fail(number: int) -> None:
            tried.append(number)
            raise Unavailable("no hands")

        monkeypatch.setitem(publisher._lanes, HANDS, fail)
        await publisher.call(Job(1, f"{CALL_JOB}:{TABLE}", 0.0))
        assert tried == [1]
        for what in (HANDS, Kind.UNREACHED):
            with pytest.raises(Unavailable):
                await publisher.call(Job(1, f"{CALL_JOB}:{what}", 0.0))
        assert tried == [1]
