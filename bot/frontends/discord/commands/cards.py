"""The group /play: development cards."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from bot.frontends.discord.commands.common import Interaction, act, suggestions
from bot.presentation.texts.typed import parse_resource
from bot.presentation.viewer import Viewer
from engine.actions import PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayVictoryPoint, PlayYearOfPlenty
from engine.resources import RESOURCES, hand

RESOURCE_CHOICES = [app_commands.Choice(name=name.capitalize(), value=name) for name in RESOURCES]


def _in_bank(viewer: Viewer) -> Iterable[tuple[str, str]]:
    return [(f"{RESOURCES[k]} (the bank has {n})", RESOURCES[k]) for k, n in enumerate(viewer.view.bank) if n]


def make() -> app_commands.Group:
    """The group."""
    group = app_commands.Group(name="play", description="Play one of your development cards", guild_only=True)

    @group.command(name="knight", description="Move the robber and take a card; counts for the largest army")
    async def knight(interaction: Interaction) -> None:
        await act(interaction, lambda viewer: PlayKnight())

    @group.command(name="road-building", description="Place two roads for free")
    async def road_building(interaction: Interaction) -> None:
        await act(interaction, lambda viewer: PlayRoadBuilding())

    @group.command(name="year-of-plenty", description="Take two cards of your choice from the bank")
    @app_commands.describe(first="The first card", second="The second card; leave it out where the bank has only one")
    @app_commands.autocomplete(first=suggestions(_in_bank), second=suggestions(_in_bank))
    async def year_of_plenty(interaction: Interaction, first: str, second: str | None = None) -> None:
        def decide(viewer: Viewer) -> PlayYearOfPlenty:
            chosen = [parse_resource(text) for text in (first, second) if text]
            return PlayYearOfPlenty(hand(chosen.count(kind) for kind in range(5)))

        await act(interaction, decide)

    @group.command(name="monopoly", description="Name a resource: everybody else hands you all of it")
    @app_commands.describe(resource="The resource")
    @app_commands.choices(resource=RESOURCE_CHOICES)
    async def monopoly(interaction: Interaction, resource: str) -> None:
        await act(interaction, lambda viewer: PlayMonopoly(parse_resource(resource)))

    @group.command(name="victory-point", description="Lay down a victory point card, where the rules say so")
    async def victory_point(interaction: Interaction) -> None:
        await act(interaction, lambda viewer: PlayVictoryPoint())

    return group
