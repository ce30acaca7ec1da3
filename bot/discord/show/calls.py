"""Calls people: by messages of their own, and by the game message when it is posted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bot.discord.show import notified
from bot.discord.show.round import Round
from bot.discord.show.wanted import Call, Content, GameMessage, Notifying, Say
from bot.projections import Move, Place, State


async def show(round: Round, wanted: Call) -> float | None:
    """Call people, or put that off. Returns the seconds until it can be done. Raises Discord's errors."""
    projection = await round.here(wanted.name)
    if projection is None and _is_covered(round, wanted):
        round.note(wanted.name, Move.COVER, Place(round.table.channel))
        return None
    if wanted.delay > 0:
        return wanted.delay
    if projection is not None and projection.state is State.COVERED:
        return None
    place = None if projection is None else projection.posted
    if projection is None or place is None:
        await _post(round, wanted, await users_to_notify(round, wanted))
        return None
    owed = await _users_owed(round, wanted)
    if projection.state is State.REPLACING or ready(round, wanted.topic, owed):
        await _post(round, wanted, owed)
        return None
    edited = wanted.once
    if not edited:
        named = await _users_notified(round, wanted, place) if wanted.named else []
        edited, _say = await round.edit(wanted, place, named)
    if edited and projection.pending:
        round.note(wanted.name, Move.EDIT)
    return None


async def _post(round: Round, wanted: Call, users: Sequence[int]) -> None:
    """Post a call, unless it would notify no one and isn't wanted then."""
    if not wanted.silent and not ready(round, wanted.topic, users):
        if not users and not _is_placed(round, wanted):
            round.note(wanted.name, Move.COVER, Place(round.table.channel))
        return
    if say := await wanted.draw():
        await post(round, wanted, say, users)


def _is_placed(round: Round, wanted: Call) -> bool:
    return wanted.name in round.known and round.known[wanted.name].posted is not None


async def post(round: Round, wanted: Call | GameMessage, say: Say, users: Sequence[int]) -> None:
    """Post a message in the game's channel that notifies those of the users who can be notified now. The others are put
    off."""
    table, called = round.table, ready(round, wanted.topic, users)
    content = say(called)

    async def send(name: str, since: int, content: Content) -> Place:
        return Place(table.channel, await round.display.post(table.channel, table, name, since, content, pings=called))

    def note(place: Place) -> None:
        _note_notified(round, wanted, place, called, [user for user in users if user not in called])

    named = isinstance(wanted, Call) and wanted.named
    digest = wanted.key or (content if named else say(())).digest
    await round.post(wanted, content, send, digest=digest, also=note)


def _note_notified(
    round: Round, wanted: Call | GameMessage, place: Place, called: Iterable[int], withheld: list[int]
) -> None:
    """Note whom a posted message has notified, and whom it owes a call."""
    name = wanted.owes if isinstance(wanted, GameMessage) and wanted.owes else wanted.name
    round.withheld[wanted.name] = withheld
    for user in called:
        round.note(notified.notified_name(wanted.topic, user), Move.COVER, place)
        if notified.is_owed(round.known, wanted.topic, user, name):
            round.forget(notified.owed_name(wanted.topic, name, user))
    for user in withheld:
        round.note(notified.owed_name(wanted.topic, name, user), Move.COVER)
        if last := round.known.get(notified.notified_name(wanted.topic, user)):  # perhaps of an earlier table
            round.note(last.name, Move.COVER, last.place)


def _is_covered(round: Round, wanted: Call) -> bool:
    """Whether another message was posted in this round that says the same, and notifies the same users."""
    other = wanted.covered_by
    return other in round.posted and not set(wanted.users) & {*round.withheld[other]}


def ready(round: Round, topic: str, users: Iterable[int]) -> list[int]:
    """Those of the users who can be notified of a topic now. The others are put off."""
    found = list[int]()
    for user in users:
        if wait := notified.wait_after(notified.last_notified(round.known, topic, user)):
            round.later = min(round.later, wait)
        else:
            found.append(user)
    return found


async def users_to_notify(round: Round, wanted: Notifying) -> list[int]:
    """Users whom a message can notify, by their settings."""
    people = await round.settings(wanted.users)
    return [user for user in wanted.users if wanted.wants(people[user])]


async def _users_owed(round: Round, wanted: Call) -> list[int]:
    """Users to whom a posted message still owes a call."""
    users = await users_to_notify(round, wanted)
    return [user for user in users if notified.is_owed(round.known, wanted.topic, user, wanted.name)]


async def _users_notified(round: Round, wanted: Call, place: Place) -> Collection[int]:
    """Users whom a posted message has notified, as far as is known."""
    users = await users_to_notify(round, wanted)
    return [user for user in users if notified.last_notified(round.known, wanted.topic, user) in (None, place.message)]
