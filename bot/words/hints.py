"""Why a computer would do something, in a sentence made of facts that its seat knows."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.language import N_, _, n_, sentences
from bot.words.marks import (
    card_count,
    cards,
    development_card_count,
    hex_text,
    knight_count,
    listing,
    point_count,
    resource,
)
from bot.words.places import describe_edge, surroundings
from bot.words.purchases import Purchase, mine, purchase_name, purchases
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
from engine.resources import DESERT, KNIGHT, NOTHING, Hand, hand
from engine.rules import data_of
from engine.views import OfferView, View

Names = Sequence[str]

_SIMPLE: dict[type[Action], str] = {
    EndTrade: N_("**Go on to build**: no trade helps you now."),
    LeaveRobber: N_("**Leave the robber where it is**: no other place is better for you."),
    DeclineCard: N_("**Steal nothing.**"),
    PlayVictoryPoint: N_("**Play your Victory Point**: it counts once it's played."),
    WithdrawOffer: N_("**Cancel your offer**: no one will take it."),
    PlayRoadBuilding: N_("**Play Road Building**: two roads for free."),
}


def hint(view: View, names: Names, action: Action) -> str:
    """What to do and why."""
    text = _(_SIMPLE[type(action)]) if type(action) in _SIMPLE else _told(view, names, action)
    return sentences((text, _danger(view, action)))


def _told(view: View, names: Names, action: Action) -> str:
    match action:
        case Roll():
            if any(mine(view).development_cards or NOTHING):
                return _("**Roll the dice**: none of your cards is worth playing first.")
            return _("**Roll the dice**.")
        case BuildSettlement(at):
            return _settlement(view, at)
        case BuildCity(at):
            place = view.board.grid.node_names[at]
            what = surroundings(view.board, at)
            n = view.board.pips_at(at)
            told = n_(
                "**Build a city at {place}**: {what}, {n} dot, doubled.",
                "**Build a city at {place}**: {what}, {n} dots, doubled.",
                n,
                place=place,
                what=what,
            )
            return f"{told} {_points(view, 1)}"
        case BuildRoad(at) | BuildBridge(at):
            way = describe_edge(view, at)
            if isinstance(action, BuildBridge):
                return _("**Build a bridge**: {way}.", way=way)
            return _("**Build a road**: {way}.", way=way)
        case ChooseYield(at):
            place, what = view.board.grid.node_names[at], surroundings(view.board, at)
            return _("**Take the first cards at {place}**: {what}.", place=place, what=what)
        case MoveRobber(at):
            return _robber(view, names, at)
        case TakeCard(seat):
            other = view.players[seat]
            facts = listing([card_count(other.hand_size), point_count(other.points)])
            return _("**Steal from {name}**, who has {facts}.", name=names[seat], facts=facts)
        case BuyCard():
            return _buy(view)
        case PlayKnight():
            return _knight(view)
        case PlayMonopoly(kind):
            return _monopoly(view, kind)
        case PlayYearOfPlenty(got):
            return _("**Play Year of Plenty** for {cards}. {then}", cards=cards(got), then=_then(view, NOTHING, got))
        case Discard(gone):
            kept = _after(view, gone, NOTHING)
            can = [purchase_name(p) for p in purchases(view) if _pays(p, kept)]
            rest = _("That still pays for {things}.", things=listing(can, "or")) if can else _("You need these least.")
            return _("**Discard {cards}**, keep {kept}. {rest}", cards=cards(gone), kept=cards(kept), rest=rest)
        case BankTrade(give, get):
            then = _then(view, give, get)
            return _("**Trade {give} for {get} with the bank.** {then}", give=cards(give), get=cards(get), then=then)
        case MakeOffer(give, want):
            then = _then(view, give, want)
            return _("**Offer {give} for {want}.** {then}", give=cards(give), want=cards(want), then=then)
        case AcceptOffer(offer) | DeclineOffer(offer) | CloseOffer(offer):
            return _answer(view, names, action, next(found for found in view.offers if found.id == offer))
        case AskToBuild():
            can = [purchase_name(p) for p in purchases(view) if _pays(p, mine(view).hand or NOTHING)]
            return _("**Ask to build**: you can pay for {things}.", things=listing(can))
        case PassOn():
            return _("**Pass**: {missing}", missing=_missing(view))
        case EndTurn():
            return _("**End your turn**: {missing}", missing=_missing(view))
        case _:
            return ""


def _settlement(view: View, at: int) -> str:
    board, place = view.board, view.board.grid.node_names[at]
    n = board.pips_at(at)
    told = n_(
        "**Settle at {place}**: {what}, {n} dot.",
        "**Settle at {place}**: {what}, {n} dots.",
        n,
        place=place,
        what=surroundings(board, at),
    )
    new = sorted(_kinds(view, 1 << at) - _kinds(view, mine(view).settlements | mine(view).cities))
    if new and mine(view).settlements:
        told += " " + _("It brings {resources}, which you need.", resources=listing(resource(kind) for kind in new))
    return told if view.turn == 0 else f"{told} {_points(view, 1)}"


def _kinds(view: View, nodes: int) -> set[int]:
    """Resources that some intersections yield."""
    board = view.board
    touching = {h for node in bits(nodes) for h in board.grid.node_hexes[node]}
    return {board.terrain[h] for h in touching if board.terrain[h] < DESERT and board.tokens[h]}


def _points(view: View, more: int) -> str:
    """How far that brings the seat."""
    me = mine(view)
    total = (me.points if me.all_points is None else me.all_points) + more
    return _("You then have {n} of {target} points.", n=total, target=data_of(view.config).target)


def _robber(view: View, names: Names, at: int) -> str:
    """Whom the robber's place costs what, and who leads."""
    board = view.board
    nodes, each = board.hex_node_mask[at], pips(board.tokens[at])
    found = []
    for player in view.players:
        stake = (player.settlements & nodes).bit_count() + 2 * (player.cities & nodes).bit_count()
        if stake and player.seat != view.seat:
            lost = n_("{n} dot", "{n} dots", stake * each)
            points = point_count(player.points)
            found.append(_("{name} ({points}) loses {pips}", name=names[player.seat], points=points, pips=lost))
    text = _("**Move the robber to {place}**", place=hex_text(board, at))
    if not found:
        return _("{text}: it hurts no one there.", text=text)
    return f"{text}: {listing(found)}."


def _blocked(view: View) -> str:
    """The hex of one's own on which the robber stands; "" where it doesn't."""
    me = mine(view)
    if view.robber < 0 or not view.board.hex_node_mask[view.robber] & (me.settlements | me.cities):
        return ""
    return hex_text(view.board, view.robber)


def _knight(view: View) -> str:
    if place := _blocked(view):
        return _("**Play your knight**: the robber is on your {place}.", place=place)
    played = mine(view).played[KNIGHT] + 1
    most = max(p.played[KNIGHT] for p in view.players if p.seat != view.seat)
    return _(
        "**Play your knight**: you steal a card. You then have {n} in play, and no one else has more than {most}.",
        n=knight_count(played),
        most=most,
    )


def _buy(view: View) -> str:
    left = development_card_count(view.deck)
    if place := _blocked(view):
        return _(
            "**Buy a development card**: {left} left, and a knight would drive the robber off your {place}.",
            left=left,
            place=place,
        )
    return _("**Buy a development card**: {left} left, and no better place to build with these cards.", left=left)


def _monopoly(view: View, kind: int) -> str:
    have = (mine(view).hand or NOTHING)[kind]
    others = data_of(view.config).bank - view.bank[kind] - have
    return _("**Play Monopoly on {resource}**: the others hold {n} together.", resource=resource(kind), n=others)


def _after(view: View, give: Hand, get: Hand) -> Hand:
    """One's hand after an exchange."""
    held = mine(view).hand or NOTHING
    return hand(h - a + b for h, a, b in zip(held, give, get, strict=True))


def _pays(purchase: Purchase, held: Hand) -> bool:
    return not purchase.obstacle and all(h >= c for h, c in zip(held, purchase.cost, strict=True))


def _newly(view: View, give: Hand, get: Hand) -> list[str]:
    """What can be paid for after an exchange that can't be before."""
    after = _after(view, give, get)
    return [purchase_name(p) for p in purchases(view) if _pays(p, after) and not p.possible]


def _then(view: View, give: Hand, get: Hand) -> str:
    """What an exchange is good for."""
    if new := _newly(view, give, get):
        return _("Then you can afford {things}.", things=listing(new, "or"))
    if max(give) > 0 and sum(mine(view).hand or NOTHING) > data_of(view.config).discard_limit:
        return _("Fewer cards are safer when a 7 is rolled.")
    return _("It gets you closer to building.")


def _missing(view: View) -> str:
    """What is nearest, and what it lacks."""
    near = [p for p in purchases(view) if not p.obstacle and any(p.missing)]
    if not near:
        return _("save your cards.")
    best = min(near, key=lambda p: (sum(p.missing), -sum(p.cost)))
    return _("for {thing} you still need {cards}.", thing=purchase_name(best), cards=cards(best.missing))


def _answer(view: View, names: Names, action: Action, offer: OfferView) -> str:
    """What an offer brings whom; `offer` is seen from who made it."""
    if isinstance(action, CloseOffer):
        then = _then(view, offer.give, offer.want)
        values = {"name": names[action.seat], "want": cards(offer.want), "give": cards(offer.give)}
        return _("**Trade with {name}**: {want} for {give}. {then}", **values, then=then)
    values = {"n": str(offer.id), "give": cards(offer.give), "want": cards(offer.want)}
    if isinstance(action, AcceptOffer):
        then = _then(view, offer.want, offer.give)
        return _("**Accept offer {n}**: {give} for your {want}. {then}", **values, then=then)
    held = mine(view).hand or NOTHING
    if any(h < w for h, w in zip(held, offer.want, strict=True)):
        return _("**Decline offer {n}**: you don't have {want}.", **values)
    if not _newly(view, offer.want, offer.give):
        return _("**Decline offer {n}**: {give} for {want} doesn't get you anything new.", **values)
    return _(
        "**Decline offer {n}**: {give} for {want} helps {name} ({points}) too much.",
        **values,
        name=names[offer.seat],
        points=point_count(view.players[offer.seat].points),
    )


def _danger(view: View, action: Action) -> str:
    """A word of warning where the turn ends with many cards."""
    n = mine(view).hand_size
    if not isinstance(action, EndTurn) or n <= data_of(view.config).discard_limit:
        return ""
    return _("You hold {cards}: a 7 would cost you half of them.", cards=card_count(n))
