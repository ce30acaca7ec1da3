"""What is one's own: the hand, and the settings for all one's games."""

from __future__ import annotations

from discord import app_commands

from bot.frontends.discord.publish import hands
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Interaction, answer, table_here
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.presentation.controls import Reply
from bot.presentation.texts.language import N_, _, n_


async def _hand(call: Call) -> Reply:
    """The hand of the one who asks."""
    viewer = await call.viewer()
    viewer.check_playing()
    return await hands.reply(call.app.display, viewer)


@app_commands.command(name="hand", description=N_("Your cards, what you can buy and your trade rates; only you see it"))
@app_commands.guild_only()
async def hand(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await _hand(call)

    await answer(interaction, run)


@app_commands.command(name="settings", description=N_("Your own settings, for all your games"))
@app_commands.describe(
    dms=N_("Whether your hand comes by direct message, too"),
    standing=N_("From how many cards on you are called to special building without asking; 0: only when you ask"),
)
async def settings(
    interaction: Interaction,
    dms: bool | None = None,
    standing: app_commands.Range[int, 0, 20] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        chosen = await call.app.services.people.change_settings(
            call.user.id, dms=dms, standing=standing, interaction=call.key
        )
        if chosen.dms and chosen.dms_closed:
            state = _(
                "- Your hand by direct message: **on, but Discord refused them: allow direct messages from this "
                "server, then `/settings dms:True`**."
            )
        elif chosen.dms:
            state = _("- Your hand by direct message: **on**.")
        else:
            state = _("- Your hand by direct message: **off**.")
        title = _("Your settings")
        return Reply(f"### {title}\n{state}\n- {_standing(chosen.standing)}")

    await answer(interaction, run)


def _standing(cards: int) -> str:
    """What the standing number means (J2)."""
    if cards == 0:
        return _("Called to the special building phase **only when you ask**.")
    return n_(
        "Called to the special building phase with **{n}** card or more.",
        "Called to the special building phase with **{n}** cards or more.",
        cards,
    )


FEATURE = Feature(commands=[hand, settings], buttons={"hand": Verb(_hand)})
