"""A turn: rolling, ending it, passing, undoing; sevens and the robber; building pieces and buying cards, also in setup,
and asking for the special building phase."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from bot.discord.talk.acting import owed_picker, picker_reply, reply_after, submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import (
    Interaction,
    act,
    act_if_sure,
    answer_command,
    places,
    suggestions,
    table_here,
    typing,
    viewer_here,
)
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import searchable
from bot.screens import pickers, suggested
from bot.screens.controls import HAND_CODE, Button, Do, Open, Reply, Style, hand_of_code, rows
from bot.screens.history import latest_done
from bot.screens.play import describe_result, private_answer, private_news, what_to_build
from bot.screens.steps.discard import discard_reply, undo_discard
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.narrator import story
from bot.words.places import parse_edge, parse_hex, parse_intersection
from bot.words.typed import parse_hand
from engine.actions import (
    Action,
    AskToBuild,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ChooseYield,
    DeclineCard,
    Discard,
    EndTurn,
    LeaveRobber,
    MoveRobber,
    PassOn,
    Roll,
    TakeBackDiscard,
    TakeCard,
    Undo,
)
from engine.domains import Choices
from engine.events import TurnEnded
from engine.steps.special import BETWEEN_TURNS, SpecialBuildingView
from engine.terms import StepKind
from engine.undoing import NOT_UNDOABLE


@app_commands.command(name="roll", description=N_("Roll the dice"))
@app_commands.guild_only()
async def roll(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: Roll())


@app_commands.command(name="end", description=N_("End your turn"))
@app_commands.guild_only()
async def end(interaction: Interaction) -> None:
    await act_if_sure(interaction, EndTurn())


@app_commands.command(name="undo", description=N_("Undo your last move"))
@app_commands.guild_only()
async def undo(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: TakeBackDiscard() if TakeBackDiscard in viewer.options else Undo())


@app_commands.command(name="pass", description=N_("Pass when you are asked to build or to answer"))
@app_commands.guild_only()
async def pass_(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PassOn())


async def _ask_undo(call: Call) -> Reply:
    """What would be undone, with a button that does it."""
    viewer = await call.viewer()
    if not viewer.game.can_undo(viewer.my_seat):
        raise viewer.why([Undo()], NOT_UNDOABLE())
    events = await latest_done(viewer)
    if any(isinstance(event, TurnEnded) and event.seat == viewer.seat for event in events):
        question = _("Undo the end of your turn?")
    else:
        question = _("Undo this? {what}", what="\n".join(story(events, viewer.view, viewer.marked)))
    confirm = Button(_("Undo"), Do(Undo()), Style.PRIMARY, "↩️")
    return Reply(question, rows=rows([confirm]), decision=viewer.decision)


_robber_places = places("robber")


async def _where(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    leave = await suggestions(
        lambda viewer: [(_("leave it where it is"), suggested.LEAVE)] if LeaveRobber in viewer.options else []
    )(interaction, current)
    return [*leave, *await _robber_places(interaction, current)][:25]


def _victims(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(TakeCard)
    if isinstance(domain, Choices):
        yield from suggested.player_choices(viewer, domain.values)
    else:
        seats = [p.seat for p in viewer.view.players if p.seat != viewer.seat and p.hand_size]
        yield from suggested.player_choices(viewer, seats)
    if DeclineCard in viewer.options:
        yield _("no one: steal nothing"), suggested.NO_ONE


def _move(viewer: Viewer, place: str) -> Action:
    if searchable(place.strip()) in (suggested.LEAVE, "leave", searchable(_("leave it where it is"))):
        return LeaveRobber()
    return MoveRobber(parse_hex(viewer.view, place))


def _take(viewer: Viewer, name: str) -> Action:
    seat = suggested.seat_or_no_one(viewer, name)
    return DeclineCard() if seat is None else TakeCard(seat)


@app_commands.command(name="discard", description=N_("Discard half your cards after a 7"))
@app_commands.describe(cards=N_("What you discard, like “2 wool, 1 ore”"))
@app_commands.autocomplete(cards=typing(suggested.discard))
@app_commands.guild_only()
async def discard(interaction: Interaction, cards: str) -> None:
    await act(interaction, lambda viewer: Discard(parse_hand(cards)))


@app_commands.command(name="robber", description=N_("Move the robber and steal a card"))
@app_commands.describe(hex=N_("The hex, like 3.2"), player=N_("Who you steal from"))
@app_commands.autocomplete(hex=_where, player=suggestions(_victims))
@app_commands.guild_only()
async def robber(interaction: Interaction, hex: str | None = None, player: str | None = None) -> None:
    async def run(call: Call) -> Reply | None:
        viewer = await viewer_here(call)
        lead = ""
        if hex is not None:
            played = await submit(call, _move(viewer, hex))
            lead = describe_result(played)
            viewer = Viewer(played.table, played.game, played.seat)
            if player is None or viewer.view.step.kind is not StepKind.TAKE_CARD:
                return await reply_after(call, played, lead)
        if player is None:
            picker = owed_picker(viewer) or pickers.places(viewer, pickers.PICKERS["robber"])
            return await picker_reply(call, viewer, picker)
        played = await submit(call, _take(viewer, player), part="victim")
        return await reply_after(call, played, "\n".join(filter(None, (lead, describe_result(played)))))

    await answer_command(interaction, run)


async def _discard(call: Call) -> Reply:
    """Propose what to discard."""
    return discard_reply(await call.viewer())


async def _throw(call: Call) -> Reply | None:
    """Discard what was proposed."""
    played = await submit(call, Discard(hand_of_code(call.address.arg)), call.address.decision)
    return private_answer(played, private_news(played))


async def _undiscard(call: Call) -> Reply | None:
    """Undo the discard, and propose another."""
    played = await submit(call, undo_discard(await call.viewer()))
    return private_answer(played, private_news(played))


BUILD = app_commands.Group(name="build", description=N_("Build, or buy a development card"), guild_only=True)


TYPED_EDGE, TYPED_CORNER = N_("The edge, like c4"), N_("The corner, like C4")


@BUILD.command(name="road", description=N_("Build a road"))
@app_commands.describe(place=TYPED_EDGE)
@app_commands.autocomplete(place=places("road"))
async def road(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildRoad(parse_edge(viewer.view, place)))


@BUILD.command(name="bridge", description=N_("Build a bridge over open water"))
@app_commands.describe(place=TYPED_EDGE)
@app_commands.autocomplete(place=places("bridge"))
async def bridge(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildBridge(parse_edge(viewer.view, place)))


@BUILD.command(name="settlement", description=N_("Build a settlement"))
@app_commands.describe(place=TYPED_CORNER)
@app_commands.autocomplete(place=places("settlement", "yield"))
async def settlement(interaction: Interaction, place: str) -> None:
    def decide(viewer: Viewer) -> BuildSettlement | ChooseYield:
        """Build a settlement, or choose the one that gives the first cards if that is to be decided."""
        at = parse_intersection(viewer.view, place)
        return ChooseYield(at) if ChooseYield in viewer.options else BuildSettlement(at)

    await act(interaction, decide)


@BUILD.command(name="city", description=N_("Upgrade a settlement to a city"))
@app_commands.describe(place=TYPED_CORNER)
@app_commands.autocomplete(place=places("city"))
async def city(interaction: Interaction, place: str) -> None:
    await act(interaction, lambda viewer: BuildCity(parse_intersection(viewer.view, place)))


@BUILD.command(name="card", description=N_("Buy a development card"))
async def buy_card(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: BuyCard())


@BUILD.command(name="ask", description=N_("Ask to build between turns"))
@app_commands.describe(cancel=N_("Cancel your request"))
async def ask_to_build(interaction: Interaction, cancel: bool = False) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        return await _ask_to_build(call, not cancel)

    await answer_command(interaction, run)


async def _build(call: Call) -> Reply:
    """Ask what to build, and where."""
    viewer = await call.viewer()
    return await picker_reply(call, viewer, what_to_build(viewer))


async def _ask_to_build(call: Call, wanted: bool) -> Reply:
    """Ask to build, or cancel that. Doing the same twice is no mistake, and no one else notices any of it (J2)."""
    viewer = await call.viewer()
    viewer.check_playing()
    step = viewer.view.step
    if not wanted and isinstance(step, SpecialBuildingView) and viewer.seat in step.queue:
        raise BETWEEN_TURNS()  # the request has been met
    latest = next((record.action for record in reversed(viewer.game.records) if record.actor == viewer.seat), None)
    done = viewer.view.asked_to_build if wanted else latest == AskToBuild(wanted=False)
    if not done or viewer.view.on_turn == viewer.seat:
        await submit(call, AskToBuild(wanted))
    if not wanted:
        return Reply(_("Canceled: you won't build after this turn."))
    cancel = Button(_("Cancel request"), Open("ask", ("no",)))
    text = _("Saved: you can build when this turn ends. No one else knows until then.")
    return Reply(text, rows=rows([cancel]))


async def _asked_to_build(call: Call) -> Reply:
    """Answer the button that asks, or the one that cancels the request."""
    return await _ask_to_build(call, call.address.arg != "no")


FEATURE = Feature(
    commands=[roll, end, undo, pass_, discard, robber, BUILD],
    buttons={
        "undo": Verb(_ask_undo),
        "discard": Verb(_discard),
        "throw": Verb(_throw, shape=Shape(HAND_CODE)),
        "undiscard": Verb(_undiscard),
        "build": Verb(_build),
        "ask": Verb(_asked_to_build, shape=Shape("(no)?")),
    },
    actions=[Undo],
)
