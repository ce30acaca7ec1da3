"""Proposals about turn timer, pause and seats, and the list of games that wait for a person."""

from __future__ import annotations

from discord import app_commands

from bot.discord.ids import Address
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer, as_button
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import motions, waiting
from bot.screens.controls import Reply
from bot.screens.steps import presenter_of
from bot.table.acts.motions import Agree, MotionAct, Object, Propose
from bot.table.parts import PACE, PAUSE, RESUME, SUBSTITUTE
from bot.table.table import ARCHIVED, LOBBY
from bot.words.language import N_


async def _say(call: Call, act: MotionAct) -> Reply:
    """Propose something, or agree to a proposal."""
    return await call.with_panel(motions.proposal_answer(act, await call.act(act)))


async def _propose(call: Call) -> Reply:
    return await _say(call, Propose(call.address.arg))


async def _pause(call: Call) -> Reply:
    return await _say(call, Propose(PAUSE))


async def resume(call: Call) -> Reply:
    """Resume a paused game, or propose to."""
    return await _say(call, Propose(RESUME))


async def _consent(call: Call) -> Reply:
    what, made = call.address.args
    return await _say(call, Agree(what, int(made)))


async def _object(call: Call) -> Reply:
    what, made = call.address.args
    act = Object(what, int(made))
    return Reply(motions.proposal_answer(act, await call.act(act)))


async def _games(call: Call) -> Reply:
    """What waits for the person in all their games of this server; in a direct message, of all servers."""
    services, guild = call.app.services, call.interaction.guild_id
    waits: list[waiting.Waiting] = []
    others = paused = replaced = 0
    for table, wait in await services.timekeeper.games_of(call.user.id):
        if guild is not None and table.guild != guild:
            continue
        game = await services.repository.game(table.number)
        link = await call.app.panel_link(table.number)
        seat = table.seat_of(game, call.user.id)
        if wait is not None:
            waits.append(waiting.Waiting(table, wait, presenter_of(game.view(None)).asks, link))
        elif (answer := waiting.other_request(table, game, call.user.id)) is not None:
            waits.append(waiting.Waiting(table, *answer, link))
        elif seat is None or game.view(None).players[seat].resigned:
            continue
        elif table.member_at(game, seat).level:
            replaced += 1
        elif table.paused:
            paused += 1
        else:
            others += 1
    tables = await services.repository.games_of(call.user.id, LOBBY, ARCHIVED)
    here = [table for table in tables if guild is None or table.guild == guild]
    lobbies = tuple(table for table in here if table.status == LOBBY)
    archived = tuple(table.number for table in here if table.status == ARCHIVED)
    call.address = Address("", 0)
    other_games = waiting.OtherGames(others, paused, replaced, archived, lobbies)
    return Reply(waiting.games_text(waits, other_games), rows=waiting.catching_up(waits))


# --- commands


@GAME.command(name="pause", description=N_("Vote to pause the game"))
async def pause(interaction: Interaction) -> None:
    await as_button(interaction, _pause)


@app_commands.command(name="games", description=N_("See which games wait for you"))
async def games(interaction: Interaction) -> None:
    await answer(interaction, _games)


_WHAT = "|".join((PAUSE, RESUME))
_ANY = f"({'|'.join((PAUSE, RESUME, PACE, SUBSTITUTE))}):[0-9]{{1,9}}"
FEATURE = Feature(
    commands=[games],
    buttons={
        "propose": Verb(_propose, shape=Shape(_WHAT)),
        "consent": Verb(_consent, shape=Shape(_ANY)),
        "object": Verb(_object, shape=Shape(_ANY)),
    },
)
