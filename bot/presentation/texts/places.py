"""Places in words: what stands at an intersection, edge or hex, regions of long lists, and typed names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.presentation.texts.marks import clip, count, hex_kind, listing, quoted
from engine.board import Board, pips
from engine.errors import MalformedInput
from engine.geometry import bits
from engine.resources import GENERIC, RESOURCES, SEA
from engine.views import View

AT_SEA = "s"
"""Row of the sea hexes around an island."""
LABEL = 100
"""Characters that an option of a select, or a suggestion, may have."""


def describe_intersection(view: View, node: int) -> str:
    """ "C4 · fields 9, mountains 8, 3:1 harbor · 9 pips", at most 100 characters."""
    board = view.board
    parts = [board.grid.node_names[node]]
    yours = owner(view, node) == view.seat is not None
    if yours:
        parts.append("your city" if view.players[view.seat or 0].cities >> node & 1 else "your settlement")
    parts.append(surroundings(board, node))
    parts.append(count(board.pips_at(node), "pip"))
    return clip(" · ".join(parts), LABEL)


def surroundings(board: Board, node: int) -> str:
    """The hexes at an intersection, best first, and its harbors."""
    hexes = sorted(
        (h for h in board.grid.node_hexes[node] if board.terrain[h] != SEA),
        key=lambda h: (-pips(board.tokens[h]), h),
    )
    kinds = sorted(set(board.harbors_at(node)), reverse=True)
    harbors = ["3:1 harbor" if kind == GENERIC else f"2:1 {RESOURCES[kind]} harbor" for kind in kinds]
    return ", ".join([hex_kind(board, h) for h in hexes] + harbors) or "sea"


def describe_edge(view: View, edge: int, seat: int | None = None) -> str:
    """ "c4 · from your settlement C4 toward C5 · fields 9, desert · 4 pips", at most 100 characters.

    `seat` (default: the viewer) is the one whose network it would join.
    """
    board, grid = view.board, view.board.grid
    seat = view.seat if seat is None else seat
    what = "bridge " if board.bridge_mask >> edge & 1 else ""
    start, end = _ends(view, edge, seat)
    here, there = grid.node_names[start], grid.node_names[end]
    own_start, own_end = (_touches(view, n, edge, seat) for n in (start, end))
    if own_start and own_end:
        text = f"{what}joins your {_word(view, start, seat)} {here} and {_word(view, end, seat)} {there}"
        return clip(f"{grid.edge_names[edge]} · {text}", LABEL)
    text = f"{what}from your {_word(view, start, seat)} {here} toward {there}"
    if not own_start:
        text = f"{what}between {here} and {there}"
    return clip(f"{grid.edge_names[edge]} · {text} · {_goal(view, end)}", LABEL)


def _goal(view: View, node: int) -> str:
    """What an intersection at the end of an edge is good for."""
    if (holder := owner(view, node)) is not None:
        return "taken" if holder != view.seat else "yours"
    board = view.board
    if not free_for_settlement(view, node):
        return "no room to settle"
    return f"{surroundings(board, node)} · {count(board.pips_at(node), 'pip')}"


def _ends(view: View, edge: int, seat: int | None) -> tuple[int, int]:
    """The intersections of an edge, the one that the seat's network touches first."""
    a, b = view.board.grid.edges[edge]
    return (b, a) if _touches(view, b, edge, seat) and not _touches(view, a, edge, seat) else (a, b)


def _touches(view: View, node: int, edge: int, seat: int | None) -> bool:
    """Whether the seat's own pieces reach an intersection, the edge itself left out."""
    if seat is None:
        return False
    player = view.players[seat]
    if (player.settlements | player.cities) >> node & 1:
        return True
    roads = player.roads & view.board.grid.node_edge_mask[node] & ~(1 << edge)
    return bool(roads) and owner(view, node) is None


def _word(view: View, node: int, seat: int | None) -> str:
    if seat is not None and view.players[seat].settlements >> node & 1:
        return "settlement"
    return "city" if seat is not None and view.players[seat].cities >> node & 1 else "road at"


def describe_hex(view: View, hex_: int, names: Sequence[str]) -> str:
    """ "3.2 · fields 9 · Bob, Ann", at most 100 characters; the viewer is "you"."""
    board = view.board
    nodes = board.hex_node_mask[hex_]
    seats = [p.seat for p in view.players if (p.settlements | p.cities) & nodes]
    who = [("you" if s == view.seat else names[s]) for s in seats]
    parts = [board.grid.hex_names[hex_], hex_kind(board, hex_), ", ".join(who) or "nobody"]
    return clip(" · ".join(parts), LABEL)


def owner(view: View, node: int) -> int | None:
    """Whose settlement or city stands at an intersection."""
    return next((p.seat for p in view.players if (p.settlements | p.cities) >> node & 1), None)


def free_for_settlement(view: View, node: int) -> bool:
    """Whether land, the buildings around and the distance rule allow a settlement, roads apart (B1, F3)."""
    taken = 0
    for player in view.players:
        taken |= player.settlements | player.cities
    board = view.board
    return bool(board.settle_mask >> node & 1) and not board.blocks[node] & taken


def regions(names: Sequence[str], ids: Sequence[int], most: int = 25) -> list[tuple[str, list[int]]]:
    """A long list of places in groups of whole rows, each of at most `most`: ("Rows A to C", ids); the sea last.

    `names` are the grid's names of that kind of place (`grid.node_names`, …). One group where all fit; ids
    keep their order within a group.
    """
    if len(ids) <= most:
        return [("All places", list(ids))] if ids else []
    rows: dict[str, list[int]] = {}
    for i in sorted(ids):
        rows.setdefault(_row(names[i]), []).append(i)
    order = {i: at for at, i in enumerate(ids)}
    groups: list[tuple[list[str], list[int]]] = []
    for row, members in sorted(rows.items(), key=lambda found: found[0] == AT_SEA):
        for part in range(0, len(members), most):
            chunk = members[part : part + most]
            if groups and row != AT_SEA and len(groups[-1][1]) + len(chunk) <= most:
                groups[-1][0].append(row)
                groups[-1][1].extend(chunk)
            else:
                groups.append(([row], chunk))
    out = []
    for found, members in groups:
        at_sea = f"At sea, {names[members[0]]} to {names[members[-1]]}"
        title = at_sea if found == [AT_SEA] else _title(found)
        out.append((title, sorted(members, key=order.__getitem__)))
    return out


def _row(name: str) -> str:
    return name.partition(".")[0] if "." in name else name[0]


def _title(rows: Sequence[str]) -> str:
    titles = list(dict.fromkeys(rows))
    return f"Row {titles[0]}" if len(titles) == 1 else f"Rows {titles[0]} to {titles[-1]}"


def parse_intersection(view: View, text: str) -> int:
    """The intersection that was typed ("C4", "c 4"); `MalformedInput` says what a name looks like."""
    grid = view.board.grid
    found = grid.node(re.sub(r"[\s.-]", "", text))
    if found is None:
        raise _unknown(text, "an intersection", "a capital letter and a number", grid.node_names)
    return found


def parse_edge(view: View, text: str) -> int:
    """The edge that was typed ("c4", or its ends "C4-C5"); `MalformedInput` says what a name looks like."""
    grid = view.board.grid
    ends = [grid.node(part) for part in re.split(r"\s*(?:-|–|to|/)\s*", text.strip()) if part]
    if len(ends) == 2 and None not in ends:
        joined = [e for e, pair in enumerate(grid.edges) if set(pair) == set(ends)]
        if joined:
            return joined[0]
        raise MalformedInput(f"No edge joins {quoted(text)}: name an edge by its label, or by two neighbours.")
    found = grid.edge(re.sub(r"[\s.-]", "", text))
    if found is None:
        raise _unknown(text, "an edge", "a small letter and a number", grid.edge_names)
    return found


def parse_hex(view: View, text: str) -> int:
    """The hex that was typed ("3.2", "3,2", "s.4"); `MalformedInput` says what a name looks like."""
    grid = view.board.grid
    parts = re.findall(r"[sS](?=[\s.,]*[0-9])|[0-9]+", text)
    found = grid.hex(".".join(parts)) if len(parts) == 2 else None
    if found is None:
        raise _unknown(text, "a hex", "row, dot, number", grid.hex_names)
    return found


def _unknown(text: str, kind: str, shape: str, names: Sequence[str]) -> MalformedInput:
    said = f"{quoted(text)} is not {kind} of this board" if text.strip() else f"Name {kind}"
    return MalformedInput(f"{said}: the names are {shape}, {names[0]} to {names[-1]}.")


def buildings(view: View, seat: int) -> str:
    """A seat's buildings by name: "settlements C4 and D5, city E2"."""
    names = view.board.grid.node_names
    player = view.players[seat]
    parts = []
    for mask, word, many in (
        (player.settlements, "settlement", "settlements"),
        (player.cities, "city", "cities"),
    ):
        found = [names[n] for n in bits(mask)]
        if found:
            parts.append(f"{word if len(found) == 1 else many} {listing(found)}")
    return ", ".join(parts) or "no buildings"
