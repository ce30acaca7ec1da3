"""Does one engine action as a person would: by components only, or by commands only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from bot.screens.controls import hand_code
from bot.screens.drafts import MOST_OF_A_KIND
from bot.screens.steps.discard import MOST_BOXES
from bot.screens.suggested import player_value
from bot.screens.viewer import Viewer
from bot.words.typed import typed
from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ChooseYield,
    CloseOffer,
    DeclineCard,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    LeaveRobber,
    MakeOffer,
    MoveRobber,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    TakeBackDiscard,
    TakeCard,
    Undo,
    WithdrawOffer,
)
from engine.game import Game
from engine.resources import NOTHING, RESOURCES, Hand
from engine.views import View
from tests.bot.discord.hall import (
    RADIOS,
    button_id,
    find_button,
    find_select,
    reply,
    select_with,
)

PLAIN = {
    Roll: "Roll",
    EndTurn: "End turn",
    PassOn: "Pass",
    AskToBuild: "Ask to build",
    EndTrade: "Go on to build",
}
OWED = ("setup", "road_building", "move_robber", "take_card", "choose_yield")


class Place(Protocol):
    """Where people play: a hall, or the Discord of `tests/wire`."""

    @property
    def channel(self) -> Any: ...

    async def panel(self) -> Any: ...

    async def game(self) -> Game: ...

    async def person(self, seat: int) -> Any: ...

    async def viewer(self, person: Any) -> Viewer: ...


async def shown(find: Callable[[], str | None]) -> str:
    """Wait until a control is there. Returns its id."""
    for _ in range(500):
        if custom_id := find():
            return custom_id
        await asyncio.sleep(0.01)
    raise AssertionError("it isn't shown")


async def sure(person: Any, asked: Any) -> Any:
    """Confirm the end of a turn, or of its trade phase, or a purchase, if asked. Returns the last interaction's
    result."""
    for message in filter(None, (*asked.followups, asked.response)):
        if button := find_button(message, "finish") or find_button(message, "buy"):
            return await person.click(message, custom_id=button)
    return asked


async def confirmed(person: Any, asked: Any) -> Any:
    """Press the button that the answer to a command asks for, if any. Returns the last interaction's result."""
    for message in filter(None, (*asked.followups, asked.response)):
        if button := find_button(message, "do"):
            return await person.click(message, custom_id=button)
    return asked


async def sent(person: Any, form: Any, values: Mapping[str, Any]) -> Any:
    """Send a form. Each field has a list of values; for radio buttons, a client sends just the one value."""
    modal = getattr(form, "modal", None) or form.data
    radios = {c["custom_id"] for top in modal["components"] if (c := top["component"])["type"] == RADIOS}
    return await person.submit_modal(form, {n: v[0] if n in radios and v else v for n, v in values.items()})


async def by_components(hall: Place, person: Any, action: Action) -> Any:
    """Do an action by buttons, selects and forms. Returns the last interaction's result."""
    panel = await hall.panel()
    view = (await hall.game()).view(None)
    if action == AskToBuild(False):
        opened = await person.click(panel, label=PLAIN[AskToBuild])
        return await person.click(reply(opened), label="Cancel request")
    if type(action) in PLAIN and view.step.kind != "interrupt":
        return await sure(person, await person.click(panel, label=PLAIN[type(action)]))
    match action:
        case Undo():
            opened = await person.click(panel, custom_id=button_id(panel, "undo", ""))
            return await person.click(reply(opened), label="Undo")
        case BuildRoad(at) | BuildBridge(at) | BuildSettlement(at) | BuildCity(at) | MoveRobber(at) | ChooseYield(at):
            if view.step.kind in OWED:
                opened = await person.click(panel, custom_id=button_id(panel, "place", ""))
            else:
                opened = await person.click(panel, label="Build")
            value = f"{action.name}.{at}"
            return await person.select(reply(opened), [value], custom_id=select_with(reply(opened), value))
        case BuyCard():
            opened = await person.click(panel, label="Build")
            return await sure(person, await person.click(reply(opened), label="Buy card"))
        case LeaveRobber() | DeclineCard():
            return await person.click(panel, custom_id=button_id(panel, *map(str, action.to_json())))
        case TakeCard():
            opened = await person.click(panel, custom_id=button_id(panel, "place", ""))
            words = [str(part) for part in action.to_json()]
            return await person.click(reply(opened), custom_id=button_id(reply(opened), *words))
        case Discard(cards):
            opened = await person.click(panel, label="Discard")
            if proposed := find_button(reply(opened), "throw", hand_code(cards)):
                return await person.click(reply(opened), custom_id=proposed)
            form = await person.click(reply(opened), label="Choose myself")
            viewer = await hall.viewer(person)
            hand_cards = viewer.view.players[viewer.my_seat].hand or NOTHING
            if sum(hand_cards) <= MOST_BOXES:
                boxes = [f"{k}.{n}" for k, owed in enumerate(cards) for n in range(owed)]
                return await sent(person, form, {"cards": boxes})
            return await sent(person, form, {f"r{k}": [str(n)] for k, n in enumerate(cards) if hand_cards[k]})
        case TakeBackDiscard():
            opened = await person.click(panel, label="Discard")
            return await person.click(reply(opened), label="Undo my discard")
        case PlayKnight() if view.step.kind == "interrupt":
            opened = await person.click(panel, label="Answer the robber")
            return await person.click(reply(opened), label="Play a knight")
        case PassOn() if view.step.kind == "interrupt":
            opened = await person.click(panel, label="Answer the robber")
            return await person.click(reply(opened), label="Pass")
        case PlayKnight() | PlayRoadBuilding() | PlayVictoryPoint():
            opened = await person.click(panel, label="Play card")
            return await person.click(reply(opened), custom_id=button_id(reply(opened), action.name))
        case PlayYearOfPlenty(cards):
            opened = await person.click(panel, label="Play card")
            form = await person.click(reply(opened), label="Play Year of Plenty")
            kinds = [str(k) for k, n in enumerate(cards) for _ in range(n)]
            return await sent(person, form, {f"card{i}": [kind] for i, kind in enumerate(kinds)})
        case PlayMonopoly(resource):
            opened = await person.click(panel, label="Play card")
            form = await person.click(reply(opened), label="Play Monopoly")
            return await sent(person, form, {"resource": [str(resource)]})
        case BankTrade(give, get) if any(len(_lots(side)) > 1 for side in (give, get)):
            return await by_commands(hall, person, action)  # the form trades one kind for another
        case BankTrade(give, get):
            opened = await person.click(panel, label="Bank")
            kind = next(k for k, n in enumerate(give) if n)
            wanted = next(k for k, n in enumerate(get) if n)
            if sum(get) == 1:
                value = f"{kind}.{wanted}"
                return await person.select(reply(opened), [value], custom_id=select_with(reply(opened), value))
            form = await person.click(reply(opened), label="More than one")
            return await sent(person, form, {"give": [f"{kind}.{sum(get)}"], "get": [str(wanted)]})
        case MakeOffer(give, want, to, answers):
            label = "Offer a trade" if answers < 0 else f"Counter {answers}"
            asked = panel if answers < 0 else await _with_offers(person, panel, view)
            opened = await person.click(asked, label=label)
            if max(*give, *want) > MOST_OF_A_KIND or any(len(_lots(side)) > 1 for side in (give, want)):
                form = await person.click(reply(opened), label="Type it instead")
                values: dict[str, Any] = {"give": typed(give), "want": typed(want)}
                if to:
                    values["to"] = [str(seat) for seat in to]
                return await sent(person, form, values)
            chosen = {"give": _lots(give), "want": _lots(want)}
            if to and find_select(reply(opened), "draft", "to"):
                chosen["to"] = [str(seat) for seat in to]
            for side, lots in chosen.items():
                listed = select_with(reply(opened), lots[0], "draft", side)
                opened = await person.select(reply(opened), lots, custom_id=listed)
            find = partial(find_button, reply(opened), "offer", hand_code(give), hand_code(want))
            return await person.click(reply(opened), custom_id=await shown(find))
        case AcceptOffer(offer) | DeclineOffer(offer) | WithdrawOffer(offer):
            asked = await _with_offers(person, panel, view)
            return await person.click(asked, custom_id=button_id(asked, action.name, str(offer)))
        case CloseOffer(offer, seat):
            words, asked = [action.name, str(offer), str(seat)], await _with_offers(person, panel, view)
            if (several := find_button(asked, "close", str(offer))) is None:
                return await person.click(asked, custom_id=button_id(asked, *words))
            opened = await person.click(asked, custom_id=several)
            return await person.click(reply(opened), custom_id=button_id(reply(opened), *words))
        case AgreeToEnd() | AgreeToCallOff():
            opened = await person.click(panel, label="More")
            opened = await person.click(reply(opened), label="Pause, leave, change…")
            if action.agree:
                what = "count" if isinstance(action, AgreeToEnd) else "off"
                opened = await person.click(reply(opened), custom_id=find_button(reply(opened), "agree", what))
            return await person.click(reply(opened), custom_id=button_id(reply(opened), action.name))
    raise AssertionError(f"no way to {action}")


async def _with_offers(person: Any, panel: Any, view: View) -> Any:
    """The message with buttons for each open offer: the game message, or below it if there are more than two."""
    if len(view.offers) <= 2:
        return panel
    return reply(await person.click(panel, custom_id=button_id(panel, "offers", "")))


def _lots(side: Hand) -> list[str]:
    """The values to choose in the list for one side of an offer."""
    return [f"{kind}.{n}" for kind, n in enumerate(side) if n]


async def by_commands(hall: Place, person: Any, action: Action) -> Any:
    """Do an action by slash commands. Returns the last interaction's result."""
    viewer = await hall.viewer(person)
    grid = viewer.view.board.grid
    channel = hall.channel

    async def say(name: str, **values: Any) -> Any:
        return await person.slash(channel, name, **values)

    match action:
        case Roll():
            return await say("roll")
        case EndTurn():
            return await sure(person, await say("end"))
        case Undo() | TakeBackDiscard():
            return await say("undo")
        case PassOn():
            return await say("pass")
        case EndTrade():
            return await sure(person, await say("trade done"))
        case BuyCard():
            return await sure(person, await say("build card"))
        case AskToBuild(wanted):
            return await say("build ask", cancel=not wanted)
        case BuildRoad(at):
            return await say("build road", place=grid.edge_names[at])
        case BuildBridge(at):
            return await say("build bridge", place=grid.edge_names[at])
        case BuildSettlement(at):
            return await say("build settlement", place=grid.node_names[at])
        case BuildCity(at):
            return await say("build city", place=grid.node_names[at])
        case ChooseYield(at):
            return await say("build settlement", place=grid.node_names[at])
        case MoveRobber(at):
            return await say("robber", hex=grid.hex_names[at])
        case LeaveRobber():
            return await say("robber", hex="<leave>")
        case TakeCard(seat):
            return await say("robber", player=player_value(viewer, seat))
        case DeclineCard():
            return await say("robber", player="<nobody>")
        case Discard(cards):
            return await say("discard", cards=typed(cards))
        case PlayKnight():
            return await say("play knight")
        case PlayRoadBuilding():
            return await say("play road-building")
        case PlayVictoryPoint():
            return await say("play victory-point")
        case PlayYearOfPlenty(cards):
            return await say("play year-of-plenty", cards=typed(cards))
        case PlayMonopoly(resource):
            return await say("play monopoly", resource=RESOURCES[resource])
        case BankTrade(give, get):
            return await say("trade bank", give=typed(give), get=typed(get))
        case MakeOffer(give, want, to, answers) if answers < 0:
            others = [player_value(viewer, seat) for seat in to]
            return await say(
                "trade offer", give=typed(give), get=typed(want), **dict(zip(("to", "also"), others, strict=False))
            )
        case MakeOffer(give, want, _, answers):
            return await say("trade counter", offer=str(answers), give=typed(give), get=typed(want))
        case AcceptOffer(offer):
            return await say("trade accept", offer=str(offer))
        case DeclineOffer(offer):
            return await say("trade decline", offer=str(offer))
        case WithdrawOffer(offer):
            return await say("trade cancel", offer=str(offer))
        case CloseOffer(offer, seat):
            return await say("trade confirm", offer=str(offer), player=player_value(viewer, seat))
        case AgreeToEnd():
            return await confirmed(person, await say("game end", how="count"))
        case AgreeToCallOff():
            return await confirmed(person, await say("game end", how="off"))
    raise AssertionError(f"no way to {action}")
