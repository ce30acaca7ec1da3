"""Building: pieces and cards, in setup too, and asking for the special building phase."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.acting import submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, act, answer, places, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.places import parse_edge, parse_intersection
from engine.actions import AskToBuild, BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard, ChooseYield
from engine.errors import RefereeError
from engine.rules import data_of

BUILD = app_commands.Group(
    name="build", description=N_("Build, place your first pieces, or buy a card"), guild_only=True
)


@BUILD.command(name="road", description=N_("Build a road on an edge, or place a free one"))
@app_commands.describe(place=N_("The edge: a small letter and a number, like c4"))
@app_commands.autocomplete(place=places("road"))
async def road(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildRoad(parse_edge(viewer.view, place)))


@BUILD.command(name="bridge", description=N_("Build a bridge over open water, where the scenario has bridges"))
@app_commands.describe(place=N_("The edge: a small letter and a number, like c4"))
@app_commands.autocomplete(place=places("bridge"))
async def bridge(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildBridge(parse_edge(viewer.view, place)))


@BUILD.command(name="settlement", description=N_("Build a settlement at an intersection, or place a first one"))
@app_commands.describe(place=N_("The intersection: a capital letter and a number, like C4"))
@app_commands.autocomplete(place=places("settlement"))
async def settlement(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildSettlement(parse_intersection(viewer.view, place)))


@BUILD.command(name="city", description=N_("Turn one of your settlements into a city"))
@app_commands.describe(place=N_("Your settlement: a capital letter and a number, like C4"))
@app_commands.autocomplete(place=places("city"))
async def city(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildCity(parse_intersection(viewer.view, place)))


@BUILD.command(name="yield", description=N_("Choose which starting settlement yields your first cards"))
@app_commands.describe(place=N_("Your settlement: a capital letter and a number, like C4"))
@app_commands.autocomplete(place=places("yield"))
async def yields(interaction: Interaction, place: str) -> None:
    def decide(viewer: Viewer) -> ChooseYield:
        if not data_of(viewer.view.config).choose_yield:
            raise RefereeError("no-such-choice/yield")
        return ChooseYield(parse_intersection(viewer.view, place))

    await act(interaction, decide)


@BUILD.command(name="card", description=N_("Buy a development card; only you see which"))
async def card(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: BuyCard())


@BUILD.command(name="ask", description=N_("Ask to build after this turn, where there is a special building phase"))
@app_commands.describe(wanted=N_("False withdraws the request"))
async def ask(interaction: Interaction, wanted: bool = True) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        return await _ask_to_build(call, wanted)

    await answer(interaction, run)


async def _ask_to_build(call: Call, wanted: bool) -> Reply:
    """Ask, or take the request back; the same twice is no mistake, and nobody else notices any of it (J2)."""
    viewer = await call.viewer()
    viewer.check_playing()
    if viewer.view.asked_to_build != wanted or viewer.view.on_turn == viewer.seat:
        await submit(call, AskToBuild(wanted))
    if not wanted:
        return Reply(_("Noted: your request to build after this turn is withdrawn."))
    back = Button(_("Withdraw the request"), Open("ask", ("no",)))
    text = _("Noted: you'll be called to build when this turn ends. Nobody else is told until then.")
    return Reply(text, rows=rows([back]))


async def _ask(call: Call) -> Reply:
    """The button, or the one that takes the request back."""
    return await _ask_to_build(call, call.address.arg != "no")


FEATURE = Feature(commands=[BUILD], buttons={"ask": Verb(_ask, shape=Shape("(no)?"))})
