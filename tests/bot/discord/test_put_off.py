"""Calls that are put off: no one is notified twice in ten minutes, but people who are still asked are called then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from bot.discord.show.round import CALLS_APART
from bot.servers import PAUSE
from bot.service.orders import DELAY
from bot.table.acts.guests import Decline
from bot.table.preferences import CHANNEL, DM
from bot.words.typed import typed
from engine.actions import AgreeToCallOff, Roll
from engine.resources import hand
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components, sure
from tests.bot.discord.hall import Hall, labels, text
from tests.bot.discord.mailbox import Mailbox
from tests.bot.discord.moments import ends_plainly
from tests.bot.discord.tables import offered

LATER = 120.0


async def ended_twice(hall: Hall) -> Any:
    """Have a turn ended, undone and two minutes later ended again. Returns the player whose turn it is now."""
    game = await hall.advance(ends_plainly)
    person = await hall.person(game.to_act[0])
    await sure(person, await person.slash(hall.channel, "end"))
    await hall.env.advance_time(LATER)
    await person.slash(hall.channel, "undo")
    await sure(person, await person.slash(hall.channel, "end"))
    return await hall.person((await hall.game()).to_act[0])


@pytest.mark.parametrize("where", [CHANNEL, DM])
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_player_whose_turn_was_undone_and_begins_again_is_called_once_ten_minutes_after_the_first_call(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, where: str, restarted: bool
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        for person in hall.people:
            await hall.remind(person, where)
        mailbox = Mailbox(hall, monkeypatch)
        called = await ended_twice(hall)
        first = len(mailbox.of(called.id))
        assert first == 1
        if restarted:
            await hall.restart()
        await hall.env.advance_time(CALLS_APART - LATER - 10)
        assert len(mailbox.of(called.id)) == first, "it isn't time yet"
        await hall.env.advance_time(20)
        [call] = mailbox.of(called.id)[first:]
        assert call.direct == (where == DM)
        if restarted:
            await hall.restart()
        await hall.env.advance_time(2 * CALLS_APART)
        assert len(mailbox.of(called.id)) == first + 1, "once"
        assert {user for user in (c.user for c in mailbox.calls) if user != called.id} <= {mailbox.calls[0].user}


async def test_the_message_of_a_call_that_was_put_off_goes_once_the_player_acts(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        called = await ended_twice(hall)
        assert f"**{called.name.title()}**'s turn" in text(await hall.panel())

        def calls() -> list[str]:
            return [text(m) for m in hall.channel.history() if "your turn: roll the dice" in text(m)]

        await hall.env.advance_time(CALLS_APART)
        assert calls() == [f"<@{called.id}> · your turn: roll the dice."]
        await by_components(hall, called, Roll())
        assert calls() == []


async def test_a_player_who_acts_meanwhile_is_not_called_later(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        called = await ended_twice(hall)
        mailbox = Mailbox(hall, monkeypatch)
        await by_components(hall, called, Roll())
        await hall.env.advance_time(2 * CALLS_APART)
        assert not [call for call in mailbox.of(called.id) if not call.direct and "turn" in call.name]


async def test_a_turn_that_is_undone_again_calls_no_one(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        called = await ended_twice(hall)
        game = await hall.game()
        before = await hall.person((game.to_act[0] - 1) % game.config.players)
        mailbox = Mailbox(hall, monkeypatch)
        await before.slash(hall.channel, "undo")
        await hall.env.advance_time(2 * CALLS_APART)
        assert not mailbox.of(called.id)


async def repeated(hall: Hall, *deeds: Callable[[], Awaitable[Any]]) -> None:
    """Do these deeds, two minutes later."""
    await hall.env.advance_time(LATER)
    for do in deeds:
        await do()


async def test_a_vote_that_is_taken_back_and_given_again_calls_the_others_later(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message with the buttons comes again at the end of the channel, and the old one goes."""
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(lambda game: game.turn == 2)
        ann, *others = hall.people
        mailbox = Mailbox(hall, monkeypatch)
        vote, back = (partial(by_commands, hall, ann, AgreeToCallOff(agreed)) for agreed in (True, False))
        await vote()
        await repeated(hall, back, vote)

        def votes() -> list[Any]:
            return [m for m in hall.channel.history() if "to void the game: no winner. OK?" in text(m)]

        def called() -> list[int]:
            return sorted(call.user for call in mailbox.calls if call.name.startswith("ping:vote"))

        [ping] = votes()
        assert called() == [person.id for person in others]
        assert "<@" not in text(ping), "it notifies no one"
        await by_commands(hall, others[0], AgreeToCallOff())
        assert text(votes()[0]).startswith(f"**{others[1].name.title()}** · "), "nor does an edit"
        await hall.restart()
        await hall.env.advance_time(CALLS_APART)
        [again] = votes()
        assert again.id != ping.id
        assert "Agree: void the game" in labels(again)
        assert text(again).startswith(f"<@{others[1].id}> · ")
        assert called() == sorted([others[0].id, others[1].id, others[1].id]), "who has voted isn't called again"


async def test_an_offer_that_is_made_again_calls_later_and_names_only_whom_it_notifies(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game, maker, others, number = await offered(hall)
        [offer] = game.view(None).offers
        mailbox = Mailbox(hall, monkeypatch)
        terms = {"give": typed(hand(offer.give)), "get": typed(hand(offer.want))}
        await repeated(
            hall,
            partial(maker.slash, hall.channel, "trade cancel", offer=str(number)),
            partial(maker.slash, hall.channel, "trade offer", **terms),
        )
        [now] = (await hall.game()).view(None).offers
        assert not mailbox.calls
        await others[0].slash(hall.channel, "trade decline", offer=str(now.id))
        mailbox.calls.clear()
        await hall.env.advance_time(CALLS_APART)
        assert [call.user for call in mailbox.calls if "offer" in call.name] == [others[1].id]


async def test_a_rematch_that_is_canceled_and_opened_again_calls_the_others_later(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(lambda game: game.turn == 2)
        for person in hall.people:
            await by_commands(hall, person, AgreeToCallOff())
        ann, bob, cem = hall.people
        mailbox = Mailbox(hall, monkeypatch)
        panel = await hall.panel()
        await ann.click(panel, label="Rematch")
        await hall.env.advance_time(LATER)
        await hall.restart()
        await sure(ann, await ann.slash(hall.channel, "game cancel"))
        await ann.click(panel, label="Rematch")
        assert sorted(call.user for call in mailbox.calls) == [bob.id, cem.id]
        await bob.click(await hall.panel(), label="Join")
        await hall.restart()
        mailbox.calls.clear()
        await hall.env.advance_time(CALLS_APART)
        assert [call.user for call in mailbox.calls] == [cem.id]


async def test_no_one_is_called_to_several_tables_of_a_server_in_ten_minutes(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        mailbox = Mailbox(hall, monkeypatch)
        for _ in range(5):
            await ann.slash(hall.channel, "game new", thread=True, players=f"<@{bob.id}>")
            await hall.env.advance_time(PAUSE)
        begun = mailbox.begun
        assert [call.user for call in mailbox.calls] == [bob.id]
        lobbies = [text(message) for thread in hall.channel.threads for message in thread.history() if labels(message)]
        assert len(lobbies) == 5
        assert all("Bob" in said or f"<@{bob.id}>" in said for said in lobbies)
        assert sum(f"<@{bob.id}>" in said for said in lobbies) == 1
        await hall.services.games.act(3, bob.id, Decline(), "no")
        await hall.restart()
        await cem.slash(hall.channel, "game new", thread=True, players=f"<@{ann.id}>")
        assert [call.user for call in mailbox.calls] == [bob.id, ann.id], "that is another person"
        mailbox.calls.clear()
        await hall.env.advance_time(7 * CALLS_APART)
        assert [call.user for call in mailbox.calls] == [bob.id] * 3, "to the other tables that keep a seat"
        times = [begun, *(call.at for call in mailbox.calls)]
        assert all(CALLS_APART <= later - before < 1.2 * CALLS_APART for before, later in pairwise(times))


async def test_a_game_that_is_paused_and_resumed_again_calls_later(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(ends_plainly)
        called = await hall.person(game.to_act[0])
        mailbox = Mailbox(hall, monkeypatch)

        async def stop_and_go() -> None:
            for command in ("game pause", "game resume"):
                for person in hall.people[:2]:
                    await person.slash(hall.channel, command)

        def calls() -> list[int]:
            return [call.user for call in mailbox.calls if call.name.startswith("ping:resumed")]

        await stop_and_go()
        await repeated(hall, stop_and_go)
        assert calls() == [called.id]
        await hall.env.advance_time(CALLS_APART)
        assert calls() == [called.id, called.id]


async def test_a_player_whom_no_direct_message_reaches_twice_in_ten_minutes_is_called_in_the_channel_later(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(ends_plainly)
        ender, called = [await hall.person((game.to_act[0] + n) % 3) for n in (0, 1)]
        await hall.remind(called, DM)
        path = f"/channels/{called.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
        mailbox = Mailbox(hall, monkeypatch)

        async def end() -> None:
            await sure(ender, await ender.slash(hall.channel, "end"))
            await hall.env.advance_time(DELAY[1] + 1)

        async def opened() -> None:
            await hall.services.people.change_settings(called.id, dms_closed=False)

        await end()
        assert [call.user for call in mailbox.calls] == [called.id]
        await repeated(hall, opened, partial(ender.slash, hall.channel, "undo"), end)
        assert [call.user for call in mailbox.calls] == [called.id]
        await hall.restart()
        await hall.env.advance_time(CALLS_APART)
        assert [call.user for call in mailbox.calls] == [called.id, called.id]


async def test_news_for_one_person_comes_later_even_if_the_turn_is_over_by_then(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(5) as hall:
        ann, *_others = people = hall.people[:3]
        await hall.begin(people)
        await hall.advance(ends_plainly)
        mailbox = Mailbox(hall, monkeypatch)

        def told() -> list[int]:
            return [call.user for call in mailbox.calls if call.name.startswith("ping:news")]

        for stranger in hall.people[3:]:
            await ann.slash(hall.channel, "seat give", to=stranger.user)
            [seat] = [m for m in hall.channel.history() if "No thanks" in labels(m)]
            await stranger.click(seat, label="No thanks")
            await hall.env.advance_time(LATER)
        assert told() == [ann.id], "twice within ten minutes"
        turn = (await hall.game()).turn
        await hall.advance(lambda game: game.turn > turn)
        await hall.restart()
        await hall.env.advance_time(CALLS_APART)
        assert told() == [ann.id, ann.id]
        await hall.env.advance_time(CALLS_APART)
        assert told() == [ann.id, ann.id]


async def test_a_restart_makes_no_call_come_sooner(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(ends_plainly)
        ender, called = [await hall.person((game.to_act[0] + n) % 3) for n in (0, 1)]
        mailbox = Mailbox(hall, monkeypatch)
        await sure(ender, await ender.slash(hall.channel, "end"))
        await hall.restart()
        await hall.env.advance_time(LATER)
        await ender.slash(hall.channel, "undo")
        await sure(ender, await ender.slash(hall.channel, "end"))
        await hall.restart()
        assert [call.user for call in mailbox.calls if not call.direct] == [called.id]
        await hall.env.advance_time(CALLS_APART + 10)
        assert [call.user for call in mailbox.calls if not call.direct] == [called.id, called.id]
