"""Who can see a channel, by the roles that a server has; and games in other channels that are named only to them."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest

from bot.discord.show.readers import ADMIN, VIEW, Access, can_see, sorts_of_people
from bot.table.preferences import CHANNEL
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, reply, text
from tests.bot.discord.tables import over, paced, private_channel

EVERYONE, STAFF, CREW, GUESTS = 1, 2, 3, 4


def all_see(rights: dict[int, int], there: Access, channel: Access) -> bool:
    """Whether all who see one channel see another, by the sorts of people that matter."""
    return all(
        can_see(rights, channel, (EVERYONE, *roles))
        for roles in sorts_of_people(rights, there, channel)
        if can_see(rights, there, (EVERYONE, *roles))
    )


def test_two_roles_are_enough_to_find_anyone_who_sees_one_channel_and_not_another() -> None:
    people = [*chain.from_iterable(combinations((STAFF, CREW, GUESTS), n) for n in range(4))]
    marks = [dict[int, bool](), {EVERYONE: False}, {EVERYONE: True}]
    marks += [{EVERYONE: False, STAFF: True}, {GUESTS: False}, {EVERYONE: False, STAFF: True, CREW: True}]
    marks += [{CREW: False, STAFF: True}, {EVERYONE: False, GUESTS: True, CREW: False}]
    rights = [dict.fromkeys((EVERYONE, STAFF, CREW, GUESTS), VIEW), {EVERYONE: 0, STAFF: VIEW, CREW: 0, GUESTS: VIEW}]
    for allowed, here, there in product(rights, marks, marks):
        reading, channel = Access(there, {}), Access(here, {})
        slowly = all(
            can_see(allowed, channel, (EVERYONE, *roles))
            for roles in people
            if can_see(allowed, reading, (EVERYONE, *roles))
        )
        assert all_see(allowed, reading, channel) == slowly, (allowed, there, here)


def test_administrators_see_every_channel() -> None:
    rights = {EVERYONE: VIEW, STAFF: ADMIN}
    private = Access({EVERYONE: False}, {})
    assert all_see(rights, private, Access({EVERYONE: False, CREW: True}, {}))


async def test_a_profile_lists_only_games_in_channels_that_the_reader_can_see(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await over(hall, [ann, bob])
        await hall.env.advance_time(60)  # the least time between two tables
        public, hall.channel = hall.channel, await private_channel(hall, ann, bob)
        await over(hall, [ann, bob], seed=5)
        for person, asks, seen in ((cem, ann, False), (bob, ann, True), (ann, ann, True)):
            said = answer(await person.slash(public, "profile", user=asks.user))
            assert "Game 1" in said
            assert ("Game 2" in said) == seen
            assert ("Games in channels that you can't see aren't listed." in said) == (not seen)


async def test_ones_own_moves_arent_shared_in_a_channel_whose_readers_cant_see_the_game(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        public, hall.channel = hall.channel, await private_channel(hall, ann, bob)
        await over(hall, [ann, bob])
        stats = reply(await ann.slash(public, "stats", game=1))
        found = reply(await ann.click(stats, label="My best and worst moves"))
        refused = await ann.click(found, label="Share")
        assert "Not everyone here can see that game's channel." in answer(refused)
        assert not public.history()


@pytest.mark.parametrize("open_to_all", [True, False])
async def test_a_reminder_counts_only_games_that_all_readers_of_its_channel_can_see(
    open_hall: Opened, long_time: None, open_to_all: bool
) -> None:
    async with open_hall(3) as hall:
        for person in hall.people:
            await hall.remind(person, CHANNEL)
        first = hall.channel
        called, _game = await paced(hall, 86_400)
        hall.channel = (
            hall.guild.create_text_channel("other") if open_to_all else await private_channel(hall, *hall.people)
        )
        await hall.env.advance_time(60)
        await hall.begin()
        await hall.advance(lambda game: game.turn > 0 and game.to_act == (hall.people.index(called),))
        hall.channel = first
        for _hours in range(9):
            await hall.env.advance_time(3600)
        reminders = [text(m) for m in first.history() if "⏰" in text(m)]
        assert reminders
        assert any("1 more game: `/games`" in said for said in reminders) == open_to_all
