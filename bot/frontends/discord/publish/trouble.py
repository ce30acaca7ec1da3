"""A channel in which the bot can't work: somebody at the table is told what, once, and what they can do about it."""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.channels import Blocked
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import plain
from bot.models import LOBBY, Table
from bot.presentation.texts.language import _
from bot.presentation.texts.refusals import sentence
from bot.projections import TROUBLE, Projections
from bot.tasks import Shielded
from engine.refusals import Listed

log = logging.getLogger(__name__)

TOO_FAST = 60.0
"""Seconds until the next try after Discord has called direct messages too fast."""


def is_trouble(error: Exception) -> bool:
    """Whether it is the channel that keeps a game from being shown, and waiting doesn't help."""
    if isinstance(error, Blocked):
        return True
    codes = (channels.NO_CHANNEL, channels.NO_ACCESS, channels.FORBIDDEN, channels.ARCHIVED, channels.LOCKED)
    return isinstance(error, discord.HTTPException) and error.code in codes


class Troubles:
    """What keeps which games from being shown, as far as this process knows, and who has been told."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._found: dict[tuple[int, str], Exception] = {}
        """By game and lane."""
        self._guilds: dict[int, int | None] = {}
        """The server of each of those games."""
        self._warned: dict[int, set[int]] = {}
        """Who has been told when they did something."""
        self._telling: set[int] = set()
        self._hushed = 0.0
        """Until when no direct message is tried, by the loop's clock."""
        self._tasks = Shielded()

    def found(self, number: int, lane: str, error: Exception) -> None:
        """A lane of a game can't be shown: somebody is told, unless somebody was."""
        self._found[number, lane] = error
        if number not in self._telling and asyncio.get_running_loop().time() >= self._hushed:
            self._telling.add(number)
            self._tasks.start(self._tell(number, error))

    def over(self, number: int, lane: str) -> None:
        """A lane of a game was shown."""
        if self._found.pop((number, lane), None) and not any(other == number for other, _lane in self._found):
            self._guilds.pop(number, None)
            self._warned.pop(number, None)

    def blocked(self, number: int, user: int) -> Blocked | None:
        """What the bot may not do in a game's channel, if that is so and that user has not been told yet."""
        for (other, _lane), error in self._found.items():
            if other == number and isinstance(error, Blocked):
                warned = self._warned.setdefault(number, set())
                known = user in warned
                warned.add(user)
                return None if known else error
        return None

    def on(self, guild: int) -> list[int]:
        """Games of a server that can't be shown."""
        return [number for number, other in self._guilds.items() if other == guild]

    async def finished(self) -> None:
        """Wait until nobody is being told."""
        await self._tasks.finished()

    async def _tell(self, number: int, error: Exception) -> None:
        try:
            table = await self._display.services.repository.table(number)
            self._guilds[number] = table.guild
            await tell(self._display, table, error)
        except Exception as failed:
            log.warning("Game %d: nobody could be told of it: %s", number, str(failed) or type(failed).__name__)
            if isinstance(failed, discord.HTTPException) and failed.code == channels.TOO_FAST:
                self._hushed = asyncio.get_running_loop().time() + TOO_FAST
        finally:
            self._telling.discard(number)


async def tell(display: Display, table: Table, error: Exception) -> None:
    """Tell the host by direct message, or else the next one at the table who takes any; those who play first."""
    projections, number = display.services.projections, table.number
    told = (await projections.visible(number)).get(TROUBLE)
    if told is not None and told.channel is not None:
        return
    since = table.version if told is None else told.shown
    if told is None:  # without a channel: it may have been sent, should the bot die in this moment
        await projections.shown(number, TROUBLE, since)
    asked = sorted((m for m in table.members if m.is_person), key=lambda m: (bool(m.level), m.user != table.host))
    for member in asked:
        try:
            channel = await display.client.create_dm(discord.Object(member.user))
            name = f"{TROUBLE}:{member.user}"
            sent = await channels.post(channel, table, name, since, view=plain(_text(table, error)))
        except discord.HTTPException as refused:
            if refused.code not in channels.CLOSED:
                raise
        else:
            await projections.shown(number, TROUBLE, since, channel=channel.id, message=sent.id)
            return
    await projections.shown(number, TROUBLE, since, channel=table.channel)  # nobody can be told


def _text(table: Table, error: Exception) -> str:
    title = _("Game {number} can't go on in {channel}", number=table.number, channel=f"<#{table.channel}>")
    if isinstance(error, Blocked):
        reason = sentence(error)
    elif isinstance(error, discord.HTTPException) and error.code == channels.NO_CHANNEL:
        reason = _("Its channel was deleted.")
    elif isinstance(error, discord.HTTPException) and error.code in (channels.ARCHIVED, channels.LOCKED):
        reason = _("Its thread is locked; somebody who manages threads can open it again.")
    elif isinstance(error, discord.HTTPException) and error.code == channels.FORBIDDEN:
        needed = Listed([f"**{_(name)}**" for name in channels.NEEDED.values()])
        reason = sentence(Blocked("missing-permission", channel=f"<#{table.channel}>", permissions=needed))
    else:
        reason = _("I can't see its channel any more.")
    lines = [f"### {title}", reason]
    if table.status != LOBBY:
        way = _("Nothing is lost: `/game move game:{number}` in another channel takes it there.", number=table.number)
        lines.append(way)
    return "\n".join(lines)


def check(display: Display, table: Table, known: Projections) -> None:
    """Refuse where a game couldn't be shown and the bot may still not write: for edits alone it needs less."""
    if TROUBLE in known:
        channels.check(display.client, table.guild, table.channel)


async def over(display: Display, table: Table, known: Projections) -> None:
    """The game can be shown again: the next trouble is to be told again."""
    told = known.get(TROUBLE)
    if told is None:
        return
    if told.message is not None and told.channel is not None:
        await channels.delete(display.client, told.channel, told.message)
    await display.services.projections.gone(table.number, TROUBLE)
