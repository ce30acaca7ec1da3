"""Pings and reminders. An edit notifies no one, so players who must act get a short message, which is deleted once they
answer. A reminder by direct message is about all games that wait for a player, in place of the one before.
Another message warns that a table which no one uses will be closed or archived.

Who is still on a server is asked of Discord where it matters, since for most hosts it doesn't report who leaves.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil

from bot.discord.interaction import autopilot_wait, now
from bot.discord.show import panel, private
from bot.discord.show.display import Display
from bot.discord.show.messages import below, plain
from bot.discord.show.permissions import has_left
from bot.discord.show.round import is_owed
from bot.discord.show.wanted import ChannelCall, Content, Covered, Letter, Say, calling
from bot.projections import PASSING, Kind, Name, Projection, Projections, State, of_kind
from bot.screens import seats, waiting
from bot.screens.controls import Button, Open, Row
from bot.screens.people import building_choices
from bot.screens.steps import About, Ping, presenter_of
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer, mention
from bot.screens.waiting import Waiting
from bot.service import patience_of
from bot.table.options import DAY
from bot.table.preferences import UserSettings
from bot.table.reminders import has_acted, present_until
from bot.table.table import LOBBY, Table
from bot.table.waiting import actionable_since, decisions
from bot.words.language import _, n_, sentence
from bot.words.promptness import said_of
from engine.geometry import bits, mask_of


async def note_who_left(display: Display, public: Viewer, users: Iterable[int]) -> None:
    """Note which of the users just reminded are no longer on the game's server: the other players are then asked."""
    table = public.table
    if table.guild is None:
        return
    for user in users:
        if user not in table.gone and await has_left(display.client, table.guild, user):
            await display.services.absence.left_server(table.number, user)


_CALL = re.compile(r"((<@[!&]?[0-9]+>|\*\*[^*]+\*\*) )+· ")
"""Beginning of a message that calls people (`_ping_text`). After a name, other notices in the channel go on
differently."""


def ping_messages(display: Display, public: Viewer, projections: Projections) -> list[ChannelCall | Covered]:
    """The messages that call people; players who have answered are taken off them. A ping that a reminder has replaced
    is noted as already said, so that its players aren't called a second time when they go on."""
    pings = waiting.all_pings(public)
    pings += [*_late_pings(public, projections, pings), *_untold_pings(public, projections)]
    calls = [_call_of(display, public, projections, ping) for ping in pings]
    names = {call.name for call in calls}
    asked = presenter_of(public.view).pings(public.view, public.view.step)
    reminded = {ping_name(ping) for ping in asked if set(ping.seats) <= set(waiting.reminded_seats(public))}
    replaced = [one.name for one in of_kind(projections, Kind.PING) if one.name in reminded and one.name not in names]
    return [*(Covered(name=name) for name in replaced), *calls]


def _late_pings(public: Viewer, projections: Projections, pings: Sequence[Ping]) -> list[Ping]:
    """The ping to players whom the message of the present turn couldn't notify yet: its beginning was undone and done
    again. Players who have acted, or whom another ping asks to, are left out."""
    name, topic = panel.late_call_name(public), panel.turn_topic(public)
    asked = {seat for ping in pings if ping.about is not About.GROUP for seat in ping.seats}
    late = tuple(
        seat
        for seat in bits(public.view.awaited & ~public.computers)
        if seat not in asked
        and not has_acted(public.table, public.users[seat], seat)
        and (name in projections or is_owed(projections, topic, public.users[seat], name))
    )
    if not late or public.table.paused or public.view.outcome is not None:
        return []
    wanted = _("your turn: {wanted}", wanted=_(presenter_of(public.view).asks))
    return [Ping(name.key, late, wanted, topic=topic)]


def _untold_pings(public: Viewer, projections: Projections) -> list[Ping]:
    """News of an earlier turn of which the person it is for could not be notified yet."""
    if public.view.outcome is not None:
        return []
    earlier = seats.turned_down(public, earlier=True)
    return [
        ping
        for ping in earlier
        if any(is_owed(projections, ping.topic, user, ping_name(ping)) for user, _name in ping.users)
    ]


def _call_of(display: Display, public: Viewer, projections: Projections, ping: Ping) -> ChannelCall:
    """The message of a ping. Whom it notifies is public, so it must not depend on anyone's autopilot or hand."""
    table, name, kind = public.table, ping_name(ping), PING_KINDS[ping.about]
    users, topic = tuple(dict.fromkeys(public.users[seat] for seat in ping.seats)), ping.topic or ping.occasion
    if ping.called is not None:
        called = {public.users[seat] for seat in ping.called}
        users = tuple(user for user in users if user in called or is_owed(projections, topic, user))
    on_panel = kind.on_panel and not mask_of(ping.seats) & ~public.view.awaited
    sent = name in projections and projections[name].state is not State.POSTING
    delay = present_until(table, users) - now() if ping.own else kind.delay(public, ping)
    return ChannelCall(
        name=name,
        draw=partial(_draw_ping, display, public, ping),
        key=hash(ping) or 1,
        once=kind.once,
        users=(*(user for user, _name in ping.users), *users),
        wants=lambda settings: settings.user not in users or kind.wants(table, settings),
        topic=topic,
        silent=kind.silent or ping.called is not None,
        named=True,
        covered_by=panel.turn_name(public) if on_panel else None,
        delay=0.0 if sent else max(delay, 0.0),
        then=partial(kind.then, display, public, users) if kind.then else None,
    )


def ping_name(ping: Ping) -> Name:
    return Name(Kind.PING, ping.occasion)


def is_call(text: str) -> bool:
    """Whether a message's text calls people, as `_ping_text` does."""
    return _CALL.match(text) is not None


def _ping_text(public: Viewer, ping: Ping, notified: Collection[int], more: str = "") -> str:
    """The text of a ping; `more`: a line below."""
    said = sentence(ping.asks)
    people = [*((public.users[seat], public.marked[seat]) for seat in ping.seats), *ping.users]
    who = [mention(user) if user in notified else f"**{name}**" for user, name in people]
    text = f"{' '.join(who)} · {said}" if who else said
    return f"{text}\n-# {more}" if more else text


async def _draw_ping(display: Display, public: Viewer, ping: Ping) -> Say:
    """The ping as a text, perhaps with a button below; or as a layout, if it has its own buttons."""
    number = public.table.number
    rows = [ping.buttons] if ping.buttons else await PING_KINDS[ping.about].rows(display, public, ping)
    if rows is not None:
        more = await _about_newcomer(display, public.table, ping)
        return lambda notified: Content(plain(_ping_text(public, ping, notified, more), rows, number))
    returns = waiting.anyone_returns(public, ping.seats)
    buttons = below([catch_up()], number) if PING_KINDS[ping.about].catches_up(returns) else None
    return lambda notified: Content(text=_ping_text(public, ping, notified), buttons=buttons)


async def _about_newcomer(display: Display, table: Table, ping: Ping) -> str:
    """How fast the person decides who would take a seat; empty: there is nothing to say."""
    if ping.newcomer is None:
        return ""
    user, name = ping.newcomer
    promptness = (await display.services.promptness.at(table, [user])).get(user)
    return "" if promptness is None else said_of(name, promptness)


# --- the kinds of pings


async def _no_rows(display: Display, public: Viewer, ping: Ping) -> None:
    return None


async def _building_rows(display: Display, public: Viewer, ping: Ping) -> list[Row]:
    """Players called to build for the first time are offered the choice when to be asked."""
    people = await display.services.people.settings_of([public.users[seat] for seat in ping.seats])
    choices = [settings.choices for settings in people.values()]
    known = all(choice.building_chosen or choice.building_offered for choice in choices)
    returns = waiting.anyone_returns(public, ping.seats)
    return [*([] if known else building_choices()), *([[catch_up()]] if returns else [])]


async def _note_offered(display: Display, public: Viewer, users: Sequence[int]) -> None:
    for user, settings in (await display.services.people.settings_of(users)).items():
        if not settings.choices.building_offered:
            await display.services.people.change_settings(user, choices={"building_offered": True})


def _once_orders_would_act(public: Viewer, ping: Ping) -> float:
    """A call must not reveal who has an autopilot that passes. So all are called only once one would have acted."""
    since = [actionable_since(public.table, wait) for wait in decisions(public.table) if wait.seat in ping.seats]
    return autopilot_wait(max((*since, 0.0)))


def _unless_written(table: Table, settings: UserSettings) -> bool:
    return not private.called_by_dm(table, settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class PingKind:
    """How players are called about something."""

    wants: Callable[[Table, UserSettings], bool] = field(default=lambda table, settings: True)
    """Whether a player with these settings is notified."""
    once: bool = False
    """Whether the message is never edited."""
    silent: bool = True
    """Whether it is sent even if it notifies no one."""
    on_panel: bool = True
    """Whether a new game message says the same to the players whom the game waits for."""
    delay: Callable[[Viewer, Ping], float] = field(default=lambda public, ping: 0.0)
    """Seconds for which it is held back."""
    rows: Callable[[Display, Viewer, Ping], Awaitable[Sequence[Row] | None]] = _no_rows
    """What is below the text, which makes the message a layout; an edit can't change that."""
    catches_up: Callable[[bool], bool] = field(default=lambda returns: False)
    """Whether *Catch up* is there, if someone returns or not."""
    then: Callable[[Display, Viewer, Sequence[int]], Awaitable[None]] | None = None
    """Called with its users once it is sent."""


PING_KINDS: Mapping[About, PingKind] = {
    About.DECISION: PingKind(wants=_unless_written, silent=False, catches_up=lambda returns: returns),
    # The game message shows offers, at no cost.
    About.OFFER: PingKind(wants=lambda table, settings: settings.choices.offer_pings, once=True, silent=False),
    About.BUILDING: PingKind(
        wants=_unless_written, delay=_once_orders_would_act, rows=_building_rows, then=_note_offered
    ),
    About.GROUP: PingKind(on_panel=False),
    About.REMINDER: PingKind(on_panel=False, catches_up=lambda returns: True, then=note_who_left),
}


def unanswered(public: Viewer, projections: Projections) -> list[Name]:
    """The calls to players who can't be written to, as long as the game waits for them in that channel, and the notes
    about those who aren't called yet. One whose reason passes (`PASSING`) must call no one at a later decision."""
    awaited = {public.users[wait.seat] for wait in decisions(public.table)} if public.table.open else set()
    return [
        one.name
        for one in of_kind(projections, Kind.UNREACHED)
        if (one.posted is None and one.name.key != PASSING)
        or (one.name.user in awaited and (one.posted is None or one.posted.channel == public.table.channel))
    ]


async def reminder_letters(display: Display, public: Viewer, projections: Projections) -> list[Letter | Covered]:
    """The reminders for players who are awaited, unless they have been reminded in the channel since."""
    found = [await _reminder_of(display, public, one) for one in of_kind(projections, Kind.REMINDER)]
    return [one for one in found if one is not None]


async def _reminder_of(display: Display, public: Viewer, projection: Projection) -> Letter | Covered | None:
    services, user = display.services, projection.name.user
    games = await services.timekeeper.games_of(user)
    awaited = next((wait for other, wait in games if other.number == public.table.number), None)
    if awaited is None or not awaited.reminded or awaited.pinged:  # pinged: the latest was given in the channel
        return None
    if not projection.pending:
        return Covered(name=projection.name)
    guild = public.table.guild
    if guild is not None and await has_left(display.client, guild, user):  # they can no longer see the game
        await note_who_left(display, public, (user,))
        return None
    others = [other.number for other, _wait in games if other.number != public.table.number]
    earlier = [(number, (await services.projections.visible(number)).get(projection.name)) for number in others]
    return Letter(
        name=projection.name,
        draw=partial(_draw_reminder, display, user),
        once=True,
        notify_again=True,
        instead=tuple((number, one) for number, one in earlier if one is not None and one.posted is not None),
    )


async def _draw_reminder(display: Display, user: int) -> Say:
    services = display.services
    listed = []
    for table, wait in await services.timekeeper.games_of(user):
        if wait is not None:
            view = (await services.repository.game(table.number)).view(None)
            listed.append(Waiting(table, wait, presenter_of(view).asks, await display.link(table)))
    text = waiting.games_text(listed, waiting.OtherGames())
    rows = [*waiting.catching_up(listed), [Button(_("Reminders"), Open("reminders"), emoji="⏰")]]
    return lambda named: Content(plain(f"⏰ {text}", rows))


def idle_warnings(table: Table, awaited: tuple[int, ...]) -> list[ChannelCall]:
    """The warning, until someone uses the table."""
    if not table.open or table.warned is None or table.warned < table.updated:
        return []
    warning = _warning_text(table)

    async def draw() -> Say:
        return calling(warning)

    name = Name(Kind.IDLE, f"{table.warned:.0f}")
    return [ChannelCall(name=name, draw=draw, once=True, users=awaited, topic=str(name))]


def _warning_text(table: Table) -> str:
    """What will happen, when, and how to prevent it."""
    assert table.warned is not None
    patience = patience_of(table)
    when, days = f"<t:{ceil(table.warned + patience.grace)}:R>", round(patience.warning / DAY)
    if table.status == LOBBY:
        return _("no activity at this table for two days. It closes {when} unless someone uses it.", when=when)
    if table.paused:
        return n_(
            "this game has been paused for {n} day. It will be archived {when} unless you resume it.",
            "this game has been paused for {n} days. It will be archived {when} unless you resume it.",
            days,
            when=when,
        )
    return n_(
        "no moves in this game for {n} day. It will be archived {when} unless someone moves.",
        "no moves in this game for {n} days. It will be archived {when} unless someone moves.",
        days,
        when=when,
    )
