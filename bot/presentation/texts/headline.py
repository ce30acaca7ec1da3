"""The panel's first sentence: who decides, and what they can do."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TypeVar

from bot.presentation.texts.marks import count, hex_text, listing
from engine.geometry import bits
from engine.step import PlacingView, StepView
from engine.steps.robber import DiscardsView, RobberView, TakeView
from engine.steps.special import SpecialBuildingView
from engine.steps.turn import MainView, PreRollView
from engine.terms import Piece, StepKind
from engine.views import View

T = TypeVar("T", bound=StepView)

Names = Sequence[str]


def headline(view: View, names: Names) -> str:
    """Who owes which decision, in one or two sentences."""
    write = _STEPS.get(view.step.kind)
    return write(view, names) if write else f"{awaited(view, names)} to act."


def awaited(view: View, names: Names) -> str:
    """The names of those who owe a decision, in bold."""
    return listing(f"**{names[s]}**" for s in bits(view.awaited))


def acting(view: View) -> int:
    """Mask of the seats to point at: whom the game waits for, else the one on turn."""
    return view.awaited or (0 if view.on_turn is None else 1 << view.on_turn)


def until(at: float | None) -> str:
    """When the window for answers closes (seconds since the epoch), as Discord's clocks show it; None: nothing."""
    return "" if at is None else f"The window closes <t:{ceil(at)}:R> (<t:{ceil(at)}:t>)."


def _setup(view: View, names: Names) -> str:
    seat = _seat(view)
    step = _as(PlacingView, view)
    nth = ("first", "second")[step.nth]
    if step.piece is Piece.SETTLEMENT:
        extra = " It yields a card for each producing hex beside it." if nth == "second" else ""
        return f"Setup: **{names[seat]}** places the {nth} settlement.{extra}"
    return f"Setup: **{names[seat]}** places a road beside the {nth} settlement."


def _pre_roll(view: View, names: Names) -> str:
    extra = ", or plays a development card first" if _as(PreRollView, view).may_play_card else ""
    return f"**{names[_seat(view)]}** is on turn: rolls the dice{extra}."


def _main(view: View, names: Names) -> str:
    name = f"**{names[_seat(view)]}**"
    if not _as(MainView, view).may_trade:
        return f"{name} has built, so trade is over: builds on, or ends the turn."
    return f"{name} trades and builds, or ends the turn."


def _discard(view: View, names: Names) -> str:
    owed = _as(DiscardsView, view).owed
    parts = [f"**{names[s]}** {count(owed[s], 'card')}" for s in bits(view.awaited)]
    return f"A seven! Still to discard: {', '.join(parts)}."


def _move_robber(view: View, names: Names) -> str:
    leave = ", or leaves it" if _as(RobberView, view).may_leave else ""
    where = f" It stands on {hex_text(view.board, view.robber)}." if view.robber >= 0 else ""
    return f"**{names[_seat(view)]}** moves the robber{leave}.{where}"


def _take_card(view: View, names: Names) -> str:
    step = _as(TakeView, view)
    decline = ", or takes none" if step.may_decline else ""
    from_ = listing((names[s] for s in bits(step.victims)), "or")
    return f"**{names[_seat(view)]}** takes a card from {from_}{decline}."


def _road_building(view: View, names: Names) -> str:
    nth = ("first", "second")[_as(PlacingView, view).nth]
    return f"Road building: **{names[_seat(view)]}** places the {nth} free road."


def _choose_yield(view: View, names: Names) -> str:
    return f"{awaited(view, names)} to choose which starting settlement yields the first cards."


def _special(view: View, names: Names) -> str:
    rest = _as(SpecialBuildingView, view).queue[1:]
    later = f" Then {listing(names[s] for s in rest)}." if rest else ""
    return f"Special building: {awaited(view, names)} builds, buys a card, or passes.{later}"


def _interrupt(view: View, names: Names) -> str:
    return (
        f"The robber stands on {hex_text(view.board, view.robber)}. "
        f"{awaited(view, names)} may answer with a knight, or pass."
    )


def _over(view: View, names: Names) -> str:
    if view.outcome is None:
        return "The game is over."
    winners = [f"**{names[s]}**" for s in view.outcome.winners]
    if not winners:
        return "🏁 The game was called off: nobody wins."
    points = count(max(view.outcome.points[s] for s in view.outcome.winners), "point")
    if len(winners) == 1:
        return f"🏁 {winners[0]} wins with {points}!"
    return f"🏁 {listing(winners)} share the win with {points} each!"


def _as(kind: type[T], view: View) -> T:
    """The step's own view; the registry below says which it is."""
    assert isinstance(view.step, kind)
    return view.step


def _seat(view: View) -> int:
    """The one who decides: the first awaited seat, else the one on turn."""
    waiting = next(bits(view.awaited), None)
    return waiting if waiting is not None else view.on_turn if view.on_turn is not None else view.first


_STEPS = {
    StepKind.SETUP: _setup,
    StepKind.PRE_ROLL: _pre_roll,
    StepKind.MAIN: _main,
    StepKind.DISCARD: _discard,
    StepKind.MOVE_ROBBER: _move_robber,
    StepKind.TAKE_CARD: _take_card,
    StepKind.ROAD_BUILDING: _road_building,
    StepKind.CHOOSE_YIELD: _choose_yield,
    StepKind.SPECIAL_BUILDING: _special,
    StepKind.INTERRUPT: _interrupt,
    StepKind.OVER: _over,
}
