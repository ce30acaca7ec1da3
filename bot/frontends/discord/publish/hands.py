"""Hands by DM: one message per player and game, edited in place; a new one only when something must be decided."""

from __future__ import annotations

import asyncio

import discord

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import files_of, layout_of
from bot.models import Projection, Projections, Table, hand_name
from bot.presentation.controls import Reply
from bot.presentation.panel import headline
from bot.presentation.steps import presenter_of
from bot.presentation.texts.hands import own_hand
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer
from engine.views import View

ASKED = "asked:"


def occasion(view: View, seat: int) -> str:
    """Name of what the seat must decide; nothing when it need not, or the same as long as it is one occasion."""
    return presenter_of(view).occasion(view, view.step) if view.awaited >> seat & 1 else ""


async def reply(display: Display, viewer: Viewer, link: str | None = None) -> Reply:
    """The hand of the one who looks, and what is to be done, with its picture."""
    title, way = _("Game {number}", number=viewer.table.number), _("To the table")
    lines = [f"### {title}", headline(viewer.view, viewer.names), own_hand(viewer.view)]
    if link is not None:
        lines.append(f"[{way}]({link})")
    return Reply("\n".join(lines), await display.pictures.hand(viewer))


async def show(display: Display, public: Viewer, known: Projections) -> None:
    """Update all DMs that are due."""
    due = [user for user in public.users if (hand := known.get(hand_name(user))) and hand.pending]
    results = await asyncio.gather(*(_one(display, public, known, user) for user in due), return_exceptions=True)
    for error in results:  # one person's failure must not keep the others waiting
        if error is not None:
            raise error


async def _one(display: Display, public: Viewer, known: Projections, user: int) -> None:
    table, projections = public.table, display.services.projections
    name = hand_name(user)
    settings = await display.services.people.settings(user)
    if not settings.dms or settings.dms_closed:
        await projections.shown(table.number, name, table.version)
        return
    viewer = Viewer.of(table, public.game, user)
    hand = known[name]
    prefix = f"{ASKED}{user}:"
    what = occasion(viewer.view, viewer.player)
    asked = prefix + what
    attempt = known.get(asked)  # without a message: it may have been sent, but the bot died before it knew
    fresh = hand.message is None or (what != "" and (attempt is None or attempt.message is None))
    answer = await reply(display, viewer, await display.link(table))
    channel, message = hand.channel, hand.message
    try:
        if fresh or message is None or channel is None:
            if attempt is None:
                await projections.shown(table.number, asked, hand.shown)
            sent = await _send(display, table, hand, user, answer)
            if message is not None and channel is not None and message != sent.id:
                await channels.delete(display.client, channel, message)
            channel, message = sent.channel.id, sent.id
        elif not await channels.edit(display.client, channel, message, _layout(table, answer), files_of(answer)):
            sent = await _send(display, table, hand, user, answer)
            channel, message = sent.channel.id, sent.id
    except discord.HTTPException as error:
        if error.code not in channels.CLOSED:
            raise
        await _closed(display, public, user)
        return
    await projections.shown(table.number, name, table.version, channel=channel, message=message)
    if fresh:
        await projections.shown(table.number, asked, table.version, channel=channel, message=message)
    for old in known:
        if old.startswith(prefix) and old != asked:
            await projections.gone(table.number, old)


def _layout(table: Table, answer: Reply) -> discord.ui.LayoutView:
    return layout_of(answer, table.number)


async def _send(display: Display, table: Table, hand: Projection, user: int, answer: Reply) -> discord.Message:
    channel = await display.client.create_dm(discord.Object(user))
    return await channels.post(
        channel, table, hand.what, hand.shown, view=_layout(table, answer), files=lambda: files_of(answer)
    )


async def _closed(display: Display, public: Viewer, user: int) -> None:
    """Remember that somebody takes no DMs, and say so once."""
    table = public.table
    channels.check(display.client, table.guild, table.channel)
    text = _(
        "{user} takes no direct messages from me, so I stop trying. **My hand** in the panel and `/hand` "
        "show the hand at any time; `/settings` switches the messages on again.",
        user=f"<@{user}>",
    )
    where = channels.place(display.client, table.channel)
    await channels.post(where, table, f"closed:{user}", text=text, pings=(user,))
    await display.services.people.change_settings(user, dms_closed=True)
    await display.services.projections.shown(table.number, hand_name(user), table.version)
