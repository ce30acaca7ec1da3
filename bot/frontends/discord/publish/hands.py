"""Hands by DM: one message per player and game, edited in place; a new one only when something must be decided. Where a
table has private threads, they are there: one message a turn in which something must be decided, and the old ones stay.

Which hand is due stands in the store, and when it must be sent follows from what is stored and who is there: nothing
that is gathered is lost with the process.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.frontends.discord.publish import channels, directs, rooms
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import layout_of, parts_of
from bot.frontends.discord.publish.recent import acted_by, now
from bot.presentation import catchup as missed
from bot.presentation import orders
from bot.presentation.controls import Reply
from bot.presentation.panel import headline
from bot.presentation.steps import presenter_of
from bot.presentation.steps.step import catch_up
from bot.presentation.texts.hands import own_hand
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer
from bot.projections import HAND, Projection, Projections, hand_name
from bot.table.preferences import DM, UserSettings
from bot.table.table import Table
from bot.table.waiting import called_at, decisions
from engine.events import CardTaken
from engine.views import View

log = logging.getLogger(__name__)

ASKED = "asked:"
CLOSED = "closed:"
"""Begins the name of the call to somebody whom no DM could call; without a channel it has still to be made."""
STILL = 6 * 3600.0
"""Seconds without an action after which hands that were gathered are sent."""
NEAR = 60.0
"""The same in private threads, where they disturb nobody."""


def occasion(view: View, seat: int, private: bool = False) -> str:
    """Name of what the seat must decide, or be told at once; nothing when it need not, or the same as long as it is
    one occasion: in a `private` thread that is a turn."""
    robbed = is_robbed(view, seat)
    if private:
        return f"turn.{view.turn}" if robbed or view.awaited >> seat & 1 else ""
    found = [f"robbed.{view.turn}.{robbed}"] if robbed else []
    if view.awaited >> seat & 1:
        presenter = presenter_of(view)
        called = (ping.occasion for ping in presenter.pings(view, view.step) if seat in ping.seats)
        found.append(next(called, presenter.occasion(view, view.step)))
    return "+".join(found)


def is_robbed(view: View, seat: int) -> int:
    """How often something was taken from the seat in this turn that nobody else but the taker knows."""
    return sum(isinstance(event, CardTaken) and event.victim == seat for event in view.events)


async def reply(display: Display, viewer: Viewer, *more: str) -> Reply:
    """The hand of the one who looks, and what is to be done, with its picture; `more`: lines that follow."""
    title = _("Game {number}", number=viewer.table.number)
    mine = await display.services.orders.of(viewer.table.number, viewer.users[viewer.player])
    told = [
        headline(viewer.view, viewer.names, viewer.computers),
        own_hand(viewer.view, viewer.names),
        orders.done(viewer, mine),
    ]
    lines = [f"### {title}", *filter(None, told), *more]
    user = viewer.users[viewer.player]
    settings = await display.services.people.settings(user)
    known = await display.services.projections.visible(viewer.table.number)
    if settings.dms and (settings.dms_closed or _is_unsaid(known, user)):
        hint = _("Discord won't let me message you, so I've stopped trying; `/settings` turns my messages on again.")
        lines.append(f"-# ✉️ {hint}")
    return Reply("\n".join(lines), await display.pictures.hand(viewer, settings.choices.look))


async def _message(display: Display, viewer: Viewer) -> Reply:
    """The same for the DM, which may stay as it is while the game goes on: with the time, and the way to the table."""
    when = f"<t:{viewer.table.updated:.0f}:R>"
    lines = [_("As of {when}. **My hand** at the table is always up to date.", when=when)]
    if link := await display.link(viewer.table):
        way = _("To the table")
        lines.append(f"[{way}]({link})")
    answer = await reply(display, viewer, *lines)
    answer.rows = [[catch_up()]]
    return answer


async def show(display: Display, public: Viewer, known: Projections) -> float | None:
    """Update the DMs that are due and needed now; in how many seconds the others come, None where none is left.

    Who is awaited because of somebody else's action needs the hand at once: by a new message, which notifies, where
    they are called by direct message, else by an edit, since a ping in the channel has called them. All others' are
    gathered until the game has been still for a while, and those of whoever has just acted, too: at the table their
    hand is a click away.
    """
    await _take_away(display, public, known)
    await rooms.leave(display, public.table, known)
    due = [user for user in public.users if (hand := known.get(hand_name(user))) and hand.pending]
    people = await display.services.people.settings_of(due)
    if none := [user for user in due if not _gets_any(public, people[user], known)]:
        names = list(map(hand_name, none))
        await display.services.projections.all_shown(public.table.number, names, public.table.version)
    hands = (_one(display, public, known, people[user]) for user in due if user not in none)
    results = await asyncio.gather(*hands, return_exceptions=True)
    for name, found in known.items():
        if name.startswith(CLOSED) and found.channel is None:
            results.append(await _say_closed(display, public, int(name.removeprefix(CLOSED)), found.shown))
    waits = []
    for result in results:  # one person's failure must not keep the others waiting
        if isinstance(result, BaseException):
            raise result
        if result is not None:
            waits.append(result)
    return min(waits, default=None)


async def _take_away(display: Display, public: Viewer, known: Projections) -> None:
    """Delete the hand of who has given up their seat."""
    for name, found in known.items():
        if name.startswith(HAND) and int(name.removeprefix(HAND)) not in public.users:
            if found.message is not None and found.channel is not None and not public.table.choices.rooms:
                await channels.delete(display.client, found.channel, found.message)
            display.forget(public.table.number, name)
            await display.services.projections.gone(public.table.number, name)


def _gets_any(public: Viewer, settings: UserSettings, known: Projections) -> bool:
    """Whether somebody's hand is sent to them, or stands in a thread."""
    unreachable = settings.dms_closed or (settings.stopped and not settings.choices.direct)
    sent = settings.dms and not unreachable and not _is_unsaid(known, settings.user)
    return public.table.choices.rooms or sent


async def _one(display: Display, public: Viewer, known: Projections, settings: UserSettings) -> float | None:
    table, projections, user = public.table, display.services.projections, settings.user
    name, private = hand_name(user), public.table.choices.rooms
    viewer = Viewer.of(table, public.game, user)
    orders, seat = display.services.orders, viewer.player
    robbed, awaited = is_robbed(viewer.view, seat), bool(viewer.view.awaited >> seat & 1)
    awaited = awaited and presenter_of(viewer.view).calls
    if viewer.is_replaced:  # a computer decides
        robbed, awaited = 0, False
    if await orders.wanted(table, public.game, seat):
        awaited = False
    prefix = f"{ASKED}{user}:"
    what = occasion(viewer.view, viewer.player, private)
    asked = prefix + what
    attempt = known.get(asked)
    told = attempt is not None and attempt.message is not None
    called = (awaited or robbed > 0) and not told and not display.has_acted(public, user)
    gather = NEAR if private else STILL
    wait = table.updated + gather - now()
    if not called and wait > 0:
        return min(wait, gather)
    if not private and (turn := await directs.wait(display, settings)) > 0:
        return turn
    hand, digest = known[name], hash(own_hand(viewer.view, viewer.names))
    channel, message = hand.channel, hand.message
    anew = called and (private or directs.calls(table, settings))
    doubtful = attempt is not None and attempt.message is None  # it may have been sent before the bot died
    fresh = message is None or channel is None or (doubtful and what != "") or (attempt is None and anew)
    if fresh or not display.shows(table.number, name, digest):
        display.forget(table.number, name)
        if fresh and attempt is None:
            await projections.shown(table.number, asked, hand.shown)
        try:
            channel, message = await _sent(display, viewer, hand, user, fresh)
        except discord.HTTPException as error:
            if private and not channels.is_outage(error):
                log.warning("Game %d: nothing can be shown in a private thread: %s", table.number, error)
                await projections.shown(table.number, name, table.version)
                return None
            if error.code not in directs.REFUSED:
                raise
            return await closed(display, public, user)
        display.note(table.number, name, digest)
    await projections.shown(table.number, name, table.version, channel=channel, message=message)
    if fresh or called:
        await projections.shown(table.number, asked, table.version, channel=channel, message=message)
    for old in known:
        if old.startswith(prefix) and old != asked:
            await projections.gone(table.number, old)
    return None


async def _sent(display: Display, viewer: Viewer, hand: Projection, user: int, fresh: bool) -> tuple[int, int]:
    """Edit the message, or send a new one and delete the old; channel and id of the message."""
    answer, channel, message = await _message(display, viewer), hand.channel, hand.message
    private = viewer.table.choices.rooms
    if private and fresh:
        answer.text = f"{answer.text}\n\n{missed.text(await missed.look_back(viewer))}"
        return await rooms.post(
            display, viewer.table, user, hand.what, hand.shown, _layout(viewer.table, answer), *parts_of(answer)
        )
    if message is None or channel is None:
        return await _send(display, viewer.table, hand, user, answer)
    layout = _layout(viewer.table, answer)
    if not fresh and await display.edit(channel, message, layout, *parts_of(answer)):
        return channel, message
    if private:
        return await _sent(display, viewer, hand, user, fresh=True)
    sent = await _send(display, viewer.table, hand, user, answer)
    if fresh and message != sent[1]:
        await channels.delete(display.client, channel, message)
    return sent


def _layout(table: Table, answer: Reply) -> discord.ui.LayoutView:
    return layout_of(answer, table.number)


async def _send(display: Display, table: Table, hand: Projection, user: int, answer: Reply) -> tuple[int, int]:
    layout = _layout(table, answer)
    return await directs.post(display, user, table, hand.what, hand.shown, layout, *parts_of(answer))


async def closed(display: Display, public: Viewer, user: int) -> float:
    """Note that no DM could call somebody, so that no more are tried here; in how many seconds the channel may."""
    table, projections = public.table, display.services.projections
    name = f"{CLOSED}{user}"
    await projections.gone(table.number, name)
    await projections.shown(table.number, name, table.version)
    await projections.shown(table.number, hand_name(user), table.version)
    return acted_by(now())


def _is_unsaid(known: Projections, user: int) -> bool:
    """Whether somebody could not be called by DM, and hasn't been called in the channel yet."""
    found = known.get(f"{CLOSED}{user}")
    return found is not None and found.channel is None


async def _say_closed(display: Display, public: Viewer, user: int, since: int) -> float | None:
    """Call somebody in the channel whom no DM could call, while the game waits for them, and remember for all games
    who takes none; in how many seconds that can be done. Why it is so is told to them alone (`reply`).

    Whether a DM was tried may follow from their orders, and so from their hand: until then they are called as before.
    That an order doesn't act all see once it would have.
    """
    table = public.table
    waits = [called_at(table, wait) for wait in decisions(table) if public.users[wait.seat] == user]
    if not waits:
        return None
    if (wait := acted_by(max(waits))) > 0:
        return wait
    people, name, message = display.services.people, f"{CLOSED}{user}", None
    settings = await people.settings(user)
    if settings.choices.reminders == DM:  # else the channel has called them
        text = _("{user} · the game waits for you.", user=f"<@{user}>")
        message = (await channels.post(display.client, table.channel, table, name, since, text=text, pings=(user,))).id
    if not settings.stopped:
        await people.change_settings(user, dms_closed=True)
    await display.services.projections.shown(table.number, name, since, channel=table.channel, message=message)
    return None
