"""Handles an interaction: runs its handler and answers the person in time, whatever error occurs. A click on a public
message that no projection knows takes the message's buttons off."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import BrokenExecutor
from math import ceil
from typing import Any

import aiohttp
import discord

from bot import languages
from bot.discord.context import CLOCKS_APART, AppContext
from bot.discord.interaction import ANSWERED, TOO_LATE, Address, AnswerStatus, InteractionToken, now
from bot.discord.show import channels, permissions
from bot.discord.show.lanes import unnoted
from bot.discord.show.messages import plain
from bot.discord.show.sent import games_named, without_buttons
from bot.discord.show.trouble import CHANNEL_REFUSED, reason, reason_of
from bot.discord.talk.call import SOON, Call
from bot.discord.talk.door import arrival
from bot.discord.talk.feature import Verbs
from bot.projections import PANEL, Kind, Projections, of_kind
from bot.screens import guests
from bot.screens.controls import Reply
from bot.screens.panel import headline
from bot.screens.seats import take_back_button
from bot.store import Unavailable
from bot.table.acts.guests import NoteTold
from bot.table.guests import barred_untold
from bot.words.language import N_, _, speaking
from bot.words.refusals import known_code, refusal_sentence
from engine.errors import MalformedInput, RefereeError

log = logging.getLogger(__name__)

OUTDATED = N_("This message is out of date. Nothing was done.")
LONGEST_CHECK = 1.0
"""Seconds that the check can take: the click must be acknowledged within three."""


async def is_stray(call: Call) -> bool:
    """Whether the interaction comes from a public message of its game that isn't kept up to date.

    A message is noted only after it is posted. If the process is killed in between, the next one finds it again. As
    long as there might be such a message, none is taken for a stray.
    """
    message, number, app = call.interaction.message, call.address.game, call.app
    if message is None or not call.on_public or not number or app.display.is_posted(number, message.id):
        return False
    if number not in games_named(message):  # forged: the message is another game's
        return False
    try:
        async with asyncio.timeout(LONGEST_CHECK):
            projections = await app.services.projections.visible(number)
    except (TimeoutError, Unavailable):
        return False
    if any(one.posted is not None and one.posted.message == message.id for one in projections.values()):
        return False
    panel = projections.get(PANEL)
    due = panel is not None and panel.pending
    # What is for one person alone changes nothing that others could see happen to a message.
    place = None if panel is None else panel.posted
    private = call.interaction.guild_id is None or place is None or place.channel != call.interaction.channel_id
    return not (due or unnoted(projections) or (private and _has_hand_attempt(projections, call.user.id)))


def _has_hand_attempt(projections: Projections, user: int) -> bool:
    """Whether a hand might have been posted to a user but not noted."""
    return any(attempt.doubtful for attempt in of_kind(projections, Kind.TOLD) if attempt.name.user == user)


async def retire_stray(call: Call) -> Reply:
    """Remove the message's buttons but keep its text, and say where the game goes on."""
    message = call.interaction.message
    assert message is not None
    try:
        mentions = channels.kept_mentions(message)
        content = {**without_buttons(message), "allowed_mentions": mentions}
        if call.first.open:
            await call.first.edit(**content)
        else:
            await call.interaction.edit_original_response(**content)
    except channels.FAILED as error:
        log.info("an old message keeps its buttons: %s", error)
    return await call.with_panel(_(OUTDATED))


STRANGE = N_("That button expired. Use the latest game message.")
BROKEN = N_("Something went wrong on my side. Nothing is lost: please try again.")
STOPPING = N_("I'm restarting. Nothing is lost: please try again in a minute.")

FIRST_ANSWER_WITHIN = 0.7
"""Seconds from the arrival of an interaction in which what it leads to can be the first answer."""
LEAST_FOR_A_FORM, SLOW_FORM = 0.3, 1.0
"""Seconds that a form has at least, however late it was pressed; and seconds after which it isn't the press that is
late."""
INSISTS = 1.2
"""Seconds after which it is acknowledged, even if something else is on its way: that might come too late."""


async def component(app: AppContext, verbs: Verbs, interaction: discord.Interaction[Any]) -> None:
    """Handle a click, a choice or a sent form."""
    control = arrival(interaction)
    verb = verbs.of(control)
    call = Call(app, interaction, control.address, control.entered)
    if verb is None:
        log.warning("interaction %s: nothing of mine: %.80r", call.key, control.custom_id)

    async def run() -> Reply | None:
        if verb is None:
            table = await app.services.repository.in_channel(interaction.channel_id or 0)
            call.address = Address("", table.number if table is not None else 0)
            return await call.with_panel(_(STRANGE))
        await _check_game_access(call)
        return await verb.run(call)

    await handle(call, run, modal=verb is not None and verb.modal)


async def _check_game_access(call: Call) -> None:
    """Refuse a component about another channel's game, unless a member of its table uses it, on its server or in a
    direct message. Only a forged component names such a game."""
    if not (number := call.address.game):  # personal settings; a game's component without a number finds no game
        return
    table = await call.app.services.repository.table(number)
    if table.channel != call.interaction.channel_id and table.place_of(call.user.id) is None:
        call.address = Address("", 0)
        raise RefereeError("no-table", number=number)
    permissions.check_server(call.interaction, table.number, table.guild)


async def handle(call: Call, run: Callable[[], Awaitable[Reply | None]], *, modal: bool = False) -> None:
    """Run what an interaction asks for, and answer it in time, whatever happens. It waits for others of the same
    person; if that takes too long, it is dropped."""
    in_time = not call.late
    with call.app.in_flight.hold():
        async with call.app.turns.turn(call.user.id) as mine:
            if not mine or (in_time and call.late):
                log.info("interaction %s is dropped: too many of the same person", call.key)
            else:
                with speaking(await call.app.languages.of(call.interaction)):
                    await _handled(call, run, modal)
                await call.app.languages.note(call.interaction)
    call.done()


async def _handled(call: Call, run: Callable[[], Awaitable[Reply | None]], modal: bool) -> None:
    in_flight = call.app.in_flight
    if not in_flight.take_on(call.key):
        log.debug("interaction %s was delivered again", call.key)
        return
    if call.late and (modal or not await call.take_over()):
        log.debug("interaction %s came too late", call.key)
        await _could_not_act(call)
    elif in_flight.closing:
        await send(call, Reply(_(STOPPING)))
    elif await is_stray(call):
        await _answered(call, lambda: retire_stray(call))
    else:
        await (_opened(call, run) if modal else _answered(call, run))
        if call.acknowledged:
            await call.app.coach.heard(call.address.game, call.user.id, InteractionToken.of(call.interaction))
    if not call.acknowledged:
        in_flight.give_up(call.key)


async def _answered(call: Call, run: Callable[[], Awaitable[Reply | None]]) -> None:
    """Run a handler while what it leads to can be the first answer. If that isn't ready in time, it is acknowledged."""
    spent = max(call.app.age(call.interaction) - CLOCKS_APART, 0.0)
    if spent >= FIRST_ANSWER_WITHIN or _must_acknowledge(call):
        if await acknowledge(call):
            await guarded(call, run)
        return
    loop, start = asyncio.get_running_loop(), call.app.in_flight.start
    timers = [
        loop.call_later(FIRST_ANSWER_WITHIN - spent, lambda: start(call.hurry(AnswerStatus.OPEN))),
        loop.call_later(INSISTS - spent, lambda: start(call.hurry(AnswerStatus.UNDER_WAY))),
    ]
    try:
        with call.app.display.answering(call.first) if call.on_public else contextlib.nullcontext():
            await guarded(call, run)
        await acknowledge(call, Reply(_(channels.ANSWER_REFUSED)))
    finally:
        for timer in timers:
            timer.cancel()


async def _opened(call: Call, run: Callable[[], Awaitable[Reply | None]]) -> None:
    """Run a handler that opens a form. That must be the first answer; if it isn't ready in time, the person is asked to
    press again."""
    spent = max(call.app.age(call.interaction) - CLOCKS_APART, 0.0)
    left, start = max(SOON - spent, LEAST_FOR_A_FORM), call.app.in_flight.start
    timer = asyncio.get_running_loop().call_later(left, lambda: start(_press_again(call, left)))
    try:
        await guarded(call, run, modal=True)
    finally:
        timer.cancel()


async def _press_again(call: Call, waited: float) -> None:
    """Say that a form isn't ready in time. What was pressed stays as it is. If it wasn't ready `waited` seconds after
    its turn came, no one's time runs out just now; but who keeps their own presses waiting gets no more time."""
    if not call.first.open:
        return
    call.answered, send = True, call.interaction.response.send_message
    try:
        await call.first.give(lambda: send(view=plain(_(BROKEN)), ephemeral=True, allowed_mentions=channels.SILENT))
    except channels.FAILED as error:
        log.warning("interaction %s could not be answered: %s", call.key, error)
    if waited >= SLOW_FORM:
        await _could_not_act(call)


def _must_acknowledge(call: Call) -> bool:
    """Whether an interaction must be acknowledged before anything is carried out: another process might have done so,
    which the acknowledgment shows; or in an outage, when it can fail."""
    return call.acknowledged or call.app.publisher.outage.lasts or call.app.had_by_others(call.interaction)


async def acknowledge(call: Call, otherwise: Reply | None = None) -> bool:
    """See that Discord has an interaction's first answer, from this process or an earlier one. After False, nothing
    must be carried out. `otherwise`: what to say if Discord refuses that; None: that nothing was done."""
    try:
        answered = await call.acknowledge()
    except channels.FAILED as error:
        log.warning("interaction %s could not be acknowledged: %s", call.key, error)
        await _could_not_act(call, error)
        if getattr(error, "code", None) != TOO_LATE and channels.is_refusal(error):
            await send(call, otherwise or Reply(_(BROKEN)))
        return False
    await call.app.publisher.outage.over()
    return answered


async def _could_not_act(call: Call, error: BaseException | None = None) -> None:
    """Note that an interaction's game was out of reach, so no one's time runs out in it just now: the person could have
    tried to act in time.

    `error`: why the interaction couldn't be answered; None: it came too late.
    """
    if error is not None and channels.is_outage(error):
        await call.app.publisher.outage.failed(error, call.app.services.now())
    with contextlib.suppress(Unavailable, RefereeError):
        repository, channel = call.app.services.repository, call.interaction.channel_id or 0
        table = await repository.table(call.address.game) if call.address.game else None
        if table is None or (table.channel != channel and table.place_of(call.user.id) is None):
            table = await repository.in_channel(channel)
        if table is not None:
            await call.app.services.reach.lost(table.number)


async def guarded(call: Call, run: Callable[[], Awaitable[Reply | None]], *, modal: bool = False) -> None:
    """Run a handler and answer the person, whatever happens. `modal`: it opens a form."""
    reply: Reply | None = None
    try:
        reply = await _carried_out(call, run)
    except discord.RateLimited as error:
        log.warning("interaction %s waits for a limit: %s", call.key, error)
        when = f"<t:{ceil(now() + error.retry_after)}:R>"
        reply = Reply(_("Discord is slowing me down. Nothing is lost: please try again {when}.", when=when))
    except Exception as error:
        no_form = modal and not call.acknowledged
        if no_form and isinstance(error, channels.FAILED):
            await _could_not_act(call, error)
        if isinstance(error, discord.HTTPException) and error.code in (ANSWERED, TOO_LATE):
            log.warning("interaction %s could not be answered: %s", call.key, error)
            return
        if isinstance(error, Unavailable):  # the checks of /readyz report for how long
            log.warning("interaction %s failed: the store is unavailable: %s", call.key, error)
        elif channels.is_outage(error):  # such as of the message that closes a table
            ours = not isinstance(error, discord.HTTPException | aiohttp.ClientError)  # perhaps: a time limit, a file
            log.warning("interaction %s failed: %s", call.key, str(error) or type(error).__name__, exc_info=ours)
        elif isinstance(error, BrokenExecutor):  # a stop ends what is drawn, and of a process that dies the log tells
            log.warning("interaction %s failed: %s", call.key, error)
        elif why := await _why_refused(call, error):
            log.warning("interaction %s failed: %s", call.key, error)
            reply = Reply(why)
        else:
            log.exception("interaction %s failed", call.key)
        reply = reply or Reply(_(BROKEN))
    await _shown(call)
    if reply is not None and (news := await _taken_off(call)):
        reply.text = f"{news}\n{reply.text}"
    for hindrance in _hindered(call):
        if reply is None:
            reply = Reply(hindrance)
        else:
            reply.text += f"\n{hindrance}"  # the reply's controls still follow below
    if reply is None and not call.answered and (call.needs_answer or (modal and not call.acknowledged)):
        reply = Reply(_("Done."))
    await send(call, reply)


async def _why_refused(call: Call, error: Exception) -> str:
    """Why Discord doesn't let Harbormaster do something in the game's channel; empty: that isn't what failed."""
    if not isinstance(error, discord.HTTPException) or error.code not in CHANNEL_REFUSED:
        return ""
    with contextlib.suppress(RefereeError, Unavailable):
        table = await call.app.services.repository.table(call.address.game)
        return reason(await reason_of(call.app.display, table, error) or error)
    return _("Discord refuses what I send there: “{said}”.", said=channels.reason_given(error))


async def _shown(call: Call) -> None:
    """While the game is being shown, leave a click's first answer to the change of the clicked message."""
    lane = call.app.publisher.showing(call.address.game)
    if lane is not None and call.on_public and call.first.open:
        await asyncio.wait({lane, call.first.taken}, return_when=asyncio.FIRST_COMPLETED)


async def _taken_off(call: Call) -> str:
    """What a person must learn with their answer: that they were taken off the table. It is told once, so that is
    stored first."""
    number, user, services = call.address.game, call.user.id, call.app.services
    if not number:
        return ""
    try:
        untold = barred_untold(await services.repository.table(number), user)
        if untold is not None:
            await services.games.act(number, user, NoteTold())
    except (RefereeError, Unavailable):  # then they are told the next time
        return ""
    return "" if untold is None else guests.taken_off(untold)


def _hindered(call: Call) -> Iterator[str]:
    """What keeps everyone from seeing the current game: a permission that the bot lacks, or a limit of Discord's."""
    publisher, number = call.app.publisher, call.address.game
    if trouble := publisher.trouble(number, call.user.id):
        yield trouble
    if until := publisher.limited(number):
        yield _(
            "Discord is slowing me down. Nothing is lost: the game message updates {when}.", when=f"<t:{ceil(until)}:R>"
        )


async def send(call: Call, reply: Reply | None) -> None:
    """Send the reply. If there is none and nothing was answered, delete the private message that asked."""
    try:
        if reply is not None:
            await call.answer(reply)
        elif not call.answered:
            await call.close()
    except channels.FAILED as error:
        log.warning("interaction %s could not be answered: %s", call.key, str(error) or type(error).__name__)


async def apologize(interaction: discord.Interaction[Any]) -> None:
    """Tell a person that nothing came of an interaction which can't be handled as others are."""
    with speaking(languages.resolve(interaction.locale.value)):
        broken = plain(_(BROKEN))
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif interaction.response.is_done():
            await interaction.followup.send(view=broken, ephemeral=True, allowed_mentions=channels.SILENT)
        else:
            await interaction.response.send_message(view=broken, ephemeral=True, allowed_mentions=channels.SILENT)
    except (discord.InteractionResponded, *channels.FAILED) as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)


async def _carried_out(call: Call, run: Callable[[], Awaitable[Reply | None]]) -> Reply | None:
    """The handler's reply, or a reply that says why it was refused."""
    try:
        return await run()
    except RefereeError as refusal:
        call.app.metrics.refusals.labels(known_code(refusal)).inc()
        reply = await _refused(call, await refusal_text(call, refusal))
        if refusal.code == "replaced":
            reply.rows = [*reply.rows, [take_back_button()]]
        return reply
    except MalformedInput as error:
        log.warning("interaction %s: malformed: %s", call.key, error)
        return await _refused(call, _(STRANGE))


async def refusal_text(call: Call, refusal: RefereeError) -> str:
    """The refusal's sentence, with players' names. For "wrong-turn" it includes the panel's headline, which says whose
    turn it is."""
    try:
        viewer = await call.viewer()
    except RefereeError:  # there is no game
        return refusal_sentence(refusal)
    if refusal.code == "wrong-turn":
        return _("It isn't your turn. {headline}", headline=headline(viewer.view, viewer.marked, viewer.computers))
    return refusal_sentence(refusal, viewer.view, viewer.names)


async def _refused(call: Call, message: str) -> Reply:
    try:
        return await call.with_panel(message)
    except RefereeError:
        return Reply(message)
