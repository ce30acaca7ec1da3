"""Choosing a place or a person: the board with just the legal places labelled, and selects that hold them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from discord import ui

from bot.frontends.discord import play
from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Option, Reply, Style, button, rows, select
from bot.presentation.texts.hands import mine, purchases, unaffordable
from bot.presentation.texts.headline import headline
from bot.presentation.texts.places import describe_edge, describe_hex, describe_intersection, regions
from bot.presentation.texts.ranking import rank_edges, rank_hexes, rank_intersections
from bot.presentation.texts.why import why_not
from bot.presentation.viewer import NOT_ABOUT_A_PLACE, Viewer
from bot.service import Played
from engine.actions import (
    Action,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    ChooseYield,
    DeclineCard,
    LeaveRobber,
    MoveRobber,
    TakeCard,
)
from engine.domains import Choices, Places
from engine.errors import RefereeError
from engine.step import PlacingView
from engine.terms import Piece
from engine.views import View

GROUPS: dict[str, tuple[type[Action], ...]] = {
    "settlement": (BuildSettlement,),
    "city": (BuildCity,),
    "road": (BuildRoad,),
    "bridge": (BuildBridge,),
    "way": (BuildRoad, BuildBridge),
    "robber": (MoveRobber,),
    "yield": (ChooseYield,),
}
"""What one picker chooses among."""

TITLES = {
    "settlement": "Where does the settlement go?",
    "city": "Which settlement becomes a city?",
    "road": "Where does the road go?",
    "bridge": "Where does the bridge go?",
    "way": "Where does the road go?",
    "robber": "Where does the robber go?",
    "yield": "Which settlement yields your first cards?",
}
MOST = 25
"""Options in a select."""


def kind_of(cls: type[Action]) -> str:
    """Whether an action's place is a "node", an "edge" or a "hex"."""
    if cls in (BuildRoad, BuildBridge):
        return "edge"
    return "hex" if cls is MoveRobber else "node"


def names_of(view: View, kind: str) -> Sequence[str]:
    """The names of places of a kind."""
    grid = view.board.grid
    return {"node": grid.node_names, "edge": grid.edge_names, "hex": grid.hex_names}[kind]


def legal(viewer: Viewer, group: str) -> list[Action]:
    """The legal actions of a group, best first."""
    found: list[Action] = []
    for cls in GROUPS[group]:
        domain = viewer.options.get(cls)
        if isinstance(domain, Places):
            found += domain
    by_place = {action.at: action for action in found}  # type: ignore[attr-defined]
    ranks: dict[str, Callable[[View, Iterable[int]], list[int]]] = {
        "node": rank_intersections,
        "edge": rank_edges,
        "hex": rank_hexes,
    }
    return [by_place[at] for at in ranks[kind_of(GROUPS[group][0])](viewer.view, by_place)]


def describe(viewer: Viewer, action: Action) -> str:
    """A legal action's place in words."""
    at: int = action.at  # type: ignore[attr-defined]
    kind = kind_of(type(action))
    if kind == "edge":
        return describe_edge(viewer.view, at)
    return describe_hex(viewer.view, at, viewer.names) if kind == "hex" else describe_intersection(viewer.view, at)


def refusal(viewer: Viewer, group: str) -> RefereeError:
    """Why nothing of a group can be done now."""
    cls = GROUPS[group][0]
    every = range(len(names_of(viewer.view, kind_of(cls))))
    what = {"way": "road", "yield": "choice", "robber": "move of the robber"}.get(group, group)
    reason = viewer.why((cls(at) for at in every), f"There is no legal place for a {what} now.")  # type: ignore[call-arg]
    short = next((p for p in purchases(viewer.view) if p.what == what and not p.possible), None)
    if reason.code == "not-now" and short is not None:
        text = unaffordable(what, short.cost, mine(viewer.view).hand or short.cost)
        return RefereeError("unaffordable", short.obstacle.capitalize() + "." if short.obstacle else text)
    return reason


def why(viewer: Viewer, action: Action, error: RefereeError) -> str:
    """The refusal of a place that was named, with what stands in the way."""
    if error.code in NOT_ABOUT_A_PLACE or error.code == "stale":
        return error.message
    return why_not(viewer.view, action, viewer.names) or error.message


async def places(call: Call, viewer: Viewer, group: str, lead: str = "") -> Reply:
    """The picker of a group; raises why, when nothing can be picked."""
    actions = legal(viewer, group)
    if not actions:
        raise refusal(viewer, group)
    kind = kind_of(GROUPS[group][0])
    ids: list[int] = [action.at for action in actions]  # type: ignore[attr-defined]
    by_place = dict(zip(ids, actions, strict=True))
    controls: list[ui.ActionRow] = []
    chunks = regions(names_of(viewer.view, kind), ids, MOST)
    if len(chunks) > 1:
        chunks.insert(0, ("The best places", ids[:MOST]))
    for n, (title, chunk) in enumerate(chunks):
        address = Address("put", viewer.table.number, viewer.decision, (group, str(n)))
        options = [Option(".".join(play.encode(by_place[i])), describe(viewer, by_place[i])) for i in chunk]
        controls.append(select(title if len(chunks) > 1 else "Choose a place", address, options))
    if LeaveRobber in viewer.options:
        leave = button("Leave it where it is", play.address(viewer, LeaveRobber()))
        controls.append(ui.ActionRow(leave))
    picture = await call.app.pictures.board(viewer, labels=(kind, ids))
    hint = f"-# The first list holds the best {MOST}, the others all {len(ids)} by row." if len(chunks) > 1 else ""
    return Reply("\n".join(filter(None, (lead, f"**{TITLES[group]}**", hint))), picture, controls)


async def victims(call: Call, viewer: Viewer, lead: str = "") -> Reply:
    """From whom the robber takes a card."""
    domain = viewer.options.get(TakeCard)
    if not isinstance(domain, Choices):
        raise viewer.why([TakeCard(-1)], "There is nobody to take a card from now.")
    buttons = []
    for seat in domain.values:
        cards = viewer.view.players[seat].hand_size
        label = f"{viewer.names[seat]} ({cards} card{'s' if cards != 1 else ''})"
        buttons.append(button(label, play.address(viewer, TakeCard(seat)), Style.danger))
    if DeclineCard in viewer.options:
        buttons.append(button("Take nothing", play.address(viewer, DeclineCard())))
    return Reply("\n".join(filter(None, (lead, "**From whom do you take a card?**"))), None, rows(buttons))


def owed(viewer: Viewer) -> str | None:
    """The group of the placement that the seat owes now, "victim", or None."""
    view = viewer.view
    if viewer.seat is None or not view.awaited >> viewer.seat & 1:
        return None
    if isinstance(view.step, PlacingView):
        return "settlement" if view.step.piece is Piece.SETTLEMENT else "way"
    return {"move_robber": "robber", "take_card": "victim", "choose_yield": "yield"}.get(view.step.kind)


async def pick(call: Call, viewer: Viewer, group: str, lead: str = "") -> Reply:
    """The picker of a group, or of a person."""
    if group == "victim":
        return await victims(call, viewer, lead)
    return await places(call, viewer, group, lead)


async def onward(call: Call, played: Played, lead: str) -> Reply | None:
    """After an action: the next thing the player owes, or just what happened; None where all see that."""
    viewer = Viewer(played.table, played.game, played.seat)
    group = owed(viewer)
    if group is None or played.repeated:
        return Reply(lead) if lead else None
    return await pick(call, viewer, group, lead)


async def again(call: Call, error: RefereeError, group: str | None = None) -> Reply:
    """A private picker that has become stale, drawn anew with the reason."""
    viewer = await call.viewer()
    wanted = owed(viewer) or (group if group in GROUPS and legal(viewer, group) else None)
    if wanted is None:
        raise error
    return await pick(call, viewer, wanted, f"⚠️ {error.message}")


async def open_(call: Call) -> Reply:
    """A panel button that opens a picker; "owed" stands for whatever must be placed."""
    viewer = await call.viewer()
    group = call.address.arg
    if group == "owed":
        group = owed(viewer) or ""
    if group != "victim" and group not in GROUPS:
        mine = viewer.view.awaited >> viewer.player & 1 or viewer.view.on_turn == viewer.player
        code = "nothing-to-place" if mine else "wrong-turn"
        raise RefereeError(code, headline(viewer.view, viewer.mentions))
    return await pick(call, viewer, group)


async def put(call: Call) -> Reply | None:
    """A place was chosen."""
    action = play.decode(tuple(call.chosen[0].split(".")))
    try:
        played = await play.do(call, action, call.address.decision)
    except RefereeError as error:
        viewer = await call.viewer()
        return await again(call, RefereeError(error.code, why(viewer, action, error)), call.address.arg)
    return await onward(call, played, play.news(played))


async def act(call: Call) -> Reply | None:
    """A button that is an action: roll, end, accept, take from Bob."""
    action = play.decode(call.address.args)
    try:
        played = await play.do(call, action, call.address.decision)
    except RefereeError as error:
        if call.on_private:
            return await again(call, error)
        raise
    if call.on_private:
        return await onward(call, played, play.news(played))
    news = play.news(played)
    return Reply(news) if news else None
