"""The panel's first sentence: who decides, and what they can do."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from bot.presentation.texts.marks import count, hex_text, listing
from engine import events as ev
from engine.geometry import bits
from engine.views import View

Names = Sequence[str]


def headline(view: View, names: Names) -> str:
    """Who owes which decision, in one or two sentences."""
    write = _STEPS.get(view.step)
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
    built = view.players[seat].settlements.bit_count()
    nth = ("first", "second")[min(built if view.piece == "settlement" else max(built - 1, 0), 1)]
    if view.piece == "settlement":
        extra = " It yields a card for each producing hex beside it." if nth == "second" else ""
        return f"Setup: **{names[seat]}** places the {nth} settlement.{extra}"
    return f"Setup: **{names[seat]}** places a road beside the {nth} settlement."


def _pre_roll(view: View, names: Names) -> str:
    player = view.players[_seat(view)]
    may_play = player.development_count and not view.card_played and "cards-after-roll" not in view.config.variants
    extra = ", or plays a development card first" if may_play else ""
    return f"**{names[player.seat]}** is on turn: rolls the dice{extra}."


def _main(view: View, names: Names) -> str:
    name = f"**{names[_seat(view)]}**"
    if trade_closed(view):
        return f"{name} has built, so trade is over: builds on, or ends the turn."
    return f"{name} trades and builds, or ends the turn."


def trade_closed(view: View) -> bool:
    """Whether building has ended trade in this turn (L6)."""
    return "build-ends-trade" in view.config.variants and any(
        isinstance(e, (ev.Built, ev.CardBought)) for e in view.events
    )


def _discard(view: View, names: Names) -> str:
    parts = [f"**{names[s]}** {count(view.owed[s], 'card')}" for s in bits(view.awaited)]
    return f"A seven! Still to discard: {', '.join(parts)}."


def _move_robber(view: View, names: Names) -> str:
    leave = ", or leaves it" if may_leave(view) else ""
    where = f" It stands on {hex_text(view.board, view.robber)}." if view.robber >= 0 else ""
    return f"**{names[_seat(view)]}** moves the robber{leave}.{where}"


def may_leave(view: View) -> bool:
    """Whether a seven, not a knight, moves the robber in a game where it may then be left (L5)."""
    if "optional-robber" not in view.config.variants:
        return False
    causes = [e for e in view.events if isinstance(e, (ev.Rolled, ev.CardPlayed))]
    return bool(causes) and isinstance(causes[-1], ev.Rolled)


def _take_card(view: View, names: Names) -> str:
    decline = ", or takes none" if view.config.edition == "1996" else ""
    from_ = listing((names[s] for s in bits(view.targets)), "or")
    return f"**{names[_seat(view)]}** takes a card from {from_}{decline}."


def _road_building(view: View, names: Names) -> str:
    placed = 0
    for event in reversed(view.events):
        if isinstance(event, ev.CardPlayed):
            break
        placed += isinstance(event, ev.Built)
    nth = "second" if placed else "first"
    return f"Road building: **{names[_seat(view)]}** places the {nth} free road."


def _choose_yield(view: View, names: Names) -> str:
    return f"{awaited(view, names)} to choose which starting settlement yields the first cards."


def _special(view: View, names: Names) -> str:
    later = ""
    for event in reversed(view.events):
        if isinstance(event, ev.BuildersCalled):
            seat = _seat(view)
            rest = event.seats[event.seats.index(seat) + 1 :] if seat in event.seats else ()
            later = f" Then {listing(names[s] for s in rest)}." if rest else ""
            break
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


def _seat(view: View) -> int:
    """The one who decides: the first awaited seat, else the one on turn."""
    waiting = next(bits(view.awaited), None)
    return waiting if waiting is not None else view.on_turn if view.on_turn is not None else view.first


_STEPS = {
    "setup": _setup,
    "pre_roll": _pre_roll,
    "main": _main,
    "discard": _discard,
    "move_robber": _move_robber,
    "take_card": _take_card,
    "road_building": _road_building,
    "choose_yield": _choose_yield,
    "special_building": _special,
    "interrupt": _interrupt,
    "over": _over,
}
