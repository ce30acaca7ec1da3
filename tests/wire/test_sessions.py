"""The gateway's sessions, seen by a plain client: how they begin, are resumed, and end."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.wire.clocked import Client, Clocked
from tests.wire.model import Json
from tests.wire.server import WireServer
from tests.wire.sessions import HEARTBEAT, IDENTIFY, RESUME


@pytest_asyncio.fixture
async def wire() -> AsyncIterator[Clocked]:
    """A gateway that no one is connected to."""
    async with Clocked() as found:
        yield found
        await found.http.close()


async def test_a_resumed_session_gets_the_missed_events(wire: Clocked) -> None:
    first = await wire.begun()
    await wire.gateway.drop(4000)
    await wire.happen(2)
    wire.now += 179.0
    second = await wire.client()
    assert await second.resume(wire.gateway.session, first.seq) == "TYPING_START"
    assert [await second.hear() for _ in range(2)] == ["TYPING_START", "RESUMED"]
    assert (await wire.start_limit())["remaining"] == 999


async def test_a_session_cant_be_resumed_minutes_after_its_connection_ended(wire: Clocked) -> None:
    first = await wire.begun()
    await wire.gateway.drop(4000)
    wire.now += 180.0
    second = await wire.client()
    assert await second.resume(wire.gateway.session, first.seq) == "INVALID False"
    assert await second.identify() == "READY"
    assert wire.gateway.refused == [RESUME]


async def test_a_session_that_missed_too_many_events_cant_be_resumed(wire: Clocked) -> None:
    wire.gateway.resume_events = 2
    first = await wire.begun()
    await wire.gateway.drop(None)
    await wire.happen(3)
    second = await wire.client()
    assert await second.resume(wire.gateway.session, first.seq) == "INVALID False"
    assert await second.resume(wire.gateway.session, first.seq + 3) == "INVALID False"


@pytest.mark.parametrize("code", [1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014])
async def test_a_session_closed_with_certain_codes_cant_be_resumed(wire: Clocked, code: int) -> None:
    first = await wire.begun()
    if code < 4000:
        await first.socket.close(code=code)
        await wire.until(lambda: not wire.gateway.connected)
    else:
        await wire.gateway.drop(code)
        assert await first.hear() == str(code)
    assert await (await wire.client()).resume(wire.gateway.session, first.seq) == "INVALID False"


async def test_a_session_that_the_client_closed_with_another_code_can_be_resumed(wire: Clocked) -> None:
    first = await wire.begun()
    await first.socket.close(code=4000)
    await wire.until(lambda: not wire.gateway.connected)
    assert await (await wire.client()).resume(wire.gateway.session, first.seq) == "RESUMED"


async def test_discord_can_ask_a_client_to_reconnect_or_identify_again(wire: Clocked) -> None:
    first = await wire.begun()
    await wire.gateway.reconnect()
    await wire.gateway.invalidate(resumable=True)
    assert [await first.hear(), await first.hear()] == ["RECONNECT", "INVALID True"]
    await wire.gateway.invalidate()
    assert await first.hear() == "INVALID False"
    wire.now += 5.0
    assert await first.identify() == "READY"


async def test_sessions_with_the_same_rate_limit_key_must_start_five_seconds_apart(wire: Clocked) -> None:
    wire.gateway.starts.concurrency = 2
    await wire.begun(0, 4)
    wire.now += 4.9
    assert await (await wire.client()).identify(1, 4) == "READY"
    third = await wire.client()
    assert await third.identify(2, 4) == "INVALID False"
    wire.now += 0.1
    assert await third.identify(2, 4) == "READY"
    limit = await wire.start_limit()
    assert (limit["remaining"], limit["max_concurrency"]) == (996, 2)


async def test_session_starts_are_counted_for_a_day(wire: Clocked) -> None:
    assert await wire.start_limit() == {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    await wire.begun()
    wire.now += 86_000.0
    limit = await wire.start_limit()
    assert (limit["remaining"], limit["reset_after"]) == (999, 400_000)
    wire.now += 400.0
    assert (await wire.start_limit())["remaining"] == 1000


async def test_one_session_start_too_many_ends_all_sessions_and_resets_the_token(wire: Clocked) -> None:
    wire.gateway.starts.total = 2
    first, second, old = await wire.begun(), await wire.begun(), wire.token
    third = await wire.client()
    assert await third.identify() == "4004"
    assert [await first.hear(), await second.hear()] == ["4004", "4004"]
    wire.now += 86_400.0
    assert await (await wire.client()).identify(token=old) == "4004"
    headers = {"Authorization": f"Bot {old}"}
    assert (await wire.http.get(f"{wire.rest_base}/users/@me", headers=headers)).status == 401
    await wire.begun()  # with the token that the owner has fetched


async def test_each_session_gets_events_of_its_own_servers(wire: Clocked) -> None:
    rooms = [wire.world.open_guild(shard, 3) for shard in range(3)]
    home = (wire.world.guild_id >> 22) % 3
    clients = [await wire.begun(shard, 3) for shard in range(3)]
    for shard, room in enumerate(rooms):
        created = {int(data["id"]) for name, data in wire.gateway.sessions[shard].events if name == "GUILD_CREATE"}
        assert room.guild is not None
        assert created == {room.guild.id} | ({wire.world.guild_id} if shard == home else set())
        await wire.gateway.dispatch("CHANNEL_UPDATE", room.json())
        assert await clients[shard].hear() == "CHANNEL_UPDATE"
    await wire.happen()
    assert await clients[0].hear() == "TYPING_START"


async def test_two_sessions_of_one_shard_both_get_its_events(wire: Clocked) -> None:
    clients = [await wire.begun(), await wire.begun(), await wire.begun(1, 2)]
    await wire.happen()
    assert [await client.hear() for client in clients[:2]] == ["TYPING_START"] * 2
    await clients[2].send(HEARTBEAT, None)
    assert await clients[2].hear() == "ACK"


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"token": "wrong"}, 4004),
        ({"shard": 2, "shards": 2}, 4010),
        ({"shard": 0, "shards": 0}, 4010),
        ({"intents": 1 << 30}, 4013),
        ({"intents": 1 << 1}, 4014),
        ({"intents": 1 << 15}, 4014),
    ],
)
async def test_an_invalid_identify_closes_the_connection(wire: Clocked, how: Json, code: int) -> None:
    assert await (await wire.client()).identify(**how) == str(code)
    assert (await wire.start_limit())["remaining"] == 1000


async def test_a_session_with_too_many_servers_needs_shards(wire: Clocked) -> None:
    wire.gateway.most_guilds = 2
    for _ in range(3):
        wire.world.open_guild(0, 2)
    assert await (await wire.client()).identify() == "4011"
    wire.gateway.most_guilds = 3
    home = (wire.world.guild_id >> 22) % 2
    assert await (await wire.client()).identify(home, 2) == ("READY" if home else "4011")


async def test_an_intent_that_the_owner_has_enabled_is_granted(wire: Clocked) -> None:
    wire.gateway.privileged = 1 << 1
    assert await (await wire.client()).identify(intents=1 | 1 << 1) == "READY"


@pytest.mark.parametrize(
    ("op", "data", "begun", "code"),
    [(99, {}, True, 4001), (3, {}, False, 4003), (IDENTIFY, {"token": "x"}, True, 4005)],
)
async def test_unexpected_payloads_close_the_connection(
    wire: Clocked, op: int, data: Json, begun: bool, code: int
) -> None:
    client = await (wire.begun() if begun else wire.client())
    await client.send(op, data)
    assert await client.hear() == str(code)


async def test_an_invalid_payload_sequence_or_version_closes_the_connection(wire: Clocked) -> None:
    client = await wire.begun()
    await client.socket.send_str("[")
    assert await client.hear() == "4002"
    second = await wire.client()
    assert await second.resume(wire.gateway.session, client.seq + 9) == "4007"
    third = Client(wire, await wire.http.ws_connect(wire.gateway_url + "?v=6"))
    assert [await third.hear(), await third.hear()] == ["HELLO", "4012"]


async def test_more_than_120_payloads_in_a_minute_close_the_connection(wire: Clocked) -> None:
    client = await wire.begun()
    assert wire.gateway.most_payloads == 120
    wire.gateway.most_payloads = 3
    for _ in range(2):
        await client.send(HEARTBEAT, None)
        assert await client.hear() == "ACK"
    wire.now += 60.0
    for _ in range(4):
        await client.send(HEARTBEAT, None)
    assert [await client.hear() for _ in range(4)] == ["ACK"] * 3 + ["4008"]


async def test_a_client_that_sends_no_heartbeats_is_disconnected(wire: Clocked) -> None:
    wire.gateway.heartbeat, wire.gateway.patience = 0.1, 0.1
    assert await (await wire.begun()).hear() == "4009"


async def test_the_simulated_network_delays_messages_and_keeps_their_order(wire: Clocked) -> None:
    client = await wire.begun()
    wire.network = (0.05, 0.15)
    began = time.perf_counter()
    await wire.start_limit()
    assert time.perf_counter() - began >= 0.05
    began = time.perf_counter()
    await wire.happen(3)
    await wire.gateway.reconnect()
    assert wire.gateway.under_way == 4
    assert [await client.hear() for _ in range(4)] == ["TYPING_START"] * 3 + ["RECONNECT"]
    assert 0.05 <= time.perf_counter() - began < 0.4
    assert client.seq == 5
    assert wire.gateway.refused == []


async def test_the_same_seed_gives_the_same_network_delays() -> None:
    pair = [WireServer(), WireServer()]
    for wire in pair:
        wire.network = (0.1, 0.4)
    times = [[wire.latency() for _ in range(20)] for wire in pair]
    assert times[0] == times[1]
    assert min(times[0]) >= 0.1
    assert 0.3 < max(times[0]) <= 0.4
