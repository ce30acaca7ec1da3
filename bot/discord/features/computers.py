"""Bots in the lobby: adding them, choosing how well they play, removing them."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, as_button
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import lobby
from bot.screens.controls import Entry, Reply
from bot.table.acts.lobby import AddComputer, RemoveComputer, SetLevel
from bot.words.language import N_
from players import OFFERED

USUAL = "hard"
"""The level of a bot if none is chosen."""


async def _add(call: Call, level: str = USUAL, fill: bool = False) -> Reply:
    service, act = call.app.services.lobby, AddComputer(level, fill)
    done = await service.add_computer(call.address.game, call.user.id, act, call.key)
    return lobby.computers(done.table)


async def _fill(call: Call) -> Reply:
    return await _add(call, fill=True)


async def _level(call: Call) -> Reply:
    return lobby.computers((await call.act(SetLevel(call.chosen[0]))).table)


async def _remove(call: Call) -> Reply:
    return lobby.computers((await call.act(RemoveComputer())).table)


# --- commands

LEVEL_CHOICES = [app_commands.Choice(name=lobby.LEVEL_NAMES[level], value=level) for level in OFFERED]

BOT = app_commands.Group(name="bot", description=N_("Bots at the table"), parent=GAME)


@BOT.command(name="add", description=N_("Add a bot to the table"))
@app_commands.describe(level=N_("How well it plays"), fill=N_("Fill all free seats"))
@app_commands.choices(level=LEVEL_CHOICES)
async def add(interaction: Interaction, level: str = USUAL, fill: bool = False) -> None:
    await as_button(interaction, lambda call: _add(call, level, fill))


@BOT.command(name="remove", description=N_("Remove the last bot from the table"))
async def remove(interaction: Interaction) -> None:
    await as_button(interaction, _remove)


FEATURE = Feature(
    buttons={"computer": Verb(_add), "fill": Verb(_fill), "uncomputer": Verb(_remove)},
    selects={
        "level": Verb(_level, shape=Shape("", {"": Entry("|".join(OFFERED))})),
    },
)
