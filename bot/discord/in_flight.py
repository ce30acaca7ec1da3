"""What people have under way with this process: their interactions, and the private messages that they have open.

Each interaction is handled once, and before the process stops, the last ones are answered. However fast one person
clicks, the others don't wait for that. A new private message takes the place of the one before. Something being put
together, such as an offer, stays open next to it until it is done, or another one is begun.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache

from bot.discord.interaction import InteractionToken
from bot.discord.show import channels

log = logging.getLogger(__name__)

INTERACTIONS_REMEMBERED = 1000
"""Interactions that are remembered: after a short interruption of the gateway, Discord can deliver them again."""


class InFlight:
    """Interactions under way, and those taken on lately."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the process is stopping, so that nothing new can begin."""
        self._taken: deque[str] = deque(maxlen=INTERACTIONS_REMEMBERED)
        """Keys of the interactions that this process has taken on."""
        self._tasks: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def take_on(self, key: str) -> bool:
        """Take on an interaction. False if this process has done so before."""
        if key in self._taken:
            return False
        self._taken.append(key)
        return True

    def give_up(self, key: str) -> None:
        """Forget an interaction that could not be answered: it can be delivered again."""
        if key in self._taken:
            self._taken.remove(key)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Count the current task as handling an interaction."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Start work that no one has asked for and that comes to an end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finished(self, within: float) -> None:
        """Take nothing new, and wait for what is under way, at most `within` seconds."""
        self.closing = True
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within)


AT_ONCE = 2
"""Interactions of one person that are handled at the same time."""
HELD = 0.5
"""Seconds after which an interaction makes room for the person's next one: it waits for something, such as Discord."""
MOST_WAITING = 20
"""Interactions of one person that wait for their turn. More than that are dropped: no one can click that fast."""


@dataclass(slots=True)
class _Line:
    """One person's interactions."""

    handled: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class FairTurns:
    """Makes a person's interactions wait only for that person's own."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    @asynccontextmanager
    async def turn(self, user: int) -> AsyncIterator[bool]:
        """Wait until an interaction of a user can be handled. Yields False if too many of theirs are waiting."""
        line = self._lines.setdefault(user, _Line())
        if line.handled < AT_ONCE:
            line.handled += 1
        elif len(line.waiting) < MOST_WAITING:
            await self._called(user, line)
        else:
            yield False
            return
        leave = self._leaving(user, line)
        timer = asyncio.get_running_loop().call_later(HELD, leave)
        try:
            yield True
        finally:
            timer.cancel()
            leave()

    async def _called(self, user: int, line: _Line) -> None:
        """Wait in line, until one that leaves passes on its place."""
        future = asyncio.get_running_loop().create_future()
        line.waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future in line.waiting:
                line.waiting.remove(future)
            else:
                self._leaving(user, line)()
            raise

    def _leaving(self, user: int, line: _Line) -> Callable[[], None]:
        """A function that gives up a place when it is first called."""
        left = False

        def leave() -> None:
            nonlocal left
            if left:
                return
            left = True
            if line.waiting:
                line.waiting.popleft().set_result(None)
                return
            line.handled -= 1
            if not line.handled:
                del self._lines[user]

        return leave


Owner = tuple[int, int]
"""A user and a table."""
MOST_OWNERS = 1000
"""People at tables whose private messages are remembered; older messages just stay."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A private message, and the token that can delete it."""

    token: InteractionToken
    followup: int | None
    """Its id as a followup; None: it is the first answer, or the token is of a click on it."""
    id: int | None
    """Its id; None: it is unknown."""


class EphemeralMessages:
    """The latest private messages of each person at a table, if a button led to them; one of each kind.

    Kept in memory only: a forgotten message stays until its owner dismisses it.
    """

    def __init__(self) -> None:
        self._open: LRUCache[Owner, dict[str, _Message]] = LRUCache(MOST_OWNERS)
        """By owner and kind."""

    async def opened(
        self,
        owner: Owner,
        token: InteractionToken,
        message: int | None,
        same: bool,
        kind: str = "",
        *,
        first: bool = False,
    ) -> None:
        """Remember a new private message, and delete the one before of its kind. `same`: it is the clicked message,
        changed. `first`: it is the first answer.

        `message` is its id; None: it is unknown, or that of the clicked message. `kind`: of what is put together in it.
        """
        id = token.clicked if same else message
        mine = self._forget(owner, id)  # also of a new one: a click on it can have been quicker than this
        before = mine.get(kind)
        self._open[owner] = {**mine, kind: _Message(token, None if first else message, id)}
        if before is not None and not (same and before.id is None):
            await _delete(before)

    async def done(self, owner: Owner, click: InteractionToken | None, kind: str = "") -> None:
        """Delete the open message of a kind, which has been answered. `click`: the click on it, of whatever kind."""
        if click is not None:
            self._forget(owner, click.clicked)
            await _delete(_Message(click, None, None))
        elif (before := self._open.get(owner, {}).pop(kind, None)) is not None:
            await _delete(before)

    def _forget(self, owner: Owner, message: int | None) -> dict[str, _Message]:
        """Forget a message that has changed or is gone. Returns the owner's other open messages by kind."""
        mine = self._open.get(owner, {})
        for kind in [kind for kind, open_message in mine.items() if message is not None and open_message.id == message]:
            del mine[kind]
        return mine


async def _delete(message: _Message) -> None:
    """Delete a private message while Discord allows it; nothing depends on it."""
    if message.token.expired:
        return
    try:
        await message.token.delete(message.followup)
    except channels.FAILED as error:
        log.debug("a private message stays: %s", error)
