"""While Discord is out of reach, no one's time runs out. Times that would end then, or soon after, begin again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import AsyncMock

import pytest
from aiohttp import ServerDisconnectedError

from bot.discord.context import CLOCKS_APART, AppContext
from bot.discord.limits import HeldBack
from bot.discord.show import lobby
from bot.discord.show.trouble import TABLE, Outage
from bot.discord.talk.call import Call
from bot.screens.viewer import Viewer
from bot.service.reach import LONG_OUTAGE
from bot.table.acts.options import SetOptions
from bot.table.options import DECIDE, VOTE
from bot.table.preferences import DM
from bot.table.table import LOBBY, RUNNING
from engine.actions import DecideFor
from engine.record import REFEREE
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import Hall, answer, reply
from tests.bot.discord.moves import well
from tests.bot.discord.tables import decided, left
from tests.seeds import few_of

HOUR, DAY = 3600, 86_400


@contextmanager
def outage(hall: Hall) -> Iterator[None]:
    """Have Discord answer every request with status 500."""
    hall.env.inject_error("*", "*", status=500, times=None)
    fault = hall.env.backend.faults[-1]
    try:
        yield
    finally:
        hall.env.backend.faults.remove(fault)


async def over(hall: Hall) -> bool:
    """Whether a player's time is over and this has become known."""
    return await decided(hall) > 0 or any(wait.over for wait in (await hall.table()).waits)


async def paced(hall: Hall, pace: int, expiry: str = DECIDE) -> None:
    """Start a game, and play until the time to roll in the first turn has just begun: in setup, everyone has at least
    half an hour."""
    await hall.lobby()
    host = hall.people[0].id
    number = (await hall.table()).number
    await hall.services.games.act(number, host, SetOptions({"pace": pace, "expiry": expiry}), "paced")
    await hall.people[0].click(await hall.panel(), label="Start")
    await hall.advance(lambda game: bool(game.turn))
    await hall.env.settle()


@pytest.mark.parametrize(
    ("pace", "before", "seconds"),
    [
        (120, 60, 260),  # a reminder would be due in the outage
        (120, 110, 260),  # nothing has to be shown when the time is over
        (120, 5, 600),
        (HOUR, HOUR - 30, 60),
        (4 * HOUR, 4 * HOUR - 120, 600),
    ],
)
@pytest.mark.parametrize("expiry", few_of([DECIDE, VOTE]))
async def test_no_players_time_runs_out_in_an_outage(
    open_hall: Opened, long_time: None, pace: int, before: int, seconds: int, expiry: str
) -> None:
    async with open_hall(3) as hall:
        await paced(hall, pace, expiry)
        await hall.env.advance_time(before)
        with outage(hall):
            await hall.env.advance_time(seconds)
            assert not await over(hall)
        assert (await hall.table()).missed == ()
        again = hall.env.now().timestamp()
        await hall.env.advance_time(45)  # by then everything is shown again
        while not await over(hall):
            assert hall.env.now().timestamp() < again + 2 * pace + 60
            await hall.env.advance_time(await left(hall) + 1)
        assert hall.env.now().timestamp() > again + min(pace, 300), "it began anew"


async def test_an_outage_during_which_the_clock_is_set_back_counts_as_long() -> None:
    reach, clock = AsyncMock(), [1e6]
    outage = Outage(reach, lambda: clock[0])
    await outage.failed(ServerDisconnectedError(), clock[0], (1, TABLE))
    clock[0] -= HOUR
    assert outage.behind(1) >= LONG_OUTAGE
    await outage.failed(ServerDisconnectedError(), clock[0], (1, TABLE))
    reach.lost_all.assert_awaited_once()


async def test_requests_that_the_process_itself_holds_back_are_no_outage(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise all times would begin again whenever many requests wait."""

    async def held(*_: object, **_named: object) -> None:
        raise HeldBack("too many requests are waiting")

    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR - 120)
        with monkeypatch.context() as patch:
            patch.setitem(hall.bot.app.publisher._lanes, TABLE, held)
            with hall.env._bot_scope():
                hall.bot.app.publisher.refresh(1)
            await hall.env.advance_time(60)
        assert await hall.services.reach.last(1) == 0
        await hall.env.advance_time(90)
        assert await over(hall)


async def test_no_players_time_runs_out_while_no_connection_brings_their_clicks(
    open_hall: Opened, long_time: None
) -> None:
    """Discord answers requests, but for a while the gateway hasn't."""
    async with open_hall(3) as hall:
        await paced(hall, 120)
        connections = hall.bot._connections
        connections.cut(0)
        connections._cut[0] -= LONG_OUTAGE
        await hall.env.advance_time(130)
        assert not await over(hall)
        await connections.back(0)
        await hall.env.advance_time(90)
        assert not await over(hall)
        await hall.env.advance_time(240)
        assert await over(hall)


async def test_a_time_that_would_end_soon_after_an_outage_starts_again(open_hall: Opened, long_time: None) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR // 8 - 10)
        with outage(hall):  # the reminder that is due in the outage comes late
            await hall.env.advance_time(HOUR - HOUR // 8 - 60)
        await hall.env.advance_time(75)
        assert not await over(hall)
        assert await left(hall) > HOUR - 60


async def test_an_outage_noticed_in_one_game_counts_for_all(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        other = hall.guild.create_text_channel("other")
        await hall.people[1].slash(other, "game new")
        await hall.env.advance_time(HOUR - 120)
        with outage(hall):  # nothing of the first game is due in the outage
            with hall.env._bot_scope():
                await hall.bot.app.publisher.again(2)
            await hall.env.advance_time(60)
        await hall.env.advance_time(90)
        assert not await over(hall)
        assert await left(hall) > HOUR - 60


async def test_a_player_whose_call_cant_be_sent_gets_more_time(open_hall: Opened, long_time: None) -> None:
    async with open_hall(3) as hall:
        await hall.lobby()
        for person in hall.people:
            await hall.remind(person, DM)
        number = (await hall.table()).number
        await hall.services.games.act(number, hall.people[0].id, SetOptions({"pace": HOUR, "expiry": DECIDE}), "paced")
        faults = []
        for person in hall.people:
            path = f"/channels/{person.user.dm_channel.id}/messages"
            hall.env.inject_error("POST", path, status=500, times=None)
            faults.append(hall.env.backend.faults[-1])
        await hall.people[0].click(await hall.panel(), label="Start")
        await hall.env.advance_time(HOUR + 30)
        assert not await over(hall)
        for fault in faults:
            hall.env.backend.faults.remove(fault)
        await hall.env.advance_time(await left(hall) - 280)
        assert not await over(hall)
        await hall.env.advance_time(await left(hall) + 1)
        assert await over(hall)


async def test_a_restart_soon_after_an_outage_still_extends_the_time(open_hall: Opened, long_time: None) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR // 8 - 10)
        with outage(hall):
            await hall.env.advance_time(HOUR - HOUR // 8 - 60)
        await hall.env.advance_time(30)
        await hall.restart()
        await hall.env.advance_time(60)
        assert not await over(hall)


async def test_a_restart_during_an_outage_still_extends_the_time(open_hall: Opened, long_time: None) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR // 8 - 10)
        with outage(hall):
            await hall.env.advance_time(HOUR - HOUR // 8 - 60)
            await hall.bot.close()
        await hall.restart(closed=True)
        await hall.env.advance_time(90)
        assert not await over(hall)


async def test_a_player_who_couldnt_be_answered_gets_full_time_again(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR - 40)
        person = await hall.person((await hall.game()).to_act[0])
        hall.env.inject_error("POST", "/interactions/*", status=500, times=9)
        await person.slash(hall.channel, "hand")
        await hall.env.advance_time(50)
        assert not await over(hall)
        assert await left(hall) > HOUR - 60


async def test_a_player_whose_click_arrives_too_late_gets_more_time(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.env.advance_time(HOUR - 40)
        person = await hall.person((await hall.game()).to_act[0])
        with monkeypatch.context() as patch:
            patch.setattr(AppContext, "age", lambda self, interaction: 6.0)
            await person.click(await hall.panel(), label="My hand")
        await hall.env.advance_time(50)
        assert not await over(hall)


async def test_a_player_whose_form_cant_be_opened_gets_more_time(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.advance(lambda game: bool(game.turn) and game.view(None).step.kind == "discard")
        await hall.env.advance_time(HOUR - 40)
        before = await decided(hall)
        person = await hall.person((await hall.game()).to_act[0])
        picker = reply(await person.click(await hall.panel(), label="Discard"))
        hall.env.inject_error("POST", "/interactions/*", status=500, times=5)
        await person.click(picker, label="Choose myself")
        hall.env.backend.faults.clear()
        await hall.env.advance_time(50)
        assert await decided(hall) == before


@pytest.mark.parametrize("queued", [0.0, 1.5])
async def test_who_presses_for_a_form_that_takes_too_long_is_asked_to_press_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, queued: float
) -> None:
    """As on a slow disk. The form must be the first answer, which Discord takes for three seconds. If earlier presses
    of the same person have used some of that, no one gets more time because of it."""
    viewer = Call.viewer

    async def late(call: Call) -> Viewer:
        await asyncio.sleep(4.0)
        return await viewer(call)

    async with open_hall(3) as hall:
        await paced(hall, HOUR)
        await hall.advance(lambda game: bool(game.turn) and game.view(None).step.kind == "discard")
        person = await hall.person((await hall.game()).to_act[0])
        picker = reply(await person.click(await hall.panel(), label="Discard"))
        with monkeypatch.context() as patch:
            patch.setattr(Call, "viewer", late)
            patch.setattr(AppContext, "age", lambda app, interaction: queued + CLOCKS_APART)
            pressed = await person.click(picker, label="Choose myself")
            await hall.env.advance_time(2.5)
            assert "please try again" in answer(pressed)
            await hall.env.advance_time(2.5)
        assert pressed.modal is None
        assert bool(await hall.services.reach.last(1)) == (not queued)
        assert (await person.click(picker, label="Choose myself")).modal is not None


async def test_a_start_that_discord_doesnt_answer_can_be_tried_again(open_hall: Opened) -> None:
    """The message that closes the table can't be posted. That is no error of the program, and none is logged."""
    async with open_hall() as hall:
        await hall.lobby()
        hall.env.inject_error("POST", f"/channels/{hall.channel.id}/messages", status=500, times=None)
        assert "try again" in answer(await hall.people[0].click(await hall.panel(), label="Start"))
        assert (await hall.table()).status == LOBBY
        hall.env.backend.faults.clear()
        await hall.people[0].click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING


@pytest.mark.parametrize(
    ("error", "traced"), [(ServerDisconnectedError, False), (TimeoutError, True), (FileNotFoundError, True)]
)
async def test_what_may_have_failed_in_the_program_is_logged_with_its_place(
    open_hall: Opened,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
    traced: bool,
) -> None:
    monkeypatch.setattr(lobby, "close_table", AsyncMock(side_effect=error))
    async with open_hall() as hall:
        await hall.lobby()
        assert "try again" in answer(await hall.people[0].click(await hall.panel(), label="Start"))
    [record] = [record for record in caplog.records if record.name == "bot.discord.talk.dispatch"]
    assert (record.levelname, bool(record.exc_info)) == ("WARNING", traced)


async def test_a_time_that_began_after_an_outage_ends_as_usual(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await paced(hall, 120)
        await hall.env.advance_time(20)
        with outage(hall):
            await hall.env.advance_time(30)
        await hall.env.advance_time(20)
        await act(hall, random.Random(1))
        await hall.env.advance_time(130)
        assert await over(hall)


async def act(hall: Hall, rng: random.Random) -> None:
    """Have an awaited player do something."""
    game = await hall.game()
    seat = rng.choice(game.to_act)
    await by_commands(hall, await hall.person(seat), well(game, seat, rng))


@pytest.mark.soak
@pytest.mark.parametrize("pace", [600, HOUR, 4 * HOUR])
async def test_players_who_act_when_they_can_are_never_late_in_weeks_with_outages(open_hall: Opened, pace: int) -> None:
    async with open_hall(3) as hall:
        rng = random.Random(pace)
        await paced(hall, pace)
        until, outages = hall.env.now().timestamp() + min(pace * 400, 14 * DAY), 0
        while hall.env.now().timestamp() < until and (await hall.game()).outcome is None:
            if rng.random() < 0.2:
                outages += 1
                await hall.env.advance_time(rng.random() * pace * 0.9)
                with outage(hall):
                    with hall.env._bot_scope():  # else the bot's timers would follow the machine's clock
                        await hall.bot.app.publisher.again(1)  # else the bot would not notice the outage
                    await hall.env.advance_time(10 + rng.choice((30, 300, pace, 3 * pace)) * rng.random())
                await hall.env.advance_time(45)
            else:
                await hall.env.advance_time(rng.random() * pace * 0.5)
            turn = (await hall.game()).turn
            while len((await hall.game()).to_act) > 1 and (await hall.game()).turn == turn:
                await act(hall, rng)  # if several are awaited, none keeps the others waiting
            await act(hall, rng)
            late = [record for record in (await hall.game()).records if record.actor == REFEREE]
            assert not [record for record in late if isinstance(record.action, DecideFor)]
        print(f"pace {pace} s: {outages} outages, turn {(await hall.game()).turn}, nobody late")
        assert outages > 5
