"""What a person reads in a message. Their client shows names and pictures for what it knows, and signs for the rest."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from tests.wire.messages import Message, walk
from tests.wire.model import Json, User
from tests.wire.places import Channel
from tests.wire.world import World

BACK = 50
"""Messages of a channel that a client loads when its user looks there."""
CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
MARKS = re.compile(
    r"<@!?(?P<user>\d+)>|<@&(?P<role>\d+)>|<#(?P<channel>\d+)>|<a?:(?P<emoji>\w+):(?P<picture>\d+)>"
    r"|</(?P<command>[^:<>]+):(?P<number>\d+)>|<t:(?P<time>-?\d{1,13})(?::(?P<style>[tTdDfFsSR]))?>"
)
STYLES = {
    "t": "%H:%M",
    "T": "%H:%M:%S",
    "d": "%d/%m/%Y",
    "D": "%B %d, %Y",
    "f": "%B %d, %Y at %H:%M",
    "F": "%A, %B %d, %Y at %H:%M",
    "s": "%d/%m/%Y, %H:%M",
    "S": "%d/%m/%Y, %H:%M:%S",
}
"""Times as clients in UTC write them."""
UNITS = (("year", 31_536_000), ("month", 2_592_000), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
SIGNS = ("@unknown-user", "@unknown-role", "#unknown", "#No Access", "<@", "<#", "</", "<:")
"""Signs of something that a client can't name, and starts of marks that it shows as written."""
SIGN = re.compile("|".join(map(re.escape, SIGNS)))
WRITTEN = re.compile(f"<|{SIGN.pattern}")
"""What is in each text that a client could show with a sign."""
SHOWN = ("label", "placeholder", "description")
"""The texts of controls that people read. Marks in them are never turned into names."""


@dataclass(frozen=True)
class Client:
    """A person's client that has just been started, and has looked only at the channels in `User.looked`."""

    world: World
    user: User

    def knows(self) -> list[User]:
        """The users that it can name: the user, those with whom the user has direct messages, and recent authors in the
        channels that it has looked at. Also those whom an answer there names as the user of its command."""
        world = self.world
        users: list[User | None] = [self.user]
        users += [world.bot for channel in world.channels.values() if channel.recipient is self.user]
        looked = [room for number in self.user.looked if (room := world.channels.get(number)) is not None]
        for room in filter(self.sees, looked):
            there = (m for m in reversed(world.messages.values()) if m.channel is room and self._is_for_me(m))
            users += [user for m in islice(there, BACK) for user in (m.author, m.used_by)]
        return [user for user in users if user]

    def may_read(self, message: Message) -> bool:
        """Whether the message exists and this person can see it."""
        return self._is_for_me(message) and self.sees(message.channel)

    def _is_for_me(self, message: Message) -> bool:
        return not message.deleted and (message.only_for is None or message.only_for is self.user)

    def sees(self, channel: Channel) -> bool:
        """Whether this person can see a channel."""
        return channel.seen_by(self.user)

    def read(self, message: Message) -> str:
        """All readable text in a message: its texts as a client shows them, then the texts of controls.

        :raises LookupError: if this person can't see it.
        """
        if not self.may_read(message):
            raise LookupError(f"{self.user.name} can't see message {message.id}")
        self.user.looked.add(message.channel.id)
        return self.lines([message.text], message.components, message.mentions)

    def read_modal(self, data: Json) -> str:
        """All readable text in a modal. A modal mentions no one."""
        components = data.get("components", [])
        texts = [c["content"] for c in walk(components) if c["type"] == 10]
        return self.lines([data.get("title", ""), *texts], components, [])

    def lines(self, texts: Sequence[str], components: list[Json], mentioned: list[User]) -> str:
        """Texts as a client shows them, then the texts of controls."""
        naming = any("<@" in text for text in texts)
        users = [*self.knows(), *mentioned] if naming else []
        parts = [part for c in walk(components) for part in [c, *c.get("options", [])]]
        words = [part[key] for part in parts for key in SHOWN if part.get(key)]
        return "\n".join([*(self.shown(text, users) for text in texts), *words])

    def shown(self, text: str, users: Iterable[User]) -> str:
        """A text as a client shows it that can name these users."""
        known = {user.id: user.name for user in users}
        pieces = CODE.split(text)  # code is shown as it was written
        return "".join(p if i % 2 else MARKS.sub(self._shower(known), p) for i, p in enumerate(pieces))

    def _shower(self, known: dict[int, str]) -> Callable[[re.Match[str]], str]:
        def show(found: re.Match[str]) -> str:
            if found["user"]:
                return "@" + known.get(int(found["user"]), "unknown-user")
            if found["role"]:
                return "@" + self._role(int(found["role"]))
            if found["channel"]:
                return self._channel(int(found["channel"]))
            if found["emoji"]:  # a picture is shown in brackets
                known_emoji = found["picture"] in self.world.emoji
                return f"[{found['emoji']}]" if known_emoji else f":{found['emoji']}:"
            if found["command"]:
                return f"/{found['command']}" if self._is_command(found["command"], found["number"]) else found[0]
            return self._time(int(found["time"]), found["style"] or "f")

        return show

    def _role(self, number: int) -> str:
        """The role's name. A client knows all roles of its servers."""
        roles = [guild.roles.get(number) for guild in self.world.guilds.values()]
        return next((role.name for role in roles if role is not None), "unknown-role")

    def _channel(self, number: int) -> str:
        channel = self.world.channels.get(number)
        if channel is None:
            return "#unknown"
        return f"#{channel.name}" if self.sees(channel) else "#No Access"

    def _is_command(self, path: str, number: str) -> bool:
        name, *rest = path.split()
        every = [command for commands in self.world.commands.values() for command in commands]
        node = next((c for c in every if c["id"] == number and c["name"] == name), None)
        for part in rest:
            node = next((o for o in (node or {}).get("options", []) if o["name"] == part and o["type"] in (1, 2)), None)
        return node is not None

    def _time(self, seconds: int, style: str) -> str:
        if style != "R":
            return datetime.fromtimestamp(seconds, UTC).strftime(STYLES[style])
        left = seconds - self.world.ids.clock()
        unit, size = next(((unit, size) for unit, size in UNITS if abs(left) >= size), UNITS[-1])
        count = round(abs(left) / size)
        words = f"{count} {unit}{'' if count == 1 else 's'}"
        return f"in {words}" if left >= 0 else f"{words} ago"


def misread(world: World) -> list[str]:
    """Lines of present messages in which someone's client shows a sign for something that it can't name."""
    lines = []
    names = [f"@{user.name}" for user in world.users]
    places = defaultdict[Channel, list[tuple[Message, str]]](list)
    for message in world.messages.values():
        if not message.deleted and WRITTEN.search(text := message.text):
            places[message.channel].append((message, text))
    for user in world.users:
        client, looked = Client(world, user), user.looked
        for place in filter(client.sees, places):
            user.looked = looked | {place.id}  # each channel is read by a client that hasn't seen the others
            known = client.knows()
            for message, text in places[place]:
                if message.only_for in (None, user):
                    shown = client.shown(text, [*known, *message.mentions])
                    for name in names:
                        shown = shown.replace(name, "@")
                    lines += [f"{user.name}: {line}" for line in shown.splitlines() if SIGN.search(line)]
        user.looked = looked
    return lines
