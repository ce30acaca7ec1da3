"""Seats that change hands in a running game: one's own for somebody else, a computer's for a substitute."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer, as_button, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import safe_name
from bot.screens import agreement, seats
from bot.screens.controls import Entry, Reply
from bot.table.acts.motions import AskForSeat
from bot.table.acts.seats import DeclineSeat, OfferSeat, TakeSeat
from bot.words.language import N_, _
from engine.errors import RefereeError

Person = discord.User | discord.Member


async def _handover(call: Call) -> Reply:
    """Offer the own seat to anybody, after a question."""
    if not call.address.arg:
        return seats.sure_to_hand_over(await call.viewer())
    return await offer(call)


async def offer(call: Call, to: Person | None = None, absent: int | None = None) -> Reply:
    """Offer a seat to somebody, or to anybody."""
    user, name = (0, "") if to is None else (to.id, safe_name(to.display_name))
    done = await call.act(OfferSeat(user, name, absent))
    place = done.table.place_of(call.user.id if absent is None else absent)
    asked = next((offered.name for offered in done.before.handovers if offered.place == place), "")
    return Reply(seats.offered(name, asked))


def check_person(user: Person) -> Person:
    """Somebody who could play. Code: "handover/bot"."""
    if user.bot:
        raise RefereeError("handover/bot")
    return user


async def _seat(call: Call) -> Reply:
    await call.act(TakeSeat(call.user.display_name, int(call.address.arg)))
    return await call.with_panel(_("The seat is yours: **My hand** shows your cards."))


async def _noseat(call: Call) -> Reply:
    place = int(call.address.arg) if call.address.arg else None
    await call.act(DeclineSeat(call.user.display_name, place))
    return Reply(_("Noted: the seat stays as it is."))


async def _substitute(call: Call) -> Reply:
    """Ask for the seat of a computer."""
    if not call.chosen:
        return seats.free_seats(await call.viewer())
    act = AskForSeat(call.user.display_name, int(call.chosen[0]))
    return Reply(agreement.answer(act, await call.act(act)))


@GAME.command(name="handover", description=N_("Hand your seat to somebody who isn't playing, if they accept"))
@app_commands.describe(player=N_("Who gets it; leave it out to offer it to anybody here"))
async def handover(interaction: Interaction, player: discord.User | None = None) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        if player is None:
            return await _handover(call)
        return await offer(call, check_person(player))

    await answer(interaction, run)


@GAME.command(name="substitute", description=N_("Ask to take over the seat of a computer in the running game"))
async def substitute(interaction: Interaction) -> None:
    await as_button(interaction, _substitute)


FEATURE = Feature(
    buttons={
        "handover": Verb(_handover, shape=Shape("(yes)?")),
        "seat": Verb(_seat, shape=Shape("[0-7]")),
        "noseat": Verb(_noseat, shape=Shape("[0-7]?")),
        "substitute": Verb(_substitute),
    },
    selects={"substitute": Verb(_substitute, shape=Shape("", {"": Entry("[0-7]")}))},
)
