"""Sevens and the robber: discarding, moving the robber, and choosing from whom to steal."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from bot.discord.talk.acting import owed_picker, picker_reply, reply_after, submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, act, answer, places, suggestions, typing, viewer_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import pickers, suggested
from bot.screens.controls import HAND_CODE, Reply, hand_of_code
from bot.screens.play import describe_result, private_answer, private_news
from bot.screens.steps.discard import discard_reply, undo_discard
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.places import parse_hex
from bot.words.typed import parse_hand
from engine.actions import Action, DeclineCard, Discard, LeaveRobber, MoveRobber, TakeCard
from engine.domains import Choices
from engine.terms import StepKind

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
    if place.strip().casefold() in (suggested.LEAVE, "leave"):
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

    await answer(interaction, run)


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


FEATURE = Feature(
    commands=[discard, robber],
    buttons={
        "discard": Verb(_discard),
        "throw": Verb(_throw, shape=Shape(HAND_CODE)),
        "undiscard": Verb(_undiscard),
    },
)
