"""What buttons, selects and forms can ask for: one line each, with the shape that it must have when it comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from bot.frontends.discord import archive, control, forms, interrupt, lobby, menus, options, pickers, play
from bot.frontends.discord.call import Call
from bot.frontends.discord.door import Arrival, Field, Shape
from bot.frontends.discord.ids import BUTTON, MODAL, SELECT
from bot.frontends.discord.parts import Reply
from engine.config import COLORS

PLAIN = Shape()
"""Of a button that says all by its verb."""


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
    shape: Shape = PLAIN


async def _phrase_or_form(call: Call) -> None:
    if call.address.arg == "phrase":
        await call.show_modal(lobby.phrase_form(call.address.game))
        return
    await forms.open_(call)


GROUPS = "|".join(pickers.GROUPS)

VERBS: dict[tuple[str, str], Verb] = {
    (BUTTON, "do"): Verb(pickers.act, Opens.NOTHING, Shape(play.BUTTONS)),
    (SELECT, "put"): Verb(pickers.put, shape=Shape(f"({GROUPS}):[0-9]{{1,2}}", {"": Field(play.PLACES)})),
    (BUTTON, "place"): Verb(pickers.open_, shape=Shape(f"owed|{GROUPS}")),
    (BUTTON, "form"): Verb(_phrase_or_form, Opens.MODAL, Shape(f"phrase|{forms.OPENED}")),
    (MODAL, "sent"): Verb(forms.sent, Opens.NOTHING, Shape(forms.OPENED, forms.fields)),
    (MODAL, "phrased"): Verb(lobby.phrased, Opens.NOTHING, Shape("", {"phrase": Field("(?s).{1,100}")})),
    (BUTTON, "hand"): Verb(menus.hand),
    (BUTTON, "cards"): Verb(menus.cards),
    (BUTTON, "offers"): Verb(menus.offers),
    (BUTTON, "close"): Verb(menus.close, shape=Shape("[0-9]{1,6}")),
    (BUTTON, "ask"): Verb(menus.ask, shape=Shape("(no)?")),
    (BUTTON, "answer"): Verb(interrupt.open_),
    (BUTTON, "undo"): Verb(menus.undo),
    (BUTTON, "more"): Verb(menus.more),
    (BUTTON, "board"): Verb(menus.board),
    (BUTTON, "dice"): Verb(menus.dice),
    (BUTTON, "rules"): Verb(menus.rules),
    (SELECT, "topic"): Verb(menus.topic, shape=Shape("", {"": Field("[a-z_-]{1,40}")})),
    (BUTTON, "resign"): Verb(menus.resign),
    (BUTTON, "join"): Verb(lobby.join),
    (BUTTON, "leave"): Verb(lobby.leave),
    (BUTTON, "color"): Verb(lobby.color),
    (SELECT, "colored"): Verb(lobby.colored, shape=Shape("", {"": Field("|".join(COLORS))})),
    (BUTTON, "options"): Verb(options.open_),
    (SELECT, "set"): Verb(options.set_, shape=Shape(options.NAMES, options.fields)),
    (BUTTON, "set"): Verb(options.set_, shape=Shape("(shuffle_seats|anyone_starts):[01]")),
    (BUTTON, "cancel"): Verb(lobby.cancel),
    (BUTTON, "start"): Verb(lobby.start, Opens.NOTHING),
    (BUTTON, "rematch"): Verb(lobby.rematch, Opens.NOTHING),
    (BUTTON, "resume"): Verb(archive.resume),
    (BUTTON, "ask_call_off"): Verb(control.ask),
    (BUTTON, "call_off"): Verb(control.call_off),
    (BUTTON, "close_lobby"): Verb(control.close_lobby),
}


def verb_of(arrival: Arrival) -> Verb | None:
    """What is asked for; None when it isn't anything that was ever offered."""
    address, entered = arrival.address, arrival.entered
    verb = VERBS.get((arrival.prefix, address.verb)) if address is not None else None
    if verb is None or address is None or entered is None or not verb.shape.fits(address, entered):
        return None
    return verb
