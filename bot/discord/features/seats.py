"""Who plays a seat: a bot for an absent player, another person, and taking one's seat back."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.discord.features.guests import warning
from bot.discord.features.lobby import LEVEL_CHOICES, USUAL_LEVEL
from bot.discord.show.permissions import has_left
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer_command, as_button, suggestions, viewer_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import safe_name
from bot.screens import motions, seats
from bot.screens.controls import Entry, Reply
from bot.screens.suggested import other_players, player_choices, seat_named
from bot.screens.viewer import Viewer
from bot.table.acts.motions import AskForSeat
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.seats import who_plays
from bot.words.language import N_, _, sentences
from engine.errors import RefereeError

Person = discord.User | discord.Member

# --- a bot for a player, and the player's return


async def _has_left(call: Call, viewer: Viewer, user: int) -> bool:
    """Whether a user is no longer on the table's server. Only asked for those who can then decide alone: the host, or
    the only other person."""
    table, game, asker = viewer.table, viewer.game, call.user.id
    decides = asker == table.host_in(game) or {asker, user} == {*who_plays(table, game)}
    if table.guild is None or not decides or user == asker:
        return False
    return await has_left(call.app.client, table.guild, user)


async def _replace(call: Call, viewer: Viewer, seat: int, level: str = USUAL_LEVEL) -> Reply:
    if seat >= len(viewer.users):  # only a forged interaction has such a seat
        raise RefereeError("no-player/person")
    user = viewer.users[seat]
    left = await _has_left(call, viewer, user)
    unseen = await call.app.services.reach.last(viewer.table.number)
    done = await call.act(Replace(user, level, left, unseen))
    return Reply(seats.answer(viewer, seat, done.table))


async def _question(call: Call) -> Reply:
    return seats.question(await call.viewer())


async def _chosen(call: Call) -> Reply:
    """Replace the player chosen in the list, or by the button that asks for a vote."""
    seat = int(call.address.arg or call.chosen[0])
    viewer = await call.viewer()
    viewer.check_playing()
    return await _replace(call, viewer, seat)


async def _return(call: Call) -> Reply:
    await call.act(ReturnToSeat())
    return await call.with_panel(_("Welcome back: the seat is yours."))


# --- another person


async def _handover(call: Call) -> Reply:
    """Offer one's own seat to anyone, after a confirmation."""
    if not call.address.arg:
        return seats.sure_to_hand_over(await call.viewer())
    return await offer(call)


async def offer(call: Call, to: Person | None = None, absent: int | None = None) -> Reply:
    """Offer a seat to a person, or to anyone: one's own seat, or that of the user `absent`."""
    user, name = (0, "") if to is None else (to.id, safe_name(to.display_name))
    done = await call.act(OfferSeat(user, name, absent))
    place = done.table.place_of(call.user.id if absent is None else absent)
    before = next((handover.name for handover in done.before.handovers if handover.place == place), "")
    promptness = await call.app.services.promptness.at(done.table, [user])
    hidden = await warning(call, done.table, ((user, name),)) if to else ""
    return Reply(sentences([seats.offered(name, before, promptness.get(user)), hidden]))


def check_person(user: Person) -> Person:
    """Return the user, or refuse one that is a Discord bot and can't play. Code: "handover/bot"."""
    if user.bot:
        raise RefereeError("handover/bot")
    return user


async def _seat(call: Call) -> Reply:
    await call.act(TakeSeat(call.user.display_name, int(call.address.arg)))
    return await call.with_panel(_("The seat is yours: **My hand** shows your cards."))


async def _noseat(call: Call) -> Reply:
    place = int(call.address.arg) if call.address.arg else None
    await call.act(DeclineSeat(call.user.display_name, place))
    return Reply(_("Got it: the seat stays as it is."))


async def _substitute(call: Call) -> Reply:
    """Ask for a bot's seat."""
    if not call.chosen:
        return seats.free_seats(await call.viewer())
    act = AskForSeat(call.user.display_name, int(call.chosen[0]))
    return Reply(motions.proposal_answer(act, await call.act(act)))


# --- commands

SEAT = app_commands.Group(name="seat", description=N_("Change who plays a seat"), guild_only=True)


def _people(viewer: Viewer) -> list[tuple[str, str]]:
    players = who_plays(viewer.table, viewer.game)
    return player_choices(viewer, [seat for seat, user in enumerate(viewer.users) if user in players])


@SEAT.command(name="bot", description=N_("Let a bot play for someone"))
@app_commands.describe(player=N_("For whom"), level=N_("How well it plays"))
@app_commands.choices(level=LEVEL_CHOICES)
@app_commands.autocomplete(player=suggestions(_people))
async def bot(interaction: Interaction, player: str, level: str = USUAL_LEVEL) -> None:
    async def run(call: Call) -> Reply:
        viewer = await viewer_here(call)
        viewer.check_playing()
        return await _replace(call, viewer, seat_named(viewer, player), level)

    await answer_command(interaction, run)


@SEAT.command(name="back", description=N_("Take your seat back from the bot"))
async def back(interaction: Interaction) -> None:
    await as_button(interaction, _return)


@SEAT.command(name="give", description=N_("Give a seat to someone who isn't playing"))
@app_commands.describe(to=N_("Who gets it (default: anyone)"), player=N_("Whose seat (default: yours)"))
@app_commands.autocomplete(player=suggestions(other_players))
async def give(interaction: Interaction, to: discord.User | None = None, player: str | None = None) -> None:
    async def run(call: Call) -> Reply:
        viewer = await viewer_here(call)
        seat = None if player is None else seat_named(viewer, player)
        if to is None:
            if seat is not None and seat != viewer.seat:
                raise RefereeError("handover/to")
            return await _handover(call)
        person = check_person(to)
        if seat is None or seat == viewer.seat:
            return await offer(call, person)
        return await offer(call, person, viewer.users[seat])

    await answer_command(interaction, run)


@SEAT.command(name="take", description=N_("Ask to take over a bot's seat"))
async def take(interaction: Interaction) -> None:
    await as_button(interaction, _substitute)


_SEAT = "[0-7]"
FEATURE = Feature(
    commands=[SEAT],
    buttons={
        "replace": Verb(_question),
        "replaced": Verb(_chosen, shape=Shape(_SEAT)),
        "return": Verb(_return),
        "handover": Verb(_handover, shape=Shape("(yes)?")),
        "seat": Verb(_seat, shape=Shape(_SEAT)),
        "noseat": Verb(_noseat, shape=Shape(f"({_SEAT})?")),
        "substitute": Verb(_substitute),
    },
    selects={
        "replaced": Verb(_chosen, shape=Shape("", {"": Entry(_SEAT)})),
        "substitute": Verb(_substitute, shape=Shape("", {"": Entry(_SEAT)})),
    },
)
