"""What is seen of a game is made what it wants to have seen: the one place that posts, edits and deletes its messages.

Each message is posted once: that it is wanted is noted before, and under the same nonce Discord posts nothing twice. So
whatever is done again, after a failure or in another process, is harmless.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import discord

from bot.discord.show import channels, directs, rooms
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.recent import acted_by, now
from bot.discord.show.wanted import Content, Say, Wanted
from bot.projections import HAND, PANEL, REMINDER, TURN, Projection, Projections, Shown
from bot.table.preferences import UserSettings
from bot.table.table import Table
from bot.words.language import _

log = logging.getLogger(__name__)

ASKED = "asked:"
"""Begins the name of what somebody has been told of at once: the user and the occasion. Without a message it may have
been sent."""
CLOSED = "closed:"
"""Begins the name of the call to somebody whom no direct message could reach; without a channel it is still to come."""
ALONE = (HAND, REMINDER)
"""Begin the names of what is for one person alone."""
FINAL = 0
"""Stands for what a message shows that is final."""


@dataclass(slots=True)
class Round:
    """One time that a game's messages are brought in order."""

    display: Display
    table: Table
    known: Projections
    posted: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Channel and id of what was posted, by name."""
    shown: dict[str, Shown] = field(default_factory=dict)
    gone: dict[str, None] = field(default_factory=dict)
    """What has still to be noted."""
    people: dict[int, UserSettings] = field(default_factory=dict)

    async def __aenter__(self) -> Round:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.noted()

    def note(self, name: str, version: int, channel: int | None = None, message: int | None = None) -> None:
        """Something is shown."""
        self.shown[name] = Shown(name, version, channel, message)

    def forget(self, name: str) -> None:
        """Nothing of it is there any more."""
        self.display.forget(self.table.number, name)
        self.shown.pop(name, None)
        self.gone[name] = None

    async def noted(self) -> None:
        """Have the store know what is shown by now."""
        if self.shown or self.gone:
            shown, gone = [*self.shown.values()], [*self.gone]
            self.shown, self.gone = {}, {}
            await self.display.services.projections.note(self.table.number, shown, gone)

    async def settings(self, users: Collection[int]) -> dict[int, UserSettings]:
        """What some people have chosen."""
        if unknown := [user for user in users if user not in self.people]:
            self.people |= await self.display.services.people.settings_of(unknown)
        return self.people

    def locate(self, head: str, version: int) -> None:
        """Note where the message is that has the buttons, and which version it shows with all that belongs to it."""
        found = self.known.get(head)
        channel, message = (None, None) if found is None else (found.channel, found.message)
        if head in self.posted:
            channel, message = self.posted[head]
        if message is not None:
            self.display.posted(self.table.number, message)
        self.note(PANEL, version, channel, message)

    async def bring(self, wanted: Iterable[Wanted]) -> float | None:
        """Bring some messages up to date, one after another; in how many seconds what is held back comes."""
        waits = [await self._bring(one) for one in wanted]
        return min((wait for wait in waits if wait is not None), default=None)

    async def bring_at_once(self, wanted: Iterable[Wanted]) -> float | None:
        """The same side by side: one person's failure must not keep the others waiting."""
        results = await asyncio.gather(*map(self._bring, wanted), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return min((wait for wait in results if isinstance(wait, float)), default=None)

    async def take_away(self, families: tuple[str, ...], names: Collection[str]) -> None:
        """Delete the messages of some kinds, by how their names begin, but for those of these names."""
        for found in self.known.values():
            if found.what.startswith(families) and found.what not in names:
                await self._delete(found)

    async def _bring(self, one: Wanted) -> float | None:
        found = self.known.get(one.name)
        if one.final:
            await self._finish(one, found)
            return None
        if found is not None and not one.to and found.channel not in (None, self.table.channel):
            await self._leave(found)  # the game has moved on
            found = None
        if found is None and one.said_by in self.posted:
            self.note(one.name, self.table.version, self.table.channel)
            return None
        if one.held > 0:
            return one.held
        if one.said:
            await self._settle(one, found)
            return None
        if found is not None and found.message is None and found.channel is not None and one.calls:
            return None
        try:
            return await self._sent(one, found)
        except discord.HTTPException as error:
            return await self._refused(one, error)

    async def _settle(self, one: Wanted, found: Projection | None) -> None:
        """Nothing need be said any more."""
        if one.to:
            self.note(one.name, self.table.version)
        elif found is None or found.channel is None or found.message is not None:
            if found is not None:
                await self._delete(found)
            self.note(one.name, self.table.version, self.table.channel)
        if one.then is not None:
            await self.noted()
            await one.then()

    async def _sent(self, one: Wanted, found: Projection | None) -> float | None:
        """Edit a message, or send a new one."""
        if one.to and not one.room:
            settings = (await self.settings([one.to]))[one.to]
            if (turn := await directs.wait(self.display, settings)) > 0:
                return turn
        attempt = self.known.get(self._asked(one))
        doubtful = attempt is not None and attempt.message is None and bool(one.occasion)
        fresh = doubtful or (one.anew and attempt is None)
        say: Say | None = None
        if found is not None and found.message is not None and not fresh:
            if one.once and found.pending:
                self.note(one.name, self.table.version)
            if one.once or (one.due and found.shown >= one.due and not self.display.is_doubted(self.table.number)):
                return None
            edited, say = await self._edited(one, found)
            if edited:
                if one.due or found.pending:
                    self.note(one.name, self.table.version)
                self._told(one, found.channel, found.message, sent=False)
                return None
            if one.calls:
                return None
        if say := say or await one.draw():
            await self._post(one, found, say)
        return None

    async def _edited(self, one: Wanted, found: Projection) -> tuple[bool, Say | None]:
        """Whether a message shows now what it is to show; and how that is said, where it was drawn."""
        number = self.table.number
        if one.key is not None and self.display.shows(number, one.name, one.key):
            return True, None
        say = await one.draw()
        if say is None:
            return True, None
        named = await self._notified(one) if one.named else []
        content = say(named)
        digest = one.key or content.digest
        if self.display.shows(number, one.name, digest):
            return True, say
        self.display.forget(number, one.name)
        channel, message = found.channel or self.table.channel, found.message
        assert message is not None
        if not await self.display.edit(channel, message, content, named=named):
            return False, say
        self.display.note(number, one.name, digest)
        return True, say

    async def _post(self, one: Wanted, found: Projection | None, say: Say) -> None:
        """Send a new message; that it is wanted is noted before, should the process die."""
        number, version = self.table.number, self.table.version
        since = version if found is None else found.shown
        called = self.display.unasked(*one.topic, await self._notified(one))
        if not called and not one.lone:
            self.note(one.name, version, self.table.channel)
            return
        if found is None:
            self.note(one.name, since)
        if one.occasion is not None and self._asked(one) not in self.known:
            self.note(self._asked(one), since)
        await self.noted()
        for game, old in one.instead:
            await channels.delete(self.display.client, old.channel or 0, old.message or 0)
            await self.display.services.projections.gone(game, old.what)
        content = say(called)
        channel, message = await self._posted(one, since, content, called)
        self.display.asked(*one.topic, called)
        if one.to and not one.room and found is not None and found.message not in (None, message):
            await channels.delete(self.display.client, found.channel or channel, found.message or 0)
        self.display.note(number, one.name, one.key or (content if one.named else say(())).digest)
        self.posted[one.name] = channel, message
        self.note(one.name, version, channel, message)
        self._told(one, channel, message, sent=True)
        await self.noted()  # at once: what comes next in this round may take long
        if one.then is not None:
            await one.then()

    async def _posted(self, one: Wanted, since: int, content: Content, called: Sequence[int]) -> tuple[int, int]:
        """Channel and id of a new message."""
        if one.room:
            return await rooms.post(self.display, self.table, one.to, one.name, since, content)
        if one.to:
            return await directs.post(self.display, one.to, self.table, one.name, since, content)
        sent = await channels.post(
            self.display.client, self.table.channel, self.table, one.name, since, content, pings=called
        )
        self.display.uploads.note(sent, content.parts)
        return self.table.channel, sent.id

    async def _notified(self, one: Wanted) -> list[int]:
        """Whom a message may notify."""
        people = await self.settings(one.users)
        return [user for user in one.users if one.wants(people[user])]

    async def _refused(self, one: Wanted, error: discord.HTTPException) -> float | None:
        """Give up what can't be sent to one person alone; raises what hinders others as well, or may be over soon."""
        if one.room and not channels.is_outage(error):
            log.warning("Game %d: nothing can be shown in a private thread: %s", self.table.number, error)
            self.note(one.name, self.table.version)
            return None
        if not one.to or error.code not in directs.REFUSED:
            raise error
        self.forget(f"{CLOSED}{one.to}")
        self.note(f"{CLOSED}{one.to}", self.table.version)
        self.note(one.name, self.table.version)
        if one.then is not None:
            await one.then()
        return acted_by(now())

    def _asked(self, one: Wanted) -> str:
        return f"{ASKED}{one.to}:{one.occasion}"

    def _told(self, one: Wanted, channel: int | None, message: int | None, *, sent: bool) -> None:
        """Note of what somebody has been told, in the place of what they were told before."""
        if one.occasion is None:
            return
        asked = self._asked(one)
        if sent or one.told:
            self.note(asked, self.table.version, channel, message)
        for old in self.known:
            if old.startswith(f"{ASKED}{one.to}:") and old != asked:
                self.forget(old)

    async def _finish(self, one: Wanted, found: Projection | None) -> None:
        """Show for the last time what stays."""
        number = self.table.number
        if found is not None and found.message is not None and not self.display.shows(number, one.name, FINAL):
            channel, say = found.channel or self.table.channel, await one.draw()
            if say is not None:
                await self.display.edit(channel, found.message, say(()), closing=True)
        if one.returns:
            self.display.note(number, one.name, FINAL)
        else:
            self.forget(one.name)

    async def _leave(self, found: Projection) -> None:
        """Put away a message in a channel that the game has left, if that can be reached."""
        if found.what.startswith(TURN) and found.message is not None and found.channel is not None:
            where = _("This game continues in {channel}.", channel=f"<#{self.table.channel}>")
            with suppress(*channels.FAILED):
                await self.display.edit(found.channel, found.message, Content(plain(where)))
            self.forget(found.what)
        else:
            await self._delete(found)

    async def _delete(self, found: Projection) -> None:
        """Delete a message, and forget it; in a channel that the game has left as far as that can be reached. What
        stands in somebody's thread stays."""
        channel = found.channel or self.table.channel
        if found.message is not None and not (self.table.options.rooms and found.what.startswith(HAND)):
            elsewhere = channel != self.table.channel and not found.what.startswith(ALONE)
            with suppress(*(channels.FAILED if elsewhere else ())):
                await channels.delete(self.display.client, channel, found.message)
        self.forget(found.what)
