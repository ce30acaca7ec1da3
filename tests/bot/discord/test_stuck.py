"""Games that Discord refuses to show: how often they are tried, and what becomes of those that are no longer open."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.discord.servers import TRIES, TRIES_WITHIN
from bot.discord.show import permissions, trouble
from bot.discord.show.channels import NO_CHANNEL
from bot.discord.show.permissions import Blocked
from bot.discord.show.private import STILL_FOR
from bot.discord.show.publisher import LANE_AGAIN
from bot.discord.show.trouble import HANDS, TABLE, TROUBLE_AGAIN_AFTER
from bot.projections import GONE, REFUSED, TROUBLE, Kind, of_kind
from bot.store import Unavailable
from bot.store.base import CALL_JOB, Job
from bot.table.acts.lobby import Cancel, Join
from bot.table.acts.places import VoidGame
from bot.table.preferences import DM
from bot.table.table import ARCHIVED, CANCELLED, OVER, RUNNING
from engine.actions import EndTurn
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, allow, answer, labels, text
from tests.bot.discord.moments import at
from tests.bot.discord.seen import sent_to
from tests.bot.store.sample import NEW

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


def time_out(hall: Hall, until: datetime) -> None:
    """Have Discord say that Harbormaster is timed out on its server. Of the end it says nothing."""
    assert hall.bot.user is not None
    hall.env.backend.get_member(hall.guild.id, hall.bot.user.id).timed_out_until = until.isoformat()


async def in_thread(hall: Hall) -> None:
    """Start a game in a thread of its own."""
    host, *others = hall.people
    await host.slash(hall.channel, "game new", thread=True)
    [thread] = hall.channel.threads
    hall.channel = ChannelHandle(hall.env, hall.guild, hall.env.backend.get_channel(thread.id))
    for person in others:
        await hall.services.games.act(1, person.id, Join(person.name), f"join{person.id}")
    await hall.bot.app.publisher.idle()
    await host.click(await hall.panel(), label="Start")
    await hall.advance(at("main"))


async def void(hall: Hall) -> None:
    """End the game, as someone who manages its channel."""
    await hall.services.games.act(1, 999, VoidGame("Mod"), "void", manages=hall.channel.id)
    await hall.bot.app.publisher.idle()


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


@pytest.mark.parametrize("locked", [False, True])
async def test_the_thread_of_a_game_that_is_over_stays_closed_and_the_last_hands_come(
    open_hall: Opened, long_time: None, locked: bool
) -> None:
    async with open_hall() as hall:
        await in_thread(hall)
        await void(hall)
        await hall.restart()  # so that simcord controls the bot's own timers
        await hall.env.advance_time(600)
        thread, since = hall.env.backend.get_channel(hall.channel.id), len(hall.env.http_requests)

        def is_closed() -> bool:
            return thread.thread_metadata is not None and thread.thread_metadata.archived

        if locked:
            refuse(hall, 50083)
        for _ in range(2):
            archived = {"archived": True, "locked": locked, "archive_timestamp": discord.utils.utcnow().isoformat()}
            hall.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)
            await hall.env.advance_time(60)
            assert is_closed()
        assert await hall.services.projections.pending()
        await hall.env.advance_time(STILL_FOR)
        assert not await hall.services.projections.pending()
        assert is_closed()
        assert not any(sent_to(person, "is stuck") for person in hall.people)
        assert not [r.path for r in hall.env.http_requests[since:] if str(thread.id) in r.path]


@pytest.mark.parametrize("code", [50001, 50013, 50083, 160005])
async def test_a_canceled_table_that_cant_be_shown_is_given_up_until_something_changes(
    open_hall: Opened, long_time: None, code: int
) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        refuse(hall, code)
        host = hall.people[0]
        await hall.services.games.act(1, host.id, Cancel(host.name), "cancel")
        assert (await hall.table()).status == CANCELLED
        await hall.restart()  # so that simcord controls the bot's own timers
        await hall.env.advance_time(HOUR)
        since = len(hall.env.http_requests)
        await hall.env.advance_time(HOUR)
        assert 0 < tries(hall, since) <= 7
        assert hall.bot.app.publisher.stuck == 1
        await hall.env.advance_time(DAY)
        assert REFUSED in await hall.services.projections.visible(1)
        assert hall.bot.app.publisher.stuck == 0
        since = len(hall.env.http_requests)
        await hall.env.advance_time(DAY)
        assert not tries(hall, since)
        assert not sent_to(host, "is stuck")
        await hall.restart()
        await hall.env.advance_time(DAY)
        assert tries(hall, since) <= 1
        hall.env.backend.faults.clear()
        await allow(hall, send_messages=True)
        await hall.env.advance_time(1)
        assert not of_kind(await hall.services.projections.visible(1), Kind.BARRED)
        assert not await hall.services.projections.pending()


async def test_a_canceled_table_whose_channel_is_gone_is_given_up_at_once(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        refuse(hall, NO_CHANNEL)
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=404, code=10003, message="no", times=None)
        host = hall.people[0]
        await hall.services.games.act(1, host.id, Cancel(host.name), "cancel")
        await hall.bot.app.publisher.idle()
        await hall.env.settle()
        assert GONE in await hall.services.projections.visible(1)
        assert hall.bot.app.publisher.stuck == 0


@pytest.mark.parametrize("outage", [False, True])
async def test_a_game_is_not_put_away_because_of_a_channel_that_it_has_left(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, outage: bool
) -> None:
    """Nor if Discord gives no answer about its channel."""

    async def no_answer(*_values: object) -> None:
        raise TimeoutError

    if outage:
        monkeypatch.setattr(permissions, "refuse_if_blocked", no_answer)
    async with open_hall() as hall:
        await hall.begin()
        refuse(hall, NO_CHANNEL)
        await hall.advance(at("main"))
        await hall.env.advance_time(60)
        assert (await hall.table()).status == RUNNING
        assert not sent_to(hall.people[0], "is stuck")


@pytest.mark.parametrize("code", [0, 50013, 40005, 50083])
async def test_the_end_of_a_game_is_shown_once_a_refusal_has_passed(
    open_hall: Opened, long_time: None, code: int
) -> None:
    async with open_hall() as hall:
        for person in hall.people:  # else the last hands would be waited for
            await hall.services.people.change_settings(person.id, dms=False)
        await hall.begin()
        await hall.advance(at("main"))
        refuse(hall, code)
        await void(hall)
        await hall.restart()  # so that simcord controls the bot's own timers
        await hall.env.advance_time(2 * HOUR)
        hall.env.backend.faults.clear()
        assert not any("the replay" in text(message) for message in hall.channel.history())
        await hall.env.advance_time(LANE_AGAIN.refusal[-1] + 1)
        assert any("the replay" in text(message) for message in hall.channel.history())


@pytest.mark.parametrize("late", [0, 20])
async def test_the_end_of_a_game_is_shown_after_a_timeout_of_days(
    open_hall: Opened, long_time: None, late: int
) -> None:
    """`late`: seconds for which Discord still refuses when the timeout is over by the machine's clock."""
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("main"))
        refuse(hall, 50013)
        await void(hall)
        time_out(hall, discord.utils.utcnow() + timedelta(days=3, seconds=1))
        await hall.restart()  # so that simcord controls the bot's own timers
        await hall.env.advance_time(3 * DAY)
        if late:
            await hall.env.advance_time(late)
        assert not of_kind(await hall.services.projections.visible(1), Kind.BARRED)
        hall.env.backend.faults.clear()
        await hall.env.advance_time(LANE_AGAIN.refusal[-1] if late else 1 + TROUBLE_AGAIN_AFTER)
        assert any("the replay" in text(message) for message in hall.channel.history())
        assert not any(sent_to(person, "is stuck") for person in hall.people)


async def test_a_game_that_is_over_is_given_up_only_after_the_last_hands(
    open_hall: Opened, long_time: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("main"))
        refuse(hall)
        await void(hall)
        await hall.restart()  # so that simcord controls the bot's own timers
        monkeypatch.setattr(trouble, "STILL_TRIED", STILL_FOR / 2)
        await hall.env.advance_time(STILL_FOR - HOUR)
        assert REFUSED not in await hall.services.projections.visible(1)
        await hall.env.advance_time(2 * HOUR)
        known = await hall.services.projections.visible(1)
        assert REFUSED in known
        assert TROUBLE not in known
        assert not any(one.pending for one in of_kind(known, Kind.HAND))
        since = len(hall.env.http_requests)
        await hall.env.advance_time(DAY)
        assert not tries(hall, since)


@pytest.mark.parametrize(("downtime", "hopeless"), [((), True), (((1.1 * DAY, 2.9 * DAY),), False)])
async def test_downtime_takes_nothing_of_the_day_for_which_it_is_tried_to_show_a_game_that_is_over(
    downtime: tuple[tuple[float, float], ...], hopeless: bool
) -> None:
    projections = SimpleNamespace(visible=AsyncMock(return_value={}))
    display: Any = SimpleNamespace(services=SimpleNamespace(now=lambda: 3.0 * DAY, projections=projections))
    table = replace(NEW, status=OVER, updated=1.0 * DAY, downtime=downtime)
    assert await trouble.Troubles(display)._is_hopeless(table, Blocked("rooms")) == hopeless


async def test_an_archived_game_that_was_given_up_can_be_moved(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("main"))
        refuse(hall)
        for _ in range(40):
            await hall.env.advance_time(DAY)
        assert (await hall.table()).status == ARCHIVED
        since = len(hall.env.http_requests)
        await hall.env.advance_time(DAY)
        assert not tries(hall, since)
        hall.channel = hall.guild.create_text_channel("there")
        assert "continues here" in answer(await hall.people[1].slash(hall.channel, "game move", game=1))
        known = await hall.services.projections.visible(1)
        assert not of_kind(known, Kind.BARRED)
        assert "End turn" in labels(await hall.panel())


async def test_however_often_a_server_changes_its_stuck_game_is_tried_twice_a_minute(open_hall: Opened) -> None:
    """Discord counts what it refuses, for all games together. The last change isn't lost."""
    async with open_hall() as hall:
        await hall.begin()
        refuse(hall)
        await hall.advance(at("main"), seed=2)
        await hall.env.advance_time(1200)  # by then the lane itself waits for ten minutes
        changed = {"guild_id": str(hall.guild.id), "role": {}}
        since = len(hall.env.http_requests)
        for _ in range(30):
            hall.env.backend.emit("GUILD_ROLE_UPDATE", changed)
            await hall.env.advance_time(1)
        assert 1 <= tries(hall, since) <= TRIES
        hall.env.backend.faults.clear()
        hall.env.backend.emit("GUILD_ROLE_UPDATE", changed)
        await hall.env.advance_time(2)
        assert TROUBLE in await hall.services.projections.visible(1)
        await hall.env.advance_time(TRIES_WITHIN)
        assert TROUBLE not in await hall.services.projections.visible(1)


async def test_however_often_channels_are_deleted_a_stuck_game_is_asked_about_twice_a_minute(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        refuse(hall)
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=403, code=50001, message="no", times=None)
        await hall.advance(at("main"), seed=2)
        await hall.env.advance_time(1200)
        since = len(hall.env.http_requests)
        for number in range(30):
            hall.env.backend.emit("CHANNEL_DELETE", {"guild_id": str(hall.guild.id), "id": str(10**17 + number)})
            await hall.env.advance_time(1)
        asked = [r for r in hall.env.http_requests[since:] if r.path.endswith(f"/channels/{hall.channel.id}")]
        assert 1 <= len(asked) <= 2 * TRIES
        assert tries(hall, since) <= TRIES
