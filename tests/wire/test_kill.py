"""Kill and repeat: nothing that people were told is lost, nothing is done twice, and the panel is right again."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bot.discord.show.private import STILL_FOR
from bot.screens.viewer import Viewer
from bot.words.hands import own_hand
from engine.actions import Action, EndTurn
from tests.bot.signs import without_signs
from tests.postgres import NewDatabase
from tests.wire.calls import Interaction
from tests.wire.messages import LOADING
from tests.wire.openings import roll_step
from tests.wire.party import Party, Person, answered, party
from tests.wire.preloaded import WORKERS
from tests.wire.stored_game import StoredGame, shown
from tests.wire.trouble import change, no_first_answers, settle_in

KILLS = 5
"""Kills in each short game."""


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2))])
async def test_a_game_goes_on_after_harbormaster_is_killed(tmp_path: Path, seed: int) -> None:
    await play_with_kills(tmp_path, seed, KILLS)


@pytest.mark.soak
async def test_a_game_on_postgresql_goes_on_after_harbormaster_is_killed(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    """This waits until the dead process's shard is free."""
    await play_with_kills(tmp_path, 6, 2, {"DATABASE_URL": new_database()})


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
async def test_a_game_goes_on_after_harbormaster_is_killed_repeatedly(
    tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    record_property("kills", await play_with_kills(tmp_path, seed, 50))


@pytest.mark.soak
async def test_an_interaction_delivered_twice_is_done_once(tmp_path: Path) -> None:
    async with party(tmp_path, 3, twice=True) as table:
        await table.begin(target=4)
        for _ in range(40):
            await table.step()
        await table.panel_current()
        (await table.read()).check_once(table.delivered)
        assert all(it.deliveries == 2 for it in table.wire.world.interactions.values() if it.callback and it.kind != 8)
        assert "Traceback" not in table.bot.tail(10_000)


async def test_harbormaster_killed_before_it_knows_its_message_posts_no_second_one(tmp_path: Path) -> None:
    async with party(tmp_path, 2) as table:
        await table.begin()
        while not isinstance((await table.choose())[1], EndTurn):
            await table.step()
        person, _ = await table.choose()
        table.wire.fault("POST /channels/.*/messages", reply_delay=5.0)
        doing = asyncio.create_task(table.do(person, EndTurn()))
        await table.wire.until(lambda: len(table.panels()) == 2)
        await table.bot.kill()
        with contextlib.suppress(TimeoutError):  # if the click is still to be answered
            await doing
        await table.bot.start()
        await table.settled()
        await table.panel_current()
        panel = table.panels()[0]
        assert len([ping for ping in table.wire.world.pings if ping.message is panel]) == 1


@pytest.mark.parametrize("acknowledged", [True, False])
async def test_an_interaction_redelivered_after_a_kill_is_answered_by_the_next_process(
    tmp_path: Path, acknowledged: bool
) -> None:
    """Killed after storing and before answering: the user isn't left with "thinking", or with no answer."""
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as table:
        game = await table.game()
        person = await table.person(game.to_act[0])
        await settle_in(table.wire)
        if acknowledged:
            no_first_answers(table.wire)
        table.wire.fault("/webhooks/" if acknowledged else "callback", delay=60.0, times=100)
        it = await person.human.slash("roll", wait=acknowledged)
        await table.stored(len(game.records) + 1)
        await table.bot.kill()
        assert (it.response is not None and bool(it.response.flags & LOADING)) == acknowledged
        table.wire.faults.clear()
        await table.bot.start()
        await table.wire.deliver(it)
        await table.wire.until(lambda: it.response and not it.response.flags & LOADING)
        await table.settled()
        assert (await table.read()).revision == len(game.records) + 1
        assert "rolled" in it.text


async def play_with_kills(folder: Path, seed: int, kills: int, env: Mapping[str, str] | None = None) -> int:
    """Play a game in which the bot is killed at random moments, mostly in the middle of an action. Returns how often it
    was killed: less than `kills` times if the game is over before."""
    rng, done = random.Random(seed), 0
    async with party(folder, seed, env={WORKERS: "1", **(env or {})}) as table:
        await table.begin(target=5)
        table.suggested = frozenset()
        for _ in range(rng.choice((0, 5, 17, 30))):
            await table.step()
        for _ in range(kills):
            for _ in range(rng.randrange(3)):
                if (await table.game()).outcome is None:
                    await table.step()
            if (await table.game()).outcome is not None:
                break
            await kill_in_action(table, rng)
            done += 1
        (await table.read()).check_once(table.delivered)
    return done


async def kill_in_action(table: Party, rng: random.Random) -> None:
    """Kill the bot milliseconds after a player has begun to act, start it, and check that everything is right."""
    person, action = await table.choose()
    before = await table.read()
    acknowledged = await act_and_kill(table, person, action, rng.uniform(0.0, 0.12))
    dead = await table.read()
    check_done_at_most_once(before, dead, action)
    assert dead.revision > before.revision or not acknowledged, f"{action} was acknowledged and is lost"
    panels = [shown(message) for message in table.panels()]
    assert panels[-1] in (await before.panel(), await dead.panel()), "the panel shows what isn't stored"

    it = last(table)
    asked = len(it.requests)
    await table.bot.start()  # its session can bring what the dead one hadn't confirmed
    back = await table.settled(dead.revision)
    assert back.records[: dead.revision] == dead.records
    check_done_at_most_once(before, back, action)
    await table.panel_current()
    await table.wire.deliver(it)
    # after 3 seconds the bot ignores it
    await table.wire.until(lambda: len(it.requests) > asked or table.wire.world.ids.age(it.id) > 3)
    await table.wire.settled(0.3)  # nothing shows when the bot is done with it
    again = await table.settled()
    check_done_at_most_once(before, again, action)
    if again.revision == before.revision:
        await table.do(person, action)
        again = await table.settled(before.revision + 1)
        check_done_at_most_once(before, again, action)
    await table.panel_current()


async def act_and_kill(table: Party, person: Person, action: Action, after: float) -> bool:
    """Act, and kill the bot meanwhile. Returns whether the person was told before that their action is done."""
    doing = asyncio.create_task(table.do(person, action))
    await asyncio.wait({doing}, timeout=after)
    await table.bot.kill()
    done = doing.done()
    doing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await doing
    table.delivered.add(str(last(table).id))
    return done and answered(last(table))


def last(table: Party) -> Interaction:
    """The last interaction."""
    return next(reversed(table.wire.world.interactions.values()))


def check_done_at_most_once(before: StoredGame, after: StoredGame, action: Action) -> None:
    """Check that the file has nothing new, except possibly the action."""
    assert [record["do"] for record in after.records[before.revision :]] in ([], [action.to_json()])


async def test_delayed_hands_are_sent_by_the_next_process(tmp_path: Path) -> None:
    """Killed while they waited, and started when the game has been still long enough."""
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as table:
        while not (await table.read()).resting:
            await table.step()
        await table.bot.kill()
        change(table.bot.database, f"UPDATE games SET updated = updated - {STILL_FOR}, checksum = NULL")
        await table.bot.start()
        await table.settled()
        stored = await table.read()
        assert not stored.resting
        game = stored.game()
        for person in table.people:
            [message] = table.wire.dms(person.human)
            viewer = Viewer.of(stored.table, game, person.id)
            assert own_hand(viewer.view, viewer.names) in without_signs(message.text)
