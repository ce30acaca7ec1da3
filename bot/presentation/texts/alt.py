"""Alternative texts of the pictures: the same view in words, at most 1,024 characters."""

from __future__ import annotations

from collections.abc import Sequence

from bot.plaintext import clip, length
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import cards, development_cards, harbor, hex_kind, hex_text, listing, point_count
from bot.presentation.texts.places import buildings, useless_harbors
from engine.events import Built, RobberMoved
from engine.geometry import bits
from engine.resources import NOTHING, SEA
from engine.terms import Piece
from engine.views import View

LIMIT = 1024
"""Characters that an alternative text may have."""


def board(view: View, names: Sequence[str]) -> str:
    """The board of a view in words: turn, buildings, robber, newest piece, harbors, hexes, roads.

    What doesn't fit is left out from the end of that list.
    """
    parts = [_turn(view, names)]
    parts += [f"{names[p.seat]} ({_(p.color)}): {buildings(view, p.seat)}." for p in view.players]
    parts.append(_robber(view))
    parts += _newest(view)
    parts += _terrain(view)
    parts += [_harbors(view), useless_harbors(view)]
    parts += [_roads(view, p.seat, names) for p in view.players if p.roads]
    return _fit([part for part in parts if part])


def hand(view: View) -> str:
    """The picture of the viewer's hand in words."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    me = view.players[view.seat]
    text = _("Your hand: {cards}.", cards=cards(me.hand or NOTHING, signs=False))
    if held := development_cards(me.development_cards or NOTHING):
        text = " ".join([text, _("Development cards: {cards}.", cards=listing(held))])
    return clip(text, LIMIT)


def final(view: View, names: Sequence[str]) -> str:
    """The picture of the end in words: everybody's points, best first."""
    points = view.outcome.points if view.outcome is not None else tuple(p.points for p in view.players)
    ranked = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
    return clip(
        _("The end. {points}.", points=", ".join(f"{names[seat]} {point_count(points[seat])}" for seat in ranked)),
        LIMIT,
    )


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
        if not view.outcome.winners:
            return _("The final board; nobody won.")
        return _("The final board; {names} won.", names=listing(names[s] for s in view.outcome.winners))
    if view.on_turn is None:
        return _("The board during setup.")
    values = {"turn": view.turn, "name": names[view.on_turn]}
    if view.dice is None:
        return _("The board in turn {turn}, of {name}, before the roll.", **values)
    return _("The board in turn {turn}, of {name}, who rolled {sum}.", **values, sum=sum(view.dice))


def _robber(view: View) -> str:
    if view.robber < 0:
        return _("The robber is off the board.")
    return _("Robber on {hex}.", hex=hex_text(view.board, view.robber))


_NEWEST = {
    Piece.ROAD: N_("Newest: road {place}."),
    Piece.BRIDGE: N_("Newest: bridge {place}."),
    Piece.SETTLEMENT: N_("Newest: settlement {place}."),
    Piece.CITY: N_("Newest: city {place}."),
}


def _newest(view: View) -> list[str]:
    """The last change on the board."""
    for event in reversed(view.last):
        if isinstance(event, Built):
            grid = view.board.grid
            names = grid.edge_names if event.piece.on_edge else grid.node_names
            return [_(_NEWEST[event.piece], place=names[event.place])]
        if isinstance(event, RobberMoved):
            return [_("The robber has just moved.")]
    return []


def _terrain(view: View) -> list[str]:
    """The land by rows."""
    rows: dict[str, list[str]] = {}
    for h, name in enumerate(view.board.grid.hex_names):
        if not name.startswith("s"):
            rows.setdefault(name.partition(".")[0], []).append(
                hex_kind(view.board, h) if view.board.terrain[h] != SEA else _("sea")
            )
    return [_("Row {row}: {hexes}.", row=row, hexes=", ".join(kinds)) for row, kinds in rows.items()]


def _harbors(view: View) -> str:
    grid = view.board.grid
    found = [
        _("{harbor} at {places}", harbor=harbor(kind), places=listing(grid.node_names[n] for n in bits(nodes)))
        for kind, nodes, hex_ in view.board.harbor_nodes
    ]
    return _("Harbors: {harbors}.", harbors=", ".join(found)) if found else ""


def _roads(view: View, seat: int, names: Sequence[str]) -> str:
    edges = [view.board.grid.edge_names[e] for e in bits(view.players[seat].roads)]
    values = {"name": names[seat], "edges": ", ".join(edges)}
    return n_("{name}: {n} road {edges}.", "{name}: {n} roads {edges}.", len(edges), **values)
