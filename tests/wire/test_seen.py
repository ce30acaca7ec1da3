"""What people read: names, channels, times, commands and emoji, as far as their clients know them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire.calls import COMMAND, COMPONENT, Interaction, Request
from tests.wire.messages import SILENT, V2, Message
from tests.wire.model import Json, Permission, Refused
from tests.wire.rest import Rest
from tests.wire.seen import misread
from tests.wire.server import WireServer
from tests.wire.users import Human
from tests.wire.world import World

NOBODY: Json = {"parse": []}


class Room:
    """A server without sockets. Its bot posts into the table's channel."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.wire = WireServer(clock=lambda: self.now)
        self.world: World = self.wire.world
        self.alice, self.bob = self.wire.user("Alice"), self.wire.user("Bob")

    def post(self, text: str, **more: Any) -> Message:
        """A text posted by the bot. By default it mentions no one."""
        return self.world.post(self.world.table, {"content": text, "allowed_mentions": NOBODY, **more}, {})

    def edit(self, message: Message, text: str, **more: Any) -> None:
        """Change its text by an edit. By default the edit mentions no one."""
        self.world.edit(message, {"content": text, "allowed_mentions": NOBODY, **more}, {}, keep_files=True)

    def used(self, user: Human, kind: int = COMMAND) -> Interaction:
        """An interaction of a user."""
        it = Interaction(self.world.ids(), "token", user, self.world.table, {"type": kind})
        self.world.interactions[it.token] = it
        return it


@pytest.fixture
def room() -> Room:
    return Room()


def named(user: Human) -> str:
    """A mention."""
    return f"<@{user.id}>"


def test_readers_see_names_only_of_mentioned_users_and_themselves(room: Room) -> None:
    text = f"{named(room.alice)} and {named(room.bob)}"
    message = room.post(text, allowed_mentions={"users": [str(room.alice.id)]})
    assert room.wire.user("Carol").reads(message) == "@Alice and @unknown-user"
    assert room.bob.reads(message) == "@Alice and @Bob"  # everyone's client knows its own user
    assert message.json()["mentions"] == [room.alice.json()]


def test_an_edit_recalculates_mentions_and_notifies_no_one(room: Room) -> None:
    message = room.post(named(room.bob), allowed_mentions={"users": [str(room.bob.id)]})
    assert (message.mentions, message.notified) == ([room.bob], [room.bob])
    room.edit(message, f"now {named(room.bob)}")
    assert (message.mentions, room.alice.reads(message)) == ([], "now @unknown-user")
    room.edit(message, named(room.alice), allowed_mentions=None)  # by default all are parsed, whatever the post said
    assert message.mentions == [room.alice]
    room.world.edit(message, {"flags": 0}, {}, keep_files=True)
    assert message.mentions == [room.alice]  # because neither content nor components were edited
    assert [(ping.user, ping.message) for ping in room.world.pings] == [(room.bob, message)]


def test_a_v2_message_mentions_only_users_in_its_texts(room: Room) -> None:
    label = {"type": 2, "style": 1, "custom_id": "x", "label": named(room.bob)}
    layout = [{"type": 10, "content": named(room.alice)}, {"type": 1, "components": [label]}]
    message = room.world.post(room.world.table, {"flags": V2, "components": layout}, {})
    assert message.mentions == [room.alice]
    assert room.bob.reads(message) == f"@Alice\n{named(room.bob)}"  # labels are shown as written


def test_an_answer_to_an_interaction_mentions_users_only_by_default(room: Room) -> None:
    body = {"content": f"@everyone {named(room.bob)}"}
    answer = room.world.post(room.world.table, body, {}, it=room.used(room.alice))
    posted = room.world.post(room.world.table, body, {})
    assert [(m.mentions, m.mention_everyone) for m in (answer, posted)] == [([room.bob], False), ([room.bob], True)]
    assert (answer.notified, len(posted.notified)) == ([room.bob], len(room.wire.users))


def test_a_user_knows_the_authors_in_channels_they_have_opened(room: Room) -> None:
    message = room.post(named(room.bob))
    room.world.say(room.bob, "hello", room.world.tavern)
    assert room.alice.reads(message) == "@unknown-user"
    room.alice.looked.add(room.world.tavern.id)
    assert room.alice.reads(message) == "@Bob"
    room.alice.looked.clear()  # the client is started again
    assert room.alice.reads(message) == "@unknown-user"


def test_a_public_answer_reveals_the_user_of_a_command_but_not_of_a_button(room: Room) -> None:
    message = room.post(named(room.bob))
    for kind, only_for in ((COMPONENT, None), (COMMAND, room.bob)):
        room.world.post(room.world.table, {"content": "x"}, {}, only_for, room.used(room.bob, kind))
        assert room.alice.reads(message) == "@unknown-user"
    answer = room.world.post(room.world.table, {"content": "x"}, {}, it=room.used(room.bob))
    assert room.alice.reads(message) == "@Bob"
    assert answer.json()["interaction_metadata"]["user"] == room.bob.json()


def test_mentions_in_private_answers_show_names(room: Room) -> None:
    answer = room.world.post(room.world.table, {"content": named(room.bob)}, {}, room.alice, room.used(room.alice))
    assert (room.alice.reads(answer), room.world.pings) == ("@Bob", [])
    with pytest.raises(LookupError, match="Bob can't see"):
        room.bob.reads(answer)


def test_channels_times_commands_and_emoji_are_shown_as_clients_show_them(room: Room) -> None:
    room.world.commands[0] = [{"id": "7", "name": "build", "options": [{"name": "road", "type": 1}]}]
    room.world.emoji["8"] = "ore"
    for text, read in {
        f"<#{room.world.dock.id}> <#1>": "#dock #unknown",
        "<t:1800000000> <t:1800000000:t> <t:1800000000:x>": "January 15, 2027 at 08:00 08:00 <t:1800000000:x>",
        "<t:1800007200:R> <t:1799999940:R>": "in 2 hours 1 minute ago",
        "</build road:7> </build road:6> </build ship:7> </trade:7>": (
            "/build road </build road:6> </build ship:7> </trade:7>"
        ),
        "<:ore:8> <:ore:9> <a:wool:9>": "[ore] :ore: :wool:",
        "`<@1> <#1>` <@&1>": "`<@1> <#1>` @unknown-role",
    }.items():
        assert room.alice.reads(room.post(text)) == read


def test_a_channel_that_the_user_cant_see_reads_no_access(room: Room) -> None:
    room.world.table.deny(room.bob, Permission.VIEW_CHANNEL)
    message = room.world.post(room.world.dm(room.bob), {"content": f"in <#{room.world.table.id}>"}, {})
    assert room.bob.reads(message) == "in #No Access"
    with pytest.raises(LookupError):
        room.bob.reads(room.post("x"))


def test_texts_that_any_user_misreads_are_listed(room: Room) -> None:
    room.post(f"1\n2 {named(room.bob)}")
    room.world.post(room.world.table, {"content": "</x:1>"}, {}, room.alice, room.used(room.alice))
    read = misread(room.world)
    assert ("Alice: </x:1>" in read, "Carol: 2 @unknown-user" in read, len(read)) == (True, True, 8)
    assert room.alice.looked == set()


def test_a_modal_mentions_no_one(room: Room) -> None:
    it = room.used(room.alice)
    parts = [
        {"type": 10, "content": f"Offer {named(room.bob)}"},
        {"type": 18, "label": "Cards", "component": {"type": 4}},
    ]
    it.callback = {"type": 9, "data": {"title": "Trade", "components": parts}}
    assert room.alice.reads(it) == "Trade\nOffer @unknown-user\nCards"


def test_a_silent_message_notifies_no_one(room: Room) -> None:
    message = room.world.post(room.world.table, {"content": named(room.bob), "flags": SILENT}, {})
    assert (message.mentions, message.notified, room.world.pings) == ([room.bob], [], [])


@pytest.mark.parametrize("kind", ["users", "roles"])
def test_allowed_mentions_that_contradict_themselves_are_refused(room: Room, kind: str) -> None:
    with pytest.raises(Refused, match="MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"):
        room.post("x", allowed_mentions={"parse": [kind], kind: ["1"]})
    with pytest.raises(Refused, match="between 0 and 100"):
        room.post("x", allowed_mentions={kind: ["1"] * 101})
    room.post("x", allowed_mentions={"parse": [kind], kind: []})


def test_private_answers_cant_be_reached_with_the_bots_token(room: Room) -> None:
    it = room.used(room.alice)
    private = room.world.loading(room.world.table, room.alice, it)
    it.callback, it.response = {"type": 5}, private
    room.wire.interactions.follow_up(Request("POST", "", 0.0, json={"content": "public?"}), "", it.token)
    assert (private.text, private.only_for) == ("public?", room.alice)  # an answer deferred for her alone stays private
    rest, where = Rest(room.world, str), (str(room.world.table.id), str(private.id))
    for method, does in (("GET", rest.get_message), ("PATCH", rest.edit_message), ("DELETE", rest.delete_message)):
        with pytest.raises(Refused, match="404 10008"):
            does(Request(method, "", 0.0, json={}), *where)
