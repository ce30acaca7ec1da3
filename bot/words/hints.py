"""What to do, in a sentence made of facts that the seat knows; `bot.words.why` says why."""

from __future__ import annotations

from bot.words.hands import Purchase, mine, purchase_name, purchases
from bot.words.language import N_, _, n_, sentences
from bot.words.marks import (
    Names,
    card_count,
    cards,
    hex_sign,
    listing,
    point_count,
    resource,
)
from bot.words.places import surroundings, way
from engine.actions import (
    AcceptOffer,
    Action,
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
    TakeCard,
    WithdrawOffer,
)
from engine.board import pips
from engine.geometry import bits
from engine.resources import DESERT, NOTHING, Hand, covers, hand
from engine.rules import data_of
from engine.views import OfferView, View

_SIMPLE: dict[type[Action], str] = {
    Roll: N_("Roll the dice"),
    BuyCard: N_("Buy a development card"),
    EndTrade: N_("Go on to build"),
    LeaveRobber: N_("Leave the robber where it is"),
    DeclineCard: N_("Steal nothing"),
    PlayKnight: N_("Play your knight"),
    PlayVictoryPoint: N_("Play your Victory Point"),
    PlayRoadBuilding: N_("Play Road Building"),
    WithdrawOffer: N_("Cancel your offer"),
    AskToBuild: N_("Ask to build"),
    PassOn: N_("Pass"),
    EndTurn: N_("End your turn"),
}


def what(view: View, names: Names, action: Action) -> str:
    """What to do, with the facts about it."""
    facts = _facts(view, names, action)
    if not facts:
        return _("**{move}.**", move=move(view, names, action))
    return _("**{move}**: {facts}", move=move(view, names, action), facts=facts)


def move(view: View, names: Names, action: Action) -> str:
    """What to do, in a few words."""
    board = view.board
    match action:
        case BuildSettlement(at):
            return _("Settle at {place}", place=board.grid.node_names[at])
        case BuildCity(at):
            return _("Build a city at {place}", place=board.grid.node_names[at])
        case BuildRoad(at):
            return _("Build a road on {place}", place=board.grid.edge_names[at])
        case BuildBridge(at):
            return _("Build a bridge on {place}", place=board.grid.edge_names[at])
        case ChooseYield(at):
            return _("Take the first cards at {place}", place=board.grid.node_names[at])
        case MoveRobber(at):
            return _("Move the robber to {place}", place=hex_sign(board, at))
        case TakeCard(seat):
            return _("Steal from {name}", name=names[seat])
        case PlayMonopoly(kind):
            return _("Play Monopoly on {resource}", resource=resource(kind))
        case PlayYearOfPlenty(got):
            return _("Play Year of Plenty for {cards}", cards=cards(got))
        case Discard(gone):
            return _("Discard {cards}", cards=cards(gone))
        case BankTrade(give, get):
            return _("Trade {give} for {get} with the bank", give=cards(give), get=cards(get))
        case MakeOffer(give, want, (), offer) if offer >= 0:
            return _("Counter offer {n}: {give} for {want}", n=str(offer), give=cards(give), want=cards(want))
        case MakeOffer(give, want, ()):
            return _("Offer {give} for {want}", give=cards(give), want=cards(want))
        case MakeOffer(give, want, to):
            who = listing(names[seat] for seat in to)
            return _("Offer {names} {give} for {want}", names=who, give=cards(give), want=cards(want))
        case AcceptOffer(offer):
            return _("Accept offer {n}", n=str(offer))
        case DeclineOffer(offer):
            return _("Decline offer {n}", n=str(offer))
        case CloseOffer(_offer, seat):
            return _("Trade with {name}", name=names[seat])
        case _:
            return _(_SIMPLE[type(action)])


def _facts(view: View, names: Names, action: Action) -> str:
    """What there is to know about an action; "" if it goes without saying."""
    match action:
        case BuildSettlement(at):
            return _settlement(view, at)
        case BuildCity(at):
            n, around = view.board.pips_at(at), surroundings(view.board, at)
            return n_("{what}, {n} dot, doubled.", "{what}, {n} dots, doubled.", n, what=around)
        case BuildRoad(at) | BuildBridge(at):
            return _("{way}.", way=way(view, at))
        case ChooseYield(at):
            return _("{what}.", what=surroundings(view.board, at))
        case MoveRobber(at):
            return _losses(view, names, at)
        case TakeCard(seat):
            other = view.players[seat]
            has = listing([card_count(other.hand_size), point_count(other.points)])
            return _("{facts}.", facts=has)
        case BuyCard():
            return n_("{n} is left.", "{n} are left.", view.deck)
        case PlayVictoryPoint():
            return _("it counts once it's played.")
        case PlayRoadBuilding():
            return _("two roads for free.")
        case PlayMonopoly(kind):
            others = data_of(view.config).bank - view.bank[kind] - (mine(view).hand or NOTHING)[kind]
            return _("the others hold {n} together.", n=others)
        case Discard(gone):
            kept = _without(view, gone)
            can = [purchase_name(p) for p in purchases(view) if _pays(p, kept)]
            if can:
                return _("you keep {kept}, which still pays for {things}.", kept=cards(kept), things=listing(can, "or"))
            return _("you keep {kept}.", kept=cards(kept))
        case AcceptOffer(offer) | DeclineOffer(offer) | CloseOffer(offer):
            return _terms(view, action, next(found for found in view.offers if found.id == offer))
        case AskToBuild():
            can = [purchase_name(p) for p in purchases(view) if _pays(p, mine(view).hand or NOTHING)]
            return _("you can pay for {things}.", things=listing(can))
        case PassOn() | EndTurn():
            return sentences((_missing(view), _danger(view, action)))
        case _:
            return ""


def _settlement(view: View, at: int) -> str:
    board = view.board
    n, around = board.pips_at(at), surroundings(board, at)
    text = n_("{what}, {n} dot.", "{what}, {n} dots.", n, what=around)
    new = sorted(_kinds(view, 1 << at) - _kinds(view, mine(view).settlements | mine(view).cities))
    if not new or not mine(view).settlements:
        return text
    more = _("It brings {resources}, which you don't get yet.", resources=listing(map(resource, new)))
    return sentences((text, more))


def _kinds(view: View, nodes: int) -> set[int]:
    """Resources that the intersections of a mask yield."""
    board = view.board
    touching = {h for node in bits(nodes) for h in board.grid.node_hexes[node]}
    return {board.terrain[h] for h in touching if board.terrain[h] < DESERT and board.tokens[h]}


def _losses(view: View, names: Names, at: int) -> str:
    """Who loses how much if the robber goes to a hex, with their points."""
    board = view.board
    nodes, each = board.hex_node_mask[at], pips(board.tokens[at])
    found = []
    for player in view.players:
        stake = (player.settlements & nodes).bit_count() + 2 * (player.cities & nodes).bit_count()
        if stake and player.seat != view.seat:
            lost = n_("{n} dot", "{n} dots", stake * each)
            points = point_count(player.points)
            found.append(_("{name} ({points}) loses {pips}", name=names[player.seat], points=points, pips=lost))
    return _("{losses}.", losses=listing(found)) if found else _("it hurts no one there.")


def _without(view: View, gone: Hand) -> Hand:
    """The viewer's hand without some cards."""
    return hand(h - a for h, a in zip(mine(view).hand or NOTHING, gone, strict=True))


def _pays(purchase: Purchase, held: Hand) -> bool:
    return not purchase.obstacle and all(h >= c for h, c in zip(held, purchase.cost, strict=True))


def _missing(view: View) -> str:
    """The closest purchase, and which cards are missing for it."""
    near = [p for p in purchases(view) if not p.obstacle and any(p.missing)]
    if not near:
        return _("save your cards.")
    best = min(near, key=lambda p: (sum(p.missing), -sum(p.cost)))
    return _("for {thing} you still need {cards}.", thing=purchase_name(best), cards=cards(best.missing))


def _terms(view: View, action: Action, offer: OfferView) -> str:
    """What an offer trades, from the viewer's side; `offer` is as its maker put it."""
    if isinstance(action, CloseOffer):
        return _("{get} for {give}.", get=cards(offer.want), give=cards(offer.give))
    if isinstance(action, DeclineOffer) and not covers(mine(view).hand or NOTHING, offer.want):
        return _("you don't have {want}.", want=cards(offer.want))
    return _("{get} for {give}.", get=cards(offer.give), give=cards(offer.want))


def _danger(view: View, action: Action) -> str:
    """A warning if the turn ends with many cards."""
    n = mine(view).hand_size
    if not isinstance(action, EndTurn) or n <= data_of(view.config).discard_limit:
        return ""
    return _("You hold {cards}: a 7 would cost you half of them.", cards=card_count(n))
