"""Makes a game's messages match what the game wants to show, each by its kind: calls, by messages of their own and by
the game message when it is posted; what all see of a game; and letters to one person alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import BrokenExecutor
from typing import assert_never

import discord

from bot.discord.interaction import autopilot_wait, now
from bot.discord.show import channels, private
from bot.discord.show.round import PERSONAL, Round, is_owed, last_notified, notified_name, owed_name, time_to_wait, wake
from bot.discord.show.wanted import ChannelCall, Content, Covered, GameMessage, Letter, Notifying, Say
from bot.projections import PASSING, Kind, Move, Name, Place, Projection, State, of_kind
from bot.service.people import STOPPED_FOR
from bot.store import Unavailable
from bot.table.preferences import UserSettings
from bot.tasks import Outdated
from bot.words.language import speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)


async def show_call(round: Round, wanted: ChannelCall) -> float | None:
    """Call people, or put that off. Returns the seconds until it can be done. Raises Discord's errors."""
    projection = round.here(wanted.name)
    if projection is not None and projection.state is State.COVERED:
        return None
    if wanted.delay > 0:
        return wanted.delay
    place = None if projection is None else projection.posted
    if projection is None or place is None:
        await _post_call(round, wanted, await users_to_notify(round, wanted))
        return None
    owed = await _users_owed(round, wanted)
    if projection.state is State.REPLACING or users_ready(round, wanted.topic, owed):
        await _post_call(round, wanted, owed)
        return None
    edited = wanted.once
    if not edited:
        named = await _users_notified(round, wanted, place) if wanted.named else []
        edited, _say = await round.edit(wanted, place, named)
    if edited and projection.pending:
        round.note(wanted.name, Move.EDIT)
    return None


async def _post_call(round: Round, wanted: ChannelCall, users: Sequence[int]) -> None:
    """Post a call, unless it would notify no one and isn't wanted then."""
    if not wanted.silent and not users_ready(round, wanted.topic, users):
        if not users and not _is_placed(round, wanted.name):
            round.note(wanted.name, Move.COVER, Place(round.table.channel))
        return
    if say := await wanted.draw():
        await post_in_channel(round, wanted, say, users)


def _is_placed(round: Round, name: Name) -> bool:
    return name in round.known and round.known[name].posted is not None


async def post_in_channel(round: Round, wanted: ChannelCall | GameMessage, say: Say, users: Sequence[int]) -> None:
    """Post a message in the game's channel that notifies those of the users who can be notified now. The others are put
    off."""
    table, called = round.table, users_ready(round, wanted.topic, users)
    content = say(called)

    async def send(name: str, since: int, content: Content) -> Place:
        return Place(table.channel, await round.display.post(table.channel, table, name, since, content, pings=called))

    def note(place: Place) -> None:
        withheld = [user for user in users if user not in called]
        _note_notified(round, wanted, place, called, withheld)
        _cover_calls(round, wanted.name, withheld)

    named = isinstance(wanted, ChannelCall) and wanted.named
    digest = wanted.key or (content if named else say(())).digest
    await round.post(wanted, content, send, digest=digest, also=note)


def _note_notified(
    round: Round, wanted: ChannelCall | GameMessage, place: Place, called: Iterable[int], withheld: list[int]
) -> None:
    """Note whom a posted message has notified, and whom it owes a call."""
    name = wanted.owes if isinstance(wanted, GameMessage) and wanted.owes else wanted.name
    for user in called:
        round.note(notified_name(wanted.topic, user), Move.COVER, place)
        if is_owed(round.known, wanted.topic, user, name):
            round.forget(owed_name(wanted.topic, name, user))
    for user in withheld:
        round.note(owed_name(wanted.topic, name, user), Move.COVER)
        if last := round.known.get(notified_name(wanted.topic, user)):  # perhaps of an earlier table
            round.note(last.name, Move.COVER, last.place)


def _cover_calls(round: Round, posted: Name, withheld: Collection[int]) -> None:
    """Note that calls aren't needed, as a message that was just posted says the same and notifies the same users."""
    for call in round.calls:
        if call.covered_by == posted and round.here(call.name) is None and not set(call.users) & {*withheld}:
            round.note(call.name, Move.COVER, Place(round.table.channel))


def users_ready(round: Round, topic: str, users: Iterable[int]) -> list[int]:
    """Those of the users who can be notified of a topic now. The others are put off."""
    found = list[int]()
    for user in users:
        if wait := time_to_wait(round.known, topic, user, round.display.clock()):
            round.later = min(round.later, wait)
        else:
            found.append(user)
    return found


async def users_to_notify(round: Round, wanted: Notifying) -> list[int]:
    """Users whom a message can notify, by their settings."""
    people = await round.settings(wanted.users)
    return [user for user in wanted.users if wanted.wants(people[user])]


async def _users_owed(round: Round, wanted: ChannelCall) -> list[int]:
    """Users to whom a posted message still owes a call."""
    users = await users_to_notify(round, wanted)
    return [user for user in users if is_owed(round.known, wanted.topic, user, wanted.name)]


async def _users_notified(round: Round, wanted: ChannelCall, place: Place) -> Collection[int]:
    """Users whom a posted message has notified, as far as is known."""
    users = await users_to_notify(round, wanted)
    return [user for user in users if last_notified(round.known, wanted.topic, user) in (None, place.message)]


async def show_game_message(round: Round, wanted: GameMessage) -> None:
    """Edit or post a message; it calls people when it is posted. Raises Discord's errors."""
    if wanted.final:
        await _finish(round, wanted, round.known.get(wanted.name))
        return
    projection, say = round.here(wanted.name), None
    if projection is not None and projection.posted is not None and projection.state is not State.REPLACING:
        if _is_shown(round, wanted, projection):
            return
        edited = wanted.once
        if not edited:
            edited, say = await round.edit(wanted, projection.posted)
        if edited:
            if wanted.due or projection.pending or projection.state is State.FINAL:
                round.note(wanted.name, Move.EDIT)
            return
    if say := say or await wanted.draw():
        await post_in_channel(round, wanted, say, await users_to_notify(round, wanted))


def _is_shown(round: Round, wanted: GameMessage, projection: Projection) -> bool:
    """Whether a message shows the version that it must, as far as is known."""
    if projection.state is State.FINAL or not 0 < wanted.due <= projection.version:
        return False
    return round.display.doubt_of(round.table.number) is None


async def _finish(round: Round, wanted: GameMessage, projection: Projection | None) -> None:
    """Edit a final message for the last time. One in a channel that the game has left is put away."""
    place = None if projection is None else projection.posted
    if place is not None and projection is not None and projection.state is not State.FINAL:
        if round.here(wanted.name) is None:
            return
        if say := await wanted.draw():
            await round.display.edit(place.channel, place.message, say(()), closing=True)
        round.display.forget(round.table.number, wanted.name)
        if wanted.returns:
            round.note(wanted.name, Move.FINISH)
    if not wanted.returns:
        round.forget(wanted.name)


async def show_letter(round: Round, wanted: Letter) -> float | None:
    """Edit a message, or send a new one. Returns the seconds until it can be done, or until the channel can call a
    person whom nothing can be sent. Raises errors that concern others as well, or that can soon be over."""
    if wanted.delay > 0:
        return wanted.delay
    try:
        return await _show_letter(round, wanted, round.known.get(wanted.name))
    except discord.HTTPException as error:
        if not channels.is_unreached(error):
            raise
        limited = error.code in private.TOO_MANY_DMS and not wanted.room
        if wanted.room:  # the log mustn't show whose autopilot keeps a direct message from being tried
            log.warning("Game %d: nothing can be shown in a private thread: %s", round.table.number, error)
        elif error.code == channels.MALFORMED:  # the person is called otherwise, so no one would notice
            reason = channels.reason_given(error)
            log.error("Game %d: Discord refuses a direct message as malformed: %s", round.table.number, reason)
    if limited and not wanted.notify_again:  # no one need be called; it is sent after the stop
        round.settle(wanted.name, round.known[wanted.name].version)
        return STOPPED_FOR
    if wanted.refused is not None:
        round.settle(wanted.name)
        await wanted.refused()
        return None
    unreached, wait = Name(Kind.UNREACHED, PASSING if limited else "", wanted.name.user), autopilot_wait(now())
    for earlier in of_kind(round.known, Kind.UNREACHED):
        if earlier.name.user == unreached.user:
            with channels.if_allowed():
                await round.delete(earlier)
    await wake(round.display, round.table.number, Kind.UNREACHED, wait)
    round.settle(wanted.name)  # with the note that follows, and only now: the process can die before
    round.forget(unreached)
    round.note(unreached, Move.DUE)
    if wanted.then is not None:
        await wanted.then()
    return wait


async def _show_letter(round: Round, wanted: Letter, projection: Projection | None) -> float | None:
    settings = (await round.settings([wanted.name.user]))[wanted.name.user]
    with speaking(settings.language):
        return await _show_in_own_language(round, wanted, projection, settings)


async def _show_in_own_language(
    round: Round, wanted: Letter, projection: Projection | None, settings: UserSettings
) -> float | None:
    if not wanted.room and (wait := await private.wait_for_dm(round.display, settings)) > 0:
        return wait
    say, place, fresh = None, None if projection is None else projection.posted, _is_fresh(round, wanted)
    if projection is not None and place is not None and not fresh and projection.state is not State.REPLACING:
        edited = wanted.once
        if not edited:
            edited, say = await private.watched(round.display, round.edit(wanted, place))
        if edited:
            if projection.pending:
                round.note(wanted.name, Move.EDIT)
            if not wanted.once:
                _note_occasion(round, wanted, place, sent=False)
            return None
    if (say := say or await wanted.draw()) is not None:
        await _post_letter(round, wanted, say(()), replaces=not (fresh and wanted.room))
    return None


def _is_fresh(round: Round, wanted: Letter) -> bool:
    """Whether a new message is needed, because the user must be notified, or might not have been."""
    attempt = round.known.get(_occasion_name(wanted))
    doubtful = attempt is not None and attempt.doubtful and bool(wanted.occasion)
    return doubtful or (wanted.notify_again and (attempt is None or wanted.again))


async def _post_letter(round: Round, wanted: Letter, content: Content, *, replaces: bool) -> None:
    user, table, before = wanted.name.user, round.table, round.known.get(wanted.name)
    unreached = Name(Kind.UNREACHED, user=user)
    if wanted.occasion is not None:
        since = table.version if before is None else before.since
        round.note(_occasion_name(wanted), Move.POST, version=since)

    async def send(name: str, since: int, content: Content) -> Place:
        for game, other in wanted.instead:
            if other.posted is not None:
                await channels.delete_if_allowed(round.display.client, other.posted.channel, other.posted.message)
            await round.display.services.projections.note(game, gone=[other.name])
        if wanted.room:
            return await private.post_in_room(round.display, table, user, name, since, content)
        return await private.post_dm(round.display, user, table, name, since, content)

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


Message = GameMessage | ChannelCall | Letter | Covered
EXPECTED = (*channels.FAILED, RefereeError, Unavailable, Outdated, BrokenExecutor)
"""What keeps messages from being shown although the program does as it should."""


async def reconcile(round: Round, messages: Iterable[Message]) -> float | None:
    """Bring messages up to date, one after another. Returns the seconds until one that is held back is due.

    One that can't be edited because of a rate limit doesn't keep the others waiting: posts have another one. Nor does
    one that can't be drawn because of a defect in the program: the others still call people.
    """
    results = list[float | BaseException | None]()
    for wanted in messages:
        try:
            results.append(await _show_message(round, wanted))
        except discord.RateLimited as error:
            results.append(error)
            if not _is_placed(round, wanted.name):  # so it was a post, and what follows belongs to it
                break
        except EXPECTED:
            raise
        except Exception as error:
            results.append(error)
    return _soonest(round, results)


async def reconcile_at_once(round: Round, messages: Iterable[Message]) -> float | None:
    """As `reconcile`, but the people in their names side by side: one's failure must not keep the others waiting."""
    people: dict[int, list[Message]] = {}
    for wanted in messages:
        people.setdefault(wanted.name.user, []).append(wanted)
    results = await asyncio.gather(*(reconcile(round, theirs) for theirs in people.values()), return_exceptions=True)
    return _soonest(round, results)


def _soonest(round: Round, results: Iterable[float | BaseException | None]) -> float | None:
    """The seconds until the first message that is held back is due. Raises what went wrong. A rate limit comes last,
    and ends when such a message is due: it is not to keep that waiting."""
    waits, limited = list[float](), False
    for result in results:
        if isinstance(result, discord.RateLimited):
            waits, limited = [*waits, result.retry_after], True
        elif isinstance(result, BaseException):
            raise result
        elif result is not None:
            waits.append(result)
    if limited:
        raise discord.RateLimited(min(*waits, round.later))
    return min(waits, default=None)


async def _show_message(round: Round, wanted: Message) -> float | None:
    match wanted:
        case GameMessage():
            await show_game_message(round, wanted)
            return None
        case ChannelCall():
            return await show_call(round, wanted)
        case Letter():
            return await show_letter(round, wanted)
        case Covered():
            return await _cover_message(round, wanted)
        case _:
            assert_never(wanted)


async def _cover_message(round: Round, wanted: Covered) -> float | None:
    """Note that a message needn't be sent, and delete it if it exists; one for a single person stays."""
    if wanted.delay > 0:
        return wanted.delay
    name, projection = wanted.name, round.here(wanted.name)
    if name.kind in PERSONAL:
        if projection is None or projection.pending:
            round.settle(name)
    elif projection is None or projection.state is not State.COVERED:
        if projection is not None:
            await round.delete(projection)
        round.note(name, Move.COVER, Place(round.table.channel))
    if wanted.then is not None:
        await round.flush()
        await wanted.then()
    return None
