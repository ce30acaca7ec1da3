"""What a person hears of new tables on the server where they choose it (`/settings`)."""

from __future__ import annotations

from bot.discord.features.people import settings_page
from bot.discord.talk.call import Call
from bot.discord.talk.feature import Feature, settings_forms
from bot.screens.controls import Reply
from bot.screens.options import NewValues, Page
from bot.screens.subscriptions import SUBSCRIPTION_SCOPE, subscription_options
from bot.table.preferences import DM
from engine.errors import RefereeError


def _server_of(call: Call) -> int:
    """The server about whose tables a person chooses. Code: "off-server"."""
    if call.interaction.guild_id is None or not call.app.messages:
        raise RefereeError("off-server")
    return call.interaction.guild_id


async def _load(call: Call) -> Page:
    services, guild = call.app.services, _server_of(call)
    chosen = await services.subscriptions.of(guild, call.user.id)
    return subscription_options(chosen, await services.people.settings(call.user.id))


async def _change(call: Call, changes: NewValues) -> Reply:
    services, user, said = call.app.services, call.user.id, ""
    if changes:
        await services.subscriptions.change(_server_of(call), user, **changes)
    if changes.get("how") == DM and (await services.people.settings(user)).unreachable:
        said = await call.app.greetings.write_to(user)  # immediately, to see whether Discord allows it
    return await settings_page(call, said)


FEATURE = Feature(**settings_forms(SUBSCRIPTION_SCOPE, _load, _change, settings_page))
