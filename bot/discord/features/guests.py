"""Who comes to a table: people for whom the host keeps seats, people whom the host takes off, and who the host is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable

import discord

from bot.discord.show.channels import FAILED
from bot.discord.show.permissions import NO_MEMBER
from bot.discord.show.readers import Readers
from bot.discord.talk.call import Call
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb, refused_page
from bot.screens import guests
from bot.screens.controls import Entry, Reply
from bot.screens.forms import merged_items
from bot.screens.guests import MOST_KEPT
from bot.table.acts.guests import Decline, KeepSeats, LetBack, MakeHost, TakeOff
from bot.table.seats import who_plays
from bot.table.table import LOBBY, Table
from bot.words.language import _, sentences
from bot.words.marks import listing
from bot.words.tokens import only_joins
from engine.errors import RefereeError

Named = tuple[tuple[int, str], ...]
"""Users with their names."""
_MENTION = re.compile(r"<@!?([1-9][0-9]{0,18})>")


async def typed_people(call: Call, typed: str) -> Named:
    """The other people whom a text mentions, with their names on the server. Codes: "keep/typed", "keep/most", and
    those of `_named`."""
    if not only_joins(_MENTION.sub(" ", typed)):
        raise RefereeError("keep/typed")
    users = dict.fromkeys(map(int, _MENTION.findall(typed)))
    users.pop(call.user.id, None)
    if len(users) > MOST_KEPT:
        raise RefereeError("keep/most", most=MOST_KEPT)
    return await _named(call, users, call.interaction.guild_id)


async def _named(call: Call, users: Iterable[int], guild: int | None) -> Named:
    """People of a server, with their names there: Discord is asked, as it doesn't say who is mentioned in a text, and
    an id can be forged. Codes: "keep/not here", "keep/bot"."""
    return tuple(await asyncio.gather(*(_member(call, user, guild) for user in users)))


async def _member(call: Call, user: int, guild: int | None) -> tuple[int, str]:
    if guild is None:
        raise RefereeError("keep/not here")
    try:
        found = await call.app.client.http.get_member(guild, user)
    except discord.NotFound as error:
        if error.code not in NO_MEMBER:
            raise
        raise RefereeError("keep/not here") from None
    person = found["user"]
    if person.get("bot"):
        raise RefereeError("keep/bot")
    return user, found.get("nick") or person.get("global_name") or person["username"]


async def warning(call: Call, table: Table, people: Named) -> str:
    """A sentence about those who can't see the table's channel; empty if all can, or Discord doesn't say."""
    users = dict(people)
    try:
        kept_out = await Readers(call.app.client, table.guild or 0).kept_out(users, table.channel) if users else set()
    except FAILED:
        return ""
    names = listing([name for user, name in users.items() if user in kept_out])
    return _("{names} can't see the table's channel. To play, they must be let in.", names=names) if kept_out else ""


async def warning_of_guests(call: Call, table: Table) -> str:
    """The same about people for whom seats are kept."""
    return await warning(call, table, tuple((guest.user, guest.name) for guest in table.invited))


# --- the page

Change = Callable[[Call], Awaitable[str]]
"""Changes something, and says what came of it."""


async def _page(call: Call, said: str = "") -> Reply:
    """The page with the table's people, and the controls that this person can use."""
    table, user = await call.app.services.repository.table(call.address.game), call.user.id
    host, others, decides = table.host, table.people, call.manages(table) and table.status == LOBBY
    if table.open and table.status != LOBBY:
        game = await call.app.services.repository.game(table.number)
        host, others = table.host_in(game), who_plays(table, game)
    decides = table.open and (decides or user == host)
    return guests.people_page(table, user, host, others, decides=decides, answer=said)


def _change(change: Change) -> Verb:
    """A list of the page that changes something, or whose page says why not."""

    async def run(call: Call) -> Reply:
        try:
            said = await change(call)
        except RefereeError as error:
            return await refused_page(call, error, _page)
        return await _page(call, said)

    return Verb(run, shape=Shape("", {"": Entry("[1-9][0-9]{0,18}")}))


async def _take_off(call: Call) -> str:
    user = int(call.chosen[0])
    done = await call.act(TakeOff(user))
    return _("{name} is off the table.", name=done.before.member(user).name)


async def _let_back(call: Call) -> str:
    user = int(call.chosen[0])
    done = await call.act(LetBack(user))
    name = next((barred.name for barred in done.before.barred if barred.user == user), "")
    return _("{name} can join again.", name=name)


async def _make_host(call: Call) -> str:
    user = int(call.chosen[0])
    done = await call.act(MakeHost(user))
    return _("{name} is the host now.", name=done.table.member(user).name)


async def _keep(call: Call) -> Reply:
    """Keep seats for the people who were added in the list, and free those of the people who were removed."""
    try:
        table = await call.app.services.repository.table(call.address.game)
        kept = {str(guest.user): guest.name for guest in table.invited}
        wanted = merged_items(call.address.shown[1:], [*kept], call.chosen)
        new = await _named(call, [int(user) for user in wanted if user not in kept], table.guild)
        old = tuple((int(user), kept[user]) for user in wanted if user in kept)
        done = await call.act(KeepSeats((*old, *new)))
    except RefereeError as error:
        return await refused_page(call, error, _page)
    return await _page(call, sentences([guests.kept(done.table), await warning_of_guests(call, done.table)]))


async def _decline(call: Call) -> Reply:
    await call.act(Decline())
    return Reply(_("Got it: the seat is free for someone else."))


FEATURE = Feature(
    buttons={"guests": Verb(_page), "decline": Verb(_decline)},
    selects={
        "keep": Verb(_keep, shape=Shape("", {"": Entry("[1-9][0-9]{0,18}", 0, MOST_KEPT)})),
        "take_off": _change(_take_off),
        "let_back": _change(_let_back),
        "make_host": _change(_make_host),
    },
)
