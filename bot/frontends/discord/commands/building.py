"""The group /build: pieces, cards, and asking for the special building phase."""

from __future__ import annotations

from discord import app_commands

from bot.frontends.discord import menus
from bot.frontends.discord.call import Call
from bot.frontends.discord.commands.common import Interaction, act, answer, places, table_here
from bot.frontends.discord.parts import Reply
from bot.presentation.texts.places import parse_edge, parse_intersection
from engine.actions import BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard, ChooseYield


def make() -> app_commands.Group:
    """The group."""
    group = app_commands.Group(
        name="build", description="Build, place your first pieces, or buy a card", guild_only=True
    )

    @group.command(name="road", description="Build a road on an edge, or place a free one")
    @app_commands.describe(place="The edge: a small letter and a number, like c4")
    @app_commands.autocomplete(place=places("road"))
    async def road(interaction: Interaction, place: str) -> None:
        await act(interaction, lambda viewer: BuildRoad(parse_edge(viewer.view, place)))

    @group.command(name="bridge", description="Build a bridge over open water, where the scenario has bridges")
    @app_commands.describe(place="The edge: a small letter and a number, like c4")
    @app_commands.autocomplete(place=places("bridge"))
    async def bridge(interaction: Interaction, place: str) -> None:
        await act(interaction, lambda viewer: BuildBridge(parse_edge(viewer.view, place)))

    @group.command(name="settlement", description="Build a settlement at an intersection, or place a first one")
    @app_commands.describe(place="The intersection: a capital letter and a number, like C4")
    @app_commands.autocomplete(place=places("settlement"))
    async def settlement(interaction: Interaction, place: str) -> None:
        await act(interaction, lambda viewer: BuildSettlement(parse_intersection(viewer.view, place)))

    @group.command(name="city", description="Turn one of your settlements into a city")
    @app_commands.describe(place="Your settlement: a capital letter and a number, like C4")
    @app_commands.autocomplete(place=places("city"))
    async def city(interaction: Interaction, place: str) -> None:
        await act(interaction, lambda viewer: BuildCity(parse_intersection(viewer.view, place)))

    @group.command(name="yield", description="Choose which starting settlement yields your first cards")
    @app_commands.describe(place="Your settlement: a capital letter and a number, like C4")
    @app_commands.autocomplete(place=places("yield"))
    async def yields(interaction: Interaction, place: str) -> None:
        await act(interaction, lambda viewer: ChooseYield(parse_intersection(viewer.view, place)))

    @group.command(name="card", description="Buy a development card; only you see which")
    async def card(interaction: Interaction) -> None:
        await act(interaction, lambda viewer: BuyCard())

    @group.command(name="ask", description="Ask to build after this turn, where there is a special building phase")
    @app_commands.describe(wanted="False takes the request back")
    async def ask(interaction: Interaction, wanted: bool = True) -> None:
        async def run(call: Call) -> Reply:
            await table_here(call)
            return await menus.ask_to_build(call, wanted)

        await answer(interaction, run)

    return group
