"""The host's table by click: seats kept for named people, a stranger who is taken off, a new host, and managers."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import _component_interaction

from bot.screens.servers import ListedGame, list_lines
from bot.table.table import LOBBY, RUNNING
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, fill, labels, moderator, parts, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.tables import private_channel

USERS = 5
"""Type of a list of people."""


def mention(*people: Any) -> str:
    return " ".join(f"<@{person.id}>" for person in people)


async def people_page(hall: Hall, person: Any) -> Any:
    """The page with the table's people, from the options."""
    options = reply(await person.click(await hall.panel(), label="Options"))
    return reply(await person.click(options, label="People"))


def id_of(page: Any, verb: str) -> str:
    """The id of a list on a page."""
    [found] = [c["custom_id"] for c in parts(page, 3, USERS) if c["custom_id"].split(":")[1] == verb]
    return str(found)


async def choose(person: Any, page: Any, verb: str, *chosen: Any) -> Any:
    """Choose people in a list of a page: with `keep` among all on the server, otherwise those at the table."""
    values = list(chosen) if verb == "keep" else [str(one.id) for one in chosen]
    return await person.select(page, values, custom_id=id_of(page, verb))


def notified(hall: Hall) -> list[int]:
    """The users whom each message has notified when it was posted, one after the other."""
    posts = (r for r in hall.env.http_requests if r.method == "POST" and r.path.endswith(f"{hall.channel.id}/messages"))
    allowed = ((r.json or {}).get("allowed_mentions") or {} for r in posts)
    return [int(user) for mentions in allowed for user in mentions.get("users") or []]


async def test_seats_are_kept_for_the_people_who_are_named_until_they_decline(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        ann, bob, cem, dot, eve, fay = hall.people
        opened = await ann.slash(hall.channel, "game new", players=f"{mention(bob)}, {mention(cem)}")
        assert "is open" in answer(opened)
        panel = await hall.panel()
        assert {user.id for user in panel.mentions} == {bob.id, cem.id} == {*notified(hall)}
        await dot.click(panel, label="Join")
        assert "🪑 Bob (seat kept)\n🪑 Cem (seat kept)" in text(await hall.panel()), "an edit mentions no one"
        assert "Add a bot" not in labels(await hall.panel())
        assert "are kept for Bob and Cem" in answer(await eve.click(panel, label="Join"))
        assert "No seat at this table is kept" in answer(await eve.click(panel, label="Decline"))
        assert "already at this table" in answer(await dot.click(panel, label="Decline"))
        assert "free for someone else" in answer(await bob.click(panel, label="Decline"))
        await eve.click(await hall.panel(), label="Join")
        assert "kept for Cem" in answer(await fay.slash(hall.channel, "game join"))
        await cem.slash(hall.channel, "game join")
        assert (await hall.table()).users == (ann.id, dot.id, eve.id, cem.id)
        assert "Decline" not in labels(await hall.panel())
        assert sorted(notified(hall)) == [bob.id, cem.id], "each is notified once"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("{bob} and friends", "Mention the people"),
        ("{bob} or {ann}", "Mention the people"),
        ("<@1>", "isn't on this server"),
        ("{bot}", "No seat can be kept for a bot"),
        ("<@1><@2><@3><@4><@5><@6><@7><@8>", "at most 7 people"),
        ("<@&5>", "Mention the people"),
    ],
)
async def test_who_cant_have_a_kept_seat_is_refused_and_no_table_opens(
    open_hall: Opened, typed: str, said: str
) -> None:
    async with open_hall(5) as hall:
        ann = hall.people[0]
        named = {person.name: mention(person) for person in hall.people}
        refused = await ann.slash(hall.channel, "game new", players=typed.format(bot=mention(hall.bot.user), **named))
        assert said in answer(refused)
        assert await hall.services.repository.latest(hall.channel.id) is None


@pytest.mark.parametrize("between", ["", "、", "\u3000", "\u00a0", " & ", ", and "])
async def test_people_can_be_listed_as_in_a_sentence(open_hall: Opened, between: str) -> None:
    """Among them the host, who needs no kept seat."""
    async with open_hall(3) as hall:
        ann, *others = hall.people
        await ann.slash(hall.channel, "game new", players=between.join(map(mention, hall.people)))
        assert {user.id for user in (await hall.panel()).mentions} == {person.id for person in others}


@pytest.mark.parametrize("fixed", [(), ("scenario",)])
async def test_a_table_for_more_people_begins_with_a_scenario_for_them_unless_it_is_fixed(
    open_hall: Opened, fixed: tuple[str, ...]
) -> None:
    async with open_hall(5) as hall:
        ann, *others = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"fixed": fixed})
        opened = answer(await ann.slash(hall.channel, "game new", players=mention(*others)))
        if fixed:
            assert "The base game has 4 seats, so at most 3 can be kept." in opened
            assert "Options" not in opened
            return
        assert "is open" in opened
        assert "5–6 players" in text(await hall.panel())
        assert sorted(notified(hall)) == sorted(person.id for person in others)


async def test_the_host_keeps_and_frees_seats_later_and_each_person_is_called_once(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        ann, bob, cem, dot, _ = hall.people
        await ann.slash(hall.channel, "game new", players=mention(bob))
        page = await people_page(hall, ann)
        kept = await choose(ann, page, "keep", bob, cem, dot)
        assert "Kept seats are theirs" in answer(kept)
        [call] = [m for m in hall.channel.history() if "is kept for you" in text(m)]
        assert text(call).startswith(f"<@{cem.id}> <@{dot.id}> ·")
        await dot.click(await hall.panel(), label="Decline")
        freed = await choose(ann, reply(kept), "keep", cem, dot)  # the page still shows Dot, who has declined
        assert [guest.user for guest in (await hall.table()).invited] == [cem.id]
        assert "(seat kept)" in answer(freed)
        assert "No seat is kept" in answer(await choose(ann, reply(freed), "keep"))
        assert not [m for m in hall.channel.history() if "is kept for you" in text(m)]
        page = await people_page(hall, ann)
        assert "You need no kept seat" in answer(await choose(ann, page, "keep", ann))
        assert "Dot has declined a seat" in answer(await choose(ann, page, "keep", cem, dot))
        await hall.env.advance_time(3600)
        assert "(seat kept)" in answer(await choose(ann, page, "keep", bob, cem))
        assert [guest.user for guest in (await hall.table()).invited] == [bob.id, cem.id]
        await hall.env.advance_time(3600)
        assert sorted(notified(hall)) == sorted(person.id for person in (bob, cem, dot))


async def test_a_stranger_who_is_taken_off_learns_it_privately_and_cant_come_back(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        await ann.slash(hall.channel, "game new")
        joined = reply(await dot.click(await hall.panel(), label="Join"))
        await bob.click(await hall.panel(), label="Join")
        old = await hall.panel()
        page = await people_page(hall, ann)
        posted = len(hall.channel.history())
        done = await choose(ann, page, "take_off", dot)
        assert "Dot is off the table" in answer(done)
        assert "Dot" not in text(await hall.panel())
        assert len(hall.channel.history()) == posted, "no one is called"
        told = answer(await dot.select(joined, ["red"]))
        assert told.startswith("The host has taken you off this table. Other tables are open to you")
        assert told.endswith(refused := "You aren't at this table, and can't join it for now.")
        for label in ("Join", "Leave", "Color"):
            assert answer(await dot.click(old, label=label)) == refused
        for command in ("join", "leave"):
            assert answer(await dot.slash(hall.channel, f"game {command}")).startswith(refused)
        assert "waiting for players in this channel" in answer(await dot.slash(hall.channel, "game new"))
        assert "taken" not in answer(await cem.click(await hall.panel(), label="Join"))
        page = await people_page(hall, ann)
        assert "Dot can join again" in answer(await choose(ann, page, "let_back", dot))
        await dot.click(await hall.panel(), label="Join")
        assert dot.id in (await hall.table()).users


async def test_whoever_was_taken_off_is_told_with_whatever_they_are_answered_next(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.lobby()
        await choose(ann, await people_page(hall, ann), "take_off", bob)
        version = (await hall.table()).version
        rules = [answer(await bob.click(await hall.panel(), label="Rules")) for _ in range(2)]
        assert rules[0] == f"{rules[0].splitlines()[0]}\n{rules[1]}"
        assert rules[0].startswith("The host has taken you off this table.")
        assert (await hall.table()).version == version, "no one notices"


async def test_all_others_see_the_same_whether_someone_left_or_was_taken_off(open_hall: Opened) -> None:
    seen = []
    for taken_off in (False, True):
        async with open_hall(4) as hall:
            ann, bob, cem, dot = hall.people
            await hall.lobby([ann, bob, dot])
            page = await people_page(hall, ann)
            if taken_off:
                await choose(ann, page, "take_off", dot)
            else:
                await dot.click(await hall.panel(), label="Leave")
            shown = [text(await hall.panel()), *labels(await hall.panel())]
            shown += [text(message) for message in hall.channel.history()]
            shown += [answer(await bob.click(await hall.panel(), label="Options"))]
            shown += [answer(await cem.click(await hall.panel(), label="Join"))]
            table = await hall.table()
            seen.append([*shown, str(table.version), *(member.name for member in table.members)])
            assert "Dot" not in repr(table)
            data = await hall.services.privacy.data(bob.id)
            assert str(dot.id) not in repr(data)
    assert seen[0] == seen[1]


async def test_only_invited_people_can_join_a_closed_table_and_its_rematch(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        await ann.slash(hall.channel, "game new", players=mention(bob))
        options = reply(await ann.click(await hall.panel(), label="Options"))
        await fill(ann, options, "Table and pictures", table={"only_invited": True})
        assert "Only invited people can join." in text(await hall.panel())
        assert "Ask Ann for a seat" in answer(await cem.click(await hall.panel(), label="Join"))
        await bob.click(await hall.panel(), label="Join")
        await hall.options(target=3)
        await ann.click(await hall.panel(), label="Start")
        await hall.advance(lambda game: game.outcome is not None)
        await hall.env.advance_time(120)
        await bob.click(await hall.panel(), label="Rematch")
        panel = await hall.panel()
        assert ((await hall.table()).status, [user.id for user in panel.mentions]) == (LOBBY, [ann.id])
        assert "Ask Bob for a seat" in answer(await dot.click(panel, label="Join"))
        await ann.click(panel, label="Join")
        assert (await hall.table()).users == (bob.id, ann.id)


async def test_the_host_makes_someone_else_host_before_and_during_the_game(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.lobby()
        done = await choose(ann, await people_page(hall, ann), "make_host", bob)
        assert "Bob is the host now" in answer(done)
        assert "Bob can press **Start**" in text(await hall.panel())
        assert labels(reply(await ann.click(await hall.panel(), label="Options"))) == []
        await bob.click(await hall.panel(), label="Start")
        await hall.advance(at("main"))
        options = reply(await bob.slash(hall.channel, "game options"))
        page = reply(await bob.click(options, label="People"))
        assert "Ann is the host now" in answer(await choose(bob, page, "make_host", ann))
        assert (await hall.table()).host == ann.id


async def test_a_manager_of_the_channel_does_what_a_host_may_and_is_named(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        cem = hall.people[-1]
        await hall.lobby()
        mod = moderator(hall)
        page = await people_page(hall, mod)
        await choose(mod, page, "take_off", cem)
        assert "Someone who manages this channel has taken you off" in answer(
            await cem.click(await hall.panel(), label="Join")
        )
        options = reply(await mod.click(await hall.panel(), label="Options"))
        asked = reply(await mod.click(options, label="Cancel this table"))
        assert "everyone sees that you did it" in text(asked)
        hall.env.backend.get_member(hall.guild.id, mod.id).role_ids.clear()
        assert "aren't at this table" in answer(await mod.click(await hall.panel(), label="Start"))
        role = hall.guild.create_role("mods", permissions=discord.Permissions(manage_channels=True))
        hall.env.backend.get_member(hall.guild.id, mod.id).role_ids.append(role.id)
        await mod.click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING
        assert any("Mod, who manages this channel, started the game" in text(m) for m in hall.channel.history())


async def forged(hall: Hall, person: Any, verb: str, *values: str) -> str:
    """The answer to a choice in a list that the person was perhaps never shown."""
    stored = hall.env.backend.messages[hall.channel.id][(await hall.panel()).id]
    kind = USERS if verb == "keep" else 3
    data = {"component_type": kind, "custom_id": f"hs:{verb}:1:", "values": [*values]}
    return answer(await _component_interaction(person, stored, data))


@pytest.mark.parametrize("verb", ["keep", "take_off", "let_back", "make_host"])
async def test_forged_choices_change_nothing_and_get_a_sentence(open_hall: Opened, verb: str) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await hall.lobby([ann, bob])
        await ann.click(await hall.panel(), label="Add a bot")
        before = await hall.table()
        for values in (["-1"], ["x"], ["0"], ["9" * 20], [str(n) for n in range(1, 9)], ["1", "1"]):
            assert "expired" in await forged(hall, ann, verb, *values)
        assert "Only the host, Ann, can do that" in await forged(hall, bob, verb, str(cem.id))
        assert "You aren't at this table" in await forged(hall, cem, verb, str(cem.id))
        assert "People at table 1" in await forged(hall, ann, verb, "123"), "the page says why not"
        assert await hall.table() == before
        await ann.click(await hall.panel(), label="Start")
        late = await forged(hall, ann, verb, str(cem.id))
        assert ("Too late" if verb != "make_host" else "must be a person who plays") in late


async def test_seats_are_kept_for_members_of_the_tables_server_wherever_the_host_is(open_hall: Opened) -> None:
    """Only a forged list can be in direct messages, or on another server."""
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        await hall.lobby([ann])
        backend = hall.env.backend
        direct = backend.create_message(ann.user.dm_channel.id, backend.bot_user.id, "x")
        for user, kept in ((404, ()), (bob.id, (bob.id,))):
            data = {"component_type": USERS, "custom_id": "hs:keep:1:", "values": [str(user)]}
            assert answer(await _component_interaction(ann.user, direct, data))
            assert tuple(guest.user for guest in (await hall.table()).invited) == kept


async def test_who_keeps_or_gives_a_seat_learns_who_cant_see_the_channel(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cem, dot = hall.people
        hall.channel = await private_channel(hall, ann, bob)
        said = answer(await ann.slash(hall.channel, "game new", players=mention(bob, cem)))
        assert "is open" in said
        assert "Cem can't see the table's channel. To play, they must be let in." in said
        assert "Bob can't" not in said
        page = await people_page(hall, ann)
        assert "Cem and Dot can't see" in answer(await choose(ann, page, "keep", cem.user, dot.user))
        assert "can't see" not in answer(await choose(ann, await people_page(hall, ann), "keep", bob.user))
        await bob.click(await hall.panel(), label="Join")
        await ann.click(await hall.panel(), label="Start")
        assert "Cem can't see" in answer(await bob.slash(hall.channel, "seat give", to=cem.user))


async def test_a_servers_list_offers_no_kept_seat_and_no_table_for_invited_people(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _ = hall.people
        await ann.slash(hall.channel, "game new", players=mention(bob))
        [listed], _ = list_lines([ListedGame(await hall.table())])
        assert "**2 free seats**" in listed.text
        await hall.options(only_invited=True)
        offered, [line] = list_lines([ListedGame(await hall.table())])
        assert not offered
        assert line.endswith(" · only invited")
