"""The autopilot (orders): what a player decides in advance, for one game. Only they see it."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, as_button
from bot.discord.talk.feature import Feature, Verb, settings_forms
from bot.screens import orders
from bot.screens.controls import Reply
from bot.screens.options import NewValues, Page
from bot.table.orders import DROPPED, Orders
from bot.words.language import N_


async def _own_orders(call: Call) -> Orders:
    return await call.app.services.orders.of(call.address.game, call.user.id)


async def _page(call: Call) -> Reply:
    return orders.orders_page(await call.viewer(), await _own_orders(call))


async def _load(call: Call) -> Page:
    return orders.order_options(await call.viewer(), await _own_orders(call))


async def _give_orders(call: Call, changes: NewValues) -> Reply:
    (await call.viewer()).check_not_resigned()
    await call.app.services.orders.give(call.address.game, call.user.id, **changes)
    return await _page(call)


async def _unorder(call: Call) -> Reply:
    return await _give_orders(call, DROPPED)


@app_commands.command(name="auto", description=N_("Autopilot for this game"))
@app_commands.guild_only()
async def command(interaction: Interaction) -> None:
    await as_button(interaction, _page)


FEATURE = Feature(
    commands=[command],
    buttons={"orders": Verb(_page), "unorder": Verb(_unorder)},
    **settings_forms(orders.ORDERS_SCOPE, _load, _give_orders),
)
