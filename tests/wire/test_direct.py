"""Opening direct messages: too fast, and a quarantine; and people who change their minds about them."""

from __future__ import annotations

import pytest

from tests.wire.calls import Request
from tests.wire.model import Refused, User
from tests.wire.places import Channel
from tests.wire.rates import Limit
from tests.wire.rest import Rest
from tests.wire.server import WireServer


class Mail:
    """The bot's requests, by a clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.wire = WireServer(clock=lambda: self.now)
        self.world = self.wire.world
        self.rest = Rest(self.world, str)

    def open(self, user: User) -> Channel:
        """POST /users/@me/channels."""
        answer = self.rest.open_dm(Request("POST", "", 0.0, json={"recipient_id": str(user.id)}))
        return self.world.channels[int(answer["id"])]

    def write(self, room: Channel) -> None:
        """POST /channels/{id}/messages."""
        self.rest.post_message(Request("POST", "", 0.0, json={"content": "x"}), str(room.id))


@pytest.fixture
def mail() -> Mail:
    """No DM has been opened. A test that looks into one doesn't open it, either."""
    found = Mail()
    assert [found.wire.dms(user) for user in found.wire.users] == [[]] * 8
    return found


def test_opening_too_many_new_direct_messages_is_refused_for_a_while(mail: Mail) -> None:
    mail.world.direct.fast = Limit(2, 600.0, fixed=True)
    alice, bob, carol, *_ = mail.wire.users
    for user in (alice, bob, alice, bob):  # opening a DM again doesn't count as new
        mail.open(user)
    with pytest.raises(Refused, match="403 40003: You are opening direct messages too fast"):
        mail.open(carol)
    mail.now += 600
    mail.open(carol)


async def test_a_bot_that_opens_too_many_direct_messages_is_quarantined(mail: Mail) -> None:
    mail.world.direct.spam = Limit(3, 3600.0)
    alice, bob, carol, dave, *_ = mail.wire.users
    rooms = [mail.open(alice), mail.open(bob)]
    mail.now += 3600
    rooms.append(mail.open(carol))
    await alice.raw(3, {"custom_id": "x"}, channel=rooms[0], wait=False)  # a click on a message there
    assert not mail.world.direct.quarantined
    for user in mail.wire.users[4:6]:
        mail.open(user)
    mail.write(rooms[0])
    for refused in (lambda: mail.open(dave), lambda: mail.open(alice), lambda: mail.write(rooms[1])):
        with pytest.raises(Refused, match="403 20026: Your bot has been flagged by our anti-spam system"):
            refused()
    mail.world.direct.lift()
    mail.write(rooms[1])
    mail.open(dave)


def test_people_can_close_and_reopen_their_direct_messages(mail: Mail) -> None:
    alice = mail.wire.users[0]
    room = mail.open(alice)
    for code, text in ((50007, "Cannot send messages to this user"), (50278, "due to having no mutual guilds")):
        alice.dm_refusal = code
        with pytest.raises(Refused, match=f"403 {code}: .*{text}"):
            mail.write(room)
        alice.dm_refusal = 0
        mail.write(room)
    alice.dm_refusal = 40003
    with pytest.raises(Refused, match="403 40003"):
        mail.open(alice)
