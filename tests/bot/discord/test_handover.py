"""A seat changes hands at the table: the offer, who can take it, and what happens to the hand."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord.show.private import STILL_FOR
from bot.table.acts.play import Play
from bot.table.waiting import AWAY
from engine.actions import Resign
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, labels, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.seen import messages, sent_to
from tests.bot.discord.tables import stranger


async def test_a_seat_is_offered_to_one_person_who_takes_it(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        zoe, other = stranger(hall), stranger(hall, "yan")
        bob = hall.people[1]
        await hall.restart()
        await hall.env.advance_time(STILL_FOR + 60)
        assert sent_to(bob, "Your hand")
        response = await bob.slash(hall.channel, "seat give", to=zoe.user)
        assert "has been asked" in answer(response)
        [offered] = messages(hall, "seat in this game is")
        assert [user.id for user in offered.mentions] == [zoe.id]
        assert "No seat is offered to you" in answer(await other.click(offered, label="Take the seat"))
        await hall.restart()
        response = await zoe.click(offered, label="Take the seat")
        assert "The seat is yours" in answer(response)
        assert not messages(hall, "seat in this game is")
        assert "Zoe has taken over Bob's seat." in text(await hall.panel())
        assert "Zoe has taken over Bob's seat." in answer(await hall.people[0].slash(hall.channel, "game log"))
        assert "not playing" in answer(await bob.slash(hall.channel, "hand"))
        assert "Game 1" in answer(await zoe.slash(hall.channel, "hand"))
        assert not sent_to(bob, "Your hand"), "it is taken away"


async def test_a_player_can_offer_a_seat_to_all_and_then_keep_it(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        bob = hall.people[1]
        more = await hall.change(bob)
        sure = reply(await bob.click(more, label="Give away my seat…"))
        await bob.click(sure, label="Offer my seat")
        assert len(messages(hall, "seat in this game is")) == 1
        more = await hall.change(bob)
        await bob.click(more, label="Keep my seat")
        assert not messages(hall, "seat in this game is")


async def test_a_player_who_offered_a_seat_is_told_that_it_was_declined(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        zoe, other, bob = stranger(hall), stranger(hall, "yan"), hall.people[1]
        await bob.slash(hall.channel, "seat give", to=other.user)
        message = answer(await bob.slash(hall.channel, "seat give", to=zoe.user))
        assert message == "Zoe has been asked to take the seat. Yan can't take it anymore."
        [offered] = messages(hall, "seat in this game is")
        await zoe.click(offered, label="No thanks")
        [message] = messages(hall, "declined Bob's seat")
        assert [user.id for user in message.mentions] == [bob.id]
        assert "Zoe declined" in answer(await bob.slash(hall.channel, "catchup"))
        await hall.advance(lambda game: game.turn == 2)
        assert not messages(hall, "declined Bob's seat")


async def test_a_seat_that_has_resigned_is_no_longer_offered(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        bob = hall.people[1]
        await bob.slash(hall.channel, "seat give", to=stranger(hall).user)
        assert messages(hall, "seat in this game is")
        number = (await hall.table()).number
        await hall.services.games.act(number, bob.id, Play(Resign()), "gone")
        await hall.bot.app.publisher.idle()
        assert not messages(hall, "seat in this game is")


async def test_a_seat_cant_be_given_to_a_bot_account_or_to_another_player(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        bob, cem = hall.people[1:3]
        assert "already in this game" in answer(await bob.slash(hall.channel, "seat give", to=cem.user))
        robot = hall.env.create_user("robot", bot=True)
        hall.guild.add_member(robot)
        assert "That account is a bot" in answer(await bob.slash(hall.channel, "seat give", to=robot))


async def test_an_onlooker_takes_over_a_bots_seat_by_vote(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.lobby()
        await ann.slash(hall.channel, "game bot add", level="easy")
        await hall.options(pause=60)
        await ann.click(await hall.panel(), label="Start")
        zoe = stranger(hall)
        more = reply(await zoe.click(await hall.panel(), label="More"))
        seats = reply(await zoe.click(more, label="Take over a bot's seat"))
        result = await zoe.select(seats, ["2"])
        assert "Vote started" in answer(result)
        [question] = messages(hall, "wants to take over")
        await ann.click(question, label="Decline")
        assert not messages(hall, "wants to take over")
        [result] = messages(hall, "The vote failed")
        assert [user.id for user in result.mentions] == [zoe.id]
        seats = reply(await zoe.slash(hall.channel, "seat take"))
        assert "after a day" in answer(await zoe.select(seats, ["2"]))
        assert not messages(hall, "wants to take over"), "nobody is asked twice"
        zoe = stranger(hall, "yan")
        seats = reply(await zoe.slash(hall.channel, "seat take"))
        await ann.slash(hall.channel, "game pause")
        await zoe.select(seats, ["2"])
        assert messages(hall, "to pause the game")
        [question] = messages(hall, "wants to take over")
        await ann.click(question, label="Agree")
        await bob.click(question, label="Agree")
        assert zoe.id in (await hall.table()).users
        assert "Game 1" in answer(await zoe.slash(hall.channel, "hand"))


async def test_the_host_replaces_a_player_with_another_person_once_the_player_has_been_away_for_days(
    open_hall: Opened,
    long_time: None,
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        ann, bob, cem, dot = hall.people
        zoe = stranger(hall)
        for voter in (cem, dot):
            await voter.slash(hall.channel, "seat bot", player=f"<@{bob.id}>")
        assert "Bob can still come back" in await asked(hall, ann, bob, zoe)
        await hall.env.advance_time(AWAY + 60)
        assert "has been asked to take the seat" in await asked(hall, ann, bob, zoe)
        [offered] = messages(hall, "seat in this game is")
        await zoe.click(offered, label="Take the seat")
        table = await hall.table()
        assert zoe.id in table.users
        assert bob.id not in table.users


async def asked(hall: Hall, by: Any, absent: Any, zoe: Any) -> str:
    return str(answer(await by.slash(hall.channel, "seat give", player=absent.mention, to=zoe.user)))


@pytest.mark.parametrize(("who", "first"), [(0, False), (1, False), (1, True)])
async def test_a_player_can_name_a_successor_before_or_after_a_bot_takes_their_seat(
    open_hall: Opened, who: int, first: bool
) -> None:
    """Whether or not they are the host, before or after a bot plays for them."""
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        person, zoe = hall.people[who], stranger(hall)
        if first:
            await person.slash(hall.channel, "seat bot", player=person.mention)
        assert "Zoe has been asked to take the seat" in await asked(hall, person, person, zoe)
        [offered] = messages(hall, "seat in this game is")
        await zoe.click(offered, label="Take the seat")
        assert zoe.id in (await hall.table()).users


async def test_no_bot_takes_the_seat_if_the_named_person_cant_be_asked(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        bob, cem = hall.people[1:3]
        assert "already in this game" in await asked(hall, bob, bob, cem)
        assert not any(member.level for member in (await hall.table()).members)


async def test_a_person_who_declines_their_own_request_is_told_to_ask_again_after_a_day(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        dot, zoe = hall.people[3], stranger(hall)
        await dot.slash(hall.channel, "seat bot", player=dot.mention)
        assert "No seat is free" in answer(await zoe.slash(hall.channel, "seat take"))
        await hall.env.advance_time(AWAY + 60)
        place = str((await hall.table()).place_of(dot.id))
        await zoe.select(reply(await zoe.slash(hall.channel, "seat take")), [place])
        [question] = messages(hall, "wants to take over")
        await zoe.click(question, label="Decline")
        content = answer(await zoe.select(reply(await zoe.slash(hall.channel, "seat take")), [place]))
        assert content == "Your last request was declined. You can ask again after a day."


async def test_the_host_can_stop_offering_another_players_seat(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        ann, bob, cem, dot = hall.people
        for voter in (cem, dot):
            await voter.slash(hall.channel, "seat bot", player=bob.mention)
        await hall.env.advance_time(AWAY + 60)
        await asked(hall, ann, bob, stranger(hall))
        assert messages(hall, "seat in this game is")
        label = "Stop offering Bob's seat"
        assert label not in labels(await hall.change(cem))
        more = await hall.change(ann)
        assert "the seat stays as it is" in answer(await ann.click(more, label=label))
        assert not messages(hall, "seat in this game is")
