"""The story of a turn: events in words, merged so that one action, or one roll, is one line."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.events import (
    Names,
    card_taken,
    dice,
    first_rolls,
    line,
    monopolised,
    offered,
    place,
    robber_moved,
)
from bot.presentation.texts.marks import CARD_TITLES, a, cards, listing, resource
from engine import events as ev
from engine.events import Event
from engine.resources import KNIGHT
from engine.views import View

_SILENT = (
    ev.TurnBegan,
    ev.TurnEnded,
    ev.OfferAnswered,
    ev.OfferWithdrawn,
    ev.DiscardsDue,
    ev.DiscardChosen,
    ev.SeatsTaken,
    ev.InterruptOpened,
    ev.InterruptPassed,
)


def story(events: Sequence[Event], view: View, names: Names) -> list[str]:
    """The lines of what has happened, oldest first.

    Offers that are still open or became a trade have no line of their own, nor have discards before all are in.
    """
    rest = _news(events, view)
    lines = []
    at = 0
    while at < len(rest):
        text, used = _next(rest[at:], view, names)
        at += used
        if text:
            lines.append(text)
    return lines


def _news(events: Sequence[Event], view: View) -> list[Event]:
    """The events that deserve a line."""
    seen = {offer.id for offer in view.offers} | _traded(events)
    return [e for e in events if not isinstance(e, _SILENT) and not (isinstance(e, ev.OfferMade) and e.offer in seen)]


def _traded(events: Sequence[Event]) -> set[int]:
    """Ids of the offers that became trades."""
    made: dict[int, ev.OfferMade] = {}
    done = set()
    for e in events:
        if isinstance(e, ev.OfferMade):
            made[e.offer] = e
        elif isinstance(e, ev.Traded):
            sides = ((e.seat, e.give, e.get), (e.partner, e.get, e.give))
            done |= {i for i, offer in made.items() if (offer.seat, offer.give, offer.want) in sides}
    return done


def _next(rest: Sequence[Event], view: View, names: Names) -> tuple[str | None, int]:
    """The line that begins with the first event, and how many events it tells."""
    match rest[0]:
        case ev.Rolled() as rolled if rolled.counted:
            return _rolled(rolled, rest, names)
        case ev.FirstRolls() | ev.FirstPlayer():
            return _first(rest, names)
        case ev.Discarded():
            return _discards(rest, names)
        case ev.RobberMoved() as moved:
            text, used = _robber(moved, rest[1:], view, names)
            return f"{names[moved.seat]} {text}.", used
        case ev.CardPlayed() as played:
            return _played(played, rest, view, names)
        case ev.Built() as built:
            return _built(built, rest, view, names)
        case ev.OfferMade() as made:
            return f"{offered(made, view, names)}: no deal.", 1
        case other:
            return line(other, view, names), 1


def _rolled(rolled: ev.Rolled, rest: Sequence[Event], names: Names) -> tuple[str, int]:
    gains, short, used = [], [], 1
    for e in rest[1:]:
        if isinstance(e, ev.Produced) and not e.setup:
            gains.append(f"{names[e.seat]} +{cards(e.cards)}")
        elif isinstance(e, ev.Shortage):
            short.append(f" The bank can't pay all {resource(e.resource)} due to {_who(e.seats, names)}.")
        else:
            break
        used += 1
    if sum(rolled.dice) == 7:
        return f"🎲 {dice(rolled, names)}: the robber comes.", used
    return f"🎲 {dice(rolled, names)}: {', '.join(gains) or 'nobody gets cards'}.{''.join(short)}", used


def _who(seats: Sequence[int], names: Names) -> str:
    return listing(names[s] for s in seats)


def _first(rest: Sequence[Event], names: Names) -> tuple[str, int]:
    parts: list[str] = []
    used = 0
    for e in rest:
        if isinstance(e, ev.FirstRolls):
            parts.append(first_rolls(e, names) if not parts else "again: " + first_rolls(e, names).split(": ")[-1])
        elif isinstance(e, ev.FirstPlayer):
            parts.append(f"{names[e.seat]} begins")
        else:
            break
        used += 1
    return f"🎲 {'; '.join(parts)}.", used


def _discards(rest: Sequence[Event], names: Names) -> tuple[str, int]:
    parts = []
    for e in rest:
        if not isinstance(e, ev.Discarded):
            break
        parts.append(f"{names[e.seat]} {cards(e.cards)}")
    return f"Discarded: {'; '.join(parts)}.", len(parts)


def _robber(moved: ev.RobberMoved, rest: Sequence[Event], view: View, names: Names) -> tuple[str, int]:
    """The robber's move and what it took, without its subject."""
    text = robber_moved(moved, view)
    match rest[:1]:
        case [ev.CardTaken() as taken] if taken.seat == moved.seat:
            return f"{text} and {card_taken(taken, names)}", 2
        case [ev.NothingTaken() as nothing] if nothing.seat == moved.seat:
            return (text if moved.origin == moved.hex else f"{text} and took no card"), 2
        case _:
            return text, 1


def _played(played: ev.CardPlayed, rest: Sequence[Event], view: View, names: Names) -> tuple[str, int]:
    title = f"{names[played.seat]} played {a(CARD_TITLES[played.card])}"
    match rest[1:2]:
        case [ev.RobberMoved() as moved] if played.card == KNIGHT and moved.seat == played.seat:
            text, used = _robber(moved, rest[2:], view, names)
            return f"⚔️ {title}, {text}.", used + 1
        case [ev.PlentyTaken() as plenty]:
            return f"🃏 {title}: {cards(plenty.cards)} from the bank.", 2
        case [ev.Monopolised() as all_]:
            return f"🃏 {title} and {monopolised(all_, names)}.", 2
        case [ev.Built() as built] if built.free:
            text, used = _pieces(rest[1:], view)
            return f"🃏 {title}: {text}.", used + 1
        case _:
            return f"{'⚔️' if played.card == KNIGHT else '🃏'} {title}.", 1


def _built(built: ev.Built, rest: Sequence[Event], view: View, names: Names) -> tuple[str, int]:
    text, used = _pieces(rest, view)
    return f"{names[built.seat]} {'placed' if built.free else 'built'} {text}.", used


def _pieces(rest: Sequence[Event], view: View) -> tuple[str, int]:
    """Pieces that one seat placed in a row, with the cards that a second settlement yields."""
    parts: list[str] = []
    used = 0
    first = rest[0]
    for e in rest:
        if isinstance(e, ev.Built) and isinstance(first, ev.Built) and (e.seat, e.free) == (first.seat, first.free):
            parts.append(f"{a(e.piece)} at {place(view, e.piece, e.place)}")
        elif isinstance(e, ev.Produced) and e.setup and parts:
            parts[-1] += f" (+{cards(e.cards)})"
        else:
            break
        used += 1
    return listing(parts), used
