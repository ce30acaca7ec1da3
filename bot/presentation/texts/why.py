"""Why a typed place is not possible, where the engine's refusal says no more than that."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.marks import hex_text
from bot.presentation.texts.places import owner
from engine.actions import Action, BuildBridge, BuildCity, BuildRoad, BuildSettlement, MoveRobber
from engine.geometry import bits
from engine.terms import StepKind
from engine.views import View


def why_not(view: View, action: Action, names: Sequence[str]) -> str | None:
    """One sentence on what is in the way of an action of the viewer at its place, or None."""
    if view.seat is None or not _on_board(view, action):
        return None
    match action:
        case BuildSettlement(at):
            return _settlement(view, view.seat, at, names)
        case BuildCity(at):
            place = view.board.grid.node_names[at]
            mine = view.players[view.seat].settlements >> at & 1
            return None if mine else f"A city replaces a settlement of yours, and you have none at {place}."
        case BuildRoad(at) | BuildBridge(at):
            return _edge(view, view.seat, at, isinstance(action, BuildBridge), names)
        case MoveRobber(at):
            if at == view.robber:
                return f"The robber already stands on {hex_text(view.board, at)}; choose another hex."
            if not view.board.land_mask >> at & 1 and "pirate" not in view.config.variants:
                return f"{hex_text(view.board, at)} is no land; the robber stays on land."
    return None


def _on_board(view: View, action: Action) -> bool:
    """Whether the place is one of this board: what is sent can name any."""
    grid = view.board.grid
    names = {BuildRoad: grid.edge_names, BuildBridge: grid.edge_names, MoveRobber: grid.hex_names}
    return 0 <= getattr(action, "at", -1) < len(names.get(type(action), grid.node_names))


def _settlement(view: View, seat: int, at: int, names: Sequence[str]) -> str | None:
    board, grid = view.board, view.board.grid
    place = grid.node_names[at]
    if not board.settle_mask >> at & 1:
        return f"{place} lies in open water; a settlement needs land beside it."
    if (holder := owner(view, at)) is not None:
        return f"{place} is taken by {'yourself' if holder == seat else names[holder]}."
    for near in bits(board.blocks[at]):
        if (holder := owner(view, near)) is not None:
            whose = "your own" if holder == seat else f"{names[holder]}'s"
            what = "city" if view.players[holder].cities >> near & 1 else "settlement"
            return f"{place} is next to {whose} {what} at {grid.node_names[near]}; one step must stay free."
    if view.step.kind is not StepKind.SETUP and not view.players[seat].roads & grid.node_edge_mask[at]:
        return f"No road of yours reaches {place}."
    return None


def _edge(view: View, seat: int, at: int, bridge: bool, names: Sequence[str]) -> str | None:
    board, grid = view.board, view.board.grid
    place = grid.edge_names[at]
    for player in view.players:
        if player.roads >> at & 1:
            return f"{place} is taken by {'yourself' if player.seat == seat else names[player.seat]}."
    if bridge and not board.bridge_mask >> at & 1:
        return f"{place} is no sea edge; build a road there."
    if not bridge and not board.road_mask >> at & 1:
        return f"{place} has sea on both sides; only a bridge could stand there."
    mine = view.players[seat]
    for node in grid.edges[at]:
        holder = owner(view, node)
        if holder == seat:
            return None
        if mine.roads & grid.node_edge_mask[node]:
            if holder is None:
                return None
            return f"{names[holder]}'s building at {grid.node_names[node]} blocks your way to {place}."
    return f"{place} doesn't touch a road, settlement or city of yours."
