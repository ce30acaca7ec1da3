"""A hint: what the strongest bot would do in the person's place. Only they see it."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.acting import submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import hints
from bot.screens.controls import HAND_CODE, Reply, hand_of_code
from bot.screens.play import private_answer, private_news
from bot.words.language import N_
from engine.actions import Action, BankTrade, PlaceAction, PlayYearOfPlenty


async def _hint(call: Call) -> Reply:
    viewer = await call.viewer()
    hints.check_hint(viewer)
    advice = await call.app.adviser.of(viewer)
    action, reply = advice.action, hints.hint(viewer, advice)
    if isinstance(action, PlaceAction):
        reply.picture = await call.app.pictures.board(viewer, {action.place: [action.at]}, await call.look())
    return reply


async def _swap(call: Call) -> Reply | None:
    """Trade with the bank as the hint advised."""
    give, get = call.address.args
    return await _do_hint(call, BankTrade(hand_of_code(give), hand_of_code(get)))


async def _plenty(call: Call) -> Reply | None:
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

    await answer(interaction, run)


FEATURE = Feature(
    commands=[hint],
    buttons={
        "hint": Verb(_hint),
        "swap": Verb(_swap, shape=Shape(f"{HAND_CODE}:{HAND_CODE}")),
        "plenty": Verb(_plenty, shape=Shape(HAND_CODE)),
    },
    actions=hints.DIRECT_ACTIONS,
)
