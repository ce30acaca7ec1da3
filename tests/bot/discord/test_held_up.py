"""A game whose channel can't be used goes on elsewhere although someone stays out."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord.show.readers import VIEW
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, allow, answer
from tests.bot.discord.moments import at
from tests.bot.discord.seen import sent_to
from tests.bot.discord.tables import HOUR, private_channel

LET_IN = "This channel is hidden from Cem. To play on, they must be let in."
ALL, MOST = "to where all its players see it", "More than half of the players must see"


async def running(hall: Hall, people: int) -> list[Any]:
    await hall.begin(hall.people[:people])
    await hall.advance(at("pre_roll"))
    return hall.people[:people]


async def lose(hall: Hall) -> None:
    """Delete the game's channel."""
    await (await hall.room()).delete()
    await hall.env.advance_time(1)


@pytest.mark.parametrize("gone", [True, False])
async def test_no_one_holds_up_the_others_of_a_game_whose_channel_cant_be_used(open_hall: Opened, gone: bool) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = await running(hall, 3)
        place = await private_channel(hall, ann, bob)
        said = answer(await ann.slash(place, "game move", game=1))
        assert "This channel is hidden from Cem." in said
        assert ALL in said, "its channel can be used"
        await (lose(hall) if gone else allow(hall, view_channel=False))
        said = answer(await bob.slash(place, "game move", game=1))
        assert "Game 1 continues here." in said
        assert LET_IN in said
        hall.channel = place
        assert "1 of 2 needed" in answer(await bob.slash(place, "seat bot", player="Cem"))
        assert "A bot is playing for Cem" in answer(await ann.slash(place, "seat bot", player="Cem"))
        assert cem.id not in [member.user for member in (await hall.table()).members if not member.level]


@pytest.mark.parametrize(("seeing", "moves"), [(1, False), (2, False), (3, True)])
async def test_more_than_half_of_those_who_decide_must_see_where_it_goes_on(
    open_hall: Opened, seeing: int, moves: bool
) -> None:
    async with open_hall(4) as hall:
        people = await running(hall, 4)
        place = await private_channel(hall, *people[:seeing])
        await lose(hall)
        said = answer(await people[0].slash(place, "game move", game=1))
        assert ("Game 1 continues here." in said) == moves
        assert (MOST in said) != moves
        assert all((person.user.name.title() in said) == (person in people[seeing:]) for person in people)


async def test_who_has_left_the_server_counts_on_neither_side(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, _cem, dot = await running(hall, 4)
        place = await private_channel(hall, ann, bob)
        await lose(hall)
        assert MOST in answer(await ann.slash(place, "game move", game=1))
        hall.guild.remove_member(dot.user)
        said = answer(await ann.slash(place, "game move", game=1))
        assert "Game 1 continues here." in said
        assert LET_IN in said


async def test_a_game_of_two_goes_on_a_day_after_who_stays_out_was_told(open_hall: Opened, long_time: None) -> None:
    async with open_hall(2) as hall:
        ann, bob = await running(hall, 2)
        place = await private_channel(hall, bob)
        await hall.env.advance_time(HOUR)
        await lose(hall)
        assert len(sent_to(ann, "Its channel was deleted")) == 1
        await hall.env.advance_time(23 * HOUR)
        assert MOST in answer(await bob.slash(place, "game move", game=1))
        await hall.restart()
        await hall.env.advance_time(HOUR)
        said = answer(await bob.slash(place, "game move", game=1))
        assert "Game 1 continues here." in said
        assert "hidden from Ann" in said
        assert not sent_to(ann, "Its channel was deleted")


async def test_in_a_game_of_two_the_one_who_was_told_waits_for_the_other(open_hall: Opened, long_time: None) -> None:
    async with open_hall(2) as hall:
        ann, bob = await running(hall, 2)
        place = await private_channel(hall, ann)
        await lose(hall)
        assert len(sent_to(ann, "Its channel was deleted")) == 1
        await hall.env.advance_time(48 * HOUR)
        assert MOST in answer(await ann.slash(place, "game move", game=1)), "Bob was told nothing"
        await hall.bot.http.edit_channel_permissions(place.id, bob.id, str(VIEW), "0", 1)
        assert answer(await ann.slash(place, "game move", game=1)) == "Game 1 continues here."
