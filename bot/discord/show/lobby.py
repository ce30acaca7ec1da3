"""The lobby's message, and after it the commitment, which is never edited."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from discord import ui

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import ACCENT, controls, gallery_of, layout, plain
from bot.discord.show.round import is_owed, last_notified, notified_name
from bot.discord.show.sent import custom_ids, own_latest, text_of
from bot.discord.show.wanted import ChannelCall, Content, GameMessage, Say, always, calling
from bot.plaintext import safe_name
from bot.projections import CLOSING, COMMITMENT, Kind, Move, Name, Place, Projection, Projections, moved
from bot.screens import lobby
from bot.screens.controls import Picture
from bot.screens.viewer import named
from bot.table.guests import to_call
from bot.table.promptness import Promptness
from bot.table.table import CANCELLED, LOBBY, Table
from bot.words.language import _, speaking
from bot.words.proof import promise
from engine.errors import RefereeError

LOBBY_NAME = Name(Kind.TURN, "lobby")
INVITE = Name(Kind.PING, "invite")
"""The ping to people for whom seats were kept when the table was opened, and whom the lobby's message can't notify yet.
People are invited about nothing else, so it is the topic, too."""
CANCELED = Name(Kind.PING, "canceled")
"""The ping to people at a table that someone else has canceled."""
LOCK = "🔒"
"""Beginning of the message that closes a table, in all languages."""


def lobby_layout(
    table: Table,
    *pictures: Picture,
    computers: bool = True,
    notified: Collection[int] = (),
    promptness: Mapping[int, Promptness] = MappingProxyType({}),
) -> ui.LayoutView:
    """The lobby's message, without buttons once the table is closed. `pictures`: an example of the board; `computers`:
    whether bots can play on this server; `notified`: users whom the message notifies; `promptness` is as for
    `lobby.text`."""
    view = layout()
    box: ui.Container[Any] = ui.Container(accent_colour=ACCENT)
    quiet = table.status == LOBBY or (table.lesson and table.status != CANCELLED)
    head = "" if quiet else f"**{_closed(table)}**\n"
    box.add_item(ui.TextDisplay(head + lobby.text(table, notified, promptness)))
    if table.status == LOBBY:
        for row in controls(lobby.controls(table, computers), table.number, ""):
            box.add_item(row)
    for picture in pictures:
        box.add_item(gallery_of(picture))
    view.add_item(box)
    return view


def _closed(table: Table) -> str:
    if table.status != CANCELLED:
        return _("The game has started.")
    if table.ended_by is not None:
        return _("Table canceled by {user}, who manages this channel.", user=named(table, table.ended_by))
    if _abandoned(table):
        return _("Table closed after three days without activity.")
    return _("Table canceled by {user}.", user=named(table, table.host))


def _abandoned(table: Table) -> bool:
    """Whether a canceled table was closed because nothing happened at it."""
    return table.warned is not None and table.warned >= table.updated


def lobby_messages(
    display: Display, table: Table, projections: Projections, *, computers: bool
) -> list[GameMessage | ChannelCall]:
    """The lobby's message, after it the seed's commitment, which is posted once, before anyone can start the game, and
    the calls to people for whom seats are kept. The message itself calls those who were invited before it was there."""
    exists = LOBBY_NAME in projections and projections[LOBBY_NAME].posted is not None
    message = GameMessage(
        name=LOBBY_NAME,
        draw=partial(_draw_lobby, display, table, computers),
        users=() if exists else tuple(guest.user for guest in to_call(table) if not guest.since),
        topic=str(INVITE),
        owes=INVITE,
    )
    if table.status == CANCELLED and exists and not _abandoned(table):
        users = tuple(user for user in table.people if user != (table.ended_by or table.host))
        told = GameMessage(
            name=CANCELED, draw=partial(_draw_canceled, table), once=True, users=users, topic=str(CANCELED)
        )
        return [message, told] if users else [message]
    if table.status != LOBBY:
        return [message] if exists else []
    found: list[GameMessage | ChannelCall] = [message]
    promised = Content(plain(promise(table.commitment)))
    found.append(GameMessage(name=COMMITMENT, draw=always(promised), once=True))
    return [*found, *(_invitations(table, projections) if exists else ())]


def _invitations(table: Table, projections: Projections) -> list[ChannelCall]:
    """The calls to people for whom seats are kept: one to those whom the lobby's message couldn't notify yet, and one
    each time that the host invited more."""
    late = tuple(
        guest.user
        for guest in to_call(table)
        if not guest.since and (INVITE in projections or is_owed(projections, str(INVITE), guest.user, INVITE))
    )
    calls = {INVITE: late} if late else {}
    for guest in to_call(table):
        if guest.since:
            name = Name(Kind.PING, f"{INVITE.key}.{guest.since}")
            calls[name] = (*calls.get(name, ()), guest.user)
    return [
        ChannelCall(name=name, draw=_draw_invitation, once=True, users=users, topic=str(INVITE), silent=False)
        for name, users in calls.items()
    ]


def uncalled(table: Table, projections: Projections) -> list[int]:
    """The people whom an invitation of this table could call now, as far as this table knows."""
    if table.status != LOBBY:
        return []
    topic, exists = str(INVITE), LOBBY_NAME in projections and projections[LOBBY_NAME].posted is not None
    return [
        guest.user
        for guest in to_call(table)
        if is_owed(projections, topic, guest.user)
        or (notified_name(topic, guest.user) not in projections if guest.since else not exists)
    ]


async def with_invitations(display: Display, table: Table, projections: Projections) -> dict[Name, Projection]:
    """The projections, and who was last called by an invitation to another table of the server. For the ten minutes it
    counts as one to this table, or someone could call a person with each table that they open."""
    found, users = dict(projections), uncalled(table, projections)
    if table.guild is not None:
        last = await display.services.projections.notified(table.guild, str(INVITE), users)
        for user, message in last.items():
            name = notified_name(str(INVITE), user)
            if message > (last_notified(projections, str(INVITE), user) or 0):
                found[name] = moved(projections.get(name), name, Move.COVER, table.version, Place(0, message))
    return found


async def _draw_lobby(display: Display, table: Table, computers: bool) -> Say:
    example = await display.pictures.sample(table.config) if table.status == LOBBY else None
    pictures = [] if example is None else [example]
    promptness = await display.services.promptness.at(table, table.people) if table.status == LOBBY else {}
    layout = partial(lobby_layout, table, *pictures, computers=computers, promptness=promptness)
    return lambda called: Content(layout(notified=called), parts=pictures)


async def _draw_invitation() -> Say:
    return calling(_("A seat at this table is kept for you: press **Join** to play."))


async def _draw_canceled(table: Table) -> Say:
    who = named(table, table.ended_by or table.host)
    return calling(_("Table {number} was canceled by {user}.", number=table.number, user=who))


def last_lobby_message(table: Table) -> GameMessage:
    """The lobby's message once the game has started: without buttons."""
    return GameMessage(name=LOBBY_NAME, draw=always(Content(lobby_layout(table))), final=True)


async def close_table(display: Display, table: Table, user: int, name: str) -> int:
    """Post the message that closes the table, started by a user of that name. Returns its id.

    Closing the same table again returns the same message, no matter who tries, so its id can't be chosen by trying. If
    the answer to a try was lost, and Discord has perhaps forgotten its nonce, the message is looked for.
    """
    projections = display.services.projections
    known = await projections.visible(table.number)
    committed, closing = known.get(COMMITMENT), known.get(CLOSING)
    if committed is None or committed.posted is None:
        raise RefereeError("no-commitment")
    with speaking(table.language):
        text = "-# " + _("🔒 Shuffling…") if table.lesson else _started(table, user, name)

    async def post(version: int) -> int:
        content = Content(plain(text))
        return (await channels.post(display.client, table.channel, table, str(CLOSING), version, content)).id

    found = list[int]()
    if closing is not None:
        found = [closing.posted.message] if closing.posted else await _closings(display, table, committed.posted)
    for again in found[1:]:
        await channels.delete(display.client, table.channel, again)
    if closing is not None and closing.version != table.version:
        earlier = found[0] if found else await post(closing.version)  # the same nonce returns one that came just now
        await reopen_table(display, table, earlier)
        closing, found = None, []
    if closing is None or closing.posted is None:
        closing = moved(closing, CLOSING, Move.POST, table.version, Place(table.channel))
        await projections.note(table.number, [closing])
        place = Place(table.channel, found[0] if found else await post(table.version))
        closing = moved(closing, CLOSING, Move.SENT, table.version, place)
        await projections.note(table.number, [closing])
    assert closing.place is not None
    return closing.place.message


async def _closings(display: Display, table: Table, committed: Place) -> list[int]:
    """The messages that have perhaps closed the table, oldest first: those since its commitment that begin as they all
    do, in any language and by anyone's name. Raises Discord's errors."""
    found = list[int]()
    for message in await own_latest(display.client, table.channel):
        text = text_of(message).removeprefix("-# ")
        if message.id > committed.message and text.startswith(LOCK) and not custom_ids(message):
            found.append(message.id)
    return sorted(found)


def _started(table: Table, user: int, name: str) -> str:
    seated = table.place_of(user) is not None
    who = named(table, user) if seated else safe_name(name)
    if user == table.host or (seated and table.anyone_starts):
        return _("🔒 {user} started the game. Shuffling…", user=who)
    return _("🔒 {user}, who manages this channel, started the game. Shuffling…", user=who)


async def reopen_table(display: Display, table: Table, closing: int) -> None:
    """Delete the message that closed the table."""
    await channels.delete(display.client, table.channel, closing)
    await display.services.projections.note(table.number, gone=[CLOSING])
