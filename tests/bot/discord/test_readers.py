"""Who can see a channel, by the roles that a server has; and games in other channels that are named only to them."""

from __future__ import annotations

import random
from itertools import chain, combinations, product

import discord
import pytest

from bot.discord.show.readers import (
    ADMIN,
    CONNECT,
    VIEW,
    Access,
    Overwrite,
    Readers,
    Rights,
    can_see,
    is_open_to_all,
    sorts_of_people,
)
from bot.table.preferences import CHANNEL
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, reply, text
from tests.bot.discord.tables import over, paced, private_channel

EVERYONE, STAFF, CREW, GUESTS, REGULARS = 1, 2, 3, 4, 5
ALL = (STAFF, CREW, GUESTS, REGULARS)
PEOPLE = [*chain.from_iterable(combinations(ALL, n) for n in range(5))]
"""The roles that people can have."""
ALLOWED, DENIED = Overwrite(VIEW, 0), Overwrite(0, VIEW)
VOICE = VIEW | CONNECT
"""What it takes to read in a voice channel."""


def all_see(rights: Rights, there: Access, channel: Access) -> bool:
    """Whether all who see one channel see another, by the sorts of people that matter."""
    return all(
        can_see(rights, channel, roles)
        for roles in sorts_of_people(rights, EVERYONE, there, channel)
        if can_see(rights, there, roles)
    )


def all_see_slowly(rights: Rights, there: Access, channel: Access) -> bool:
    """The same, by all roles that anyone can have."""
    return all(
        can_see(rights, channel, (EVERYONE, *roles)) for roles in PEOPLE if can_see(rights, there, (EVERYONE, *roles))
    )


def test_two_roles_are_enough_to_find_anyone_who_sees_one_channel_and_not_another() -> None:
    marks = [dict[int, Overwrite](), {EVERYONE: DENIED}, {EVERYONE: ALLOWED}]
    marks += [{EVERYONE: DENIED, STAFF: ALLOWED}, {GUESTS: DENIED}, {EVERYONE: DENIED, STAFF: ALLOWED, CREW: ALLOWED}]
    marks += [{CREW: DENIED, STAFF: ALLOWED}, {EVERYONE: DENIED, GUESTS: ALLOWED, CREW: DENIED}]
    rights = [dict.fromkeys((EVERYONE, *ALL), VIEW), {EVERYONE: 0, STAFF: VIEW, CREW: 0, GUESTS: VIEW, REGULARS: 0}]
    for allowed, here, there in product(rights, marks, marks):
        reading, channel = Access(there, {}), Access(here, {})
        assert all_see(allowed, reading, channel) == all_see_slowly(allowed, reading, channel), (allowed, there, here)


def test_three_roles_are_enough_if_reading_takes_two_permissions() -> None:
    rng, found, bits = random.Random(1), 0, (0, VIEW, CONNECT, VOICE)
    marks = [Overwrite(allow, deny) for allow, deny in product(bits, bits) if not allow & deny]
    for _ in range(3000):
        rights = {role: rng.choice(bits) for role in (EVERYONE, *ALL)}
        there, here = ({role: rng.choice(marks) for role in (EVERYONE, *ALL)} for _ in range(2))
        reading, channel = Access(there, {}, rng.choice([VIEW, VOICE])), Access(here, {}, rng.choice([VIEW, VOICE]))
        seen = all_see_slowly(rights, reading, channel)
        assert all_see(rights, reading, channel) == seen, (rights, reading, channel)
        found += seen
    assert 100 < found < 2900


def test_overwrites_of_a_voice_channel_count_for_each_permission_by_itself() -> None:
    """For everyone, then for all of a person's roles together, where allowing counts more, then for the person."""
    rights = {EVERYONE: VIEW, STAFF: CONNECT, CREW: 0}
    everyone = {EVERYONE: Overwrite(deny=CONNECT)}
    staff, crew = {STAFF: Overwrite(allow=CONNECT, deny=VIEW)}, {CREW: Overwrite(allow=VIEW)}
    for marks, member, roles, seen in (
        ({}, None, [], False),
        ({}, None, [STAFF], True),
        (everyone, None, [STAFF], False),
        (everyone | staff, None, [STAFF], False),
        (everyone | staff | crew, None, [STAFF, CREW], True),
        (everyone | staff | crew, None, [CREW], False),
        (everyone | staff | crew, Overwrite(deny=CONNECT), [STAFF, CREW], False),
        (everyone, Overwrite(allow=CONNECT), [], True),
        (everyone, Overwrite(allow=VIEW), [], False),
    ):
        access = Access(marks, {7: member} if member is not None else {}, VOICE)
        assert can_see(rights, access, (EVERYONE, *roles), 7) == seen, (marks, member, roles)
        assert can_see(rights, Access({}, {}), (EVERYONE, *roles)), "a text channel takes no more than to be seen"


def test_administrators_see_every_channel() -> None:
    rights = {EVERYONE: VIEW, STAFF: ADMIN}
    private = Access({EVERYONE: DENIED}, {})
    assert all_see(rights, private, Access({EVERYONE: DENIED, CREW: ALLOWED}, {}))


async def test_a_voice_channel_is_read_only_by_those_who_can_connect(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await hall.begin()
        voice = hall.guild.create_voice_channel("voice")
        connect, view = discord.Permissions(connect=True).value, discord.Permissions(view_channel=True).value
        assert await is_open_to_all(hall.bot, hall.guild.id, voice.id)
        assert await Readers(hall.bot, hall.guild.id).see_all(hall.channel.id, [voice.id]) == {voice.id}
        assert hall.bot.user is not None
        for person in (ann, bob, hall.bot.user):
            await hall.bot.http.edit_channel_permissions(voice.id, person.id, str(connect), "0", 1)
        await hall.bot.http.edit_channel_permissions(voice.id, cem.id, str(view), "0", 1)
        await hall.bot.http.edit_channel_permissions(voice.id, hall.guild.id, "0", str(connect), 0)
        await hall.env.settle()
        readers = Readers(hall.bot, hall.guild.id)
        assert not await is_open_to_all(hall.bot, hall.guild.id, voice.id), "the web shows no game there"
        assert not await readers.see_all(hall.channel.id, [voice.id]), "no list names it"
        assert await readers.see_all(voice.id, [hall.channel.id])
        assert await readers.let_in([ann.id, bob.id, cem.id], voice.id) == {ann.id: True, bob.id: True, cem.id: False}
        assert "This channel is hidden from Cem." in answer(await ann.slash(voice, "game move", game=1))
        await hall.bot.http.edit_channel_permissions(voice.id, cem.id, str(connect), "0", 1)
        assert "continues here" in answer(await ann.slash(voice, "game move", game=1))


async def test_who_is_named_in_a_voice_channel_reads_there_only_if_they_can_connect(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        voice, private = hall.guild.create_voice_channel("voice"), await private_channel(hall)
        connect, view = discord.Permissions(connect=True).value, discord.Permissions(view_channel=True).value
        cem = hall.people[2]
        await hall.bot.http.edit_channel_permissions(voice.id, hall.guild.id, "0", str(connect), 0)
        for allowed, seen in ((view, {private.id}), (connect, set[int]())):
            await hall.bot.http.edit_channel_permissions(voice.id, cem.id, str(allowed), "0", 1)
            await hall.env.settle()
            assert await Readers(hall.bot, hall.guild.id).see_all(voice.id, [private.id]) == seen


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
