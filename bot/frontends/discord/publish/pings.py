"""Pings: an edit notifies nobody, so who must act gets a short message of their own, deleted when answered."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from bot.frontends.discord.publish import channels, directs, signs
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.members import look_for
from bot.frontends.discord.publish.messages import below, plain
from bot.frontends.discord.publish.recent import acted_by
from bot.presentation import agreement, offers, seats, votes, waiting
from bot.presentation.controls import Row
from bot.presentation.personal import building_choices
from bot.presentation.steps import Ping, presenter_of
from bot.presentation.steps.step import catch_up
from bot.presentation.viewer import Viewer, mention
from bot.projections import PANEL, Projection, Projections
from bot.table.waiting import called_at, decisions
from engine.geometry import bits

PING = "ping:"

_CALL = re.compile(r"((<@!?[0-9]+>|\*\*[^*]+\*\*) )+· ")
"""How a message begins that calls people (`_text`); other notices in the channel go on otherwise after a name."""


def wanted(public: Viewer) -> list[Ping]:
    """Whom the game waits for beyond the panel's own ping; a function of public facts."""
    view = public.view
    computers = {*bits(public.computers)}
    found = [*votes.pings(view, public.names)]
    if not public.table.choices.paused:
        reminded = {*computers, *waiting.reminded(public)}
        found += [
            *_without(presenter_of(view).pings(view, view.step), reminded),
            *offers.pings(public),
            *waiting.pings(public),
        ]
    return [*_without(found, computers), *seats.pings(public), *agreement.pings(public)]


def _without(pings: Iterable[Ping], silent: Collection[int]) -> Iterator[Ping]:
    """The pings without these seats."""
    for ping in pings:
        if rest := tuple(seat for seat in ping.seats if seat not in silent):
            yield replace(ping, seats=rest)


def _replaced(public: Viewer) -> set[str]:
    """The names of pings in whose place a reminder has come."""
    asked = presenter_of(public.view).pings(public.view, public.view.step)
    return {PING + ping.occasion for ping in asked if set(ping.seats) <= set(waiting.reminded(public))}


async def show(display: Display, public: Viewer, known: Projections, panel_pinged: bool) -> float | None:
    """Send what is new, take the answered off, delete what nobody is awaited for any more.

    In how many seconds what is held back comes: who has an order to pass in special building may not be told apart
    from others by a call, so all are called once an order would have acted.
    """
    table, view, projections = public.table, public.view, display.services.projections
    known = await _here(display, public, known)
    due = {PING + ping.occasion: ping for ping in wanted(public)}
    replaced, held = _replaced(public), list[float]()
    fresh = PANEL not in known or known[PANEL].pending or panel_pinged  # else nothing has changed that anybody sees
    for old in known.values():
        if old.what.startswith(PING) and old.what not in due and (old.message is not None or old.what not in replaced):
            if old.message is not None:
                await channels.delete(display.client, old.channel or table.channel, old.message)
            display.forget(table.number, old.what)
            await projections.gone(table.number, old.what)
            if old.what in replaced:  # who then goes on isn't called a second time
                await projections.shown(table.number, old.what, table.version, channel=table.channel)
    for name, ping in due.items():
        sent = known.get(name)
        if (
            sent is None
            and panel_pinged
            and ping.about not in ("seat", "reminder")
            and set(ping.seats) <= set(bits(view.awaited))
        ):
            await projections.shown(table.number, name, table.version, channel=table.channel)
        elif (sent is None or sent.channel is None) and (wait := _held(public, ping)) > 0:
            held.append(wait)
        elif sent is None or sent.channel is None:
            since = table.version if sent is None else sent.shown
            if sent is None:  # without a channel: it may have been sent, should the bot die in this moment
                await projections.shown(table.number, name, since)
            message = await _send(display, public, name, since, ping)
            await projections.shown(table.number, name, table.version, channel=table.channel, message=message)
            if ping.about == "reminder":
                await look_for(display, public, [public.users[seat] for seat in ping.seats])
        elif sent.message is not None and ping.about != "offer" and fresh:  # of offers the panel shows it, at no cost
            await _take_off(display, public, sent, ping)
    return min(held, default=None)


async def _here(display: Display, public: Viewer, known: Projections) -> Projections:
    """What is known, without the pings in a channel that the game has left: they are deleted, and sent anew."""
    elsewhere = [
        old for old in known.values() if old.what.startswith(PING) and old.channel not in (None, public.table.channel)
    ]
    await _delete(display, public, elsewhere)
    return {name: found for name, found in known.items() if found not in elsewhere}


async def clear(display: Display, public: Viewer, known: Projections) -> None:
    """Delete all pings of a game that is put away."""
    await _delete(display, public, [old for old in known.values() if old.what.startswith(PING)])


async def _delete(display: Display, public: Viewer, pings: Iterable[Projection]) -> None:
    """Delete pings as far as their channels can be reached."""
    for old in pings:
        if old.message is not None and old.channel is not None:
            with suppress(*channels.FAILED):
                await channels.delete(display.client, old.channel, old.message)
        display.forget(public.table.number, old.what)
        await display.services.projections.gone(public.table.number, old.what)


def _held(public: Viewer, ping: Ping) -> float:
    """Seconds for which a call to build is held back; 0 for all other pings."""
    if ping.about != "building":
        return 0.0
    since = [called_at(public.table, wait) for wait in decisions(public.table) if wait.seat in ping.seats]
    return acted_by(max((*since, 0.0)))


def is_call(text: str) -> bool:
    """Whether a message says what somebody is awaited for."""
    return _CALL.match(text) is not None


def _text(public: Viewer, ping: Ping, notified: Collection[int]) -> str:
    end = "" if ping.wanted.endswith(("?", ".")) else "."
    called = [*((public.users[seat], public.marked[seat]) for seat in ping.seats), *ping.users]
    who = [mention(user) if user in notified else f"**{name}**" for user, name in called]
    return f"{' '.join(who)} · {ping.wanted}{end}" if who else f"{ping.wanted}{end}"


async def _notified(display: Display, public: Viewer, ping: Ping) -> list[int]:
    """Whom a ping notifies: all whom it names but those who don't want to hear of offers, or are called to a decision
    by direct message. It must not depend on their orders, or on their hands: whom a message notifies is no secret."""
    found = [user for user, _name in ping.users]
    if ping.about == "seat":
        return [*found, *(public.users[seat] for seat in ping.seats)]
    for seat in ping.seats if ping.called is None else set(ping.seats) & set(ping.called):
        settings = await display.services.people.settings(public.users[seat])
        if ping.about == "offer":
            wants = settings.choices.offer_pings
        else:
            wants = not (ping.about in ("", "building") and directs.calls(public.table, settings))
        found += [public.users[seat]] * wants
    return found


async def _controls(display: Display, public: Viewer, ping: Ping, text: str) -> discord.ui.LayoutView | None:
    """A ping that is a layout: one with buttons of its own, or that offers to say when to be asked to build, to who is
    called for the first time."""
    number = public.table.number
    if ping.buttons:
        return plain(text, [ping.buttons], number)
    if ping.about != "building":
        return None
    settings = [await display.services.people.settings(public.users[seat]) for seat in ping.seats]
    rows: list[Row] = [] if all(s.choices.building_chosen for s in settings) else [*building_choices()]
    rows += [[catch_up()]] if waiting.returns(public, ping.seats) else []
    return plain(text, rows, number)


async def _take_off(display: Display, public: Viewer, sent: Projection, ping: Ping) -> None:
    """Name only those who have still to answer; where that was shown already, nothing is sent. An edit notifies nobody:
    what it allows is what clients show by name."""
    notified = await _notified(display, public, ping)
    number, text = public.table.number, _text(public, ping, notified)
    if display.shows(number, sent.what, hash(text)) or sent.message is None:
        return
    channel = channels.place(display.client, sent.channel or public.table.channel)
    view = await _controls(display, public, ping, text)
    if view is not None:
        signs.put_in(display.client, view)
    content: dict[str, Any] = {"content": text} if view is None else {"view": view}
    allowed = channels.mentions(notified)
    try:
        await channel.get_partial_message(sent.message).edit(**content, allowed_mentions=allowed)
    except discord.HTTPException as error:
        if error.code not in (*channels.GONE, channels.OLD):
            raise
    display.note(number, sent.what, hash(text))


async def _send(display: Display, public: Viewer, name: str, since: int, ping: Ping) -> int | None:
    """The new message's id; None where there is nobody to be notified, and nothing to be pressed."""
    table, topic = public.table, ping.topic or ping.occasion
    pinged = display.unasked(table.number, topic, await _notified(display, public, ping))
    text = _text(public, ping, pinged)
    if ping.about in ("offer", "") and not pinged and ping.called is None:
        return None
    view = await _controls(display, public, ping, text)
    content: dict[str, Any] = {"text": text} if view is None else {"view": view}
    if view is None and (ping.about == "reminder" or (not ping.about and waiting.returns(public, ping.seats))):
        content["buttons"] = below([catch_up()], table.number)
    sent = await channels.post(display.client, table.channel, table, name, since, **content, pings=pinged)
    display.asked(table.number, topic, pinged)
    display.note(table.number, name, hash(text))
    return sent.id
