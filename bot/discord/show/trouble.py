"""A channel in which the bot can't work: somebody at the table is told what, once, and what they can do about it."""

from __future__ import annotations

import logging

import discord

from bot.discord.show import channels, directs, permissions
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.permissions import Blocked
from bot.discord.show.wanted import Content
from bot.projections import BARRED, LEFT, TROUBLE, Projections
from bot.table.table import LOBBY, Table
from bot.tasks import Shielded
from bot.words.language import _
from bot.words.marks import listing
from bot.words.refusals import sentence

log = logging.getLogger(__name__)

REFUSED = (channels.NO_CHANNEL, channels.NO_ACCESS, channels.FORBIDDEN)


def is_trouble(error: Exception) -> bool:
    """Whether it is the channel that keeps a game from being shown, and waiting doesn't help."""
    if isinstance(error, Blocked):
        return True
    codes = (*REFUSED, channels.ARCHIVED, channels.LOCKED, channels.FULL)
    return isinstance(error, discord.HTTPException) and error.code in codes


class Troubles:
    """What keeps which games from being shown, as far as this process knows, and who has been told."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._found: dict[tuple[int, str], Exception] = {}
        """By game and lane."""
        self._warned: dict[int, set[int]] = {}
        """Who has been told when they did something."""
        self._telling: set[int] = set()
        self._tasks = Shielded()

    def found(self, number: int, lane: str, error: Exception) -> None:
        """A lane of a game can't be shown: somebody is told, unless somebody was."""
        self._found[number, lane] = error
        if number not in self._telling:
            self._telling.add(number)
            self._tasks.start(self._tell(number, error))

    def over(self, number: int, lane: str) -> None:
        """A lane of a game was shown."""
        if self._found.pop((number, lane), None) and not any(other == number for other, _lane in self._found):
            self._warned.pop(number, None)

    def told(self, number: int, user: int) -> str:
        """What keeps a game from being shown, for a user who acts in it; empty: nothing, or they have been told."""
        errors = [error for (other, _lane), error in self._found.items() if other == number]
        warned = self._warned.setdefault(number, set()) if errors else set()
        if not errors or user in warned:
            return ""
        warned.add(user)
        return reason(errors[0])

    async def finished(self) -> None:
        """Wait until nobody is being told."""
        await self._tasks.finished()

    async def _tell(self, number: int, error: Exception) -> None:
        try:
            table = await self._display.services.repository.table(number)
            why = await reason_of(self._display, table, error)
            for lane in [lane for lane in self._found if lane[0] == number]:
                self._found[lane] = why or error
            if why is None:
                return
            await tell(self._display, table, why)
            if all(other != number for other, _lane in self._found):  # it was shown meanwhile
                await over(self._display, table, await self._display.services.projections.visible(number))
        except Exception as failed:
            log.warning(
                "Game %d: no one could be told that it is stuck: %s", number, str(failed) or type(failed).__name__
            )
        finally:
            self._telling.discard(number)


async def reason_of(display: Display, table: Table, error: Exception) -> Exception | None:
    """What exactly keeps a game from being shown, asked of Discord; None: the bot was removed from its server, which is
    noted, and there is nobody to be told."""
    if table.guild is None or not isinstance(error, discord.HTTPException) or error.code not in REFUSED:
        return error
    try:
        server = await display.client.fetch_guild(table.guild, with_counts=False)
    except (discord.NotFound, discord.Forbidden):
        await display.services.projections.shown(table.number, LEFT, table.version)
        return None
    except channels.FAILED:
        return error
    try:
        permissions.refuse_if(await permissions.lacking(display.client, server, table.channel), table.channel)
    except Blocked as blocked:
        return blocked
    except (discord.InvalidData, *channels.FAILED):
        pass
    return error


async def tell(display: Display, table: Table, error: Exception) -> None:
    """Tell the host by direct message, or else the next one at the table who wants any; those who play first. Whoever
    tries to act is told then."""
    projections, number = display.services.projections, table.number
    told = (await projections.visible(number)).get(TROUBLE)
    if told is not None and told.channel is not None:
        return
    since = table.version if told is None else told.shown
    if told is None:  # without a channel: it may have been sent, should the bot die in this moment
        await projections.shown(number, TROUBLE, since)
    asked = sorted((m for m in table.members if m.is_person), key=lambda m: (bool(m.level), m.user != table.host))
    for member in asked:
        settings = await display.services.people.settings(member.user)
        if not directs.wanted(settings) or await directs.wait(display, settings) > 0:
            continue
        try:
            name, said = f"{TROUBLE}:{member.user}", Content(plain(_text(table, error)))
            channel, message = await directs.post(display, member.user, table, name, since, said)
        except discord.HTTPException as refused:
            if refused.code not in directs.REFUSED:
                raise
        else:
            await projections.shown(number, TROUBLE, since, channel=channel, message=message)
            return
    await projections.shown(number, TROUBLE, since, channel=table.channel)  # nobody can be told


def _text(table: Table, error: Exception) -> str:
    title = _("Game {number} is stuck", number=table.number)
    if _code(error) != channels.NO_CHANNEL:  # else nobody could read its name
        title = _("Game {number} is stuck in {channel}", number=table.number, channel=f"<#{table.channel}>")
    lines = [f"### {title}", reason(error)]
    if table.status != LOBBY:
        way = _("Nothing is lost. To move it, use `/game move game:{number}` in another channel.", number=table.number)
        lines.append(way)
    return "\n".join(lines)


def _code(error: Exception) -> int:
    return error.code if isinstance(error, discord.HTTPException) else 0


def reason(error: Exception) -> str:
    """What keeps a game from being shown, in a sentence."""
    if isinstance(error, Blocked):
        return sentence(error)
    match _code(error):
        case channels.NO_CHANNEL:
            return _("Its channel was deleted.")
        case channels.ARCHIVED | channels.LOCKED:
            return _("Its thread is locked. Someone who manages threads can unlock it.")
        case channels.FULL:
            return _("Its thread was closed, and this server has no room for another open thread.")
        case channels.FORBIDDEN:
            needed = listing([f"**{_(name)}**" for name in permissions.NEEDED.values()])
            return _("I need these permissions in its channel: {permissions}.", permissions=needed)
        case _:
            return _("I can't see its channel anymore.")


async def check(display: Display, table: Table, known: Projections) -> None:
    """Refuse where a game couldn't be shown and the bot may still not write: for edits alone it needs less."""
    if TROUBLE in known and table.guild is not None:
        server = await display.client.fetch_guild(table.guild, with_counts=False)
        permissions.refuse_if(await permissions.lacking(display.client, server, table.channel), table.channel)


async def over(display: Display, table: Table, known: Projections) -> None:
    """The game can be shown again: the next trouble is to be told again."""
    for name in known:
        if name.startswith(BARRED):
            await display.services.projections.gone(table.number, name)
    told = known.get(TROUBLE)
    if told is None:
        return
    if told.message is not None and told.channel is not None:
        await channels.delete(display.client, told.channel, told.message)
    await display.services.projections.gone(table.number, TROUBLE)
