"""Commands of the turn: roll, robber, discard, pass, end, undo."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from discord import app_commands

from bot.frontends.discord import people, pickers, play
from bot.frontends.discord.call import Call
from bot.frontends.discord.commands.common import (
    Interaction,
    act,
    answer,
    places,
    suggestions,
    viewer_here,
)
from bot.frontends.discord.parts import Reply
from bot.presentation.texts.places import parse_hex
from bot.presentation.texts.typed import parse_hand, typed
from bot.presentation.viewer import Viewer
from engine.actions import (
    Action,
    DeclineCard,
    Discard,
    EndTurn,
    LeaveRobber,
    MoveRobber,
    PassOn,
    Roll,
    TakeCard,
    Undo,
)
from engine.autoplay import most_plentiful
from engine.domains import Cards, Choices
from engine.errors import RefereeError

_robber_places = places("robber")


async def _where(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    leave = await suggestions(
        lambda viewer: [("leave it where it is", people.LEAVE)] if LeaveRobber in viewer.options else []
    )(interaction, current)
    return [*leave, *await _robber_places(interaction, current)][:25]


def _victims(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(TakeCard)
    if isinstance(domain, Choices):
        yield from people.suggested(viewer, domain.values)
    else:
        seats = [p.seat for p in viewer.view.players if p.seat != viewer.seat and p.hand_size]
        yield from people.suggested(viewer, seats)
    if DeclineCard in viewer.options:
        yield "nobody: take no card", people.NOBODY


def _discards(viewer: Viewer) -> Iterable[tuple[str, str]]:
    """What may be discarded, of what is most plentiful first."""
    domain = viewer.options.get(Discard)
    if isinstance(domain, Cards):
        found = [typed(most_plentiful(domain)), *(typed(action.cards) for action in islice(domain, 100))]  # type: ignore[attr-defined]
        yield from ((text, text) for text in dict.fromkeys(found))


def _move(viewer: Viewer, place: str) -> Action:
    if place.strip().casefold() in (people.LEAVE, "leave"):
        return LeaveRobber()
    return MoveRobber(parse_hex(viewer.view, place))


def _take(viewer: Viewer, name: str) -> Action:
    seat = people.seat_or_nobody(viewer, name)
    return DeclineCard() if seat is None else TakeCard(seat)


@app_commands.command(name="roll", description="Roll the dice: the beginning of your turn")
@app_commands.guild_only()
async def roll(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: Roll())


@app_commands.command(name="end", description="End your turn")
@app_commands.guild_only()
async def end(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: EndTurn())


@app_commands.command(name="undo", description="Take back your own last action, while no dice or cards lie behind it")
@app_commands.guild_only()
async def undo(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: Undo())


@app_commands.command(name="pass", description="Build nothing in the special building phase, or let the robber be")
@app_commands.guild_only()
async def pass_(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PassOn())


@app_commands.command(name="discard", description="Discard half of your cards after a seven")
@app_commands.describe(cards='What goes, like "2 wool, 1 ore"')
@app_commands.autocomplete(cards=suggestions(_discards))
@app_commands.guild_only()
async def discard(interaction: Interaction, cards: str) -> None:
    await act(interaction, lambda viewer: Discard(parse_hand(cards)))


@app_commands.command(name="robber", description="Move the robber, and take a card from somebody there")
@app_commands.describe(hex='The hex, like 3.2; "leave" where that is allowed', victim="Whose card you take")
@app_commands.autocomplete(hex=_where, victim=suggestions(_victims))
@app_commands.guild_only()
async def robber(interaction: Interaction, hex: str | None = None, victim: str | None = None) -> None:
    async def run(call: Call) -> Reply | None:
        viewer = await viewer_here(call)
        lead = ""
        if hex is not None:
            action = _move(viewer, hex)
            try:
                played = await play.do(call, action)
            except RefereeError as error:
                raise RefereeError(error.code, pickers.why(viewer, action, error)) from error
            lead = play.told(played)
            viewer = Viewer(played.table, played.game, played.seat)
            if victim is None or viewer.view.step.kind != "take_card":
                return await pickers.onward(call, played, lead)
        if victim is None:
            return await pickers.pick(call, viewer, pickers.owed(viewer) or "robber")
        played = await play.do(call, _take(viewer, victim), part="victim")
        return await pickers.onward(call, played, "\n".join(filter(None, (lead, play.told(played)))))

    await answer(interaction, run)


def make() -> list[app_commands.Command]:
    """The commands of this file."""
    return [roll, end, undo, pass_, discard, robber]
