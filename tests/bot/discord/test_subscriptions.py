"""Being told of new tables: how people ask for it, and what reaches them in the channel and by direct message."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.projections import Kind, of_kind
from bot.service.people import STOPPED_FOR
from bot.table.preferences import CHANNEL, DM, NEVER
from bot.table.subscriptions import LACKING, SETTLED_AFTER, TELLINGS_APART
from bot.table.table import RUNNING
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, allow, answer, fill, labels, manager, reply, text

WAIT = SETTLED_AFTER + 5


async def ask(hall: Hall, person: Any, how: str, **chosen: Any) -> str:
    """Have a person ask to be told by their settings. Returns what the page then says."""
    page = reply(await person.slash(hall.channel, "settings"))
    return text(reply(await fill(person, page, "New tables here", how=how, **chosen)))


def letters(person: Any) -> list[discord.Message]:
    """What a person was told by direct message, oldest first."""
    found = [message for message in person.user.dm_channel.history() if "📣" in text(message)]
    return sorted(found, key=lambda message: message.id)


def calls(hall: Hall) -> list[discord.Message]:
    """The messages in the channel that call people to a table."""
    return [message for message in hall.channel.history() if "press **Join** to play" in text(message)]


async def test_a_person_asks_on_the_server_and_joins_from_their_direct_messages(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        page = await ask(hall, bob, DM, scenarios=["base", "islands"], timers=["days"])
        assert "New tables on this server: **by direct message**" in page
        assert "New tables on this server: **only The base game or Islands**" in page
        assert "New tables on this server: **only with a turn timer of a day or more**" in page
        await hall.lobby([ann])
        await hall.options(pace=86_400)
        await hall.env.advance_time(WAIT)
        [letter] = letters(bob)
        assert labels(letter) == ["Join"]
        assert f"<#{hall.channel.id}> · The base game" in text(letter)
        assert letters(cem) == []
        assert "You're" in answer(await bob.user.click(letter, label="Join"))
        assert (await hall.table()).users == (ann.id, bob.id)
        [letter] = letters(bob)
        assert labels(letter) == []
        assert "You're at the table." in text(letter)
        page = await ask(hall, bob, NEVER)
        assert "New tables on this server: **I tell you nothing**" in page


async def test_who_can_only_read_on_the_server_cant_join_from_their_direct_messages(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await ask(hall, bob, DM)
        await hall.lobby([ann])
        await hall.env.advance_time(WAIT)
        [letter] = letters(bob)
        member = hall.env.backend.get_member(hall.guild.id, bob.id)
        member.pending = True
        assert "Accept the rules of that server" in answer(await bob.user.click(letter, label="Join"))
        end = discord.utils.utcnow() + timedelta(hours=1)
        member.pending, member.timed_out_until = False, end.isoformat()
        assert f"in a timeout on that server. You can join its tables <t:{int(end.timestamp())}:R>" in answer(
            await bob.user.click(letter, label="Join")
        )
        await hall.env.advance_time(3601)
        assert "You're" in answer(await bob.user.click(letter, label="Join"))
        assert (await hall.table()).users == (ann.id, bob.id)


async def test_the_button_goes_when_the_game_has_begun_even_after_a_restart(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await ask(hall, cem, DM)
        await hall.lobby([ann, bob])
        await hall.env.advance_time(WAIT)
        assert [labels(letter) for letter in letters(cem)] == [["Join"]]
        await hall.restart()
        await ann.click(await hall.panel(), label="Start")
        [after] = letters(cem)
        assert labels(after) == []
        assert "No seat is free anymore." in text(after)


async def test_who_was_told_of_a_table_reads_how_it_is_played_by_now(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        await ask(hall, bob, DM)
        for person in (cem, dot):
            await ask(hall, person, CHANNEL)
        await hall.lobby([ann])
        await hall.env.advance_time(WAIT)
        for told in (*letters(bob), *calls(hall)):
            assert "No timer" in text(told)
        await hall.options(pace=86_400)
        [letter], [call] = letters(bob), calls(hall)
        assert labels(letter) == ["Join"]
        for told in (letter, call):
            assert "Turn timer: 1 day" in text(told)
        assert {user.id for user in call.mentions} == {cem.id, dot.id}
        await hall.options(only_invited=True)
        assert calls(hall) == [], "those whom it calls can't join"


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
async def test_a_direct_message_about_two_tables_is_right_about_both(open_hall: Opened, order: tuple[int, int]) -> None:
    async with open_hall(5) as hall:
        *hosts, cem, dot, eve = hall.people
        await ask(hall, eve, DM)
        places = [hall.channel, hall.guild.create_text_channel("other")]
        for host, guest, place in zip(hosts, (cem, dot), places, strict=True):
            await host.slash(place, "game new")
            await guest.slash(place, "game join")
        await hall.env.advance_time(WAIT)
        [letter] = letters(eve)
        assert labels(letter) == ["Join", "Join"]
        for number, left in zip(order, (1, 0), strict=True):
            await hosts[number - 1].slash(places[number - 1], "game start")
            [letter] = letters(eve)
            assert len(labels(letter)) == left
        for number in order:
            assert not of_kind(await hall.services.projections.visible(number), Kind.NEW_TABLES)


async def test_one_message_in_the_channel_calls_all_who_want_that(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        ann, bob, cem, dot, eve = hall.people
        for person in (bob, cem, eve):
            await ask(hall, person, CHANNEL)
        await ask(hall, dot, DM)
        await hall.lobby([ann, eve])
        await hall.env.advance_time(WAIT)
        await hall.restart()
        await hall.env.advance_time(TELLINGS_APART)
        [call] = calls(hall)
        assert {user.id for user in call.mentions} == {bob.id, cem.id}
        assert call.role_mentions == []
        assert not call.mention_everyone
        assert not call.flags.suppress_notifications
        await ann.click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING
        assert calls(hall) == [], "the call is out of date"


async def test_whoever_changes_their_mind_before_it_is_posted_is_not_called(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await ask(hall, bob, CHANNEL)
        await ask(hall, cem, DM)
        await hall.lobby([ann])
        publisher = hall.bot.app.publisher
        hall.services.subscriptions._show = lambda number: None
        await hall.env.advance_time(WAIT)
        for person in (bob, cem):
            await ask(hall, person, NEVER)
        publisher.refresh(1)
        await publisher.idle()
        assert calls(hall) == letters(cem) == []


async def test_what_was_decided_before_the_process_died_is_told_once_by_the_next(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await ask(hall, bob, CHANNEL)
        await ask(hall, cem, DM)
        await hall.lobby([ann])
        hall.services.subscriptions._show = lambda number: None
        await hall.env.advance_time(WAIT)
        assert calls(hall) == letters(cem) == []
        for _ in range(2):
            await hall.restart()
            await hall.env.advance_time(WAIT)
        assert (len(calls(hall)), len(letters(cem))) == (1, 1)


async def test_who_takes_no_direct_messages_hears_nothing_more_and_is_told_why(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        await ask(hall, bob, DM)
        path = f"/channels/{bob.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
        await hall.lobby([ann])
        await hall.env.advance_time(WAIT)
        assert letters(bob) == []
        assert calls(hall) == [], "they didn't ask for that"
        page = text(reply(await bob.slash(hall.channel, "settings")))
        assert "I can't write to you yet" in page
        assert not await hall.services.projections.pending()


async def test_news_that_was_one_message_too_many_comes_later(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        await ask(hall, bob, DM)
        path = f"/channels/{bob.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=20026, message="flagged", times=1)
        await hall.lobby([ann])
        await hall.env.advance_time(WAIT)
        assert letters(bob) == []
        await hall.env.advance_time(STOPPED_FOR + 60)
        assert len(letters(bob)) == 1
        assert not (await hall.services.people.settings(bob.id)).dms_closed


async def test_a_table_in_a_channel_that_someone_cannot_see_is_not_for_them(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        await ask(hall, bob, DM)
        await ask(hall, cem, CHANNEL)
        await ask(hall, dot, DM)

        async def hide(person: Any) -> None:
            denied = discord.PermissionOverwrite(view_channel=False).pair()[1]
            await hall.bot.http.edit_channel_permissions(hall.channel.id, person.id, "0", str(denied.value), 1)

        await hide(bob)
        await hide(cem)
        await hall.lobby([ann])
        await hall.env.advance_time(WAIT)
        assert letters(bob) == calls(hall) == []
        [letter] = letters(dot)
        await hide(dot)
        assert "You can't see that table's channel" in answer(await dot.user.click(letter, label="Join"))


async def test_a_table_that_lacks_one_player_calls_once_more_in_place_of_the_first_call(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        *_, dot, eve = hall.people
        await ask(hall, dot, CHANNEL)
        await ask(hall, eve, DM)
        await hall.lobby(hall.people[:3])
        await hall.env.advance_time(LACKING + TELLINGS_APART)
        [call] = calls(hall)
        assert "Table 1 lacks one player" in text(call)
        assert [user.id for user in call.mentions] == [dot.id]
        assert "One player is missing" in text(letters(eve)[-1])
        await hall.options(scenario="extension")
        assert calls(hall) == [], "it lacks more by now"
        assert "1 new table" in text(letters(eve)[-1])


async def test_managers_name_a_role_that_new_tables_mention(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await manager(hall)
        await allow(hall, mention_everyone=False)
        loud, mute = hall.guild.create_role("Sailors"), hall.guild.create_role("Quiet")
        hall.env.backend.guilds[hall.guild.id].roles[loud.id].mentionable = True

        async def choose(role: Any) -> str:
            page = reply(await ann.slash(hall.channel, "server"))
            chosen = await ann.select(page, [role], custom_id="hs:called_role:0:")
            return text(reply(chosen))

        assert "I can't mention" in await choose(mute)
        assert "I never mention everyone" in await choose(hall.guild.default_role)
        assert (await hall.services.servers.settings(hall.guild.id)).called == 0
        assert f"New tables mention the role <@&{loud.id}>" in await choose(loud)
        await hall.lobby([bob])
        await hall.env.advance_time(WAIT)
        [call] = calls(hall)
        assert hall.env.backend.messages[hall.channel.id][call.id].ping_role_ids == [loud.id]
        assert call.mentions == []
        hall.env.backend.guilds[hall.guild.id].roles[loud.id].mentionable = False
        page = text(reply(await ann.slash(hall.channel, "server")))
        assert "let me mention the role of new tables" in page


async def test_a_server_that_removes_harbormaster_is_forgotten(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await ask(hall, hall.people[0], DM)
        hall.env.backend.emit("GUILD_DELETE", {"id": str(hall.guild.id)})
        await hall.env.advance_time(5)
        assert (await hall.services.subscriptions.of(hall.guild.id, hall.people[0].id)).how == NEVER


async def test_new_tables_are_chosen_on_a_server_only(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        page = reply(await ann.user.slash("settings"))
        assert "New tables here" not in labels(page)
        page = reply(await ann.slash(hall.channel, "settings"))
        assert "New tables here" in labels(page)
