"""Choosing a place: lists of all legal places, the best first, and their labels on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.plaintext import CardsWithSigns
from bot.screens.controls import Button, ListOption, Open, Row, Select
from bot.screens.viewer import Viewer
from bot.words.hands import Purchase, purchases
from bot.words.language import N_, _
from bot.words.marks import TERRAIN_NAMES
from bot.words.places import describe_edge, describe_hex, describe_intersection, names_of, regions, terrain_at
from engine.actions import (
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    ChooseYield,
    MoveRobber,
    PlaceAction,
    action_from_json,
)
from engine.domains import Places
from engine.errors import RefereeError
from engine.terms import PlaceKind
from engine.views import View
from players.places import rank_edges, rank_hexes, rank_intersections

MOST_OPTIONS = 25
"""Most options in a list."""


@dataclass(frozen=True, slots=True)
class Picker:
    """A question to one person: its text, its controls, and the places to label on the board, if any, by kind."""

    text: str
    rows: Sequence[Row]
    labels: Mapping[PlaceKind, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlacePicker:
    """A choice of a place, for actions that share one kind of place."""

    name: str
    actions: tuple[type[PlaceAction], ...]
    title: str


PICKERS = {
    picker.name: picker
    for picker in (
        PlacePicker("settlement", (BuildSettlement,), N_("Where does the settlement go?")),
        PlacePicker("city", (BuildCity,), N_("Which settlement becomes a city?")),
        PlacePicker("road", (BuildRoad,), N_("Where does the road go?")),
        PlacePicker("bridge", (BuildBridge,), N_("Where does the bridge go?")),
        PlacePicker("way", (BuildRoad, BuildBridge), N_("Where does the road go?")),
        PlacePicker("robber", (MoveRobber,), N_("Where does the robber go?")),
        PlacePicker("yield", (ChooseYield,), N_("Which settlement gives your first cards?")),
    )
}
"""All choices of places, by name."""

Rank = Callable[[View, Iterable[int]], list[int]]
RANKS: dict[PlaceKind, Rank] = {
    PlaceKind.INTERSECTION: rank_intersections,
    PlaceKind.EDGE: rank_edges,
    PlaceKind.HEX: rank_hexes,
}


def legal(viewer: Viewer, picker: PlacePicker) -> list[PlaceAction]:
    """The legal actions of a picker, best first."""
    by_place: dict[int, PlaceAction] = {}
    for cls in picker.actions:
        domain = viewer.options.get(cls)
        if isinstance(domain, Places):
            by_place |= {action.at: action for action in domain}
    return [by_place[at] for at in RANKS[picker.actions[0].place](viewer.view, by_place)]


def describe(viewer: Viewer, action: PlaceAction) -> str:
    """A legal action's place in words."""
    match action.place:
        case PlaceKind.INTERSECTION:
            return describe_intersection(viewer.view, action.at)
        case PlaceKind.EDGE:
            return describe_edge(viewer.view, action.at)
        case PlaceKind.HEX:
            return describe_hex(viewer.view, action.at, viewer.names)


def terrain(viewer: Viewer, action: PlaceAction) -> str | None:
    """What the board shows at a legal action's place; None for an edge."""
    board = viewer.view.board
    match action.place:
        case PlaceKind.INTERSECTION:
            return terrain_at(board, action.at) or None
        case PlaceKind.HEX:
            return _(TERRAIN_NAMES[board.terrain[action.at]])
        case PlaceKind.EDGE:
            return None


def refusal(viewer: Viewer, picker: PlacePicker) -> RefereeError:
    """The refusal that says why no place of a picker can be chosen now."""
    cls = picker.actions[0]
    every = (cls(at) for at in range(len(names_of(viewer.view, cls.place))))
    reason = viewer.why(every, RefereeError(f"not-now/{picker.name}"))
    if reason.code == "not-now":
        what = "road" if picker.name == "way" else picker.name
        for purchase in purchases(viewer.view):
            if purchase.what == what and (purchase.obstacle != "place" and not purchase.possible):
                return unaffordable(purchase)
    return reason


def unaffordable(purchase: Purchase) -> RefereeError:
    """The refusal of a purchase, which says what is missing."""
    if purchase.obstacle == "settlement":
        return RefereeError("obstacle/no settlement to replace")
    if purchase.obstacle:
        return RefereeError(f"obstacle/no {purchase.what}")
    return RefereeError(
        f"unaffordable/short {purchase.what}", cost=CardsWithSigns(purchase.cost), held=CardsWithSigns(purchase.held)
    )


def places(viewer: Viewer, picker: PlacePicker, lead: str = "", more: Sequence[Button] = ()) -> Picker:
    """Ask where; raises `refusal` if there is no place. `more`: buttons for what can be done instead."""
    lists, ids = _lists(viewer, picker, _("Choose a place"))
    if not lists:
        raise refusal(viewer, picker)
    hint = ""
    if len(lists) > 1:
        hint = _("-# Top {best} first; all {all} by row below.", best=MOST_OPTIONS, all=len(ids))
    text = "\n".join(filter(None, (lead, f"**{_(picker.title)}**", hint)))
    return Picker(text, [*lists, more] if more else lists, {picker.actions[0].place: ids})


def several_places(viewer: Viewer, pickers: Iterable[PlacePicker], text: str, more: Sequence[Button] = ()) -> Picker:
    """One question with the lists of several pickers, each named by its own question; those without a place are left
    out."""
    controls: list[Row] = []
    labels: dict[PlaceKind, list[int]] = {}
    for picker in pickers:
        lists, ids = _lists(viewer, picker, _(picker.title))
        controls += lists
        if ids:
            labels.setdefault(picker.actions[0].place, []).extend(ids)
    return Picker(text, [*controls, more] if more else controls, labels)


def _lists(viewer: Viewer, picker: PlacePicker, title: str) -> tuple[list[Row], list[int]]:
    """Lists of all legal places of a picker, and these places, the best first; `title`: of the list, if one is
    enough."""
    by_place = {action.at: action for action in legal(viewer, picker)}
    ids = list(by_place)
    chunks = regions(names_of(viewer.view, picker.actions[0].place), ids, MOST_OPTIONS)
    if len(chunks) > 1:
        chunks.insert(0, (_("The best places"), ids[:MOST_OPTIONS]))
    lists: list[Row] = []
    for n, (region, chunk) in enumerate(chunks):
        found = [by_place[at] for at in chunk]
        options = [ListOption(value_of(action), describe(viewer, action), terrain(viewer, action)) for action in found]
        target = Open("put", (picker.name, str(n)), bound=True)
        lists.append(Select(region if len(chunks) > 1 else title, target, options))
    return lists, ids


def value_of(action: PlaceAction) -> str:
    """An action as the value of an option: "build_road.12"."""
    return f"{action.name}.{action.at}"


def value_pattern(picker: PlacePicker) -> str:
    """Pattern of the values that a picker offers."""
    return rf"({'|'.join(cls.name for cls in picker.actions)})\.[0-9]{{1,3}}"


def chosen(value: str) -> PlaceAction:
    """The action that an option's value means. The value matches its picker's pattern."""
    name, _dot, at = value.partition(".")
    action = action_from_json([name, int(at)])
    assert isinstance(action, PlaceAction)
    return action
