"""The first answer to an interaction. Discord takes one, within three seconds: whatever comes first.

As long as it is open, it can be a change of the clicked message, a private message, a form, or an acknowledgment, which
leaves all else to the interaction's token.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from typing import Any, TypeVar

import discord

T = TypeVar("T")

ANSWERED = 40060
"""Discord's code for an interaction that has its first answer. The process that gave it could have died before carrying
the interaction out."""
LATE = 10062
"""Discord's code for an interaction whose time to answer is over."""


class Status(Enum):
    """What Discord has of a first answer."""

    OPEN = auto()
    """Nothing, as far as is known: nothing was sent, or it was refused, or what became of it is unknown."""
    UNDER_WAY = auto()
    """Something is being sent."""
    GIVEN = auto()
    """It has it, from this process or an earlier one: the token can be used."""
    TOO_LATE = auto()
    """It takes none anymore."""


class FirstAnswer:
    """An interaction's first answer. Who gives it takes it in the same moment, so no one else does."""

    def __init__(self, interaction: discord.Interaction[Any], given: Callable[[], None]) -> None:
        """`given` is called once Discord has taken one from this process."""
        self._interaction, self._given = interaction, given
        message = interaction.message
        self.message = None if message is None else message.id
        """Id of the clicked message."""
        self.status = Status.OPEN
        self.taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once someone gives it, whatever comes of that."""
        self._sending = 0
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def open(self) -> bool:
        """Whether it can be anything."""
        return self.status is Status.OPEN

    async def give(self, send: Callable[[], Awaitable[T]]) -> T:
        """Give it by a request. Raises the request's error; then `status` says whether Discord has one now."""
        self._begin()
        try:
            answer = await send()
        except discord.HTTPException as error:
            self._end({ANSWERED: Status.GIVEN, LATE: Status.TOO_LATE}.get(error.code, Status.OPEN))
            raise
        except BaseException:
            self._end(Status.OPEN)
            raise
        self._end(Status.GIVEN)
        self._given()
        return answer

    async def edit(self, **content: Any) -> Any:
        """Give it by changing the clicked message; see `discord.InteractionResponse.edit_message`. Returns the
        message."""
        return (await self.give(lambda: self._interaction.response.edit_message(**content))).resource  # type: ignore[union-attr]

    async def settled(self) -> Status:
        """Wait until nothing is being sent."""
        await self._settled.wait()
        return self.status

    def take_over(self) -> None:
        """Note that an earlier process has given it."""
        self.status = Status.GIVEN

    def _begin(self) -> None:
        self.status = Status.UNDER_WAY
        self._sending += 1
        self._settled.clear()
        if not self.taken.done():
            self.taken.set_result(None)

    def _end(self, status: Status) -> None:
        self._sending -= 1
        if self.status is not Status.GIVEN:
            self.status = Status.UNDER_WAY if self._sending and status is Status.OPEN else status
        if self.status is not Status.UNDER_WAY:
            self._settled.set()
