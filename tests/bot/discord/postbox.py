"""A Discord in memory for `bot.discord.show`: it takes messages, and each request ends as a list of outcomes says."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from types import SimpleNamespace
from typing import Any

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.wanted import Content
from bot.projections import Name, Projection, State
from bot.store.base import Job
from bot.table.preferences import PersonalChoices, UserSettings
from bot.table.table import Table

DIRECT = 1000
"""A user's direct messages have the channel with this number and the user's."""


class Outcome(Enum):
    """How a request ends."""

    YES = auto()
    DOWN = auto()
    """Discord doesn't take it."""
    LOST = auto()
    """Discord takes it, and the answer is lost."""
    FORGOTTEN = auto()
    """The same, and Discord soon forgets its nonce, with all others."""
    KILLED_BEFORE = auto()
    KILLED_AFTER = auto()
    """The process is killed before or after Discord takes it."""
    GONE = auto()
    OLD = auto()
    """The message was deleted, or can no longer be edited; else as `YES`."""
    REFUSED = auto()
    """Discord takes no direct messages to this person; else as `DOWN`."""


class Killed(BaseException):
    """The process is gone."""


@dataclass
class Message:
    """A message that was posted."""

    id: int
    channel: int
    text: str
    fixed: bool = False
    """Whether it can no longer be edited."""


@dataclass
class Postbox:
    """What was posted, and what the store knows of it."""

    outcomes: list[Outcome] = field(default_factory=list)
    messages: dict[int, Message] = field(default_factory=dict)
    """Those that aren't deleted."""
    pings: list[tuple[int, int]] = field(default_factory=list)
    """Message and user of each notification."""
    stored: dict[Name, Projection] = field(default_factory=dict)
    new: set[int] = field(default_factory=set)
    """Messages for whose nonce Discord was just asked: they are too young for edits to be refused."""
    dead: bool = False
    """Whether the process was killed, and no other one has taken over."""
    _nonces: dict[str, int] = field(default_factory=dict)
    _ids: Any = field(default_factory=lambda: itertools.count(discord.utils.time_snowflake(discord.utils.utcnow())))

    def next(self, *, direct: bool = False) -> Outcome:
        """How the next request ends; `direct`: it posts a direct message."""
        outcome = self.outcomes.pop(0) if self.outcomes else Outcome.YES
        if outcome is Outcome.KILLED_BEFORE:
            self.kill()
        if outcome is Outcome.REFUSED and direct:
            raise _error(403, 50007)
        if outcome in (Outcome.DOWN, Outcome.REFUSED):
            raise _error(503, 0)
        return outcome

    def end(self, outcome: Outcome) -> None:
        """Raise what an outcome raises once Discord has taken a request."""
        if outcome is Outcome.FORGOTTEN:
            self._nonces.clear()
        if outcome in (Outcome.LOST, Outcome.FORGOTTEN):
            raise TimeoutError
        if outcome is Outcome.KILLED_AFTER:
            self.kill()

    def kill(self) -> None:
        """Kill the process: what it does after that has no effect."""
        self.dead = True
        raise Killed

    def post(self, channel: int, nonce: str, text: str, users: Iterable[int]) -> int:
        """Post a message. The same nonce posts nothing twice."""
        if nonce not in self._nonces:
            message = Message(next(self._ids), channel, text)
            self.messages[message.id], self._nonces[nonce] = message, message.id
            self.pings += [(message.id, user) for user in users]
        if self._nonces[nonce] not in self.messages:  # Discord refuses it; `channels.post` then tries another one
            return self.post(channel, f"{nonce}+", text, users)
        return self._nonces[nonce]

    # --- the store

    async def note(self, number: int, shown: Iterable[Projection] = (), gone: Iterable[Name] = ()) -> None:
        """As the store does it."""
        if self.dead:
            return
        for name in gone:
            self.stored.pop(name, None)
        for one in shown:
            old = self.stored.get(one.name)
            if old is None:
                self.stored[one.name] = replace(one, due=one.version)
            elif one.version >= old.version:
                self.stored[one.name] = replace(one, due=old.due, place=one.place or old.place)

    def due(self, name: Name, version: int) -> None:
        """Have something show a version, as a change does."""
        old = self.stored.get(name) or Projection(name, State.WANTED, version, 0)
        self.stored[name] = replace(old, due=version)

    async def visible(self, number: int) -> dict[Name, Projection]:
        """All that is stored."""
        return dict(self.stored)

    # --- people

    async def settings(self, user: int) -> UserSettings:
        """All take direct messages, in a channel that is open."""
        return UserSettings(user, choices=PersonalChoices(messages=True, direct=user + DIRECT))

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """The settings of users."""
        return {user: await self.settings(user) for user in users}


class PostboxDisplay(Display):
    """What one process remembers."""

    def __init__(self, box: Postbox) -> None:
        async def forget(job: Job) -> None: ...

        nothing, jobs = SimpleNamespace(watch=lambda listener: None), SimpleNamespace(set=forget)
        services: Any = SimpleNamespace(
            projections=box, people=box, repository=nothing, metrics=None, jobs=jobs, now=lambda: 0.0
        )
        client: Any = SimpleNamespace(get_partial_messageable=lambda channel: _Place(box))
        pictures: Any = None
        super().__init__(client, services, pictures, films=False)
        self.box, box.dead = box, False

    async def post(
        self,
        channel: int,
        table: Table,
        name: str,
        since: int,
        content: Content,
        *,
        pings: Any = (),
        loud: bool = False,
    ) -> int:
        outcome = self.box.next(direct=channel >= DIRECT)
        posted = self.box.post(channel, f"{name}:{since}", content.text or "", pings)
        self.box.end(outcome)
        self.box.new.add(posted)
        of_before = self.box.messages[posted].text != (content.text or "")  # as `channels.post` notices
        if of_before and not await self.edit(channel, posted, content):
            raise _error(404, channels.NO_MESSAGE)
        self.box.new.clear()
        return posted

    async def edit(
        self, channel: int, message: int, content: Content, *, named: Any = (), closing: bool = False
    ) -> bool:
        outcome = self.box.next()
        if outcome is Outcome.GONE:
            self.box.messages.pop(message, None)
        if (found := self.box.messages.get(message)) is None:
            return False
        found.fixed |= outcome is Outcome.OLD and message not in self.box.new
        if found.fixed:
            return False
        found.text = content.text or ""
        self.box.end(outcome)
        return True


@dataclass
class _Place:
    box: Postbox

    def get_partial_message(self, message: int) -> Any:
        async def delete() -> None:
            outcome = self.box.next()
            if self.box.messages.pop(message, None) is None:
                raise _error(404, channels.NO_MESSAGE)
            self.box.end(outcome)

        return SimpleNamespace(delete=delete)


def _error(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.DiscordServerError)
    return kind(response, {"code": code, "message": ""})
