"""The autopilot (orders): what a player decides in advance, for one game. Only they see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer, viewer_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import orders
from bot.screens.controls import Reply
from bot.screens.shown import merged
from bot.table.orders import Orders
from bot.words.language import N_


async def _own_orders(call: Call) -> Orders:
    return await call.app.services.orders.of(call.address.game, call.user.id)


async def _page(call: Call) -> Reply:
    return orders.page(await call.viewer(), await _own_orders(call))


async def _give_orders(call: Call, changes: Mapping[str, Any]) -> Reply:
    (await call.viewer()).check_not_resigned()
    await call.app.services.orders.give(call.address.game, call.user.id, **changes)
    return await _page(call)


async def _ask(call: Call) -> None:
    which = call.address.arg
    await call.ask(orders.form(await call.viewer(), await _own_orders(call), which), "ordered", which)


async def _ordered(call: Call) -> Reply:
    viewer, mine, which = await call.viewer(), await _own_orders(call), call.address.arg
    values = merged(orders.form(viewer, mine, which), call.address.shown, call.values)
    return await _give_orders(call, orders.entered(viewer, mine, which, values))


async def _unorder(call: Call) -> Reply:
    return await _give_orders(call, orders.DROPPED)


@app_commands.command(name="auto", description=N_("Autopilot for this game"))
@app_commands.guild_only()
async def command(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await viewer_here(call)
        return await _page(call)

    await answer(interaction, run)


FEATURE = Feature(
    commands=[command],
    buttons={"orders": Verb(_page), "unorder": Verb(_unorder)},
    modals={
        "ordered": Verb(_ordered, shape=Shape("|".join(orders.SHEETS), lambda args: orders.SHEETS[args[0]].entries))
    },
    openers=dict.fromkeys(orders.SHEETS, _ask),
)
