"""While Discord calls a server unavailable, as in a partial outage, no one's time is over there."""

from __future__ import annotations

import pytest

from bot.discord import unavailable
from bot.discord.unavailable import CREATED_WITHIN, LONGEST_UNAVAILABLE, UnavailableServers
from bot.service.reach import FRESH, LONG_OUTAGE
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall
from tests.bot.discord.tables import HOUR, decided, left, paced

HOME, OTHER = 1 << 22, 2 << 22
"""On the two shards 1 and 0."""


async def leaves(hall: Hall) -> None:
    """Have the server become unavailable."""
    hall.env.backend.emit("GUILD_DELETE", {"id": str(hall.guild.id), "unavailable": True})
    await hall.env.settle()


async def returns(hall: Hall) -> None:
    """Have the server become available again."""
    channels = [{"id": str(hall.channel.id), "type": 0}]
    hall.env.backend.emit("GUILD_CREATE", {"id": str(hall.guild.id), "channels": channels, "threads": []})
    await hall.env.settle()


async def test_no_time_is_over_while_a_server_is_unavailable(open_hall: Opened, long_time: None) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        before = await decided(hall)
        await leaves(hall)
        await hall.env.advance_time(HOUR + 100)
        await returns(hall)
        await hall.env.advance_time(FRESH)
        assert await decided(hall) == before
        await hall.env.advance_time(await left(hall) + 1)
        assert await decided(hall) > before


async def test_a_time_that_ends_soon_after_a_server_is_back_begins_again(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        before = await decided(hall)
        await hall.env.advance_time(HOUR - 120)
        await leaves(hall)
        await hall.env.advance_time(60)
        await returns(hall)
        await hall.env.advance_time(70)
        assert await decided(hall) == before
        assert await left(hall) > HOUR - 60


async def test_a_moment_without_a_server_changes_nothing(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        before = await decided(hall)
        await hall.env.advance_time(HOUR - 2)
        await leaves(hall)
        await hall.env.advance_time(LONG_OUTAGE / 2)
        assert await decided(hall) == before
        await returns(hall)
        await hall.env.advance_time(10)
        assert await decided(hall) > before


async def test_the_next_process_knows_that_a_server_was_unavailable(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        before = await decided(hall)
        await hall.env.advance_time(HOUR - 120)
        await leaves(hall)
        await hall.env.advance_time(60)
        with hall.env._bot_scope():  # else it would close by the machine's clock
            await hall.bot.close()
        await hall.restart(closed=True)
        await hall.env.advance_time(70)
        assert await decided(hall) == before


class Known(UnavailableServers):
    """The servers as they are known, at a simulated time."""

    now = 1000.0


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Known:
    found = Known()
    monkeypatch.setattr(unavailable, "time", type("Clock", (), {"monotonic": staticmethod(lambda: found.now)}))
    return found


def test_the_servers_of_a_new_session_have_time_to_be_described(known: Known) -> None:
    known.gone(OTHER)
    known.session([HOME], shard=1, of=2)
    known.now += CREATED_WITHIN
    assert known.seconds(HOME) == 0.0
    assert known.seconds(OTHER) == CREATED_WITHIN, "it is on another shard"
    assert not known.there(HOME)
    assert known.seconds(HOME) is None
    known.session([HOME], shard=1, of=2)
    known.now += CREATED_WITHIN + LONG_OUTAGE
    assert known.long == {HOME, OTHER}
    assert known.there(HOME)
    assert known.seconds(HOME) == LONG_OUTAGE, "its games don't know that yet"
    known.noted(HOME)
    assert known.seconds(HOME) is None


def test_a_new_session_forgets_servers_that_it_does_not_name(known: Known) -> None:
    known.gone(HOME)
    known.session([], shard=1, of=2)
    assert known.seconds(HOME) is None


def test_an_unavailable_server_stays_so_in_a_new_session(known: Known) -> None:
    known.gone(HOME)
    known.now += 5.0
    known.session([HOME], shard=1, of=2)
    assert known.seconds(HOME) == 5.0


def test_no_server_stays_unavailable_forever(known: Known) -> None:
    """Discord's word that it is back can be lost, or go to another process."""
    known.gone(HOME)
    known.now += 60.0
    assert known.seconds(HOME, heard=30.0) is None, "another process had the shard meanwhile"
    known.gone(HOME)
    known.now += LONGEST_UNAVAILABLE + 1.0
    assert known.seconds(HOME) is None


def test_a_server_that_has_removed_the_bot_is_forgotten(known: Known) -> None:
    known.gone(HOME)
    known.removed(HOME)
    assert known.long == set()
