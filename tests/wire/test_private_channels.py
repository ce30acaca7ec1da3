"""Games in private channels, over sockets: only people who can see a game's channel learn of it elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.wire.model import Permission
from tests.wire.party import Party, Person, party
from tests.wire.places import Channel, Role

VIEW = Permission.VIEW_CHANNEL


def lists(table: Party) -> Callable[[], str]:
    """What the list of games in the dock says."""

    def text() -> str:
        [listing] = [m for m in table.wire.messages(table.wire.world.dock) if "Games on this server" in m.text]
        return listing.text

    return text


def close(table: Party, channel: Channel, *people: Person) -> None:
    """Make a channel private: only these people see it, and the bot."""
    wire, home = table.wire, table.wire.world.home
    wire.staff.allow(channel, home.of_bot, VIEW)
    wire.staff.deny(channel, home.everyone, VIEW)
    for person in people:
        wire.staff.allow(channel, person.human, VIEW)


async def begin_list(owner: Person, place: Channel) -> None:
    page = (await owner.slash(place, "server")).messages[0]
    await owner.click(page, label="List all games in this channel")


async def test_a_list_of_games_names_only_those_that_its_readers_can_see(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, cat = table.people
        wire, world = table.wire, table.wire.world
        close(table, world.tavern, bob)
        await bob.slash(world.tavern, "game new")
        await owner.slash(table.channel, "game new")
        await cat.slash(world.pier, "game new")
        await wire.settled(0.1)
        await begin_list(owner, world.dock)
        listed = lists(table)
        await wire.until(lambda: "Table 2" in listed(), what="the list")
        assert "Table 1" not in listed(), "a private channel's"
        assert str(world.tavern.id) not in listed()
        assert bob.human.name not in listed()

        close(table, table.channel)
        await wire.until(lambda: "Table 2" not in listed(), 15.0, "a channel that has become private")
        assert "Table 3" in listed(), "a thread is seen by all who see its channel"
        wire.staff.allow(table.channel, world.home.everyone, VIEW)
        await wire.until(lambda: "Table 2" in listed(), 15.0, "it is public again")


async def test_a_list_in_a_private_channel_names_games_that_all_its_readers_can_see(tmp_path: Path) -> None:
    """On a server where newcomers see nothing yet, that is every game in a channel for members."""
    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, _cat = table.people
        wire, world, home = table.wire, table.wire.world, table.wire.world.home
        verified, crew = Role(world.ids(), "Verified", VIEW), Role(world.ids(), "Crew", Permission(0))
        for role in (verified, crew):
            wire.staff.give(home, bob.human, role)
        wire.staff.change(home, home.everyone, home.everyone.permissions & ~VIEW)
        wire.staff.deny(world.tavern, verified, VIEW)
        wire.staff.allow(world.tavern, crew, VIEW)
        await bob.slash(world.tavern, "game new")
        await owner.slash(world.pier, "game new")
        await begin_list(owner, world.dock)
        listed = lists(table)
        await wire.until(lambda: "Table 2" in listed(), what="a thread of a channel for members")
        assert "Table 1" not in listed(), "only the crew sees its channel"
        wire.staff.deny(world.dock, verified, VIEW)
        wire.staff.allow(world.dock, crew, VIEW)
        await wire.until(lambda: "Table 1" in listed(), 15.0, "the list is for the crew, too")


async def test_a_moved_game_names_its_new_channel_only_if_all_readers_of_the_old_one_can_see_it(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, _cat = table.people
        wire, world = table.wire, table.wire.world
        close(table, world.tavern, owner, bob)
        table.people, table.place = [owner, bob], world.tavern
        await table.begin()
        private = await table.panel()
        await owner.slash(world.dock, "game move", game=1, check=False)
        await table.settled()
        assert private.text == f"This game continues in <#{world.dock.id}>.", "all who see the tavern see the dock"
        other = Party(wire, table.bot, [owner, bob], table.rng, number=2)
        await other.begin()
        public = await other.panel()
        await owner.slash(world.tavern, "game move", game=2, check=False)
        await other.settled()
        assert public.text == "This game continues in another channel."


async def test_an_old_message_doesnt_lead_strangers_to_a_private_channel(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, cat = table.people
        wire, world = table.wire, table.wire.world
        close(table, world.tavern, owner, bob)
        table.people = [owner, bob]
        await table.begin()
        old = await table.panel()
        wire.fault(f"PATCH /channels/{table.channel.id}/messages/{old.id}", code=50013)
        await owner.slash(world.tavern, "game move", game=1, check=False)
        await table.settled()
        assert old.is_panel, "it could not be put away"
        pressed = await cat.click(old, label="My hand")
        await wire.settled(0.2)
        *_, refused = pressed.messages
        assert "out of date" in refused.text
        assert str(world.tavern.id) not in str(refused.json())
