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
from math import inf

import discord

from bot.discord.show import channels, directs, notified, readers, rooms
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
"""Prefix of the projection of a call to a user whom no direct message, or nothing in their private thread, could reach:
the user follows. Without a channel, the call is still to come."""
ALONE = (HAND, REMINDER)
"""Prefixes of projections for one person alone."""
FINAL = 0
"""Stands for the digest of a message that is final."""


@dataclass(slots=True)
class Round:
    """One round of making a game's messages match what it wants to show."""

    display: Display
    table: Table
    projections: Projections
    posted: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Channel and id of each message that was posted, by name."""
    shown: dict[str, Shown] = field(default_factory=dict)
    gone: dict[str, None] = field(default_factory=dict)
    """What must still be stored: names shown (above), and names that are gone."""
    people: dict[int, UserSettings] = field(default_factory=dict)
    withheld: dict[str, list[int]] = field(default_factory=dict)
    """Users whom each posted message should have notified, but can't yet, by name."""
    later: float = inf
    """Seconds until someone can be notified whose call was put off."""

    async def __aenter__(self) -> Round:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.flush()

    def note(self, name: str, version: int, channel: int | None = None, message: int | None = None) -> None:
        """Have it stored that something is shown."""
        self.shown[name] = Shown(name, version, channel, message)

    def forget(self, name: str) -> None:
        """Have it stored that a message is gone."""
        self.display.forget(self.table.number, name)
        self.shown.pop(name, None)
        self.gone[name] = None

    async def flush(self) -> None:
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

    def note_panel(self, head: str, version: int) -> None:
        """Note where the message with the buttons (`head`) is, and which version it and all that belongs to it show."""
        projection = self.projections.get(head)
        channel, message = (None, None) if projection is None else (projection.channel, projection.message)
        if head in self.posted:
            channel, message = self.posted[head]
        if message is not None:
            self.display.posted(self.table.number, message)
        self.note(PANEL, version, channel, message)

    async def reconcile(self, messages: Iterable[Wanted]) -> float | None:
        """Bring messages up to date, one after another. Returns the seconds until one that is held back is due."""
        waits = [await self._reconcile(wanted) for wanted in messages]
        return min((wait for wait in waits if wait is not None), default=None)

    async def reconcile_at_once(self, messages: Iterable[Wanted]) -> float | None:
        """As `reconcile`, but side by side: one person's failure must not keep the others waiting."""
        results = await asyncio.gather(*map(self._reconcile, messages), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return min((wait for wait in results if isinstance(wait, float)), default=None)

    async def delete_except(self, families: tuple[str, ...], names: Collection[str]) -> None:
        """Delete the messages whose names begin with one of `families`, except those with these names."""
        for projection in self.projections.values():
            if projection.what.startswith(families) and projection.what not in names:
                await self._delete(projection)

    async def _reconcile(self, wanted: Wanted) -> float | None:
        projection = self.projections.get(wanted.name)
        if wanted.final:
            await self._finish(wanted, projection)
            return None
        if projection is not None and not wanted.to and projection.channel not in (None, self.table.channel):
            await self._retire(projection)  # the game has moved to another channel
            projection = None
        if projection is None and self._is_covered(wanted):
            self.note(wanted.name, self.table.version, self.table.channel)
            return None
        if wanted.delay > 0:
            return wanted.delay
        if wanted.covered:
            await self._settle(wanted, projection)
            return None
        if projection is not None and projection.message is None and projection.channel is not None and wanted.calls:
            return None
        try:
            return await self._edit_or_post(wanted, projection)
        except discord.HTTPException as error:
            return await self._refused(wanted, error)

    async def _settle(self, wanted: Wanted, projection: Projection | None) -> None:
        """Note that a message needn't be sent, and delete it if it exists; one for a single person stays."""
        if wanted.to:
            self.note(wanted.name, self.table.version)
        elif projection is None or projection.channel is None or projection.message is not None:
            if projection is not None:
                await self._delete(projection)
            self.note(wanted.name, self.table.version, self.table.channel)
        if wanted.then is not None:
            await self.flush()
            await wanted.then()

    async def _edit_or_post(self, wanted: Wanted, projection: Projection | None) -> float | None:
        """Edit a message, or send a new one. Returns the seconds until its turn, if a direct message must wait."""
        if wanted.to and not wanted.room:
            settings = (await self.settings([wanted.to]))[wanted.to]
            if (wait := await directs.wait(self.display, settings)) > 0:
                return wait
        attempt = self.projections.get(self._occasion_name(wanted))
        doubtful = attempt is not None and attempt.message is None and bool(wanted.occasion)
        fresh = doubtful or (wanted.notify_again and (attempt is None or wanted.again))
        fresh = fresh or await self._can_call(wanted, projection)
        say: Say | None = None
        if projection is not None and projection.message is not None and not fresh:
            if wanted.once and projection.pending:
                self.note(wanted.name, self.table.version)
            is_shown = 0 < wanted.due <= projection.shown and self.display.doubt_of(self.table.number) is None
            if wanted.once or is_shown:
                return None
            edited, say = await self._edited(wanted, projection)
            if edited:
                if wanted.due or projection.pending:
                    self.note(wanted.name, self.table.version)
                self._note_occasion(wanted, projection.channel, projection.message, sent=False)
                return None
            if wanted.calls:
                return None
        if say := say or await wanted.draw():
            await self._post(wanted, projection, say, replaces=not (fresh and wanted.room))
        return None

    async def _edited(self, wanted: Wanted, projection: Projection) -> tuple[bool, Say | None]:
        """Edit a message. Returns whether it now shows what it must, and its content, if that was drawn."""
        number = self.table.number
        if wanted.key is not None and self.display.shows(number, wanted.name, wanted.key):
            return True, None
        say = await wanted.draw()
        if say is None:
            return True, None
        named = await self._users_notified(wanted, projection) if wanted.named else []
        content = say(named)
        digest = wanted.key or content.digest
        if self.display.shows(number, wanted.name, digest):
            return True, say
        self.display.forget(number, wanted.name)
        channel, message = projection.channel or self.table.channel, projection.message
        assert message is not None
        if not await self.display.edit(channel, message, content, named=named):
            return False, say
        self.display.note(number, wanted.name, digest)
        return True, say

    def _is_covered(self, wanted: Wanted) -> bool:
        """Whether another message was posted in this round that says the same, and notifies the same users."""
        return wanted.covered_by in self.posted and not set(wanted.users) & {*self.withheld[wanted.covered_by]}

    async def _can_call(self, wanted: Wanted, projection: Projection | None) -> bool:
        """Whether a message that only calls people still owes a call that can be made now; otherwise it is put off."""
        if not wanted.calls or projection is None or projection.message is None:
            return False
        return bool(self._ready(wanted, await self._users_owed(wanted)))

    async def _users_owed(self, wanted: Wanted) -> list[int]:
        """Users to whom a posted message still owes a call."""
        users = [user for user in wanted.users if notified.is_owed(self.projections, wanted.topic, user, wanted.name)]
        people = await self.settings(users)
        return [user for user in users if wanted.wants(people[user])]

    def _ready(self, wanted: Wanted, users: Iterable[int]) -> list[int]:
        """Those of the users who can be notified of a message's topic now. The others are put off."""
        ready = list[int]()
        for user in users:
            last = notified.last_notified(self.projections, wanted.topic, user)
            if wait := notified.wait_after(last):
                self.later = min(self.later, wait)
            else:
                ready.append(user)
        return ready

    async def _post(self, wanted: Wanted, projection: Projection | None, say: Say, *, replaces: bool) -> None:
        """Send a new message. That it is wanted is stored first, in case the process dies.

        `replaces`: whether the message before is deleted, if there is one, once Discord has taken the new one.
        """
        old = projection if replaces and projection is not None and projection.message is not None else None
        number, version = self.table.number, self.table.version
        since = version if projection is None else projection.shown
        anew = wanted.calls and old is not None  # for those whom the message before didn't notify
        users = await (self._users_owed(wanted) if anew else self._users_to_notify(wanted))
        called = self._ready(wanted, users)
        if not called and not wanted.send_unnotified:
            if not users:
                self.note(wanted.name, version, self.table.channel)
            return
        if projection is None:
            self.note(wanted.name, since)
        if wanted.occasion is not None and self._occasion_name(wanted) not in self.projections:
            self.note(self._occasion_name(wanted), since)
        await self.flush()
        for game, other in wanted.instead:
            await channels.delete(self.display.client, other.channel or 0, other.message or 0)
            await self.display.services.projections.gone(game, other.what)
        content = say(called)
        name = wanted.name
        if old is not None:  # with the same name, its nonce would return it
            name = f"{wanted.name}:{old.message}"
        channel, message = await self._send(wanted, name, since, content, called)
        self._note_notified(wanted, message, called, [user for user in users if user not in called])
        self.display.note(number, wanted.name, wanted.key or (content if wanted.named else say(())).digest)
        self.posted[wanted.name] = channel, message
        self.note(wanted.name, version, channel, message)
        self._note_occasion(wanted, channel, message, sent=True)
        if wanted.room and f"{CLOSED}{wanted.to}" in self.projections:
            self.forget(f"{CLOSED}{wanted.to}")
        await self.flush()  # immediately: what comes next in this round can take long
        if old is not None and old.message != message:
            with suppress(*channels.FAILED):
                await channels.delete(self.display.client, old.channel or channel, old.message or 0)
        if wanted.then is not None:
            await wanted.then()

    def _note_notified(self, wanted: Wanted, message: int, called: Iterable[int], withheld: list[int]) -> None:
        """Note whom a posted message has notified, and whom it owes a call."""
        version, name = self.table.version, wanted.owes or wanted.name
        self.withheld[wanted.name] = withheld
        for user in called:
            if last := notified.last_notified(self.projections, wanted.topic, user):
                self.forget(notified.notified_name(last, wanted.topic, user))
            self.note(notified.notified_name(message, wanted.topic, user), version)
            if notified.is_owed(self.projections, wanted.topic, user, name):
                self.forget(notified.owed_name(wanted.topic, name, user))
        for user in withheld:
            self.note(notified.owed_name(wanted.topic, name, user), version)
            if last := notified.last_notified(self.projections, wanted.topic, user):  # perhaps of an earlier table
                self.note(notified.notified_name(last, wanted.topic, user), version)

    async def _send(
        self, wanted: Wanted, name: str, since: int, content: Content, called: Sequence[int]
    ) -> tuple[int, int]:
        """Send a new message; its nonce is made of `name`. Returns its channel and id."""
        if wanted.room:
            return await rooms.post(self.display, self.table, wanted.to, name, since, content)
        if wanted.to:
            return await directs.post(self.display, wanted.to, self.table, name, since, content)
        channel = self.table.channel
        return channel, await self.display.post(channel, self.table, name, since, content, pings=called)

    async def _users_to_notify(self, wanted: Wanted) -> list[int]:
        """Users whom a message can notify, by their settings."""
        people = await self.settings(wanted.users)
        return [user for user in wanted.users if wanted.wants(people[user])]

    async def _users_notified(self, wanted: Wanted, projection: Projection) -> list[int]:
        """Users whom a posted message has notified, as far as is known."""

        def has(user: int) -> bool:
            last = notified.last_notified(self.projections, wanted.topic, user)
            return last in (None, projection.message)

        return [user for user in await self._users_to_notify(wanted) if has(user)]

    async def _refused(self, wanted: Wanted, error: discord.HTTPException) -> float | None:
        """Give up a message that can't be sent to one person. Returns the seconds until the channel can call them.

        Raises errors that concern others as well, or that can soon be over.
        """
        if wanted.room and not channels.is_outage(error):
            log.warning("Game %d: nothing can be shown in a private thread: %s", self.table.number, error)
        elif not wanted.to or error.code not in directs.REFUSED:
            raise error
        self.forget(f"{CLOSED}{wanted.to}")
        self.note(f"{CLOSED}{wanted.to}", self.table.version)
        self.note(wanted.name, self.table.version)
        if wanted.then is not None:
            await wanted.then()
        return acted_by(now())

    def _occasion_name(self, wanted: Wanted) -> str:
        return f"{ASKED}{wanted.to}:{wanted.occasion}"

    def _note_occasion(self, wanted: Wanted, channel: int | None, message: int | None, *, sent: bool) -> None:
        """Note the occasion of which a person has been told, in place of earlier ones."""
        if wanted.occasion is None:
            return
        asked = self._occasion_name(wanted)
        if sent or wanted.told:
            self.note(asked, self.table.version, channel, message)
        for old in self.projections:
            if old.startswith(f"{ASKED}{wanted.to}:") and old != asked:
                self.forget(old)

    async def _finish(self, wanted: Wanted, projection: Projection | None) -> None:
        """Edit a final message for the last time."""
        number, message = self.table.number, projection.message if projection is not None else None
        if projection is not None and message is not None and not self.display.shows(number, wanted.name, FINAL):
            channel, say = projection.channel or self.table.channel, await wanted.draw()
            if say is not None:
                await self.display.edit(channel, message, say(()), closing=True)
        if wanted.returns:
            self.display.note(number, wanted.name, FINAL)
        else:
            self.forget(wanted.name)

    async def _retire(self, projection: Projection) -> None:
        """Put away a message in a channel that the game has left; a turn's message then says where it continues."""
        if projection.what.startswith(TURN) and projection.message is not None and projection.channel is not None:
            where = _("This game continues in another channel.")
            if await readers.all_see(self.display.client, self.table.guild, projection.channel, self.table.channel):
                where = _("This game continues in {channel}.", channel=f"<#{self.table.channel}>")
            with suppress(*channels.FAILED):
                await self.display.edit(projection.channel, projection.message, Content(plain(where)))
            self.forget(projection.what)
        else:
            await self._delete(projection)

    async def _delete(self, projection: Projection) -> None:
        """Delete a message and forget it. In a channel that the game has left, failures are ignored. Hands in private
        threads stay."""
        channel = projection.channel or self.table.channel
        if projection.message is not None and not (self.table.options.rooms and projection.what.startswith(HAND)):
            elsewhere = channel != self.table.channel and not projection.what.startswith(ALONE)
            with suppress(*(channels.FAILED if elsewhere else ())):
                await channels.delete(self.display.client, channel, projection.message)
        self.forget(projection.what)
