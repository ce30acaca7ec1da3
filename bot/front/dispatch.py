"""From a click or a sent form to what it does: one table of verbs, and one place where every error is answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

import discord

from bot.front import archive, channels, control, forms, interrupt, lobby, menus, options, pickers, strays
from bot.front.call import Call
from bot.front.parts import Reply
from bot.words.headline import headline
from engine.errors import MalformedInput, RefereeError

log = logging.getLogger(__name__)

BROKEN = "Something went wrong on my side; it is noted. Nothing is lost: please try again."
STOPPING = "I'm just being restarted. Please try again in a minute; nothing is lost."

ANSWERED = 40060
"""Code of an interaction that comes a second time: it may not have been carried out, and counts only once."""


class Opens(Enum):
    """What a verb shows, which decides how it is acknowledged."""

    NOTHING = "nothing"
    PRIVATE = "private"
    MODAL = "modal"


@dataclass(frozen=True, slots=True)
class Verb:
    """What a component does."""

    run: Callable[[Call], Awaitable[Reply | None]]
    opens: Opens = Opens.PRIVATE


async def _phrase_or_form(call: Call) -> None:
    if call.address.arg == "phrase":
        await call.show_modal(lobby.phrase_form(call.address.game))
        return
    await forms.open_(call)


VERBS: dict[str, Verb] = {
    "do": Verb(pickers.act, Opens.NOTHING),
    "put": Verb(pickers.put),
    "place": Verb(pickers.open_),
    "form": Verb(_phrase_or_form, Opens.MODAL),
    "sent": Verb(forms.sent, Opens.NOTHING),
    "phrased": Verb(lobby.phrased, Opens.NOTHING),
    "hand": Verb(menus.hand),
    "cards": Verb(menus.cards),
    "offers": Verb(menus.offers),
    "close": Verb(menus.close),
    "ask": Verb(menus.ask),
    "answer": Verb(interrupt.open_),
    "undo": Verb(menus.undo),
    "more": Verb(menus.more),
    "board": Verb(menus.board),
    "dice": Verb(menus.dice),
    "rules": Verb(menus.rules),
    "topic": Verb(menus.topic),
    "resign": Verb(menus.resign),
    "join": Verb(lobby.join),
    "leave": Verb(lobby.leave),
    "color": Verb(lobby.color),
    "colored": Verb(lobby.colored),
    "options": Verb(options.open_),
    "set": Verb(options.set_),
    "cancel": Verb(lobby.cancel),
    "start": Verb(lobby.start, Opens.NOTHING),
    "rematch": Verb(lobby.rematch, Opens.NOTHING),
    "resume": Verb(archive.resume),
    "close_lobby": Verb(control.close_lobby),
    "call_off": Verb(control.call_off),
    "ask_call_off": Verb(control.ask),
}


async def component(call: Call) -> None:
    """Handle a click, a choice or a sent form."""
    verb = VERBS.get(call.address.verb)

    async def run() -> Reply | None:
        if verb is None:
            return await call.with_panel("I don't know this button any more; use the current panel.")
        return await verb.run(call)

    await handle(call, run, verb.opens if verb is not None else Opens.PRIVATE)


async def handle(call: Call, run: Callable[[], Awaitable[Reply | None]], opens: Opens) -> None:
    """Acknowledge an interaction, run what it asks for, and answer it whatever happens."""
    in_flight = call.front.in_flight
    with in_flight.hold():
        if in_flight.closing:
            await send(call, Reply(STOPPING))
        elif await strays.is_stray(call):
            if await acknowledge(call, private=False):
                await guarded(call, lambda: strays.retire(call))
        elif opens is Opens.MODAL or await acknowledge(call, private=opens is Opens.PRIVATE):
            await guarded(call, run)


async def acknowledge(call: Call, *, private: bool) -> bool:
    """Acknowledge; False when it is too late, and then nothing may be done."""
    try:
        await call.acknowledge(private=private)
    except channels.FAILED as error:
        log.warning("interaction %s could not be acknowledged: %s", call.key, error)
        return isinstance(error, discord.HTTPException) and error.code == ANSWERED
    return True


async def guarded(call: Call, run: Callable[[], Awaitable[Reply | None]]) -> None:
    """Run something for a person and answer whatever happens."""
    try:
        reply = await run()
    except RefereeError as refusal:
        reply = await _refused(call, await _worded(call, refusal))
    except MalformedInput as refusal:
        reply = await _refused(call, str(refusal))
    except Exception as error:
        if isinstance(error, discord.HTTPException) and error.code == ANSWERED:  # a form, asked for twice
            log.warning("interaction %s was answered before", call.key)
            return
        log.exception("interaction %s failed", call.key)
        reply = Reply(BROKEN)
    blocked = call.front.screens.blocked.get(call.address.game)
    if blocked:
        reply = Reply(f"{reply.text}\n{blocked}" if reply is not None else blocked)
    if reply is None and call.needs_answer and not call.answered:
        reply = Reply("Done.")
    await send(call, reply)


async def send(call: Call, reply: Reply | None) -> None:
    """Send the answer, or take away what was asked when all is said."""
    try:
        if reply is not None:
            await call.answer(reply)
        elif not call.answered:
            await call.close()
    except channels.FAILED as error:
        log.warning("interaction %s could not be answered: %s", call.key, str(error) or type(error).__name__)


async def _worded(call: Call, refusal: RefereeError) -> str:
    """The refusal's sentence; the engine knows no names, so whose turn it is instead is told here."""
    if refusal.code != "wrong-turn":
        return refusal.message
    sight = await call.sight()
    return f"It isn't your turn. {headline(sight.view, sight.mentions)}"


async def _refused(call: Call, message: str) -> Reply:
    try:
        return await call.with_panel(message)
    except RefereeError:
        return Reply(message)
