"""People whom Discord refuses to write to: they are called in the channel, and keep nothing from anyone else."""

from __future__ import annotations

import logging
import random
from typing import Any

import discord
import pytest

from bot.discord.context import GREET_AGAIN_AFTER
from bot.discord.interaction import autopilot_wait, now
from bot.discord.show import private
from bot.discord.show.private import STILL_FOR
from bot.projections import TROUBLE, Kind, of_kind
from bot.screens import people as texts
from bot.service.orders import DELAY
from bot.service.people import STOPPED_FOR
from bot.table.preferences import DM
from engine.actions import Discard, EndTurn, Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, allow, answer
from tests.bot.discord.moments import at, before_discards
from tests.bot.discord.seen import sent_to

DAY = 86_400


@pytest.mark.parametrize(("since", "wait"), [(0.0, 13.0), (-5.0, 8.0), (3 * DAY, 13.0)])
def test_a_call_waits_for_no_clock_that_was_set_back(since: float, wait: float) -> None:
    assert autopilot_wait(now() + since) == pytest.approx(wait, abs=1.0)


def refuse(hall: Hall, method: str, person: Any, code: int) -> None:
    """Have Discord refuse something in a person's direct messages from now on."""
    path = f"/channels/{person.user.dm_channel.id}/messages*"
    hall.env.inject_error(method, path, status=403, code=code, message="no", times=None)


def sent(hall: Hall, person: Any, since: int, method: str = "POST") -> int:
    """How many such requests there were in a person's direct messages since a request."""
    path = f"/channels/{person.user.dm_channel.id}/messages"
    return sum(r.method == method and r.path.startswith(path) for r in hall.env.http_requests[since:])


def waited_for(hall: Hall) -> list[discord.Message]:
    """The calls in the channel to people whom no direct message could reach."""
    return [m for m in hall.channel.history() if "the game is waiting for you" in m.content]


async def discards(hall: Hall) -> list[Any]:
    """Have a 7 rolled where all are called by direct message. Returns who must discard, in the order of their ids."""
    await hall.begin(pace=7 * DAY)
    game = await hall.advance(before_discards)
    for person in hall.people:
        await hall.remind(person, DM)
    await by_components(hall, await hall.person(game.to_act[0]), Roll())
    late = [await hall.person(seat) for seat in (await hall.game()).to_act]
    return sorted(late, key=lambda person: person.id)


async def test_a_limit_on_one_persons_messages_keeps_none_from_another_one(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        limited, other, *_ = await discards(hall)
        post_dm = private.post_dm

        async def post(display: Any, user: int, *message: Any) -> Any:
            if user == limited.id:
                raise discord.RateLimited(DAY)
            return await post_dm(display, user, *message)

        monkeypatch.setattr(private, "post_dm", post)
        path = f"/channels/{other.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=503, message="no", times=2)
        for _ in range(48):
            await hall.env.advance_time(1800)
        assert sent_to(other, "⏰")


async def test_an_answered_reminder_that_cant_be_deleted_keeps_no_hand_from_anyone(open_hall: Opened) -> None:
    async with open_hall() as hall:
        late = await discards(hall)
        await hall.env.advance_time(DAY)
        for person in late:
            assert sent_to(person, "⏰")
            refuse(hall, "DELETE", person, 50001)
        since = len(hall.env.http_requests)
        for person in late:
            options = (await hall.game()).options((await hall.viewer(person)).my_seat)
            await by_commands(hall, person, options[Discard].sample(random.Random(1)))
        await hall.env.advance_time(STILL_FOR + 60)
        assert all(sent(hall, person, since) + sent(hall, person, since, "PATCH") for person in late)
        assert not of_kind(await hall.services.projections.visible(1), Kind.REMINDER)


async def test_a_game_is_no_longer_stuck_even_if_the_message_about_it_cant_be_deleted(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await allow(hall, send_messages=False, manage_roles=True)
        await hall.advance(lambda game: game.turn == 2)
        await hall.env.advance_time(1)
        host = hall.people[0]
        assert sent_to(host, "is stuck")
        refuse(hall, "DELETE", host, 50001)
        await allow(hall, send_messages=True)
        await hall.env.advance_time(1)
        assert TROUBLE not in await hall.services.projections.visible(1)
        assert hall.bot.app.publisher.stuck == 0


async def test_a_person_for_whom_no_channel_can_be_opened_is_told_so_and_tried_once(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        await hall.services.people.change_settings(person.id, choices={"direct": 0})
        path, text = "/users/@me/channels", "Invalid Recipient(s)"
        hall.env.inject_error("POST", path, status=400, code=50033, message=text, times=None)
        assert await hall.bot.app.greetings.write_to(person.id) == texts.dms_closed()
        await hall.env.advance_time(2 * GREET_AGAIN_AFTER)
        assert sum(request.path == path for request in hall.env.http_requests) == 1


@pytest.mark.parametrize("code", [50001, 50035])
async def test_one_person_who_cant_be_reminded_keeps_no_one_else_from_it(
    open_hall: Opened, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall() as hall:
        refused, *others = await discards(hall)
        refuse(hall, "POST", refused, code)
        since = len(hall.env.http_requests)
        for _ in range(48):
            await hall.env.advance_time(1800)
        assert all(sent(hall, person, since) for person in others), "reminders"
        assert sent(hall, refused, since) == 1
        assert [[user.id for user in call.mentions] for call in waited_for(hall)] == [[refused.id]]
        faults = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(faults) == (code == 50035), "what Discord calls malformed is a fault of the program"
        caplog.clear()


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_person_who_cant_be_written_to_is_called_even_after_a_restart(
    open_hall: Opened, restarted: bool
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        roller, following = game.to_act[0], (game.to_act[0] + 1) % 4
        person = await hall.person(following)
        for other in hall.people:  # no hand of theirs is due after the restart
            await hall.services.people.change_settings(other.id, dms=other == person)
        await hall.remind(person, DM)
        await hall.env.advance_time(STILL_FOR + 60)
        refuse(hall, "POST", person, 50007)
        await by_components(hall, await hall.person(roller), EndTurn())
        assert not waited_for(hall)
        if restarted:
            await hall.restart()
        await hall.env.advance_time(DELAY[1] + 1)
        [call] = waited_for(hall)
        assert [user.id for user in call.mentions] == [person.id]


@pytest.mark.parametrize("moved", [False, True])
async def test_a_call_to_who_cant_be_written_to_goes_once_it_is_answered(open_hall: Opened, moved: bool) -> None:
    async with open_hall() as hall:
        person, *_ = await discards(hall)
        refuse(hall, "POST", person, 50007)
        await hall.env.advance_time(DAY + 60)
        assert len(waited_for(hall)) == 1
        if moved:
            there = hall.guild.create_text_channel("there")
            await hall.people[0].slash(there, "game move", game=1)
        else:
            options = (await hall.game()).options((await hall.viewer(person)).my_seat)
            await by_commands(hall, person, options[Discard].sample(random.Random(1)))
        assert not waited_for(hall)


async def still_refused(hall: Hall, code: int) -> tuple[Any, Any]:
    """Have someone's gathered hand refused while another one is awaited. Returns both."""
    await hall.begin()
    game = await hall.advance(at("main"))
    awaited, person = [await hall.person((game.to_act[0] + n) % 4) for n in (0, 1)]
    path = f"/channels/{person.user.dm_channel.id}/messages*"
    hall.env.inject_error("POST", path, status=403, code=code, message="no", times=1)
    await hall.env.advance_time(STILL_FOR + 60)
    assert not hands_of(person)
    return person, awaited


def hands_of(person: Any) -> list[Any]:
    return sent_to(person, "Your hand")


async def are_closed(hall: Hall, person: Any) -> bool:
    """Whether a person's direct messages count as closed."""
    return (await hall.services.people.settings(person.id)).dms_closed


async def test_who_switches_messages_on_again_is_not_switched_off_by_an_earlier_refusal(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, awaited = await still_refused(hall, 50007)
        assert "won't let me message you" in answer(await person.slash(hall.channel, "hand"))
        await hall.services.people.change_settings(person.id, dms=True)
        assert await hall.bot.app.greetings.write_to(person.id) == texts.dm_sent()
        assert "won't let me message you" not in answer(await person.slash(hall.channel, "hand"))
        await by_components(hall, awaited, EndTurn())
        await hall.env.advance_time(DELAY[1] + 5)
        assert hands_of(person)
        assert not waited_for(hall)
        assert not await are_closed(hall, person)


async def test_who_switches_messages_on_before_the_call_is_called_and_stays_on(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        awaited, person = [await hall.person((game.to_act[0] + n) % 4) for n in (0, 1)]
        await hall.remind(person, DM)
        path = f"/channels/{person.user.dm_channel.id}/messages*"
        hall.env.inject_error("POST", path, status=403, code=50007, message="no", times=1)
        await by_components(hall, awaited, EndTurn())
        await hall.services.people.change_settings(person.id, dms=True)
        assert not waited_for(hall)
        await hall.env.advance_time(DELAY[1] + 5)
        assert [[user.id for user in call.mentions] for call in waited_for(hall)] == [[person.id]]
        assert not await are_closed(hall, person)


async def test_switching_messages_on_calls_no_one_a_second_time(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, awaited = await still_refused(hall, 50007)
        await by_components(hall, awaited, EndTurn())
        await hall.env.advance_time(DELAY[1] + 5)
        assert await are_closed(hall, person)
        await hall.remind(person, DM)
        await hall.services.people.change_settings(person.id, dms=True)
        await hall.env.advance_time(STILL_FOR)
        assert not waited_for(hall)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("code", [20026, 40003])
async def test_a_hand_that_was_one_message_too_many_comes_later_and_closes_nothing(
    open_hall: Opened, code: int, restarted: bool
) -> None:
    async with open_hall() as hall:
        person, awaited = await still_refused(hall, code)
        since = len(hall.env.http_requests)
        await hall.env.advance_time(STOPPED_FOR - 3600)
        assert not sent(hall, person, since)
        if restarted:
            await hall.restart()
        await hall.env.advance_time(STOPPED_FOR + 3600)
        assert hands_of(person)
        await by_components(hall, awaited, EndTurn())
        await hall.env.advance_time(DELAY[1] + 5)
        assert not await are_closed(hall, person)


async def test_a_hand_for_which_no_channel_could_be_opened_comes_after_the_stop(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("main"))
        person, *others = hall.people
        for other in others:
            await hall.services.people.change_settings(other.id, choices={"direct": other.user.dm_channel.id})
        path = "/users/@me/channels"
        hall.env.inject_error("POST", path, status=400, code=40003, message="too fast", times=1)
        await hall.env.advance_time(STILL_FOR + 60)
        assert not hands_of(person)
        await hall.env.advance_time(2 * STOPPED_FOR)
        assert hands_of(person)
        assert not await are_closed(hall, person)


async def test_a_call_by_one_message_too_many_is_made_in_the_channel_and_closes_nothing(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, *_ = await discards(hall)
        options = (await hall.game()).options((await hall.viewer(person)).my_seat)
        refuse(hall, "POST", person, 20026)
        since = len(hall.env.http_requests)
        while not waited_for(hall):
            await hall.env.advance_time(60)
        assert [[user.id for user in call.mentions] for call in waited_for(hall)] == [[person.id]]
        await hall.env.advance_time(STOPPED_FOR / 2)
        assert sent(hall, person, since) == 1
        await by_commands(hall, person, options[Discard].sample(random.Random(1)))
        assert not of_kind(await hall.services.projections.visible(1), Kind.UNREACHED)
        assert not await are_closed(hall, person)
