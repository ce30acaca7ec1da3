"""Choosing a place or a person: the board with just the legal places labelled, and selects that hold them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from discord import ui

from bot.front import play
from bot.front.call import Call
from bot.front.ids import Address
from bot.front.parts import Option, Reply, Style, button, rows, select
from bot.front.sight import NOT_ABOUT_A_PLACE, Sight
from bot.service import Played
from bot.words.hands import mine, purchases, unaffordable
from bot.words.headline import headline
from bot.words.places import describe_edge, describe_hex, describe_intersection, regions
from bot.words.ranking import rank_edges, rank_hexes, rank_intersections
from bot.words.why import why_not
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
from engine.view import View

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


def legal(sight: Sight, group: str) -> list[Action]:
    """The legal actions of a group, best first."""
    found: list[Action] = []
    for cls in GROUPS[group]:
        domain = sight.options.get(cls)
        if isinstance(domain, Places):
            found += domain
    by_place = {action.at: action for action in found}  # type: ignore[attr-defined]
    ranks: dict[str, Callable[[View, Iterable[int]], list[int]]] = {
        "node": rank_intersections,
        "edge": rank_edges,
        "hex": rank_hexes,
    }
    return [by_place[at] for at in ranks[kind_of(GROUPS[group][0])](sight.view, by_place)]


def describe(sight: Sight, action: Action) -> str:
    """A legal action's place in words."""
    at: int = action.at  # type: ignore[attr-defined]
    kind = kind_of(type(action))
    if kind == "edge":
        return describe_edge(sight.view, at)
    return describe_hex(sight.view, at, sight.names) if kind == "hex" else describe_intersection(sight.view, at)


def refusal(sight: Sight, group: str) -> RefereeError:
    """Why nothing of a group can be done now."""
    cls = GROUPS[group][0]
    every = range(len(names_of(sight.view, kind_of(cls))))
    what = {"way": "road", "yield": "choice", "robber": "move of the robber"}.get(group, group)
    reason = sight.why((cls(at) for at in every), f"There is no legal place for a {what} now.")  # type: ignore[call-arg]
    short = next((p for p in purchases(sight.view) if p.what == what and not p.possible), None)
    if reason.code == "not-now" and short is not None:
        text = unaffordable(what, short.cost, mine(sight.view).hand or short.cost)
        return RefereeError("unaffordable", short.obstacle.capitalize() + "." if short.obstacle else text)
    return reason


def why(sight: Sight, action: Action, error: RefereeError) -> str:
    """The refusal of a place that was named, with what stands in the way."""
    if error.code in NOT_ABOUT_A_PLACE or error.code == "stale":
        return error.message
    return why_not(sight.view, action, sight.names) or error.message


async def places(call: Call, sight: Sight, group: str, lead: str = "") -> Reply:
    """The picker of a group; raises why, when nothing can be picked."""
    actions = legal(sight, group)
    if not actions:
        raise refusal(sight, group)
    kind = kind_of(GROUPS[group][0])
    ids: list[int] = [action.at for action in actions]  # type: ignore[attr-defined]
    by_place = dict(zip(ids, actions, strict=True))
    controls: list[ui.ActionRow] = []
    chunks = regions(names_of(sight.view, kind), ids, MOST)
    if len(chunks) > 1:
        chunks.insert(0, ("The best places", ids[:MOST]))
    for n, (title, chunk) in enumerate(chunks):
        address = Address("put", sight.table.number, sight.decision, (group, str(n)))
        options = [Option(".".join(play.encode(by_place[i])), describe(sight, by_place[i])) for i in chunk]
        controls.append(select(title if len(chunks) > 1 else "Choose a place", address, options))
    if LeaveRobber in sight.options:
        leave = button("Leave it where it is", play.address(sight, LeaveRobber()))
        controls.append(ui.ActionRow(leave))
    picture = await call.front.pictures.board(sight, labels=(kind, ids))
    hint = f"-# The first list holds the best {MOST}, the others all {len(ids)} by row." if len(chunks) > 1 else ""
    return Reply("\n".join(filter(None, (lead, f"**{TITLES[group]}**", hint))), picture, controls)


async def victims(call: Call, sight: Sight, lead: str = "") -> Reply:
    """From whom the robber takes a card."""
    domain = sight.options.get(TakeCard)
    if not isinstance(domain, Choices):
        raise sight.why([TakeCard(-1)], "There is nobody to take a card from now.")
    buttons = []
    for seat in domain.values:
        cards = sight.view.players[seat].cards
        label = f"{sight.names[seat]} ({cards} card{'s' if cards != 1 else ''})"
        buttons.append(button(label, play.address(sight, TakeCard(seat)), Style.danger))
    if DeclineCard in sight.options:
        buttons.append(button("Take nothing", play.address(sight, DeclineCard())))
    return Reply("\n".join(filter(None, (lead, "**From whom do you take a card?**"))), None, rows(buttons))


def owed(sight: Sight) -> str | None:
    """The group of the placement that the seat owes now, "victim", or None."""
    view = sight.view
    if sight.seat is None or not view.awaited >> sight.seat & 1:
        return None
    if view.step in ("setup", "road_building"):
        return "settlement" if view.piece == "settlement" else "way"
    return {"move_robber": "robber", "take_card": "victim", "choose_yield": "yield"}.get(view.step)


async def pick(call: Call, sight: Sight, group: str, lead: str = "") -> Reply:
    """The picker of a group, or of a person."""
    if group == "victim":
        return await victims(call, sight, lead)
    return await places(call, sight, group, lead)


async def onward(call: Call, played: Played, lead: str) -> Reply | None:
    """After an action: the next thing the player owes, or just what happened; None where all see that."""
    sight = Sight(played.table, played.game, played.seat)
    group = owed(sight)
    if group is None or played.repeated:
        return Reply(lead) if lead else None
    return await pick(call, sight, group, lead)


async def again(call: Call, error: RefereeError, group: str | None = None) -> Reply:
    """A private picker that has become stale, drawn anew with the reason."""
    sight = await call.sight()
    wanted = owed(sight) or (group if group in GROUPS and legal(sight, group) else None)
    if wanted is None:
        raise error
    return await pick(call, sight, wanted, f"⚠️ {error.message}")


async def open_(call: Call) -> Reply:
    """A panel button that opens a picker; "owed" stands for whatever must be placed."""
    sight = await call.sight()
    group = call.address.arg
    if group == "owed":
        group = owed(sight) or ""
    if group != "victim" and group not in GROUPS:
        mine = sight.view.awaited >> sight.player & 1 or sight.view.on_turn == sight.player
        code = "nothing-to-place" if mine else "wrong-turn"
        raise RefereeError(code, headline(sight.view, sight.mentions))
    return await pick(call, sight, group)


async def put(call: Call) -> Reply | None:
    """A place was chosen."""
    action = play.decode(tuple(call.chosen[0].split(".")))
    try:
        played = await play.do(call, action, call.address.decision)
    except RefereeError as error:
        sight = await call.sight()
        return await again(call, RefereeError(error.code, why(sight, action, error)), call.address.arg)
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
