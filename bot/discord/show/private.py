"""What is for one person alone: hands, and how they and other things reach a person.

By direct message, only if they asked for that, in a channel that is opened once: one message per player and game,
edited in place, and a new one only when the player must decide something. Or in a private thread, at a table that wants
them: one message for each turn in which the player must decide something, with their story, also to read later. Discord
shows a private thread to its members, and to people who can manage threads.

Players whom neither reaches are called in the channel instead.
"""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.discord.interaction import autopilot_wait, now
from bot.discord.show import channels, permissions
from bot.discord.show.display import Display
from bot.discord.show.messages import layout_of, parts_of, plain
from bot.discord.show.round import wait_after
from bot.discord.show.wanted import ChannelCall, Content, Covered, Letter, Say
from bot.projections import PASSING, Kind, Move, Name, Place, Projections, State, moved, of_kind
from bot.screens import catchup, orders
from bot.screens.controls import Reply
from bot.screens.panel import headline, standing
from bot.screens.steps import presenter_of
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer, mention
from bot.service.people import LONGEST_QUEUE, OPENINGS_APART, STOPPED_FOR
from bot.table.acts.orders import automatic_action as order
from bot.table.preferences import DM, UserSettings
from bot.table.reminders import has_acted, seen_by
from bot.table.table import People, Table
from bot.table.waiting import actionable_since, decisions
from bot.words.hands import own_hand
from bot.words.language import N_, _, speaking
from bot.words.marks import with_color
from engine.errors import RefereeError
from engine.events import CardTaken
from engine.views import View

T = TypeVar("T")

TOO_MANY_DMS = (20026, 40003)
"""Codes with which Discord refuses direct messages because Harbormaster has opened too many, or too fast."""
NO_TURN_LEFT = LONGEST_QUEUE + OPENINGS_APART
"""Seconds after which someone is looked at again for whom there was no turn to be written to."""


def wants_dms(settings: UserSettings) -> bool:
    """Whether a person has asked for direct messages and, as far as is known, takes them."""
    return (settings.dms or settings.choices.reminders == DM) and not settings.dms_closed


def called_by_dm(table: Table, settings: UserSettings) -> bool:
    """Whether a direct message calls a person to a game, instead of a ping."""
    return settings.called_by_dm and not table.options.rooms


async def post_dm(display: Display, user: int, table: Table, name: str, since: int, content: Content) -> Place:
    """Send a person a message about a game, once. Returns where it is.

    Raises Discord's errors, also if the person can't be written to (`channels.is_unreached`).
    """
    channel = await _dm_channel(display, user)
    return Place(channel, await watched(display, display.post(channel, table, name, since, content, loud=True)))


async def greet(display: Display, user: int) -> None:
    """Write to a person who has just asked for direct messages. Raises as `post_dm`."""
    channel = await _dm_channel(display, user)
    text = N_(
        "Your hands and reminders come here, and what else you ask for in `/settings`. You can turn it off there."
    )
    with speaking((await display.services.people.settings(user)).language):
        view = plain(_(text))
    where, once = channels.channel_of(display.client, channel), f"hello-{user}"[:25]  # pressing twice sends it once
    await watched(display, where.send(view=view, nonce=once, allowed_mentions=channels.SILENT))


async def wait_for_dm(display: Display, settings: UserSettings) -> float:
    """Seconds until a person can be written to: a channel that isn't open yet waits for its turn. `NO_TURN_LEFT`: there
    is no turn left, and they can ask for one then."""
    if settings.choices.direct:
        return 0.0
    if settings.stopped:
        return STOPPED_FOR
    wait = await display.services.directs.wait(settings.user)
    return NO_TURN_LEFT if wait is None else wait


async def _dm_channel(display: Display, user: int) -> int:
    """The channel of a person's direct messages, which is opened if necessary."""
    services = display.services
    settings = await services.people.settings(user)
    if settings.choices.direct:
        return settings.choices.direct
    channel = await watched(display, display.client.create_dm(discord.Object(user)))
    services.directs.opened(user)
    await services.people.change_settings(user, choices={"direct": channel.id})
    return channel.id


async def watched(display: Display, request: Awaitable[T]) -> T:
    """The result of a request. If Discord refuses it as one too many, no more are made for hours."""
    try:
        return await request
    except discord.HTTPException as error:
        if error.code in TOO_MANY_DMS:
            await display.services.directs.stop()
        raise


WEEK_IN_MINUTES: Final = 10080
"""Minutes without a message after which Discord archives a thread."""


async def check_rooms(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse if no private threads can be made. Codes: "missing-permission", "rooms"."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        raise RefereeError("rooms")
    permissions.refuse_if(permissions.missing_for_rooms(interaction.app_permissions), channel.id)
    if (await _channel_above(client, channel.id))["type"] != discord.ChannelType.text.value:
        raise RefereeError("rooms")


async def post_in_room(display: Display, table: Table, user: int, name: str, since: int, content: Content) -> Place:
    """Post a message in a user's thread, once. Returns where it is. Raises Discord's errors.

    Discord doesn't say who leaves a thread, or loses it with the server. So the user is added each time.
    """
    known = await display.services.projections.visible(table.number)
    thread, new = await _room_of(display, table, user, known)
    try:
        if not new:
            await channels.awake(display.client, thread, partial(display.client.http.add_user_to_thread, thread, user))
        return await _post(display, table, thread, name, since, content)
    except discord.HTTPException as error:
        left = error.code == channels.NO_ACCESS and await permissions.is_open(display.client, table.channel)
        if new or not (left or error.code == channels.NO_CHANNEL):
            raise
    # Someone has deleted the thread, or the game has left the channel that it belongs to.
    await display.services.projections.note(table.number, gone=[_room_name(user)])
    thread, new = await _room_of(display, table, user, {})
    return await _post(display, table, thread, name, since, content)


async def leave_rooms(display: Display, table: Table, projections: Projections) -> None:
    """Remove users who have given up their seats from their threads, which keep their content."""
    for room in of_kind(projections, Kind.ROOM):
        if room.name.user in table.users:
            continue
        if room.place is not None:
            thread = room.place.channel
            with channels.if_allowed():
                remove = partial(display.client.http.remove_user_from_thread, thread, room.name.user)
                await channels.awake(display.client, thread, remove)
        await display.services.projections.note(table.number, gone=[room.name])


def _room_name(user: int) -> Name:
    """Name of the projection of a user's thread. While it is being posted, the thread might have been made."""
    return Name(Kind.ROOM, user=user)


async def _post(display: Display, table: Table, thread: int, name: str, since: int, content: Content) -> Place:
    return Place(thread, await display.post(thread, table, f"{name}.{thread}", since, content))


async def _room_of(display: Display, table: Table, user: int, known: Projections) -> tuple[int, bool]:
    """A user's thread, which is made if necessary, and whether it is new."""
    name, number, store = _room_name(user), table.number, display.services.projections
    projection = known.get(name)
    if projection is not None and projection.posted is not None:
        return projection.posted.channel, False
    member = table.members[table.users.index(user)]
    with speaking(table.language):  # the title must stay the same, and no one else's, as the thread is found by it
        title = _("{name}, game {number}", number=number, name=with_color(member.name, member.color))
    thread = None if projection is None else await _find_thread(display.client, table, title)
    if thread is None:
        if projection is None:  # if the process dies now, the thread might exist
            projection = moved(None, name, Move.POST, table.version)
            await store.note(number, [projection])
        above = int((await _channel_above(display.client, table.channel))["id"])
        made: Any = await display.client.http.start_thread_without_message(
            above,
            name=title,
            type=discord.ChannelType.private_thread.value,
            auto_archive_duration=WEEK_IN_MINUTES,
            invitable=False,
        )
        thread = int(made["id"])
    await display.client.http.add_user_to_thread(thread, user)  # unless they are in it
    await store.note(number, [moved(projection, name, Move.SENT, table.version, Place(thread))])
    return thread, True


async def _channel_above(client: discord.Client, channel: int) -> Any:
    """Discord's data about a channel; for a thread, about the channel that it belongs to."""
    data: Any = await client.http.get_channel(channel)
    if data["type"] in [kind.value for kind in permissions.THREADS]:
        data = await client.http.get_channel(data["parent_id"])
    return data


async def _find_thread(client: discord.Client, table: Table, title: str) -> int | None:
    """Look for a thread with this title that an earlier process made before it died. Returns its id, if any."""
    if table.guild is None or client.user is None:
        return None
    active: Any = await client.http.get_active_threads(table.guild)
    private = discord.ChannelType.private_thread.value
    mine = [t for t in active["threads"] if t["type"] == private and int(t["owner_id"]) == client.user.id]
    return next((int(thread["id"]) for thread in mine if thread["name"] == title), None)


# --- hands

STILL_FOR = 6 * 3600.0
"""Seconds without an action after which gathered hands are sent."""
STILL_IN_ROOM = 60.0
"""The same in private threads, where hands disturb no one."""
TO_COME = (State.WANTED, State.POSTING)
"""States of a call in the channel that is still to come."""


def occasion(view: View, seat: int, private: bool = False) -> str:
    """Name of what the seat must decide or learn immediately; empty if there is nothing.

    The name stays the same during one occasion, which in a `private` thread is a turn.
    """
    robbed = times_robbed(view, seat)
    if private:
        return f"turn.{view.turn}" if robbed or view.awaited >> seat & 1 else ""
    parts = [f"robbed.{view.turn}.{robbed}"] if robbed else []
    if view.awaited >> seat & 1:
        presenter = presenter_of(view)
        occasions = (ping.occasion for ping in presenter.pings(view, view.step) if seat in ping.seats)
        parts.append(next(occasions, presenter.occasion(view, view.step)))
    return "+".join(parts)


def times_robbed(view: View, seat: int) -> int:
    """How many cards were taken from the seat in this turn that only it and the taker know."""
    return sum(isinstance(event, CardTaken) and event.victim == seat for event in view.events)


async def hand_reply(display: Display, viewer: Viewer, *more: str, asked: bool = True, turn: bool = True) -> Reply:
    """The viewer's hand with its picture; `turn`: also what must be done, and for those who want it in words, how all
    stand; `more`: lines that follow. `asked`: they have asked for it, and learn if it doesn't come by itself."""
    title = _("Game {number}", number=viewer.table.number)
    mine = await display.services.orders.of(viewer.table.number, viewer.users[viewer.my_seat])
    texts = [own_hand(viewer.view, viewer.names), orders.done_for_owner(viewer, mine)]
    user = viewer.users[viewer.my_seat]
    settings = await display.services.people.settings(user)
    if turn:
        texts.insert(0, headline(viewer.view, viewer.names, viewer.computers))
    if turn and settings.choices.in_words:
        texts.append(standing(viewer.game.view(None), viewer.names))
    lines = [f"### {title}", *filter(None, texts), *more]
    projections = await display.services.projections.visible(viewer.table.number)
    if settings.dms and (settings.dms_closed or awaits_channel_call(projections, user)):
        hint = _(
            "Discord won't let me message you, so I stopped trying. You can turn messages on again in `/settings`."
        )
        lines.append(f"-# ✉️ {hint}")
    elif asked and viewer.table.options.rooms and Name(Kind.UNREACHED, user=user) in projections:
        hint = _("I couldn't write to you in your private thread. I'll try again when it's your turn.")
        lines.append(f"-# 🧵 {hint}")
    return Reply("\n".join(lines), await display.pictures.hand(viewer, settings.choices.look))


async def hand_letters(display: Display, public: Viewer, projections: Projections) -> list[Letter | Covered]:
    """The hands that are due, and when to send them. For people who get no hand, it is noted that nothing is due.

    Players whom the game awaits because of someone else's action need their hand immediately. Those called by direct
    message get a new message, which notifies them; for the others, whom a ping in the channel has called, the hand is
    edited. All other hands are gathered until the game has been still for a while, also those of players who have just
    acted: at the table their hand is a click away. But one that might have been sent is sent again immediately.
    """
    due = [user for user in public.users if (hand := projections.get(Name(Kind.HAND, user=user))) and hand.pending]
    people = await display.services.people.settings_of(due)
    return [_letter_of(display, public, projections, settings) for settings in people.values()]


def _letter_of(display: Display, public: Viewer, projections: Projections, settings: UserSettings) -> Letter | Covered:
    table, user, room = public.table, settings.user, public.table.options.rooms
    name = Name(Kind.HAND, user=user)
    if not (room or _is_sent(settings, projections)):
        return Covered(name=name)
    viewer = Viewer.of(table, public.game, user)
    seat = viewer.my_seat
    robbed = times_robbed(viewer.view, seat) > 0
    awaited = bool(viewer.view.awaited >> seat & 1) and presenter_of(viewer.view).calls
    if viewer.is_replaced:  # a bot decides
        robbed, awaited = False, False
    awaited = awaited and not order(table, public.game, People({user: settings}), seat)
    what, by_dm = occasion(viewer.view, seat, room), called_by_dm(table, settings)
    current = viewer.view.outcome is not None or (awaited and (room or by_dm))  # else it would stay there for days
    attempt = projections.get(Name(Kind.TOLD, what, user))
    last = None if attempt is None else attempt.posted
    told = last is not None
    refused = attempt is not None and attempt.doubtful and not projections[name].doubtful
    again = awaited and told and by_dm and not has_acted(table, user, seat)
    wait = wait_after(last.message, display.clock()) if last is not None and again else 0.0
    called = again or ((awaited or robbed) and not told and seen_by(table, user) != public.view.revision)
    gather = STILL_IN_ROOM if room else STILL_FOR
    new = called or projections[name].posted is None
    still = now() - table.updated  # of another machine's clock; of one that was set back, it says nothing
    delay = wait if called else gather - max(still, 0.0) if still > -5.0 else 0.0
    if refused and settings.stopped and not room:
        delay = STOPPED_FOR
    with speaking(settings.language):
        head = headline(viewer.view, viewer.names, viewer.computers) if current else ""
        key = hash((head, own_hand(viewer.view, viewer.names), settings.language.code))
    return Letter(
        name=name,
        draw=partial(_draw, display, viewer, turn=current, back=room and new),
        key=key,
        room=room,
        occasion=what,
        notify_again=called and (room or by_dm),
        again=again,
        told=called,
        delay=0.0 if projections[name].doubtful else delay,  # while Discord still knows the nonce
    )


def _is_sent(settings: UserSettings, projections: Projections) -> bool:
    """Whether a user's hand is sent by direct message."""
    return settings.dms and not settings.dms_closed and not awaits_channel_call(projections, settings.user)


async def _draw(display: Display, viewer: Viewer, *, turn: bool, back: bool) -> Say:
    """The hand as a message, with its time and a link to the game, which can go on while the message stays as it is.

    In a thread, where old messages stay, it also says what its reader has missed (`back`).
    """
    when = f"<t:{viewer.table.updated:.0f}:R>"
    lines = [_("Updated {when}. **My hand** in the channel is always current.", when=when)]
    if link := await display.link(viewer.table):
        way = _("Go to the game")
        lines.append(f"[{way}]({link})")
    answer = await hand_reply(display, viewer, *lines, asked=False, turn=turn)
    answer.rows = [[catch_up()]]
    if back:
        answer.text = f"{answer.text}\n\n{catchup.text(await catchup.look_back(viewer))}"
    return lambda named: Content(layout_of(answer, viewer.table.number), parts=parts_of(answer))


async def calls_to_unreached(display: Display, public: Viewer, projections: Projections) -> list[ChannelCall | Covered]:
    """Calls in the channel to players whom no direct message, or private thread, could call, while the game waits for
    them.

    Once a player is called, all games remember that they take no direct messages, unless the reason was another one
    (`PASSING`). Only the player learns why (`hand_reply`).

    Whether a direct message was tried can depend on the player's autopilot, and so on their hand. So the call waits
    until an autopilot would have acted: by then, everyone can see that none did. Until the call, public messages treat
    the player as before.
    """
    names = [one.name for one in of_kind(projections, Kind.UNREACHED) if one.state in TO_COME]
    people = await display.services.people.settings_of([name.user for name in names])
    return [call for name in names for call in _calls_to(display, public, name, people[name.user])]


def _calls_to(display: Display, public: Viewer, name: Name, settings: UserSettings) -> list[ChannelCall | Covered]:
    user = settings.user
    waits = [
        actionable_since(public.table, wait) for wait in decisions(public.table) if public.users[wait.seat] == user
    ]
    room = public.table.options.rooms

    async def draw() -> Say:
        return lambda called: Content(text=_("{user} · the game is waiting for you.", user=mention(user)))

    async def remember() -> None:
        await display.services.people.change_settings(user, dms_closed=True)

    delay, then = autopilot_wait(max(waits, default=0.0)), None if room or name.key == PASSING else remember
    topic = str(Name(Kind.UNREACHED, user=user))
    if not waits:
        return []
    if room or settings.choices.reminders != DM:  # the channel has already called them
        return [Covered(name=name, delay=delay, then=then)]
    return [
        ChannelCall(name=name, draw=draw, once=True, users=(user,), topic=topic, silent=False, delay=delay, then=then)
    ]


def awaits_channel_call(projections: Projections, user: int) -> bool:
    """Whether a user could not be called by direct message and hasn't been called in the channel yet."""
    projection = projections.get(Name(Kind.UNREACHED, user=user))
    return projection is not None and projection.state in TO_COME
