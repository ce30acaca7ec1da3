"""Private messages that each person has open: a new one takes the place of the one before.

Something being put together, such as an offer, stays open next to it until it is done, or another one is begun.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from cachetools import LRUCache

from bot.discord.show import channels
from bot.discord.token import Token

log = logging.getLogger(__name__)

Owner = tuple[int, int]
"""A user and a table."""
MOST = 1000
"""People at tables whose private messages are remembered; older messages just stay."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A private message, and the token that can delete it."""

    token: Token
    followup: int | None
    """Its id as a followup; None: it is the first answer, or the token is of a click on it."""
    id: int | None
    """Its id; None: it is unknown."""


class EphemeralMessages:
    """The latest private messages of each person at a table, if a button led to them; one of each kind.

    Kept in memory only: a forgotten message stays until its owner dismisses it.
    """

    def __init__(self) -> None:
        self._open: LRUCache[Owner, dict[str, _Message]] = LRUCache(MOST)
        """By owner and kind."""

    async def opened(
        self, owner: Owner, token: Token, message: int | None, same: bool, kind: str = "", *, first: bool = False
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

    async def done(self, owner: Owner, click: Token | None, kind: str = "") -> None:
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
