"""What an interaction has: a custom id, a first answer, and a token; and the clock of all times on Discord.

The id of a button, select or modal holds everything that it needs, so none is kept in memory. Discord takes one first
answer, within three seconds: whatever comes first. As long as it is open, it can be a change of the clicked message, a
private message, a form, or an acknowledgment, which leaves all else to the token. For some time the token can still
send, edit and delete messages.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from math import inf
from typing import Any, NamedTuple, TypeVar

import discord
from cachetools import TTLCache

from bot.service import orders

Json = dict[str, Any]
"""A JSON object as Discord sends and takes it."""


def now() -> float:
    """Seconds since the epoch by discord.py's clock: this machine's, or one that a simulated Discord moves."""
    return discord.utils.utcnow().timestamp()


def autopilot_wait(since: float) -> float:
    """Seconds until an autopilot would have acted, if a player whom the game has awaited since then had one. If that is
    still to come, the clock was set back, and says nothing."""
    return orders.DELAY[1] + 1 - max(now() - since, 0.0)


def recent(seconds: float) -> TTLCache[Any, Any]:
    """A cache that forgets each value so many seconds after it was set."""
    return TTLCache(inf, seconds, timer=now)


BUTTON, SELECT, MODAL = "hb", "hs", "hm"
"""Prefixes by kind of component: what a select sends is never taken for a button."""

LONGEST_ID = 100
"""Most characters of an id."""

SHOWN = "="
"""Prefix of the last part of an id that says what the control has shown."""

_SHAPE = re.compile(
    r"h[bsm]:(?P<verb>[a-z_]{1,20}):(?P<game>[0-9]{1,18}):(?P<decision>([0-9]{1,9}\.[0-9]{1,9})?)(?P<args>(:[^:]*)*?)"
    rf"(:{SHOWN}(?P<shown>[A-Za-z0-9_.-]+))?"
)
"""A game's number of 18 digits fits into the store."""


@dataclass(frozen=True, slots=True)
class Address:
    """What a component asks for: a verb, the game it is about, the decision it belongs to, and details."""

    verb: str
    game: int
    decision: str = ""
    """Id of the decision that must still be open (`Game.decision`); empty: any."""
    args: tuple[str, ...] = ()
    shown: str = ""
    """What the control has shown (`bot.screens.forms`), where the answer depends on that; empty: unknown."""

    def custom_id(self, prefix: str) -> str:
        """The id as it is sent. Raises ValueError if it has more than `LONGEST_ID` characters."""
        shown = (SHOWN + self.shown,) if self.shown else ()
        text = ":".join((prefix, self.verb, str(self.game), self.decision, *self.args, *shown))
        if len(text) > LONGEST_ID:
            raise ValueError(f"custom id too long: {text}")
        return text

    @property
    def arg(self) -> str:
        """The first detail, or empty."""
        return self.args[0] if self.args else ""


def parse_id(custom_id: str) -> Address | None:
    """The address in a custom id, or None when it isn't one of ours."""
    match = _SHAPE.fullmatch(custom_id) if len(custom_id) <= LONGEST_ID else None
    if match is None:
        return None
    args = tuple(match["args"].split(":")[1:])
    return Address(match["verb"], int(match["game"]), match["decision"], args, match["shown"] or "")


T = TypeVar("T")

ANSWERED = 40060
"""Discord's code for an interaction that has its first answer. The process that gave it could have died before carrying
the interaction out."""
TOO_LATE = 10062
"""Discord's code for an interaction whose time to answer is over."""


class AnswerStatus(Enum):
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
        self.status = AnswerStatus.OPEN
        self.taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once someone gives it, whatever comes of that."""
        self._sending = 0
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def open(self) -> bool:
        """Whether it can be anything."""
        return self.status is AnswerStatus.OPEN

    async def give(self, send: Callable[[], Awaitable[T]]) -> T:
        """Give it by a request. Raises the request's error; then `status` says whether Discord has one now."""
        self._begin()
        try:
            answer = await send()
        except discord.HTTPException as error:
            self._end(
                {ANSWERED: AnswerStatus.GIVEN, TOO_LATE: AnswerStatus.TOO_LATE}.get(error.code, AnswerStatus.OPEN)
            )
            raise
        except BaseException:
            self._end(AnswerStatus.OPEN)
            raise
        self._end(AnswerStatus.GIVEN)
        self._given()
        return answer

    async def edit(self, **content: Any) -> Any:
        """Give it by changing the clicked message; see `discord.InteractionResponse.edit_message`. Returns the
        message."""
        return (await self.give(lambda: self._interaction.response.edit_message(**content))).resource  # type: ignore[union-attr]

    async def settled(self) -> AnswerStatus:
        """Wait until nothing is being sent."""
        await self._settled.wait()
        return self.status

    def take_over(self) -> None:
        """Note that an earlier process has given it."""
        self.status = AnswerStatus.GIVEN

    def _begin(self) -> None:
        self.status = AnswerStatus.UNDER_WAY
        self._sending += 1
        self._settled.clear()
        if not self.taken.done():
            self.taken.set_result(None)

    def _end(self, status: AnswerStatus) -> None:
        self._sending -= 1
        if self.status is not AnswerStatus.GIVEN:
            self.status = AnswerStatus.UNDER_WAY if self._sending and status is AnswerStatus.OPEN else status
        if self.status is not AnswerStatus.UNDER_WAY:
            self._settled.set()


class _Original:
    """Where Discord expects a message's id: the first answer, or the message that was clicked. discord.py would quote a
    string."""

    def __str__(self) -> str:
        return "@original"


_ORIGINAL: Any = _Original()


class InteractionToken(NamedTuple):
    """What is needed of an interaction later. The rest is large: it has the server, the people and the messages that
    Discord sent with it."""

    webhook: discord.Webhook
    expires: datetime
    clicked: int | None
    """Id of the message that was clicked."""

    @staticmethod
    def of(interaction: discord.Interaction[Any]) -> InteractionToken:
        """The token of an interaction that was acknowledged."""
        message = interaction.message
        return InteractionToken(interaction.followup, interaction.expires_at, None if message is None else message.id)

    @property
    def expired(self) -> bool:
        """Whether Discord no longer takes it."""
        return discord.utils.utcnow() >= self.expires

    async def edit(self, **content: Any) -> discord.Message:
        """Edit the first answer, or the message that was clicked; see `discord.Webhook.edit_message`."""
        return await self.webhook.edit_message(_ORIGINAL, **content)

    async def delete(self, followup: int | None) -> None:
        """Delete a message that followed the first answer; None: the first answer, or the message that was clicked."""
        await self.webhook.delete_message(_ORIGINAL if followup is None else followup)
