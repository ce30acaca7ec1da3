"""A bot plays for a player: who decides that, what all see of it, and how the player gets the seat back."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import Any

from bot.table.options import VOTE
from bot.table.seats import SILENCE
from bot.table.waiting import decisions
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, find_button, labels, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.seen import messages
from tests.bot.discord.tables import paced


async def waiting(hall: Hall) -> tuple[Any, Any, Any]:
    """Start a game. Returns the player whom it waits for to roll, the host, and a player who is neither."""
    await hall.begin(target=14)
    host = hall.people[0].id
    game = await hall.advance(lambda game: at("pre_roll")(game) and game.turn > 4 and game.to_act[0] != 0)
    absent = await hall.person(game.to_act[0])
    others = [person for person in hall.people if person != absent and person.id != host]
    return absent, hall.people[0], others[0]


async def level_of(hall: Hall, person: Any) -> str:
    return next(member.level for member in (await hall.table()).members if member.user == person.id)


async def test_players_start_and_decide_a_vote_for_a_bot_with_buttons(open_hall: Opened) -> None:
    async with open_hall() as hall:
        absent, host, other = await waiting(hall)
        await hall.options(pause=60)
        if absent == host:
            host = other
        more = await hall.change(host)
        question = reply(await host.click(more, label="Let a bot play for…"))
        assert "After an hour's wait, the host alone can do it" in text(question)
        seat, turn = (await hall.table()).seat_of(await hall.game(), absent.id), (await hall.game()).turn
        response = await host.select(question, [str(seat)])
        assert "1 of 2 needed" in answer(response)
        [ping] = messages(hall, "a bot to play for")
        assert absent.mention not in text(ping)
        voter = next(p for p in hall.people if p not in (absent, host))
        assert f"<@{voter.id}>" in text(ping)
        response = await voter.click(ping, label="Let a bot play")
        assert "A bot is playing for" in answer(response)
        assert await level_of(hall, absent) == "hard"
        assert not messages(hall, "a bot to play for")
        [note] = messages(hall, "a bot is playing for you")
        assert f"<@{absent.id}>" in text(note)
        panel = await hall.panel()
        assert f"{absent.name.title()} 🤖" in text(panel)
        assert "Roll" not in labels(panel) or (await hall.game()).turn > turn  # the bot can have played already


async def test_a_player_can_give_their_seat_to_a_bot_and_take_it_back(open_hall: Opened) -> None:
    async with open_hall() as hall:
        absent, _host, _other = await waiting(hall)
        response = await absent.slash(hall.channel, "seat bot", player=absent.name)
        assert "`/seat back`" in answer(response)
        assert not messages(hall, "a bot is playing for you"), "they know it"
        assert "lets a bot play for them" in text(await hall.panel())
        refused = await absent.slash(hall.channel, "roll")
        assert "A bot is playing for you" in answer(refused)
        assert text(reply(await absent.slash(hall.channel, "game resign"))) == answer(refused)
        hand = reply(await absent.slash(hall.channel, "hand"))
        assert labels(hand) == ["Take my seat back"]
        response = await absent.slash(hall.channel, "help")
        assert "A bot is playing for you" in answer(response)
        assert "Take my seat back" in labels(reply(response))
        back = await absent.click(reply(refused), label="Take my seat back")
        assert "Welcome back" in answer(back)
        assert "is back and plays again" in text(await hall.panel())
        assert {"Roll", "End turn"} & set(labels(await hall.panel()))
        again = await absent.slash(hall.channel, "seat back")
        assert "your seat is yours" in answer(again)


async def test_the_host_alone_can_replace_a_player_after_an_hour_and_the_bot_plays(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        absent, host, _other = await waiting(hall)
        await hall.env.advance_time(SILENCE + 60)
        before: Game = await hall.game()
        response = await host.slash(hall.channel, "seat bot", player=absent.mention, level="easy")
        assert "A bot is playing for" in answer(response)
        for _ in range(100):  # a bot thinks in a thread, for as long as that takes
            await hall.env.advance_time(5)
            if (await hall.game()).turn > before.turn:
                break
            await asyncio.sleep(0.02)
        assert (await hall.game()).turn > before.turn


async def test_seat_and_bot_commands_that_dont_apply_are_refused(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        four, outside = hall.people[:4], hall.people[4]
        await hall.begin(four)
        refused = await outside.slash(hall.channel, "seat bot", player=four[0].mention)
        assert "not playing" in answer(refused)
        assert "No one in this game" in answer(await four[0].slash(hall.channel, "seat bot", player="Zoe"))
        assert "your seat is yours" in answer(await four[0].slash(hall.channel, "seat back"))
        added = await four[0].slash(hall.channel, "game bot add")
        assert "/seat bot" in answer(added)
        assert find_button(await hall.panel(), "return") is None


async def test_with_a_timer_or_in_a_pause_the_question_says_when_the_host_can_decide_alone(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        await paced(hall, 86_400)
        asks = hall.people[0]
        more = await hall.change(asks)
        question = text(reply(await asks.click(more, label="Let a bot play for…")))
        assert "If they run out of time, the host alone can do it" in question
        for person in hall.people[:3]:
            await person.slash(hall.channel, "game pause")
        more = await hall.change(asks)
        question = text(reply(await asks.click(more, label="Let a bot play for…")))
        assert "for a day, the host alone can do it" in question
        refused = answer(await asks.slash(hall.channel, "game resume"))
        assert "1 of 3 needed." in refused


async def test_the_question_says_from_when_the_host_or_one_player_can_decide_alone(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        host = hall.people[0]
        person, game = await paced(hall, 1800, VOTE)
        while person == host:
            game = await hall.advance(lambda game: at("pre_roll")(game) and game.to_act[0] != 0)
            person = await hall.person(game.to_act[0])
        [wait] = decisions(await hall.table())
        await hall.env.advance_time(1801)
        [question] = messages(hall, "Should a bot play for them?")
        since, later = (f"<t:{ceil((wait.until or 0) + more)}:f>" for more in (0, 1800))
        assert "It takes 2 of you." in text(question)
        assert f"The host, Ann, can decide this alone from {since}." in text(question)
        assert f"From {later}, one of you is enough." in text(question)
        voter = next(p for p in hall.people if p not in (person, host))
        await voter.click(question, label="Let a bot play")
        [asked] = messages(hall, "a bot to play for")
        assert f"The host, Ann, can decide this alone from {since}." in text(asked)


async def test_a_person_for_whom_a_bot_plays_is_asked_and_can_vote_without_taking_the_seat_back(
    open_hall: Opened,
) -> None:
    async with open_hall() as hall:
        absent, host, other = await waiting(hall)
        for voter in (host, other):
            await voter.slash(hall.channel, "seat bot", player=absent.mention)
        await host.slash(hall.channel, "game pause")
        [question] = messages(hall, "to pause the game")
        assert f"<@{absent.id}>" in text(question)
        assert "Vote counted: 2 of 3 needed" in answer(await absent.click(question, label="Agree"))
        sure = reply(await host.slash(hall.channel, "game end", how="off"))
        await host.click(sure, label="Yes, void it")
        [question] = messages(hall, "no winner. OK?")
        assert f"<@{absent.id}>" in text(question)
        sure = reply(await absent.click(question, label="Agree: void the game"))
        await absent.click(sure, label="Yes, void it")
        assert (await hall.game()).view(None).call_off_votes.bit_count() == 2
        assert await level_of(hall, absent) == "hard"


async def test_the_only_other_player_replaces_a_host_who_has_left_the_server(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        host, other = hall.people
        hall.guild.remove_member(host)
        assert "A bot is playing for Ann" in answer(await other.slash(hall.channel, "seat bot", player="Ann"))
