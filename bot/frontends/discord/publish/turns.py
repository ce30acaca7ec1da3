"""The panel: one message a turn, edited in place; a new turn is a new message, and the old one loses its buttons."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import ui

from bot.frontends.discord.publish import archive, channels, lobby, panel
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import file_of, plain
from bot.models import PANEL, SEED, TURN, Projection, Projections
from bot.presentation.controls import Picture
from bot.presentation.end import seed_text
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer
from engine.geometry import bits
from engine.terms import StepKind

log = logging.getLogger(__name__)


def key(public: Viewer) -> str:
    """Name of the message that shows the present turn."""
    return f"{TURN}end" if public.view.step.kind is StepKind.OVER else f"{TURN}{public.view.turn}"


async def show(display: Display, public: Viewer, known: Projections) -> bool:
    """Bring the panel up to date; True when it is a new message, which has pinged whom the game waits for."""
    name, number = key(public), public.table.number
    present = known.get(name)
    posted = False
    doubted = display.is_doubted(number)
    if present is None or present.message is None or present.shown < public.table.version or doubted:
        posted = await _update(display, public, present)
        display.trust(number)
    for old in known.values():
        if old.what.startswith(TURN) and old.what != name and old.message is not None:
            await _freeze(display, public, old)
    return posted


async def _update(display: Display, public: Viewer, present: Projection | None) -> bool:
    """Edit the panel or post a new one; True when it is a new one."""
    table, name, projections = public.table, key(public), display.services.projections
    picture = await display.pictures.board(public)
    layout = panel.layout(public, picture)
    shown: Any = layout
    digest = hash((picture.data, str(shown.to_components())))
    channel, edited = table.channel, False
    if present is not None and present.message is not None:
        channel = present.channel or channel
        edited = display.shows(table.number, name, digest) or await display.edit(
            channel, present.message, layout, picture
        )
    if present is None or present.message is None or not edited:
        channel, message = table.channel, await _post(display, public, layout, picture, present)
    else:
        message = present.message
    display.note(table.number, name, digest)
    display.posted(table.number, message)
    await projections.shown(table.number, name, table.version, channel=channel, message=message)
    # Where it is; it stays due until old panels and pings are right as well.
    await projections.shown(table.number, PANEL, table.version - 1, channel=channel, message=message)
    return not edited


async def _post(
    display: Display, public: Viewer, layout: ui.LayoutView, picture: Picture, present: Projection | None
) -> int:
    """A new panel; it pings the awaited players, and nobody else."""
    table, name = public.table, key(public)
    channels.check(display.client, table.guild, table.channel)
    since = table.version - 1 if present is None else present.shown
    if present is None:  # tells, should the bot die, that it may have been posted
        await display.services.projections.shown(table.number, name, since)
    sent = await channels.post(
        channels.place(display.client, table.channel),
        table,
        name,
        since,
        view=layout,
        files=lambda: [file_of(picture)],
        pings=[public.users[seat] for seat in bits(public.view.awaited)],
    )
    return sent.id


async def _freeze(display: Display, public: Viewer, old: Projection) -> None:
    """Take the buttons off an earlier message, which then shows how its turn ended."""
    table = public.table
    stage = old.what.removeprefix(TURN)
    if stage.isdigit() and old.message is not None:
        same = int(stage) == public.view.turn  # the turn that ended the game
        final = public if same else await display.turns.end_of(public, int(stage))
        if final is not None:
            picture = await display.pictures.board(final)
            title = ""
            if same and stage == "0":
                title = _("Game {number} · setup", number=table.number)
            elif same:
                title = _("Game {number} · turn {turn}", number=table.number, turn=stage)
            layout = panel.layout(final, picture, live=False, title=title)
            where = old.channel or table.channel
            await display.edit(where, old.message, layout, picture)
    elif old.what == lobby.NAME:
        await lobby.freeze(display, table, old)
    elif old.what == archive.NAME:
        await archive.freeze(display, table, old)
    display.forget(table.number, old.what)
    await display.services.projections.gone(table.number, old.what)


async def finish(display: Display, public: Viewer, known: Projections) -> None:
    """After the end: the seed published."""
    seed, table = known.get(SEED), public.table
    if seed is None or not seed.pending or public.view.outcome is None:
        return
    channels.check(display.client, table.guild, table.channel)
    export = await display.services.games.export(table.number)
    text = seed_text(export["seed"], table.commitment, str(table.number), export["seal"])
    where = channels.place(display.client, table.channel)
    sent: discord.Message = await channels.post(where, table, SEED, view=plain(text))
    await display.services.projections.shown(table.number, SEED, table.version, channel=table.channel, message=sent.id)
