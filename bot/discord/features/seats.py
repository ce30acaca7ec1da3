"""Who plays in a seat of a running game: a computer for somebody who doesn't answer, and the way back."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.discord.features.computers import LEVEL_CHOICES, USUAL
from bot.discord.features.handover import Person, check_person, offer
from bot.discord.show.members import has_left
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer, as_button, suggestions, viewer_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import safe_name
from bot.screens import seats
from bot.screens.controls import Entry, Reply
from bot.screens.people import seat_named, suggested
from bot.screens.viewer import Viewer
from bot.table.acts.seats import PlayAgain, Replace
from bot.table.seats import who_plays
from bot.words.language import N_, _
from engine.errors import RefereeError


async def _has_left(call: Call, viewer: Viewer, user: int) -> bool:
    """Whether somebody is no longer on the server of the table; asked for its host alone, who decides by that."""
    guild = call.interaction.guild_id
    host = viewer.table.host_in(viewer.game)
    if guild is None or call.user.id != host or user == host:
        return False
    return await has_left(call.app.client, guild, user)


async def _replace(call: Call, viewer: Viewer, seat: int, level: str = USUAL, by: Person | None = None) -> Reply:
    if seat >= len(viewer.users):  # only a forged one has such a seat
        raise RefereeError("no-player/person")
    user = viewer.users[seat]
    left = await _has_left(call, viewer, user)
    newcomer, name = (0, "") if by is None else (by.id, safe_name(by.display_name))
    unseen = await call.app.services.reach.last(viewer.table.number)
    done = await call.act(Replace(user, level, left, newcomer, name, unseen))
    return Reply(seats.answer(viewer, seat, done.table, name))


async def _question(call: Call) -> Reply:
    return seats.question(await call.viewer())


async def _chosen(call: Call) -> Reply:
    """Out of the list, or by the button that asks for a vote."""
    seat = int(call.address.arg or call.chosen[0])
    viewer = await call.viewer()
    viewer.check_playing()
    return await _replace(call, viewer, seat)


async def _return(call: Call) -> Reply:
    await call.act(PlayAgain())
    return await call.with_panel(_("You play yourself again."))


# --- commands


def _people(viewer: Viewer) -> list[tuple[str, str]]:
    playing = who_plays(viewer.table, viewer.game)
    return suggested(viewer, [seat for seat, user in enumerate(viewer.users) if user in playing])


@GAME.command(name="replace", description=N_("Let a computer play for somebody who doesn't answer, or for you"))
@app_commands.describe(
    player=N_("For whom"),
    level=N_("How well it plays"),
    by=N_("Somebody not in the game who is asked to take the seat; until then a computer plays"),
)
@app_commands.choices(level=LEVEL_CHOICES)
@app_commands.autocomplete(player=suggestions(_people))
async def replace(interaction: Interaction, player: str, level: str = USUAL, by: discord.User | None = None) -> None:
    async def run(call: Call) -> Reply:
        viewer = await viewer_here(call)
        viewer.check_playing()
        seat = seat_named(viewer, player)
        to = None if by is None else check_person(by)
        if to is not None and viewer.table.member_at(viewer.game, seat).level:
            return await offer(call, to, viewer.users[seat])
        return await _replace(call, viewer, seat, level, to)

    await answer(interaction, run)


@GAME.command(name="return", description=N_("Take your seat back from the computer that plays for you"))
async def return_(interaction: Interaction) -> None:
    await as_button(interaction, _return)


_SEAT = "[0-7]"
FEATURE = Feature(
    buttons={
        "replace": Verb(_question),
        "replaced": Verb(_chosen, shape=Shape(_SEAT)),
        "return": Verb(_return),
    },
    selects={"replaced": Verb(_chosen, shape=Shape("", {"": Entry(_SEAT)}))},
)
