"""Places in words: what stands at an intersection, edge or hex, regions of long lists, and typed names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.plaintext import clip, folded, length, narrow
from bot.words.language import N_, NN_, _, enumeration, n_, quoted
from bot.words.marks import TERRAIN_NAMES, harbor, hex_yield, listing
from bot.words.vocabulary import lexicon
from engine.board import Board, pips
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import SEA
from engine.steps.robber import RobberView
from engine.terms import Piece, PlaceKind
from engine.views import View

AT_SEA = "s"
"""Name of the row of the sea hexes around an island."""
LONGEST_LABEL = 100
"""Maximum characters of a select's option, or of a suggestion."""


def names_of(view: View, kind: PlaceKind) -> Sequence[str]:
    """The names of places of a kind."""
    grid = view.board.grid
    match kind:
        case PlaceKind.INTERSECTION:
            return grid.node_names
        case PlaceKind.EDGE:
            return grid.edge_names
        case PlaceKind.HEX:
            return grid.hex_names


def describe_intersection(view: View, node: int) -> str:
    """ "C4 · grain 9, ore 8, 3:1 harbor · 9 dots", at most 100 characters."""
    board = view.board
    parts = [board.grid.node_names[node], _worth(board, node)]
    if owner(view, node) == view.seat is not None:
        city = view.players[view.seat].cities >> node & 1
        parts.insert(1, _("your city") if city else _("your settlement"))
    return clip(" · ".join(parts), LONGEST_LABEL)


def _worth(board: Board, node: int) -> str:
    """ "grain 9, ore 8, 3:1 harbor · 9 dots"; without dots if no hex there has a number."""
    n = board.pips_at(node)
    return surroundings(board, node) + (" · " + n_("{n} dot", "{n} dots", n) if n else "")


def surroundings(board: Board, node: int) -> str:
    """What the hexes at an intersection yield, best first, and its harbors."""
    kinds = sorted(set(board.harbors_at(node)), reverse=True)
    return enumeration([*(hex_yield(board, h) for h in _land(board, node)), *map(harbor, kinds)]) or _("sea")


def _land(board: Board, node: int) -> list[int]:
    """The land hexes at an intersection, best first."""
    hexes = (h for h in board.grid.node_hexes[node] if board.terrain[h] != SEA)
    return sorted(hexes, key=lambda h: (-pips(board.tokens[h]), h))


def useless_harbors(view: View) -> str:
    """The harbors that no one can use now, and why (K3, L5): "No use: 3:1 harbor s.4 (no coast next to it)."; or ""."""
    board, found = view.board, []
    for h in board.harbors:
        name = board.grid.hex_names[h.hex]
        if h.side is None:
            found.append(_("{harbor} {place} (no coast next to it)", harbor=harbor(h.kind), place=name))
        elif h.hex == view.robber:
            found.append(_("{harbor} {place} (the robber is there)", harbor=harbor(h.kind), place=name))
    return _("No use: {harbors}.", harbors=enumeration(found)) if found else ""


def terrain_at(board: Board, node: int) -> str:
    """The land hexes at an intersection by what they look like: "fields, mountains"."""
    return enumeration(_(TERRAIN_NAMES[board.terrain[h]]) for h in _land(board, node))


def describe_edge(view: View, edge: int, seat: int | None = None) -> str:
    """ "c4 · from your settlement C4 to C5 · grain 9, desert · 4 dots", at most 100 characters; see `way`.

    What it starts from is left out if there is no room: "c4 · C5 · grain 9, desert · 4 dots".
    """
    grid = view.board.grid
    whole = f"{grid.edge_names[edge]} · {way(view, edge, seat)}"
    if length(whole) > LONGEST_LABEL:
        end = _ends(view, edge, view.seat if seat is None else seat)[1]
        whole = " · ".join((grid.edge_names[edge], grid.node_names[end], _goal(view, end, edge)))
    return clip(whole, LONGEST_LABEL)


def way(view: View, edge: int, seat: int | None = None) -> str:
    """Where an edge leads: "from your settlement C4 to C5 · grain 9, desert · 4 dots".

    If no one can settle at its end, the best place beyond counts: "next: D5 (wool 8 · 5 dots)".

    `seat` (default: the viewer) is the seat whose network the edge would join.
    """
    board, grid = view.board, view.board.grid
    seat = view.seat if seat is None else seat
    bridge = bool(board.bridge_mask >> edge & 1)
    start, end = _ends(view, edge, seat)
    here, there = grid.node_names[start], grid.node_names[end]
    mine = _word(view, start, seat)
    if not _touches(view, start, edge, seat):
        text = _(_BETWEEN[bridge], here=here, there=there)
    elif not _touches(view, end, edge, seat):
        text = _(_FROM[mine][bridge], here=here, there=there)
    else:
        first, second = _(_YOUR[mine], place=here), _(_WORDS[_word(view, end, seat)], place=there)
        return _(_JOINS[bridge], first=first, second=second)
    return f"{text} · {_goal(view, end, edge)}"


_BETWEEN = (N_("between {here} and {there}"), N_("bridge between {here} and {there}"))
_JOINS = (N_("joins {first} and {second}"), N_("bridge joins {first} and {second}"))
_FROM = {
    Piece.SETTLEMENT: (
        N_("from your settlement {here} to {there}"),
        N_("bridge from your settlement {here} to {there}"),
    ),
    Piece.CITY: (N_("from your city {here} to {there}"), N_("bridge from your city {here} to {there}")),
    Piece.ROAD: (N_("from your road at {here} to {there}"), N_("bridge from your road at {here} to {there}")),
}
"""For a road, and for a bridge, by what it starts from."""
_YOUR = {
    Piece.SETTLEMENT: N_("your settlement {place}"),
    Piece.CITY: N_("your city {place}"),
    Piece.ROAD: N_("your road at {place}"),
}
_WORDS = {Piece.SETTLEMENT: N_("settlement {place}"), Piece.CITY: N_("city {place}"), Piece.ROAD: N_("road at {place}")}


def _goal(view: View, node: int, edge: int) -> str:
    """What the intersection at the end of an edge is good for, or the best one that can be reached from there."""
    board = view.board
    if (holder := owner(view, node)) is not None:
        return _("taken") if holder != view.seat else _("yours")
    if view.free_intersections >> node & 1:
        return _worth(board, node)
    free = (board.road_mask | board.bridge_mask) & ~(1 << edge)
    for player in view.players:
        free &= ~player.roads
    seen, frontier = {node}, {node}
    for further in _FURTHER:
        ways = [way for start in frontier for way in board.grid.node_edges[start] if free >> way & 1]
        frontier = {end for way in ways for end in board.grid.edges[way]} - seen
        ends = [end for end in frontier if view.free_intersections >> end & 1]
        if ends:
            best = min(ends, key=lambda end: (-board.pips_at(end), end))
            return _(further, place=board.grid.node_names[best], goal=_worth(board, best))
        seen |= frontier
        frontier = {end for end in frontier if owner(view, end) is None}
    return _("no room to settle")


_FURTHER = (N_("next: {place} ({goal})"), N_("2 roads further: {place} ({goal})"))
"""The best place to settle after one more road, and after two."""


def _ends(view: View, edge: int, seat: int | None) -> tuple[int, int]:
    """The intersections of an edge, first the one that the seat's network touches."""
    a, b = view.board.grid.edges[edge]
    return (b, a) if _touches(view, b, edge, seat) and not _touches(view, a, edge, seat) else (a, b)


def _touches(view: View, node: int, edge: int, seat: int | None) -> bool:
    """Whether the seat's own pieces reach an intersection, not counting the edge itself."""
    if seat is None:
        return False
    player = view.players[seat]
    if (player.settlements | player.cities) >> node & 1:
        return True
    roads = player.roads & view.board.grid.node_edge_mask[node] & ~(1 << edge)
    return bool(roads) and owner(view, node) is None


def _word(view: View, node: int, seat: int | None) -> Piece:
    """The kind of the seat's piece that reaches an intersection."""
    if seat is not None and view.players[seat].settlements >> node & 1:
        return Piece.SETTLEMENT
    return Piece.CITY if seat is not None and view.players[seat].cities >> node & 1 else Piece.ROAD


def describe_hex(view: View, hex_: int, names: Sequence[str]) -> str:
    """ "3.2 · grain 9 · Bob, Ann", at most 100 characters; the viewer is "you"."""
    board = view.board
    nodes = board.hex_node_mask[hex_]
    seats = [p.seat for p in view.players if (p.settlements | p.cities) & nodes]
    who = [(_("you") if s == view.seat else names[s]) for s in seats]
    parts = [board.grid.hex_names[hex_], hex_yield(board, hex_), enumeration(who) or _("no one")]
    return clip(" · ".join(parts), LONGEST_LABEL)


def owner(view: View, node: int) -> int | None:
    """The seat whose settlement or city stands at an intersection."""
    return next((p.seat for p in view.players if (p.settlements | p.cities) >> node & 1), None)


def regions(names: Sequence[str], ids: Sequence[int], most: int = 25) -> list[tuple[str, list[int]]]:
    """A long list of places in groups of whole rows, at most `most` in each: ("Rows A to C", ids); the sea is last.

    `names` are the grid's names of that kind of place (`grid.node_names`, …). If all fit, there is one group. The ids
    keep their order within a group.
    """
    if len(ids) <= most:
        return [(_("All places"), list(ids))] if ids else []
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
        ends = names[members[0]], names[members[-1]]
        out.append((_title(found, *ends), sorted(members, key=order.__getitem__)))
    return out


def _row(name: str) -> str:
    return name.partition(".")[0] if "." in name else name[0]


def _title(rows: Sequence[str], first: str, last: str) -> str:
    if rows == [AT_SEA]:
        return _("At sea, {first} to {last}", first=first, last=last)
    if rows[0] == rows[-1]:
        return _("Row {row}", row=rows[0])
    return _("Rows {first} to {last}", first=rows[0], last=rows[-1])


_TYPED = re.compile(r"\s*(?P<row>[A-Za-z]|[0-9]{1,3}(?=[\s.,-]))[\s.,-]{0,3}(?P<place>[0-9]{1,3})\s*")
"""A row and a number, with little between them; nothing else counts as a place."""
_CORNER = r"([A-Za-z][\s.,-]{0,3}[0-9]{1,3})"
_ENDS = re.compile(rf"(\D{{0,20}}?){_CORNER}(\D{{0,20}}?){_CORNER}(\D{{0,20}})")
"""Two corners, and what stands before, between and behind them."""
_DASH = re.compile("[-\N{HYPHEN}-\N{HORIZONTAL BAR}\N{MINUS SIGN}ー~〜<>=→⇒]{1,3}|/")
"""Signs that join two corners: "-", "〜", "->"."""


def _read(text: str, between: str = "") -> str:
    """The typed name as the board writes it; "" if it isn't one."""
    found = _TYPED.fullmatch(narrow(text))
    return f"{found['row']}{between}{int(found['place'])}" if found else ""


def parse_intersection(view: View, text: str) -> int:
    """The intersection that was typed ("C4", "c 4"); a `RefereeError` says what a name looks like."""
    grid = view.board.grid
    found = grid.node(_read(text))
    if found is None:
        raise _unknown("intersection", text, grid.node_names)
    return found


def parse_edge(view: View, text: str) -> int:
    """The edge that was typed ("c4", or its ends "C4-C5"); a `RefereeError` says what a name looks like."""
    grid = view.board.grid
    typed = _ENDS.fullmatch(narrow(text))
    ends = [grid.node(_read(typed[n])) for n in (2, 4)] if typed and _joins(*typed.group(1, 3, 5)) else [None]
    if None not in ends:
        joined = [e for e, pair in enumerate(grid.edges) if set(pair) == set(ends)]
        if joined:
            return joined[0]
        raise RefereeError("unreadable/ends", text=quoted(text))
    found = grid.edge(_read(text))
    if found is None:
        raise _unknown("edge", text, grid.edge_names)
    return found


def _joins(before: str, between: str, behind: str) -> bool:
    """Whether what stands around two corners makes an edge of them: in "c4 and c5" or "c4, c5" it can be two edges."""
    before, joint, behind = (folded(part).strip() for part in (before, between, behind))
    words = lexicon()
    joined = _DASH.fullmatch(between.strip()) is not None or joint in words.to
    return joined and {before, behind} <= {"", *words.around}


def parse_hex(view: View, text: str) -> int:
    """The hex that was typed ("3.2", "3,2", "s.4"); a `RefereeError` says what a name looks like."""
    grid = view.board.grid
    found = grid.hex(_read(text, between="."))
    if found is None:
        at_sea = isinstance(view.step, RobberView) and view.step.hexes & ~view.board.land_mask
        names = [name for h, name in enumerate(grid.hex_names) if at_sea or view.board.land_mask >> h & 1]
        raise _unknown("hex", text, names)
    return found


def _unknown(kind: str, text: str, names: Sequence[str]) -> RefereeError:
    if text.strip():
        return RefereeError(f"unreadable/{kind}", text=quoted(text), first=names[0], last=names[-1])
    return RefereeError(f"unreadable/no-{kind}", first=names[0], last=names[-1])


def buildings(view: View, seat: int) -> str:
    """A seat's buildings by name: "settlements C4 and D5, city E2"."""
    names = view.board.grid.node_names
    player = view.players[seat]
    parts = []
    for mask, texts in ((player.settlements, _SETTLEMENTS), (player.cities, _CITIES)):
        found = [names[n] for n in bits(mask)]
        if found:
            parts.append(n_(*texts, len(found), places=listing(found)))
    return enumeration(parts) or _("no buildings")


_SETTLEMENTS = NN_("settlement {places}", "settlements {places}")
_CITIES = NN_("city {places}", "cities {places}")
