"""Alternative texts of the pictures: the same view in words, at most 1,024 characters."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.marks import CARD_TITLES, clip, count, hex_kind, hex_text, length, listing
from bot.presentation.texts.places import buildings
from engine.events import Built, RobberMoved
from engine.geometry import bits
from engine.resources import SEA, describe
from engine.views import View

LIMIT = 1024
"""Characters that an alternative text may have."""


def board(view: View, names: Sequence[str]) -> str:
    """The board of a view in words: turn, buildings, robber, newest piece, harbors, hexes, roads.

    What doesn't fit is left out from the end of that list.
    """
    parts = [_turn(view, names)]
    parts += [f"{names[p.seat]} ({p.color}): {buildings(view, p.seat)}." for p in view.players]
    parts.append(_robber(view))
    parts += _newest(view)
    parts += _terrain(view)
    parts.append(_harbors(view))
    parts += [_roads(view, p.seat, names) for p in view.players if p.roads]
    return _fit([part for part in parts if part])


def hand(view: View) -> str:
    """The picture of the viewer's hand in words."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    me = view.players[view.seat]
    text = f"Your hand: {describe(me.hand or ())}."
    if me.development_cards and any(me.development_cards):
        held = listing(f"{n} {CARD_TITLES[kind]}" for kind, n in enumerate(me.development_cards) if n)
        text += f" Development cards: {held}."
    return clip(text, LIMIT)


def _fit(parts: Sequence[str]) -> str:
    """As many parts as fit, in order; one that doesn't fit ends the text."""
    text = ""
    for part in parts:
        longer = f"{text} {part}" if text else part
        if length(longer) > LIMIT:
            return text or clip(part, LIMIT)
        text = longer
    return text


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        winners = view.outcome.winners
        return (
            f"The final board; {listing(names[s] for s in winners)} won." if winners else "The final board; nobody won."
        )
    if view.on_turn is None:
        return "The board during setup."
    rolled = f", who rolled {sum(view.dice)}" if view.dice else ", before the roll"
    return f"The board in turn {view.turn}, of {names[view.on_turn]}{rolled}."


def _robber(view: View) -> str:
    if view.robber < 0:
        return "The robber is off the board."
    return f"Robber on {hex_text(view.board, view.robber)}."


def _newest(view: View) -> list[str]:
    """The last change on the board."""
    for event in reversed(view.last):
        if isinstance(event, Built):
            grid = view.board.grid
            names = grid.edge_names if event.piece.on_edge else grid.node_names
            return [f"Newest: {event.piece} {names[event.place]}."]
        if isinstance(event, RobberMoved):
            return ["The robber has just moved."]
    return []


def _terrain(view: View) -> list[str]:
    """The land by rows."""
    rows: dict[str, list[str]] = {}
    for h, name in enumerate(view.board.grid.hex_names):
        if not name.startswith("s"):
            kind = hex_kind(view.board, h) if view.board.terrain[h] != SEA else "sea"
            rows.setdefault(name.partition(".")[0], []).append(kind)
    return [f"Row {row}: {', '.join(kinds)}." for row, kinds in rows.items()]


def _harbors(view: View) -> str:
    grid = view.board.grid
    labels = {harbor.hex: harbor.label for harbor in view.board.harbors}
    found = [
        f"{labels[hex_]} at {listing(grid.node_names[n] for n in bits(nodes))}"
        for _, nodes, hex_ in view.board.harbor_nodes
    ]
    return f"Harbors: {', '.join(found)}." if found else ""


def _roads(view: View, seat: int, names: Sequence[str]) -> str:
    edges = [view.board.grid.edge_names[e] for e in bits(view.players[seat].roads)]
    return f"{names[seat]}: {count(len(edges), 'road')} {', '.join(edges)}."
