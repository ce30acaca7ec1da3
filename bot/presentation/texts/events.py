"""What has happened, in words: one line for an event; `bot.presentation.texts.story` merges them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.presentation.texts.marks import AWARD_TITLES, CARD_TITLES, a, cards, count, hex_text, listing, resource
from engine import events as ev
from engine.events import Event
from engine.terms import Award, EndReason, Piece
from engine.views import View

Names = Sequence[str]


def line(event: Event, view: View, names: Names) -> str | None:
    """One line for an event as redacted for the reader; None for what is no news by itself."""
    write = _LINES.get(type(event))
    return write(event, view, names) if write else None


def pick(value: Any) -> int | None:
    """A card that the reader may know, or None."""
    return value if isinstance(value, int) else None


def place(view: View, piece: Piece, at: int) -> str:
    """The name of where a piece stands."""
    grid = view.board.grid
    return grid.edge_names[at] if piece.on_edge else grid.node_names[at]


def robber_moved(event: ev.RobberMoved, view: View) -> str:
    """The robber's move without its subject."""
    if event.hex < 0:
        return "left the robber off the board"
    if event.origin == event.hex:
        return f"left the robber at {hex_text(view.board, event.hex)}"
    return f"moved the robber to {hex_text(view.board, event.hex)}"


def card_taken(event: ev.CardTaken, names: Names) -> str:
    """What the robber took, without its subject."""
    card = pick(event.card)
    what = "a card" if card is None else f"1 {resource(card)}"
    return f"took {what} from {names[event.victim]}"


def dice(event: ev.Rolled, names: Names) -> str:
    """The roll of a turn."""
    first, second = event.dice
    text = f"{names[event.seat]} rolled **{first + second}** ({first} + {second})"
    return text if event.counted else f"{text}, too early for a seven: rolls again"


def shortage(event: ev.Shortage, names: Names) -> str:
    """A bank that can't pay (A2)."""
    return f"The bank is short of {resource(event.resource)} for {listing(names[s] for s in event.seats)}"


def first_rolls(event: ev.FirstRolls, names: Names) -> str:
    """One round of rolling for first."""
    return "Rolling for first: " + ", ".join(f"{names[s]} {x + y}" for s, x, y in event.rolls)


def monopolised(event: ev.Monopolised, names: Names) -> str:
    """What a monopoly brought, without its subject."""
    total = sum(n for _, n in event.taken)
    if not total:
        return f"took all {resource(event.resource)}: nobody had any"
    parts = ", ".join(f"{n} from {names[s]}" for s, n in event.taken)
    return f"took all {resource(event.resource)}: {total} ({parts})"


def offered(event: ev.OfferMade, view: View, names: Names) -> str:
    """An offer when it was made."""
    others = {p.seat for p in view.players if p.seat != event.seat and not p.resigned}
    to = listing(names[s] for s in event.to) if event.to and not others <= {*event.to} else "everyone"
    verb = "answered with an offer of" if event.answers >= 0 else "offered"
    return f"{names[event.seat]} {verb} {cards(event.give)} for {cards(event.want)} to {to}"


def _produced(event: ev.Produced, view: View, names: Names) -> str:
    source = " for the second settlement" if event.setup else ""
    return f"{names[event.seat]} gets {cards(event.cards)}{source}."


def _bought(event: ev.CardBought, view: View, names: Names) -> str:
    card = pick(event.card)
    extra = "" if card is None else f" ({CARD_TITLES[card]})"
    return f"{names[event.seat]} bought a development card{extra}."


def _built(event: ev.Built, view: View, names: Names) -> str:
    verb = "placed" if event.free else "built"
    return f"{names[event.seat]} {verb} {a(event.piece)} at {place(view, event.piece, event.place)}."


def _award(event: ev.AwardMoved, view: View, names: Names) -> str:
    title = AWARD_TITLES[event.award]
    if event.seat is None:
        lost = f": {names[event.origin]} loses it" if event.origin is not None else ""
        return f"Nobody has the {title} now{lost}."
    unit = "segments" if event.award is Award.LONGEST_ROAD else "knights"
    before = f", before with {names[event.origin]}" if event.origin is not None else ""
    return f"🏆 {names[event.seat]} has the {title} ({event.size} {unit}{before}): 2 points."


REASONS = {
    EndReason.TARGET: "reached the target",
    EndReason.LAST: "is the last player left",
    EndReason.AGREEMENT: "leads, and all agreed to end the game",
    EndReason.ROUNDS: "leads after the last round",
}


def _ended(event: ev.GameEnded, view: View, names: Names) -> str:
    who = [names[s] for s in event.winners]
    if not who:
        return "🏁 The game was called off: nobody wins."
    if len(who) == 1:
        return f"🏁 The game is over: {who[0]} {REASONS.get(event.reason, 'wins')}."
    how = "all agreed to end it" if event.reason is EndReason.AGREEMENT else "the last round is over"
    return f"🏁 The game is over ({how}): {listing(who)} share the win."


def _due(event: ev.DiscardsDue, view: View, names: Names) -> str:
    return "To discard: " + ", ".join(f"{names[s]} {count(n, 'card')}" for s, n in event.owed) + "."


def _agreed(event: ev.EndAgreed, view: View, names: Names) -> str:
    verb = "agrees" if event.agree else "no longer agrees"
    return f"{names[event.seat]} {verb} to end the game."


def _answered(event: ev.OfferAnswered, view: View, names: Names) -> str:
    return f"{names[event.seat]} {'accepts' if event.accepted else 'declines'} offer {event.offer}."


def _traded(event: ev.Traded, view: View, names: Names) -> str:
    them = names[event.partner]
    return f"🤝 {names[event.seat]} gave {cards(event.give)} to {them} for {cards(event.get)}."


def _called(event: ev.BuildersCalled, view: View, names: Names) -> str:
    return f"Special building phase: {listing((names[s] for s in event.seats), 'then')}."


_LINES: dict[type[Event], Callable[[Any, View, Names], str | None]] = {
    ev.SeatsTaken: lambda e, v, n: f"Seats, clockwise: {', '.join(n[s] for s in range(len(e.players)))}.",
    ev.FirstRolls: lambda e, v, n: first_rolls(e, n) + ".",
    ev.FirstPlayer: lambda e, v, n: f"{n[e.seat]} begins.",
    ev.TurnBegan: lambda e, v, n: f"Turn {e.turn}: {n[e.seat]}.",
    ev.Rolled: lambda e, v, n: f"🎲 {dice(e, n)}.",
    ev.Produced: _produced,
    ev.Shortage: lambda e, v, n: shortage(e, n) + ".",
    ev.DiscardsDue: _due,
    ev.DiscardChosen: lambda e, v, n: f"{n[e.seat]} has chosen what to discard.",
    ev.Discarded: lambda e, v, n: f"{n[e.seat]} discarded {cards(e.cards)}.",
    ev.RobberMoved: lambda e, v, n: f"{n[e.seat]} {robber_moved(e, v)}.",
    ev.CardTaken: lambda e, v, n: f"{n[e.seat]} {card_taken(e, n)}.",
    ev.NothingTaken: lambda e, v, n: f"{n[e.seat]} took no card.",
    ev.Built: _built,
    ev.CardBought: _bought,
    ev.CardPlayed: lambda e, v, n: f"{n[e.seat]} played {a(CARD_TITLES[e.card])} card.",
    ev.PlentyTaken: lambda e, v, n: f"{n[e.seat]} took {cards(e.cards)} from the bank.",
    ev.Monopolised: lambda e, v, n: f"{n[e.seat]} {monopolised(e, n)}.",
    ev.BankTraded: lambda e, v, n: f"{n[e.seat]} gave the bank {cards(e.give)} for {cards(e.get)}.",
    ev.OfferMade: lambda e, v, n: f"{offered(e, v, n)} (offer {e.offer}).",
    ev.OfferAnswered: _answered,
    ev.OfferWithdrawn: lambda e, v, n: f"{n[e.seat]} took offer {e.offer} back.",
    ev.Traded: _traded,
    ev.AwardMoved: _award,
    ev.TurnEnded: lambda e, v, n: f"{n[e.seat]} ended the turn.",
    ev.BuildersCalled: _called,
    ev.InterruptPassed: lambda e, v, n: f"Nobody answers {n[e.seat]} with a knight.",
    ev.InterruptOpened: lambda e, v, n: f"Others may answer {n[e.seat]} with a knight.",
    ev.Passed: lambda e, v, n: f"{n[e.seat]} passed.",
    ev.Undone: lambda e, v, n: f"↩️ {n[e.seat]} took the last action back.",
    ev.Resigned: lambda e, v, n: f"{n[e.seat]} left the game.",
    ev.EndAgreed: _agreed,
    ev.GameEnded: _ended,
}
