"""Sends what is for one person alone, by direct message or in their private thread."""

from __future__ import annotations

import logging

import discord

from bot.discord.show import channels, directs, rooms
from bot.discord.show.recent import acted_by, now
from bot.discord.show.round import Round
from bot.discord.show.wanted import Content, Letter
from bot.projections import Kind, Move, Name, Place, Projection, State, of_kind

log = logging.getLogger(__name__)


async def show(round: Round, wanted: Letter) -> float | None:
    """Edit a message, or send a new one. Returns the seconds until it can be done, or until the channel can call a
    person whom nothing can be sent. Raises errors that concern others as well, or that can soon be over."""
    if wanted.delay > 0:
        return wanted.delay
    try:
        return await _show(round, wanted, round.known.get(wanted.name))
    except discord.HTTPException as error:
        if wanted.room and not channels.is_outage(error):
            log.warning("Game %d: nothing can be shown in a private thread: %s", round.table.number, error)
        elif error.code not in directs.REFUSED:
            raise
    unreached = Name(Kind.UNREACHED, user=wanted.name.user)
    round.forget(unreached)
    round.note(unreached, Move.DUE)
    round.settle(wanted.name)
    if wanted.then is not None:
        await wanted.then()
    return acted_by(now())


async def _show(round: Round, wanted: Letter, projection: Projection | None) -> float | None:
    if not wanted.room:
        settings = (await round.settings([wanted.name.user]))[wanted.name.user]
        if (wait := await directs.wait(round.display, settings)) > 0:
            return wait
    say, place, fresh = None, None if projection is None else projection.posted, _is_fresh(round, wanted)
    if projection is not None and place is not None and not fresh and projection.state is not State.REPLACING:
        edited = wanted.once
        if not edited:
            edited, say = await round.edit(wanted, place)
        if edited:
            if projection.pending:
                round.note(wanted.name, Move.EDIT)
            if not wanted.once:
                _note_occasion(round, wanted, place, sent=False)
            return None
    if (say := say or await wanted.draw()) is not None:
        await _post(round, wanted, say(()), replaces=not (fresh and wanted.room))
    return None


def _is_fresh(round: Round, wanted: Letter) -> bool:
    """Whether a new message is needed, because the user must be notified, or might not have been."""
    attempt = round.known.get(_occasion_name(wanted))
    doubtful = attempt is not None and attempt.doubtful and bool(wanted.occasion)
    return doubtful or (wanted.notify_again and (attempt is None or wanted.again))


async def _post(round: Round, wanted: Letter, content: Content, *, replaces: bool) -> None:
    user, table, before = wanted.name.user, round.table, round.known.get(wanted.name)
    unreached = Name(Kind.UNREACHED, user=user)
    if wanted.occasion is not None:
        since = table.version if before is None else before.version
        round.note(_occasion_name(wanted), Move.POST, version=since)

    async def send(name: str, since: int, content: Content) -> Place:
        for game, other in wanted.instead:
            if other.posted is not None:
                await channels.delete(round.display.client, other.posted.channel, other.posted.message)
            await round.display.services.projections.note(game, gone=[other.name])
        if wanted.room:
            return await rooms.post(round.display, table, user, name, since, content)
        return await directs.post(round.display, user, table, name, since, content)

    def note(place: Place) -> None:
        _note_occasion(round, wanted, place, sent=True)
        if wanted.room and unreached in round.known:
            round.forget(unreached)

    digest = wanted.key or content.digest
    await round.post(wanted, content, send, digest=digest, replaces=replaces, also=note)


def _occasion_name(wanted: Letter) -> Name:
    return Name(Kind.TOLD, wanted.occasion or "", wanted.name.user)


def _note_occasion(round: Round, wanted: Letter, place: Place, *, sent: bool) -> None:
    """Note the occasion of which a person has been told, in place of earlier ones."""
    if wanted.occasion is None:
        return
    told = _occasion_name(wanted)
    if sent or wanted.told:
        round.note(told, Move.FIND, place)
    for old in of_kind(round.known, Kind.TOLD):
        if old.name.user == told.user and old.name != told:
            round.forget(old.name)
