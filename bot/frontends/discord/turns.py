"""The panel: one message a turn, edited in place; a new turn is a new message, and the old one loses its buttons."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord

from bot.frontends.discord import archive, channels, lobby, panel
from bot.frontends.discord.parts import Picture
from bot.models import PANEL, SEED, Projection
from bot.presentation.texts.end import seed_text
from bot.presentation.viewer import Viewer
from engine.events import TurnBegan
from engine.game import Game
from engine.geometry import bits
from engine.views import View

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

log = logging.getLogger(__name__)

Marks = Mapping[str, Projection]
TURN = "turn:"
"""Begins the name of each turn's message; the rest is the number of the turn, "lobby" or "end"."""


def key(public: Viewer) -> str:
    """Name of the message that shows the present turn."""
    return f"{TURN}end" if public.view.step.kind == "over" else f"{TURN}{public.view.turn}"


async def show(app: AppContext, public: Viewer, marks: Marks) -> bool:
    """Bring the panel up to date; True when it is a new message, which has pinged whom the game waits for."""
    name = key(public)
    mark = marks.get(name)
    posted = False
    doubted = public.table.number in app.screens.doubted
    if mark is None or mark.message is None or mark.shown < public.table.version or doubted:
        posted = await _update(app, public, mark)
        app.screens.doubted.discard(public.table.number)
    for old in marks.values():
        if old.what.startswith(TURN) and old.what != name and old.message is not None:
            await _freeze(app, public, old)
    return posted


async def _update(app: AppContext, public: Viewer, mark: Projection | None) -> bool:
    """Edit the panel or post a new one; True when it is a new one."""
    table, name = public.table, key(public)
    picture = await app.pictures.board(public)
    layout = panel.layout(public, picture)
    digest = hash((picture.data, str(layout.to_components())))
    channel, edited = table.channel, False
    if mark is not None and mark.message is not None:
        channel = mark.channel or channel
        click = app.screens.through.pop(table.number, None)
        edited = (
            app.screens.seen.get((table.number, name)) == digest
            or await _edit_through(click, mark.message, layout, picture)
            or await channels.edit(app.client, channel, mark.message, layout, [picture.file()])
        )
    if mark is None or mark.message is None or not edited:
        channel, message = table.channel, await _post(app, public, layout, picture, mark)
    else:
        message = mark.message
    app.screens.seen[table.number, name] = digest
    app.screens.posted[table.number] = message
    await app.service.shown(table.number, name, table.version, channel=channel, message=message)
    # Where it is; it stays due until old panels and pings are right as well.
    await app.service.shown(table.number, PANEL, table.version - 1, channel=channel, message=message)
    return not edited


async def _edit_through(
    click: discord.Interaction[Any] | None, message: int, layout: discord.ui.LayoutView, picture: Picture
) -> bool:
    """Edit the panel by the token of a click on it; False when there is none, or it doesn't work."""
    if click is None or click.message is None or click.message.id != message or click.is_expired():
        return False
    try:
        await click.edit_original_response(view=layout, attachments=[picture.file()], allowed_mentions=channels.SILENT)
    except channels.FAILED as error:
        log.info("the panel could not be edited by its click: %s", error)
        return False
    return True


async def _post(
    app: AppContext, public: Viewer, layout: discord.ui.LayoutView, picture: Picture, mark: Projection | None
) -> int:
    """A new panel; it pings the awaited players, and nobody else."""
    table, name = public.table, key(public)
    channels.check(app.client, table.guild, table.channel)
    since = table.version - 1 if mark is None else mark.shown
    if mark is None:  # tells, should the bot die, that it may have been posted
        await app.service.shown(table.number, name, since)
    sent = await channels.post(
        channels.messages(app.client, table.channel),
        table,
        name,
        since,
        view=layout,
        files=lambda: [picture.file()],
        pings=[public.users[seat] for seat in bits(public.view.awaited)],
    )
    return sent.id


async def _freeze(app: AppContext, public: Viewer, old: Projection) -> None:
    """Take the buttons off an earlier message, which then shows how its turn ended."""
    table = public.table
    stage = old.what.removeprefix(TURN)
    if stage.isdigit() and old.message is not None:
        same = int(stage) == public.view.turn  # the turn that ended the game
        final = public if same else await app.end_of_turn(public, int(stage))
        if final is not None:
            picture = await app.pictures.board(final)
            title = f"Game {table.number} · {f'turn {stage}' if stage != '0' else 'setup'}" if same else ""
            layout = panel.layout(final, picture, live=False, title=title)
            await channels.edit(app.client, old.channel or table.channel, old.message, layout, [picture.file()])
    elif old.what == lobby.NAME:
        await lobby.freeze(app, table, old)
    elif old.what == archive.ARCHIVE:
        await archive.freeze(app, table, old)
    app.screens.seen.pop((table.number, old.what), None)
    await app.service.gone(table.number, old.what)


async def end_of_turn(game: Game, turn: int) -> tuple[Game, Game] | None:
    """The game before and after the action that ended a turn, by replaying its log."""

    def find() -> tuple[Game, Game] | None:
        """The shortest log that goes beyond the turn; the turn's number never falls."""
        low, high = 1, len(game.records)
        while low < high:
            middle = (low + high) // 2
            past = Game.replay(game.config, game.records[:middle])
            low, high = (low, middle) if past.view(None).turn > turn else (middle + 1, high)
        if low < 2:
            return None
        before, after = (Game.replay(game.config, game.records[:n]) for n in (low - 1, low))
        return before, after

    return await asyncio.to_thread(find)


def closing_view(before: Game, after: Game) -> View:
    """What the panel of a turn shows for good: the turn's story with the action that ended it."""
    old, new = before.view(None), after.view(None)
    last = list(itertools.takewhile(lambda event: not isinstance(event, TurnBegan), new.last))
    return replace(
        new,
        step=replace(old.step, awaited=0),
        on_turn=old.on_turn,
        turn=old.turn,
        round=old.round,
        dice=old.dice,
        events=(*old.events, *last),
        last=tuple(last),
        offers=(),
    )


async def finish(app: AppContext, public: Viewer, marks: Marks) -> None:
    """After the end: the seed published."""
    mark = marks.get(SEED)
    table = public.table
    if mark is None or not mark.pending or public.view.outcome is None:
        return
    channels.check(app.client, table.guild, table.channel)
    export = await app.service.export(table.number)
    text = seed_text(export["seed"], table.commitment, str(table.number))
    text += f"\n-# Seal of the exported file `{export['seal']}`"
    view: discord.ui.LayoutView = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(text))
    sent = await channels.post(channels.messages(app.client, table.channel), table, SEED, view=view)
    await app.service.shown(table.number, SEED, table.version, channel=table.channel, message=sent.id)
