"""The panel: one message a turn, edited in place; a new turn is a new message, and the old one loses its buttons."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.frontends.discord.publish import archive, channels, directs, lobby, panel
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import layout_of, plain
from bot.presentation.controls import Picture, Reply
from bot.presentation.end import seed_text
from bot.presentation.ratings import changed
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer
from bot.projections import FILM, PANEL, SEED, TURN, Projection, Projections
from bot.table.table import Table
from engine.geometry import bits
from engine.terms import StepKind

log = logging.getLogger(__name__)

FROZEN = 0
"""Stands for what the panel of an earlier turn shows for good."""


def key(public: Viewer) -> str:
    """Name of the message that shows the present turn."""
    return f"{TURN}end" if public.view.step.kind is StepKind.OVER else f"{TURN}{public.view.turn}"


async def show(display: Display, public: Viewer, known: Projections) -> bool:
    """Bring the panel up to date; True when it is a new message, which has pinged whom the game waits for."""
    name, number = key(public), public.table.number
    present = known.get(name)
    if present is not None and present.channel not in (None, public.table.channel):  # it was taken elsewhere
        await _leave(display, public, present)
        present = None
    posted = False
    doubted = display.is_doubted(number)
    due = known[PANEL].due if PANEL in known else public.table.version  # what nobody sees raises the version alone
    if present is None or present.message is None or present.shown < due or doubted:
        posted = await _update(display, public, present)
        display.trust(number)
    for old in known.values():
        if old.what.startswith(TURN) and old.what != name and old.message is not None:
            await _freeze(display, public, old)
    return posted


async def _leave(display: Display, public: Viewer, old: Projection) -> None:
    """Take the buttons off the panel in a channel that the game has left, if that can be reached."""
    if old.message is not None and old.channel is not None:
        where = _("This game goes on in {channel}.", channel=f"<#{public.table.channel}>")
        with suppress(*channels.FAILED):
            await display.edit(old.channel, old.message, plain(where))
    display.forget(public.table.number, old.what)
    await display.services.projections.gone(public.table.number, old.what)


async def _update(display: Display, public: Viewer, present: Projection | None) -> bool:
    """Edit the panel or post a new one; True when it is a new one."""
    table, name, projections = public.table, key(public), display.services.projections
    pictures, ratings = [await display.pictures.board(public)], ""
    if public.view.outcome is not None:
        ratings = changed((await display.services.ratings.changes(table)).values())
        if (figures := await display.pictures.figures(public)) is not None:
            pictures.insert(0, figures)
    layout = panel.layout(public, *pictures, ratings=ratings)
    shown: Any = layout
    digest = hash((*(picture.data for picture in pictures), str(shown.to_components())))
    channel, edited = table.channel, False
    if present is not None and present.message is not None:
        channel = present.channel or channel
        edited = display.shows(table.number, name, digest) or await display.edit(
            channel, present.message, layout, *pictures
        )
    if present is None or present.message is None or not edited:
        channel, message = table.channel, await _post(display, public, ratings, pictures, present)
    else:
        message = present.message
    display.note(table.number, name, digest)
    display.posted(table.number, message)
    await projections.shown(table.number, name, table.version, channel=channel, message=message)
    # Where it is; it stays due until old panels and pings are right as well.
    await projections.shown(table.number, PANEL, table.version - 1, channel=channel, message=message)
    return not edited


async def _post(
    display: Display, public: Viewer, ratings: str, pictures: Sequence[Picture], present: Projection | None
) -> int:
    """A new panel; it pings the awaited players but those whom their hand calls, and nobody else."""
    table, name = public.table, key(public)
    since = table.version - 1 if present is None else present.shown
    if present is None:  # tells, should the bot die, that it may have been posted
        await display.services.projections.shown(table.number, name, since)
    awaited = public.reached(bits(public.view.awaited))
    people = display.services.people
    by_dm = [user for user in awaited if directs.calls(table, await people.settings(user))]
    topic = f"{name}.{table.channel}"  # a turn that is ended and taken back calls whoever is next once
    called = display.unasked(table.number, topic, (user for user in awaited if user not in by_dm))
    sent = await channels.post(
        display.client,
        table.channel,
        table,
        name,
        since,
        view=panel.layout(public, *pictures, ratings=ratings, notified=called),
        parts=pictures,
        pings=called,
    )
    display.asked(table.number, topic, called)
    display.uploads.note(sent, pictures)
    return sent.id


async def _freeze(display: Display, public: Viewer, old: Projection) -> None:
    """Take the buttons off an earlier message, which then shows how its turn ended.

    As long as that can be taken back it isn't given up: the same message becomes the panel again.
    """
    table, number = public.table, public.table.number
    stage = old.what.removeprefix(TURN)
    if stage.isdigit() and int(stage) > public.view.turn and old.message is not None:  # taken back
        await channels.delete(display.client, old.channel or table.channel, old.message)
    elif stage.isdigit() and old.message is not None and not display.shows(number, old.what, FROZEN):
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
            await display.edit(where, old.message, layout, picture, closing=True)
    elif old.what == lobby.NAME:
        await lobby.freeze(display, table, old)
    elif old.what == archive.NAME:
        await archive.freeze(display, table, old)
    if stage.isdigit() and int(stage) == public.view.turn - 1 and public.view.undo is not None:
        display.note(number, old.what, FROZEN)
        return
    display.forget(number, old.what)
    await display.services.projections.gone(number, old.what)


async def finish(display: Display, public: Viewer, known: Projections) -> None:
    """After the end: the seed published, and the whole game as a film."""
    if public.view.outcome is None:
        return
    if (seed := known.get(SEED)) and seed.pending:
        await _publish_seed(display, public.table)
    if (film := known.get(FILM)) and film.pending:
        if display.films:
            await _publish_film(display, public)
        else:
            await display.services.projections.gone(public.table.number, FILM)


async def _publish_film(display: Display, public: Viewer) -> None:
    table = public.table
    if (picture := display.drawn.get(table.number)) is None:  # else it could not be sent before
        picture = await display.pictures.film(public)
        display.drawn.note(table.number, picture)
    title = _("🎬 **Game {number}, turn by turn**", number=table.number)
    view = layout_of(Reply(title, picture), table.number)
    sent: discord.Message = await channels.post(display.client, table.channel, table, FILM, view=view, parts=[picture])
    display.drawn.drop(table.number)
    await display.services.projections.shown(table.number, FILM, table.version, channel=table.channel, message=sent.id)


async def _publish_seed(display: Display, table: Table) -> None:
    export = await display.services.games.export(table.number)
    text = seed_text(export["seed"], table.commitment, str(table.number), export["seal"])
    sent: discord.Message = await channels.post(display.client, table.channel, table, SEED, view=plain(text))
    await display.services.projections.shown(table.number, SEED, table.version, channel=table.channel, message=sent.id)
