"""Building pieces and buying cards, also in setup, and asking for the special building phase."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.acting import picker_reply, submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, act, answer, places, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.play import what_to_build
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.places import parse_edge, parse_intersection
from engine.actions import AskToBuild, BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard, ChooseYield

BUILD = app_commands.Group(name="build", description=N_("Build, or buy a development card"), guild_only=True)


EDGE, CORNER = N_("The edge, like c4"), N_("The corner, like C4")


@BUILD.command(name="road", description=N_("Build a road"))
@app_commands.describe(place=EDGE)
@app_commands.autocomplete(place=places("road"))
async def road(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildRoad(parse_edge(viewer.view, place)))


@BUILD.command(name="bridge", description=N_("Build a bridge over open water"))
@app_commands.describe(place=EDGE)
@app_commands.autocomplete(place=places("bridge"))
async def bridge(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildBridge(parse_edge(viewer.view, place)))


@BUILD.command(name="settlement", description=N_("Build a settlement"))
@app_commands.describe(place=CORNER)
@app_commands.autocomplete(place=places("settlement", "yield"))
async def settlement(interaction: Interaction, place: str) -> None:
    def decide(viewer: Viewer) -> BuildSettlement | ChooseYield:
        """Build a settlement, or choose the one that gives the first cards if that is to be decided."""
        at = parse_intersection(viewer.view, place)
        return ChooseYield(at) if ChooseYield in viewer.options else BuildSettlement(at)

    await act(interaction, decide)


@BUILD.command(name="city", description=N_("Upgrade a settlement to a city"))
@app_commands.describe(place=CORNER)
@app_commands.autocomplete(place=places("city"))
async def city(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildCity(parse_intersection(viewer.view, place)))


@BUILD.command(name="card", description=N_("Buy a development card"))
async def card(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: BuyCard())


@BUILD.command(name="ask", description=N_("Ask to build between turns"))
@app_commands.describe(cancel=N_("Cancel your request"))
async def ask(interaction: Interaction, cancel: bool = False) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        return await _ask_to_build(call, not cancel)

    await answer(interaction, run)


async def _build(call: Call) -> Reply:
    """Ask what to build, and where."""
    viewer = await call.viewer()
    return await picker_reply(call, viewer, what_to_build(viewer))


async def _ask_to_build(call: Call, wanted: bool) -> Reply:
    """Ask to build, or cancel that. Doing the same twice is no mistake, and no one else notices any of it (J2)."""
    viewer = await call.viewer()
    viewer.check_playing()
    if viewer.view.asked_to_build != wanted or viewer.view.on_turn == viewer.seat:
        await submit(call, AskToBuild(wanted))
    if not wanted:
        return Reply(_("Canceled: you won't build after this turn."))
    cancel = Button(_("Cancel request"), Open("ask", ("no",)))
    text = _("Saved: you can build when this turn ends. No one else knows until then.")
    return Reply(text, rows=rows([cancel]))


async def _ask(call: Call) -> Reply:
    """Answer the button that asks, or the one that cancels the request."""
    return await _ask_to_build(call, call.address.arg != "no")


FEATURE = Feature(commands=[BUILD], buttons={"build": Verb(_build), "ask": Verb(_ask, shape=Shape("(no)?"))})
