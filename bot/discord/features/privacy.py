"""A person's own data: /privacy, the file with all of it, and having it forgotten."""

from __future__ import annotations

import json

from discord import app_commands

from bot.discord.context import AppContext
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer
from bot.discord.talk.feature import Feature, Verb
from bot.screens import people as texts
from bot.screens.controls import Reply
from bot.words.language import N_


@app_commands.command(name="privacy", description=N_("See or delete what I store about you"))
async def privacy(interaction: Interaction) -> None:
    await answer(interaction, _policy)


async def _policy(call: Call) -> Reply:
    return texts.stored_data(call.app.policy)


async def _my_data(call: Call) -> Reply:
    user = call.user.id
    return texts.exported_data(await call.app.exports.of(user, lambda: _exported(call.app, user)))


async def _exported(app: AppContext, user: int) -> bytes:
    data = await app.services.privacy.data(user)
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


async def _forget(call: Call) -> Reply:
    """Ask for confirmation. Codes: "forget/playing", "forget/waiting"."""
    await call.app.services.privacy.check(call.user.id)
    return texts.sure_to_forget()


async def _forgotten(call: Call) -> Reply:
    name = await call.app.services.privacy.forget(call.user.id)
    call.app.exports.forget(call.user.id)
    return texts.forgotten(name)


FEATURE = Feature(
    commands=[privacy],
    buttons={
        "privacy": Verb(_policy),
        "my_data": Verb(_my_data),
        "forget": Verb(_forget),
        "forgotten": Verb(_forgotten),
    },
)
