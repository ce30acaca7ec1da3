"""The turn: roll, end, pass, undo."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, act, act_if_sure
from bot.discord.talk.feature import Feature, Verb
from bot.screens.controls import Button, Do, Reply, Style, rows
from bot.screens.history import latest_done
from bot.words.language import N_, _
from bot.words.narrator import story
from engine.actions import EndTurn, PassOn, Roll, TakeBackDiscard, Undo
from engine.events import TurnEnded
from engine.undoing import NOT_UNDOABLE


@app_commands.command(name="roll", description=N_("Roll the dice"))
@app_commands.guild_only()
async def roll(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: Roll())


@app_commands.command(name="end", description=N_("End your turn"))
@app_commands.guild_only()
async def end(interaction: Interaction) -> None:
    await act_if_sure(interaction, EndTurn())


@app_commands.command(name="undo", description=N_("Undo your last move"))
@app_commands.guild_only()
async def undo(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: TakeBackDiscard() if TakeBackDiscard in viewer.options else Undo())


@app_commands.command(name="pass", description=N_("Pass when you are asked to build or to answer"))
@app_commands.guild_only()
async def pass_(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PassOn())


async def _ask_undo(call: Call) -> Reply:
    """What would be undone, with a button that does it."""
    viewer = await call.viewer()
    if not viewer.game.can_undo(viewer.my_seat):
        raise viewer.why([Undo()], NOT_UNDOABLE())
    events = await latest_done(viewer)
    if any(isinstance(event, TurnEnded) and event.seat == viewer.seat for event in events):
        question = _("Undo the end of your turn?")
    else:
        question = _("Undo this? {what}", what="\n".join(story(events, viewer.view, viewer.marked)))
    confirm = Button(_("Undo"), Do(Undo()), Style.PRIMARY, "↩️")
    return Reply(question, rows=rows([confirm]), decision=viewer.decision)


FEATURE = Feature(commands=[roll, end, undo, pass_], buttons={"undo": Verb(_ask_undo)}, actions=[Undo])
