"""A player leaves the server during a game: the others are asked once, and no longer if the player comes back."""

from __future__ import annotations

import pytest

from bot.table.preferences import CHANNEL, DM
from bot.table.table import CANCELLED, RUNNING
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, labels, reply, text
from tests.bot.discord.seen import messages, sent_to
from tests.bot.discord.tables import HOUR, paced

LEFT = "left this server"


@pytest.mark.parametrize("where", [CHANNEL, DM])
async def test_the_others_are_asked_once_about_a_player_who_left_the_server(
    open_hall: Opened, long_time: None, where: str
) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        await hall.change_own(person, "Reminders", reminders=where)
        hall.guild.remove_member(person.user)
        await hall.env.advance_time(3 * HOUR + 60)
        [asked] = messages(hall, LEFT)
        assert not sent_to(person, "waits for you"), "they could not see the game that the reminder names"
        others = {other.id for other in hall.people if other is not person}
        assert {user.id for user in asked.mentions} == others
        assert labels(asked) == ["Let a bot play"]
        assert ("The host, Ann, can decide this alone." in text(asked)) == (person is not hall.people[0])
        await hall.restart()
        await hall.env.advance_time(6 * HOUR + 60)
        assert len(messages(hall, LEFT)) == 1
        [asked] = messages(hall, LEFT)
        for other in [other for other in hall.people if other is not person][: 2 if person is hall.people[0] else 1]:
            content = answer(await other.click(asked, label="Let a bot play"))
        assert "A bot is playing for" in content
        assert not messages(hall, LEFT)


async def test_the_question_disappears_when_the_player_is_back_on_the_server_and_acts(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        hall.guild.remove_member(person.user)
        await hall.env.advance_time(3 * HOUR + 60)
        assert messages(hall, LEFT)
        back = hall.guild.add_member(person.user)
        await back.click(await hall.panel(), label="Roll")
        assert not messages(hall, LEFT)


async def test_the_others_are_not_asked_about_a_player_who_left_and_took_a_seat_again(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        zoe = hall.guild.add_member(hall.env.create_user("zoe", global_name="Zoe"))
        await person.slash(hall.channel, "seat give", to=zoe.user)
        hall.guild.remove_member(person.user)
        await hall.env.advance_time(3 * HOUR + 60)
        assert messages(hall, LEFT)
        await zoe.click(messages(hall, "seat in this game is")[0], label="Take the seat")
        assert not messages(hall, LEFT)
        back = hall.guild.add_member(person.user)
        other = next(p for p in hall.people if p.id != person.id)
        await other.slash(hall.channel, "seat give", to=back.user)
        await back.click(messages(hall, "seat in this game is")[0], label="Take the seat")
        assert back.id in (await hall.table()).users
        await hall.env.advance_time(3 * HOUR + 60)
        assert not messages(hall, LEFT)


async def test_games_on_a_server_that_a_person_has_left_are_only_counted(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        user = person.user
        assert "**1 game waits for you**" in answer(await user.slash("games"))
        hall.guild.remove_member(user)
        await hall.env.advance_time(61)  # Discord's answer is remembered for a minute
        said = answer(await user.slash("games"))
        assert "1 game is on a server that you have left" in said
        assert "<#" not in said


async def test_the_next_person_is_host_once_the_host_of_a_lobby_has_left_the_server(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        ann, bob, cem, dot, eve = hall.people
        await hall.lobby([ann, bob, cem, dot])
        assert "Only the host" in answer(await bob.slash(hall.channel, "game bot add"))
        hall.guild.remove_member(ann.user)
        assert "aren't at this table" in answer(await eve.slash(hall.channel, "game bot add"))
        assert (await hall.table()).host == ann.id, "it is no business of strangers"
        await bob.slash(hall.channel, "game bot add")
        assert (await hall.table()).host == bob.id
        hall.guild.remove_member(bob.user)
        assert "People" in labels(reply(await cem.click(await hall.panel(), label="Options")))
        hall.guild.remove_member(cem.user)
        await dot.slash(hall.channel, "game cancel")
        table = await hall.table()
        assert (table.status, table.people) == (CANCELLED, (dot.id,))


async def test_no_game_begins_with_people_who_have_left_the_server(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        await hall.lobby()
        for person in (ann, cem):
            hall.guild.remove_member(person.user)
        assert "Ann left this server" in answer(await bob.click(await hall.panel(), label="Start"))
        assert "Cem left this server" in answer(await bob.click(await hall.panel(), label="Start"))
        assert (await hall.table()).people == (bob.id, dot.id)
        await bob.click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING


async def test_who_leaves_the_server_leaves_its_lobbies_if_discord_reports_it(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        _ann, bob = hall.people
        await hall.lobby()
        await hall.services.absence.moved(hall.guild.id, bob.id, joined=False)
        assert bob.id not in (await hall.table()).users
