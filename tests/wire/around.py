"""What tests about servers and threads share: a game's own thread, and what is asked and told about it."""

from __future__ import annotations

from tests.wire.messages import Message
from tests.wire.party import Party
from tests.wire.places import Channel

QUIET = 2.0
"""Seconds after which all that follows from an event has happened."""


def inn(table: Party) -> Channel:
    """A thread below the party's channel. The party plays there from now on."""
    world, above = table.wire.world, table.channel
    thread = Channel(world.ids(), "inn", parent=above, guild=above.guild)
    world.channels[thread.id] = table.place = thread
    return thread


def requests(table: Party, since: float) -> list[str]:
    """The bot's requests about the party's channel since then."""
    return [str(r) for r in table.wire.requests if r.at > since and f"/channels/{table.channel.id}" in r.path]


def archived(thread: Channel) -> bool:
    """Whether it is archived."""
    return thread.archived


def told(table: Party, words: str) -> list[Message]:
    """Direct messages with these words."""
    rooms = [table.wire.dms(person.human) for person in table.people]
    return [message for room in rooms for message in room if words in message.text]
