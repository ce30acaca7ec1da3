"""Makes a game's messages match what the game wants to show. Only this module posts, edits and deletes them.

Each message is posted once: the store knows that it is wanted before it is sent, and Discord posts nothing twice under
the same nonce. So repeating a step is harmless, after a failure or in another process.
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
"""Prefix of the projection of a call to one person: user and occasion follow. Without a message id, it is unknown
whether the call was sent."""
CLOSED = "closed:"
"""Prefix of the projection of a call to a user whom no direct message could reach: the user follows. Without a channel,
the call is still to come."""
ALONE = (HAND, REMINDER)
"""Prefixes of projections for one person alone."""
FINAL = 0
"""Stands for the digest of a message that is final."""


@dataclass(slots=True)
class Round:
    """One round of making a game's messages match what it wants to show."""

    display: Display
    table: Table
    known: Projections
    posted: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Channel and id of each message that was posted, by name."""
    shown: dict[str, Shown] = field(default_factory=dict)
    gone: dict[str, None] = field(default_factory=dict)
    """What must still be stored: names shown (above), and names that are gone."""
    people: dict[int, UserSettings] = field(default_factory=dict)

    async def __aenter__(self) -> Round:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.noted()

    def note(self, name: str, version: int, channel: int | None = None, message: int | None = None) -> None:
        """Have it stored that something is shown."""
        self.shown[name] = Shown(name, version, channel, message)

    def forget(self, name: str) -> None:
        """Have it stored that a message is gone."""
        self.display.forget(self.table.number, name)
        self.shown.pop(name, None)
        self.gone[name] = None

    async def noted(self) -> None:
        """Store what is shown and what is gone by now."""
        if self.shown or self.gone:
            shown, gone = [*self.shown.values()], [*self.gone]
            self.shown, self.gone = {}, {}
            await self.display.services.projections.note(self.table.number, shown, gone)

    async def settings(self, users: Collection[int]) -> dict[int, UserSettings]:
        """Settings by user, of these users at least; each is read once per round."""
        if unknown := [user for user in users if user not in self.people]:
            self.people |= await self.display.services.people.settings_of(unknown)
        return self.people

    def locate(self, head: str, version: int) -> None:
        """Note where the message with the buttons (`head`) is, and which version it and all that belongs to it show."""
        projection = self.known.get(head)
        channel, message = (None, None) if projection is None else (projection.channel, projection.message)
        if head in self.posted:
            channel, message = self.posted[head]
        if message is not None:
            self.display.posted(self.table.number, message)
        self.note(PANEL, version, channel, message)

    async def bring(self, wanted: Iterable[Wanted]) -> float | None:
        """Bring messages up to date, one after another. Returns the seconds until one that is held back is due."""
        waits = [await self._bring(one) for one in wanted]
        return min((wait for wait in waits if wait is not None), default=None)

    async def bring_at_once(self, wanted: Iterable[Wanted]) -> float | None:
        """As `bring`, but side by side: one person's failure must not keep the others waiting."""
        results = await asyncio.gather(*map(self._bring, wanted), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return min((wait for wait in results if isinstance(wait, float)), default=None)

    async def take_away(self, families: tuple[str, ...], names: Collection[str]) -> None:
        """Delete the messages whose names begin with one of `families`, except those with these names."""
        for projection in self.known.values():
            if projection.what.startswith(families) and projection.what not in names:
                await self._delete(projection)

    async def _bring(self, one: Wanted) -> float | None:
        projection = self.known.get(one.name)
        if one.final:
            await self._finish(one, projection)
            return None
        if projection is not None and not one.to and projection.channel not in (None, self.table.channel):
            await self._leave(projection)  # the game has moved to another channel
            projection = None
        if projection is None and one.covered_by in self.posted:
            self.note(one.name, self.table.version, self.table.channel)
            return None
        if one.delay > 0:
            return one.delay
        if one.covered:
            await self._settle(one, projection)
            return None
        if projection is not None and projection.message is None and projection.channel is not None and one.calls:
            return None
        try:
            return await self._sent(one, projection)
        except discord.HTTPException as error:
            return await self._refused(one, error)

    async def _settle(self, one: Wanted, found: Projection | None) -> None:
        """Note that a message needn't be sent, and delete it if it exists; one for a single person stays."""
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
        """Edit a message, or send a new one. Returns the seconds until its turn, if a direct message must wait."""
        if one.to and not one.room:
            settings = (await self.settings([one.to]))[one.to]
            if (wait := await directs.wait(self.display, settings)) > 0:
                return wait
        attempt = self.known.get(self._asked(one))
        doubtful = attempt is not None and attempt.message is None and bool(one.occasion)
        fresh = doubtful or (one.notify_again and attempt is None)
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
        """Edit a message. Returns whether it now shows what it must, and its content, if that was drawn."""
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
        """Send a new message. That it is wanted is stored first, in case the process dies."""
        number, version = self.table.number, self.table.version
        since = version if found is None else found.shown
        called = self.display.not_recently_notified(*one.topic, await self._notified(one))
        if not called and not one.send_unnotified:
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
        self.display.note_notified(*one.topic, called)
        if one.to and not one.room and found is not None and found.message not in (None, message):
            await channels.delete(self.display.client, found.channel or channel, found.message or 0)
        self.display.note(number, one.name, one.key or (content if one.named else say(())).digest)
        self.posted[one.name] = channel, message
        self.note(one.name, version, channel, message)
        self._told(one, channel, message, sent=True)
        await self.noted()  # immediately: what comes next in this round can take long
        if one.then is not None:
            await one.then()

    async def _posted(self, one: Wanted, since: int, content: Content, called: Sequence[int]) -> tuple[int, int]:
        """Send a new message. Returns its channel and id."""
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
        """Users whom a message can notify, by their settings."""
        people = await self.settings(one.users)
        return [user for user in one.users if one.wants(people[user])]

    async def _refused(self, one: Wanted, error: discord.HTTPException) -> float | None:
        """Give up a message that can't be sent to one person. Returns the seconds until the channel can call them.

        Raises errors that concern others as well, or that can soon be over.
        """
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
        """Note the occasion of which a person has been told, in place of earlier ones."""
        if one.occasion is None:
            return
        asked = self._asked(one)
        if sent or one.told:
            self.note(asked, self.table.version, channel, message)
        for old in self.known:
            if old.startswith(f"{ASKED}{one.to}:") and old != asked:
                self.forget(old)

    async def _finish(self, one: Wanted, found: Projection | None) -> None:
        """Edit a final message for the last time."""
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
        """Put away a message in a channel that the game has left; a turn's message then says where it continues."""
        if found.what.startswith(TURN) and found.message is not None and found.channel is not None:
            where = _("This game continues in {channel}.", channel=f"<#{self.table.channel}>")
            with suppress(*channels.FAILED):
                await self.display.edit(found.channel, found.message, Content(plain(where)))
            self.forget(found.what)
        else:
            await self._delete(found)

    async def _delete(self, found: Projection) -> None:
        """Delete a message and forget it. In a channel that the game has left, failures are ignored. Hands in private
        threads stay."""
        channel = found.channel or self.table.channel
        if found.message is not None and not (self.table.options.rooms and found.what.startswith(HAND)):
            elsewhere = channel != self.table.channel and not found.what.startswith(ALONE)
            with suppress(*(channels.FAILED if elsewhere else ())):
                await channels.delete(self.display.client, channel, found.message)
        self.forget(found.what)
