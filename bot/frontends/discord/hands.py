"""Hands by DM: one message per player and game, edited in place; a new one only when something must be decided."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import discord

from bot.frontends.discord import channels
from bot.frontends.discord.parts import Reply
from bot.models import Projection, Table, hand_of
from bot.presentation.texts.hands import own_hand
from bot.presentation.texts.headline import headline
from bot.presentation.viewer import Viewer
from engine.events import RobberMoved
from engine.step import PlacingView
from engine.terms import StepKind
from engine.views import View

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

ASKED = "asked:"


def occasion(view: View, seat: int) -> str:
    """Name of what the seat must decide; nothing when it need not, or the same as long as it is one occasion."""
    if not view.awaited >> seat & 1:
        return ""
    if isinstance(view.step, PlacingView) and view.step.kind is StepKind.SETUP:
        placed = view.step.nth
        return f"setup.{placed}"
    if view.step.kind == "interrupt":
        return f"interrupt.{view.turn}.{sum(isinstance(e, RobberMoved) for e in view.events)}"
    if view.step.kind in ("discard", "special_building", "choose_yield"):
        return f"{view.step.kind}.{view.turn}"
    return f"turn.{view.turn}"


def text(viewer: Viewer, link: str | None) -> str:
    """The hand and what is to be done."""
    parts = [f"### Game {viewer.table.number}", headline(viewer.view, viewer.names), own_hand(viewer.view)]
    return "\n".join([*parts, *([f"[To the table]({link})"] if link else [])])


async def reply(app: AppContext, viewer: Viewer, link: str | None = None) -> Reply:
    """The hand of the one who looks, with its picture."""
    return Reply(text(viewer, link), await app.pictures.hand(viewer))


async def show(app: AppContext, public: Viewer, marks: Mapping[str, Projection]) -> None:
    """Update all DMs that are due."""
    due = [user for user in public.users if (m := marks.get(hand_of(user))) and m.pending]
    results = await asyncio.gather(*(_one(app, public, marks, user) for user in due), return_exceptions=True)
    for error in results:  # one person's failure must not keep the others waiting
        if error is not None:
            raise error


async def _one(app: AppContext, public: Viewer, marks: Mapping[str, Projection], user: int) -> None:
    table, service = public.table, app.service
    name = hand_of(user)
    settings = await service.settings(user)
    if not settings.dms or settings.dms_closed:
        await service.shown(table.number, name, table.version)
        return
    viewer = Viewer.of(table, public.game, user)
    mark = marks[name]
    prefix = f"{ASKED}{user}:"
    what = occasion(viewer.view, viewer.player)
    asked = prefix + what
    attempt = marks.get(asked)  # without a message: it may have been sent, but the bot died before it knew
    fresh = mark.message is None or (what != "" and (attempt is None or attempt.message is None))
    answer = await reply(app, viewer, await app.panel_link(table.number))
    channel, message = mark.channel, mark.message
    try:
        if fresh or message is None or channel is None:
            if attempt is None:
                await service.shown(table.number, asked, mark.shown)
            sent = await _send(app, table, mark, user, answer)
            if message is not None and channel is not None and message != sent.id:
                await channels.delete(app.client, channel, message)
            channel, message = sent.channel.id, sent.id
        elif not await channels.edit(app.client, channel, message, answer.layout(), answer.files()):
            sent = await _send(app, table, mark, user, answer)
            channel, message = sent.channel.id, sent.id
    except discord.HTTPException as error:
        if error.code not in channels.CLOSED:
            raise
        await _closed(app, public, user)
        return
    await service.shown(table.number, name, table.version, channel=channel, message=message)
    if fresh:
        await service.shown(table.number, asked, table.version, channel=channel, message=message)
    for old in marks:
        if old.startswith(prefix) and old != asked:
            await service.gone(table.number, old)


async def _send(app: AppContext, table: Table, mark: Projection, user: int, answer: Reply) -> discord.Message:
    channel = await app.client.create_dm(discord.Object(user))
    return await channels.post(channel, table, mark.what, mark.shown, view=answer.layout(), files=answer.files)


async def _closed(app: AppContext, public: Viewer, user: int) -> None:
    """Remember that somebody takes no DMs, and say so once."""
    table = public.table
    channels.check(app.client, table.guild, table.channel)
    text = (
        f"<@{user}> takes no direct messages from me, so I stop trying. **My hand** in the panel and `/hand` "
        "show the hand at any time; `/settings` switches the messages on again."
    )
    where = channels.messages(app.client, table.channel)
    await channels.post(where, table, f"closed:{user}", text=text, pings=(user,))
    await app.service.change_settings(user, dms_closed=True)
    await app.service.shown(table.number, hand_of(user), table.version)
