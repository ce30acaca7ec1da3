"""One round of making a game's messages match what it wants to show, and who was notified of what.

No one is notified of the same topic twice in ten minutes, however often others ask it and undo that. What is withheld
is put off until then, never dropped. The store knows who was last notified of a topic by which message, and which
messages still owe someone a call. So neither is lost with the process. A job (`CALL_JOB`) has the game shown when such
a call can be made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from discord.utils import snowflake_time

from bot.discord.show import channels, readers
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.wanted import ChannelCall, Content, Drawn, Notifying, Say, Wanted
from bot.projections import PANEL, SEARCH, Kind, Move, Name, Place, Projection, Projections, moved, of_kind
from bot.store.base import CALL_JOB, Job
from bot.table.preferences import UserSettings
from bot.table.table import Table
from bot.words.language import _

CALLS_APART = 600.0
"""Seconds for which no one is notified again of the same topic."""
MOST_OF_A_KIND = 3
"""Of how many topics of one kind someone is notified in that time."""


def notified_name(topic: str, user: int) -> Name:
    """Name of the projection that notes which message last notified a user of a topic."""
    return Name(Kind.NOTIFIED, topic, user)


def owed_name(topic: str, name: Name, user: int) -> Name:
    """Name of the projection that notes that the message `name` still owes a user a call about a topic."""
    return Name(Kind.OWED, f"{topic} {name}", user)


def is_owed(projections: Projections, topic: str, user: int, name: Name | None = None) -> bool:
    """Whether a message still owes a user a call about a topic; `name`: that message alone."""
    if name is not None:
        return owed_name(topic, name, user) in projections
    owed = (one.name for one in of_kind(projections, Kind.OWED))
    return any(one.user == user and one.key.startswith(f"{topic} ") for one in owed)


def last_notified(projections: Projections, topic: str, user: int) -> int | None:
    """The message that last notified a user of a topic, as far as is still known; it can be gone by now."""
    last = projections.get(notified_name(topic, user))
    return None if last is None or last.place is None else last.place.message


def wait_after(message: int | None, now: float) -> float:
    """Seconds until a user whom a message has notified can be notified of the same topic again. `now`: seconds since
    the epoch by Discord's clock, as its ids have times by that."""
    return 0.0 if message is None else max(snowflake_time(message).timestamp() + CALLS_APART - now, 0.0)


def time_to_wait(projections: Projections, topic: str, user: int, now: float) -> float:
    """Seconds until a user can be notified of a topic. Topics that are the same up to a bar (|) are of one kind, like
    one player's offers in a turn: a user is notified of only so many of them in that time."""
    if wait := wait_after(last_notified(projections, topic, user), now):
        return wait
    kind, bar, _one = topic.partition("|")
    if not bar:
        return 0.0
    waits = [
        wait_after(one.place.message, now)
        for one in of_kind(projections, Kind.NOTIFIED)
        if one.name.user == user and one.name.key.startswith(f"{kind}|") and one.place is not None
    ]
    return sorted(waits, reverse=True)[MOST_OF_A_KIND - 1] if len(waits) >= MOST_OF_A_KIND else 0.0


def outdated_names(projections: Projections, messages: Iterable[Wanted], now: float) -> Iterable[Name]:
    """Names of projections that matter no more to the messages that are wanted: calls that no message owes anymore, and
    who was so long ago notified of what no message is about that they can be notified again."""
    asked = [(message, user) for message in messages if isinstance(message, Notifying) for user in message.users]
    owed = {owed_name(message.topic, message.name, user) for message, user in asked if isinstance(message, ChannelCall)}
    topics = {notified_name(message.topic, user) for message, user in asked}
    for one in of_kind(projections, Kind.OWED):
        if one.name not in owed:
            yield one.name
    for one in of_kind(projections, Kind.NOTIFIED):
        if one.name not in topics and not wait_after(one.place.message if one.place else None, now):
            yield one.name


async def wake(display: Display, number: int, what: str, seconds: float) -> None:
    """Have a game shown again when a call that was put off can be made, in another process if need be. `what`: the lane
    that puts it off, or the kind of call, each of which has one such time."""
    if seconds < inf:
        await display.services.jobs.set(Job(number, f"{CALL_JOB}:{what}", display.services.now() + seconds))


PERSONAL = (Kind.HAND, Kind.REMINDER, Kind.NEW_TABLES)
"""Kinds of messages to one person alone."""

Send = Callable[[str, int, Content], Awaitable[Place]]
"""Sends a message whose nonce is made of a name and of the version since which it has been wanted."""


@dataclass(slots=True)
class Round:
    """What a round knows, and what it has done."""

    display: Display
    table: Table
    before: Projections
    """As they were at its beginning."""
    known: dict[Name, Projection] = field(init=False)
    """As they are by now."""
    calls: Sequence[ChannelCall] = ()
    """The calls that are wanted. A message that it posts can say the same."""
    later: float = inf
    """Seconds until someone can be notified whose call was put off."""
    _shown: dict[Name, Projection] = field(default_factory=dict)
    _gone: dict[Name, None] = field(default_factory=dict)
    """What must still be stored: what is shown (above), and what is gone."""
    _people: dict[int, UserSettings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known = dict(self.before)

    async def __aenter__(self) -> Round:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.flush()

    # --- what is noted

    def note(self, name: Name, move: Move, place: Place | None = None, version: int | None = None) -> None:
        """Have a projection's move stored. `version`: the one that it now shows; None: the table's."""
        version = self.table.version if version is None else version
        self.known[name] = self._shown[name] = moved(self.known.get(name), name, move, version, place)

    def forget(self, name: Name) -> None:
        """Have it stored that something is gone."""
        self.display.forget(self.table.number, name)
        self.known.pop(name, None)
        self._shown.pop(name, None)
        self._gone[name] = None

    async def flush(self) -> None:
        """Store what is shown and what is gone by now."""
        if self._shown or self._gone:
            shown, gone = [*self._shown.values()], [*self._gone]
            self._shown, self._gone = {}, {}
            await self.display.services.projections.note(self.table.number, shown, gone)

    def note_panel(self, head: Name, version: int) -> None:
        """Note where the message with the buttons (`head`) is, and which version it and all that belongs to it show."""
        place = self.known[head].posted if head in self.known else None
        if place is not None:
            self.display.posted(self.table.number, place.message)
        self.note(PANEL, Move.COVER if place is None else Move.FIND, place, version)

    async def settings(self, users: Collection[int]) -> dict[int, UserSettings]:
        """Settings by user, of these users at least; each is read once per round."""
        if unknown := [user for user in users if user not in self._people]:
            self._people |= await self.display.services.people.settings_of(unknown)
        return self._people

    def settle(self, name: Name, version: int | None = None) -> None:
        """Note that nothing must be sent; a message that was sent stays. `version` as in `note`."""
        projection = self.known.get(name)
        if projection is not None and projection.posted is not None:
            self.note(name, Move.EDIT, version=version)
        else:
            self.note(name, Move.COVER, version=version)

    # --- what is sent

    async def post(
        self,
        wanted: Drawn,
        content: Content,
        send: Send,
        *,
        digest: int,
        replaces: bool = True,
        also: Callable[[Place], None] = lambda place: None,
    ) -> None:
        """Post a message. That it is being posted is stored first, in case the process dies.

        `replaces`: the message before is deleted, if there is one, once Discord has taken the new one. `also` notes
        what else follows, in the same transaction as the message's place.
        """
        number, before = self.table.number, self.known.get(wanted.name)
        doubtful = before is not None and before.doubtful
        since = self.table.version if before is None else before.since
        old = before.posted if replaces and before is not None else None
        here = None if wanted.name.kind in PERSONAL else Place(self.table.channel)
        self.note(wanted.name, Move.POST, here if old is None else old, since)
        await self.flush()
        name = str(wanted.name)
        if old is not None:  # with the same name, its nonce would return it
            name = f"{name}:{old.message}"
        place = await send(name, since, content)
        self.display.note(number, wanted.name, digest)
        replaced = None if old is None or old.message == place.message else old
        searched = wanted.name.kind not in PERSONAL
        if replaced is not None and not searched:  # first: if it stayed, no one would find it later
            await channels.delete_if_allowed(self.display.client, replaced.channel, replaced.message)
        self.note(wanted.name, Move.SENT, place)
        also(place)
        if searched and (replaced is not None or doubtful):
            self.note(SEARCH, Move.DUE)  # the old one might stay, or that of a try whose nonce Discord has forgotten
        await self.flush()  # immediately: what comes next in this round can take long
        if replaced is not None and searched:
            await channels.delete(self.display.client, replaced.channel, replaced.message)
            if SEARCH not in self.before and not doubtful:
                self.forget(SEARCH)
        if wanted.then is not None:
            await wanted.then()

    async def edit(self, wanted: Drawn, place: Place, named: Collection[int] = ()) -> tuple[bool, Say | None]:
        """Edit a message. Returns whether it now shows what it must, and its content, if that was drawn."""
        number = self.table.number
        if wanted.key is not None and self.display.shows(number, wanted.name, wanted.key):
            return True, None
        say = await wanted.draw()
        if say is None:
            return True, None
        content = say(named)
        digest = wanted.key or content.digest
        if self.display.shows(number, wanted.name, digest):
            return True, say
        self.display.forget(number, wanted.name)
        if not await self.display.edit(place.channel, place.message, content, named=named):
            return False, say
        self.display.note(number, wanted.name, digest)
        return True, say

    # --- what goes

    async def delete_except(self, kinds: tuple[Kind, ...], names: Collection[Name]) -> None:
        """Delete the messages of some kinds, except those with these names."""
        for projection in list(self.known.values()):
            if projection.name.kind in kinds and projection.name not in names:
                await self.delete(projection)

    def here(self, name: Name) -> Projection | None:
        """What is known of a message in the game's channel. One in a channel that the game has left no longer has this
        name, and is put away once the game is shown here."""
        projection = self.known.get(name)
        if projection is None or projection.place is None or name.kind in PERSONAL:
            return projection
        if projection.place.channel == self.table.channel:
            return projection
        if (place := projection.posted) is not None:
            self.note(Name(Kind.MOVED, f"{name.kind}.{place.message}"), Move.FIND, place)
        self.forget(name)
        return None

    async def put_away(self) -> None:
        """Delete messages in channels that the game has left; those of turns say where it goes on. Raises in an outage,
        in which they would stay as they are."""
        for one in of_kind(self.known, Kind.MOVED):
            if (place := one.posted) is not None and one.name.key.startswith(f"{Kind.TURN}."):
                where = _("This game continues in another channel.")
                if await readers.all_see(self.display.client, self.table.guild, place.channel, self.table.channel):
                    where = _("This game continues in {channel}.", channel=f"<#{self.table.channel}>")
                with channels.if_allowed():
                    await self.display.edit(place.channel, place.message, Content(plain(where)))
                self.forget(one.name)
            else:
                await self.delete(one)

    async def delete(self, projection: Projection) -> None:
        """Delete a message and forget it. Hands in private threads stay."""
        place, kind = projection.posted, projection.name.kind
        if place is not None and place.message and not (self.table.options.rooms and kind is Kind.HAND):
            here = place.channel == self.table.channel
            delete = channels.delete if here else channels.delete_if_allowed
            await delete(self.display.client, place.channel, place.message)
        self.forget(projection.name)
