"""Help: what the person can do now, and what everything costs; a hint, which only they see; and a first game with three
bots, the fixed board and a coach."""

from __future__ import annotations

import asyncio
import contextlib

from discord import app_commands

from bot.discord.features.lobby import THREAD, begin, open_table, opened_in_thread
from bot.discord.interaction import Address
from bot.discord.talk.acting import submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer_command, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import hints
from bot.screens.coach import welcome
from bot.screens.controls import HAND_CODE, Button, Open, Reply, hand_of_code, rows
from bot.screens.panel import headline
from bot.screens.play import private_answer, private_news
from bot.screens.seats import take_back_button
from bot.table.acts.coach import StopTips
from bot.table.acts.lobby import Join
from bot.table.table import LOBBY, RUNNING, Table
from bot.words import help as texts
from bot.words.language import N_, _
from engine.actions import Action, BankTrade, PlaceAction, PlayYearOfPlenty
from engine.errors import RefereeError


@app_commands.command(name="help", description=N_("See what you can do now, and all costs"))
async def help_(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        table = await call.app.services.repository.in_channel(interaction.channel_id or 0)
        call.address = Address("", table.number if table is not None else 0)
        return await _here(call, table)

    await answer_command(interaction, run)


async def _help(call: Call) -> Reply:
    """Answer the help button."""
    return await _here(call, await call.app.services.repository.table(call.address.game))


async def _here(call: Call, table: Table | None) -> Reply:
    """The help in a few lines, a picture of the costs, and buttons that lead to the rest."""
    rules, settings = Button(_("Rules"), Open("rules"), emoji="📖"), Button(_("Settings"), Open("settings"), emoji="⚙️")
    if table is None or table.status not in (LOBBY, RUNNING):
        guild = call.interaction.guild_id
        text = texts.nothing(direct=guild is None, computers=await call.app.services.servers.computers(guild))
        return Reply(text, rows=rows([rules, settings]))
    if table.status == LOBBY:
        return Reply(texts.lobby(table.number, table.place_of(call.user.id) is not None), rows=rows([rules, settings]))
    viewer = await call.viewer()
    head = headline(viewer.view, viewer.marked, viewer.computers)
    if viewer.seat is None or viewer.has_left:
        text = texts.watching(head, left=viewer.has_left)
    elif viewer.is_replaced:
        text = texts.replaced(head)
    else:
        text = texts.playing(viewer.view, viewer.options, head)
    reply = await call.with_panel(text)
    reply.picture = await call.app.pictures.costs(table.config, await call.look())
    back = [take_back_button()] * (viewer.is_replaced and not viewer.has_left)
    reply.rows = [*reply.rows, *rows([*back, rules, settings])]
    return reply


async def _hint(call: Call) -> Reply:
    viewer = await call.viewer()
    hints.check_hint(viewer)
    advice = await call.app.adviser.of(viewer)
    action, reply = advice.action, hints.hint(viewer, advice)
    if isinstance(action, PlaceAction):
        reply.picture = await call.app.pictures.board(viewer, {action.place: [action.at]}, await call.look())
    return reply


async def _hinted_swap(call: Call) -> Reply | None:
    """Trade with the bank as the hint advised."""
    give, get = call.address.args
    return await _do_hint(call, BankTrade(hand_of_code(give), hand_of_code(get)))


async def _hinted_plenty(call: Call) -> Reply | None:
    """Play Year of Plenty as the hint advised."""
    return await _do_hint(call, PlayYearOfPlenty(hand_of_code(call.address.arg)))


async def _do_hint(call: Call, action: Action) -> Reply | None:
    played = await submit(call, action, call.address.decision)
    return private_answer(played, private_news(played))


@app_commands.command(name="hint", description=N_("Get a hint for your next move"))
@app_commands.guild_only()
async def hint(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        return await _hint(call)

    await answer_command(interaction, run)


LONGEST_WAIT_FOR_TABLE = 10.0
"""Seconds that the start waits for the table to be shown. After that, the person starts the game themselves."""


@GAME.command(name="learn", description=N_("Learn to play against three easy bots"))
@app_commands.describe(thread=THREAD)
async def learn(interaction: Interaction, thread: bool = False) -> None:
    await answer_command(interaction, lambda call: _learn(call, thread))


async def _learn(call: Call, thread: bool) -> Reply:
    table, _why = await open_table(call, Join(call.user.display_name), thread=thread, learning=True)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LONGEST_WAIT_FOR_TABLE):  # for the fingerprint of the dice
            await call.app.publisher.wait_shown(table.number)
    try:
        await begin(call, f"{call.key}.start")
    except RefereeError as refusal:
        if refusal.code == "no-commitment":
            raise RefereeError("no-commitment/learn", channel=f"<#{table.channel}>") from refusal
        raise
    text = welcome(await call.viewer())
    return await call.with_panel(f"{opened_in_thread(table)}\n{text}" if thread else text)


async def _untip(call: Call) -> Reply:
    await call.act(StopTips())
    return Reply(_("Tips are off. `/hint` shows what a strong player would do."))


FEATURE = Feature(
    commands=[help_, hint],
    buttons={
        "help": Verb(_help),
        "hint": Verb(_hint),
        "swap": Verb(_hinted_swap, shape=Shape(f"{HAND_CODE}:{HAND_CODE}")),
        "plenty": Verb(_hinted_plenty, shape=Shape(HAND_CODE)),
        "untip": Verb(_untip),
    },
    actions=[*hints.DIRECT_ACTIONS],
)
