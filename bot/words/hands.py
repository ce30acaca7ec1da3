"""A player's own hand in words: cards, rates, development cards, points; what can be bought, at what cost, and what is
missing; offers that can't be kept anymore, which only their maker learns (E3); what can be counted of the others'
hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bot.words.language import N_, P_, _, enumeration, n_, noted, sentences
from bot.words.marks import RESOURCE_SIGNS, card_count, cards, development_cards, harbor, listing, resource
from bot.words.narrator import own_line
from engine.data import Data
from engine.events import CardTaken
from engine.position import Position
from engine.resources import KNIGHT, NOTHING, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY, Hand, hand
from engine.rules import data_of
from engine.terms import Piece, StepKind
from engine.views import OfferView, PlayerView, View


def own_hand(view: View, names: Sequence[str]) -> str:
    """All of the viewer's own secrets, who has just stolen from them, and what to do with it all, in a few lines; for
    whom the game is over, only cards and points."""
    me = mine(view)
    have = me.hand or NOTHING
    held = n_(
        "**Your hand** ({n} card): {cards}.", "**Your hand** ({n} cards): {cards}.", me.hand_size, cards=cards(have)
    )
    if view.outcome is not None or me.resigned:
        return "\n".join(filter(None, [held, development_line(view), points_line(view)]))
    parts = [
        held,
        stolen_lines(view, names),
        can_buy(view) if view.turn else "",
        development_line(view),
        _bank_line(view),
        points_line(view),
    ]
    return "\n".join(part for part in parts if part)


def stolen_lines(view: View, names: Sequence[str]) -> str:
    """What was stolen from the viewer this turn, which only they and the thief know."""
    thefts = [e for e in view.events if isinstance(e, CardTaken) and e.victim == view.seat]
    return "\n".join(f"⚠️ {own_line(event, view, names)}" for event in thefts)


def bank_rates(view: View) -> str:
    """The viewer's rates with the bank: "Bank: ore 2:1, the rest 4:1." """
    best = mine(view).rates
    usual = max(best)
    parts = [f"{resource(kind)} {rate}:1" for kind, rate in enumerate(best) if rate < usual]
    parts.append(_("the rest {rate}:1", rate=usual) if parts else _("everything {rate}:1", rate=usual))
    text = _("**Bank:** {rates}.", rates=enumeration(parts))
    lost = blocked_harbors(view)
    return sentences([text, _("Blocked by the robber: {harbors}.", harbors=lost)]) if lost else text


def _bank_line(view: View) -> str:
    """The rates, and whether the viewer can trade anything at them."""
    me = mine(view)
    if not view.turn or any(have >= rate for have, rate in zip(me.hand or NOTHING, me.rates, strict=True)):
        return bank_rates(view)
    return sentences([bank_rates(view), _("Too few cards of one kind to trade.")])


def blocked_harbors(view: View) -> str:
    """The viewer's harbors that the robber blocks: "2:1 ore harbor"; empty for none."""
    me = mine(view)
    own = [(kind, hex_) for kind, nodes, hex_ in view.board.harbor_nodes if (me.settlements | me.cities) & nodes]
    return enumeration(harbor(kind) for kind, hex_ in own if hex_ == view.robber)


def development_line(view: View) -> str:
    """The viewer's unplayed development cards, with a note on those that are too new to play."""
    me = mine(view)
    held = me.development_cards
    if held is None or not any(held):
        return ""
    if view.outcome is not None or me.resigned:
        return _("**Development cards:** {cards}.", cards=enumeration(development_cards(held)))
    fresh = me.fresh_cards or NOTHING
    quiet = VICTORY_POINT if data_of(view.config).hidden_points else -1
    kinds = [kind for kind, n in enumerate(held) if n]
    parts = []
    for kind, text in zip(kinds, development_cards(held), strict=True):
        new = fresh[kind] if kind != quiet else 0
        if obstacle := _no_use(view, kind):
            text = noted(text, obstacle)
        elif new == held[kind]:
            text = _("{cards} (new, playable next turn)", cards=text)
        elif new:
            text = n_("{cards} ({n} new, playable next turn)", "{cards} ({n} new, playable next turn)", new, cards=text)
        parts.append(text)
    sentence = _("**Development cards:** {cards}.", cards=enumeration(parts))
    if view.card_played and view.on_turn == view.seat:
        return sentences([sentence, _("You played your development card this turn.")])
    if view.step.kind is StepKind.PRE_ROLL and not data_of(view.config).cards_before_roll:
        return sentences([sentence, _("In this game you play them after the roll.")])
    return sentence


def _no_use(view: View, kind: int) -> str:
    """Why the bank or the board makes a development card useless for now (H4, H5); empty if nothing does."""
    if kind == YEAR_OF_PLENTY and not any(view.bank):
        return _("the bank is empty")
    if kind != ROAD_BUILDING:
        return ""
    me, position = mine(view), Position.of(view, Random(0))  # whatever others may hold
    if not me.pieces_left[0]:
        return _(ROADS_GONE)
    ways = position.room(me.seat, Piece.ROAD) | position.room(me.seat, Piece.BRIDGE)
    return "" if ways else _("no free edge next to your roads and buildings")


def points_line(view: View) -> str:
    """The viewer's points, with hidden ones apart, and their knights."""
    me, target = mine(view), view.config.target
    total = me.points if me.all_points is None else me.all_points
    text = _("**Points:** {total} of {target}", total=total, target=target)
    if total != me.points:
        seen = {"total": total, "target": target, "seen": me.points, "hidden": total - me.points}
        text = _("**Points:** {total} of {target} ({seen} visible, {hidden} hidden)", **seen)
    knights = me.played[KNIGHT]
    return " · ".join([text, *([n_("{n} knight played", "{n} knights played", knights)] if knights else [])])


_CARD_HELP = (
    N_("move the robber and steal a card, counts for the Largest Army"),
    N_("build two roads for free"),
    N_("take two cards of your choice from the bank"),
    N_("name a resource and get all of it from everyone else"),
    N_("1 point, hidden until the end"),
)
_CARD_TITLES = (N_("Knight"), N_("Road Building"), N_("Year of Plenty"), N_("Monopoly"), N_("Victory Point"))


def card_help(card: int, data: Data) -> str:
    """What a development card does, in one sentence."""
    if card == VICTORY_POINT and not data.hidden_points:
        return _("1 point once played")
    return _(_CARD_HELP[card])


def card_title(card: int) -> str:
    """A development card's name, capitalized."""
    return _(_CARD_TITLES[card])


# --- what can be bought

DEVELOPMENT_CARD = "development card"


@dataclass(frozen=True, slots=True)
class _PurchaseTexts:
    """The texts about something that can be bought."""

    name: str
    one: str
    title: str
    none_left: str
    room: str = ""
    """What is still needed if the board has no place for it."""


ROADS_GONE = N_("no roads left")


_PURCHASE_TEXTS: dict[str, _PurchaseTexts] = {
    Piece.ROAD: _PurchaseTexts(
        P_("missing for", "road"),
        N_("a road"),
        N_("Road"),
        ROADS_GONE,
        N_("a free edge next to your roads and buildings"),
    ),
    Piece.BRIDGE: _PurchaseTexts(
        P_("missing for", "bridge"),
        N_("a bridge"),
        N_("Bridge"),
        ROADS_GONE,
        N_("open water next to your roads and buildings"),
    ),
    Piece.SETTLEMENT: _PurchaseTexts(
        P_("missing for", "settlement"),
        N_("a settlement"),
        N_("Settlement"),
        N_("no settlements left"),
        N_("a free corner at your roads"),
    ),
    Piece.CITY: _PurchaseTexts(
        P_("missing for", "city"),
        N_("a city"),
        N_("City"),
        N_("no cities left"),
        N_("another settlement, since your last one must stay"),
    ),
    DEVELOPMENT_CARD: _PurchaseTexts(
        P_("missing for", "development card"),
        N_("a development card"),
        N_("Development card"),
        N_("no dev cards left"),
    ),
}
"""By what can be bought."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something that can be bought: a piece or DEVELOPMENT_CARD, its cost, and what stands in the way ("": nothing)."""

    what: str
    cost: Hand
    held: Hand
    """The hand's cards of the resources that it costs."""
    obstacle: str
    """What stands in the way: "supply" (none left), "settlement" (none to replace) or "place" (nowhere to build it)."""

    @property
    def possible(self) -> bool:
        """Whether hand, supply and board allow it, no matter whose turn it is."""
        return not self.obstacle and not any(self.missing)

    @property
    def missing(self) -> Hand:
        """What the hand lacks."""
        return hand(max(0, c - h) for c, h in zip(self.cost, self.held, strict=True))


def mine(view: View) -> PlayerView:
    """The viewer; raises `ValueError` for an onlooker, who has no hand."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    return view.players[view.seat]


def purchases(view: View) -> list[Purchase]:
    """All that the viewer could buy, with what is missing for it."""
    me, costs = mine(view), _costs(data_of(view.config), view.board.bridges)
    position = Position.of(view, Random(0))  # whatever others may hold
    roads, settlements, cities = me.pieces_left
    left = {Piece.SETTLEMENT: settlements, Piece.CITY: cities, DEVELOPMENT_CARD: view.deck}
    have = me.hand or NOTHING
    found = []
    for what, cost in costs:
        obstacle = "" if left.get(what, roads) else "supply"
        if what == Piece.CITY and cities and not me.settlements:
            obstacle = "settlement"
        elif isinstance(what, Piece) and not obstacle and not position.room(me.seat, what):
            obstacle = "place"
        held = hand(h if c else 0 for c, h in zip(cost, have, strict=True))
        found.append(Purchase(what, cost, held, obstacle))
    return found


def purchase_name(purchase: Purchase) -> str:
    """ "a city"."""
    return _(_PURCHASE_TEXTS[purchase.what].one)


def _costs(data: Data, bridges: bool) -> list[tuple[str, Hand]]:
    """What can be bought, with the costs."""
    table: list[tuple[str, Hand]] = [
        (Piece.ROAD, data.road_cost),
        (Piece.BRIDGE, data.bridge_cost),
        (Piece.SETTLEMENT, data.settlement_cost),
        (Piece.CITY, data.city_cost),
        (DEVELOPMENT_CARD, data.card_cost),
    ]
    return [entry for entry in table if bridges or entry[0] != Piece.BRIDGE]


def can_buy(view: View) -> str:
    """What the viewer's cards buy now, and what is missing for the rest."""
    ready = [_(_PURCHASE_TEXTS[p.what].one) for p in purchases(view) if p.possible]
    text = _("Nothing to buy yet.")
    if ready:
        text = _("**You can afford** {things}.", things=listing(ready, "or"))
    return "\n".join(filter(None, (text, missing_line(view))))


def missing_line(view: View) -> str:
    """What is missing for all that the viewer can't buy, in small letters; empty: nothing."""
    lacks = [(_PURCHASE_TEXTS[p.what], _lack(p)) for p in purchases(view) if not p.possible]
    parts = [_("{what}: {lack}", what=_(texts.name), lack=lack) for texts, lack in lacks]
    return "-# " + _("Missing · {parts}", parts=" · ".join(parts)) if parts else ""


def _lack(purchase: Purchase) -> str:
    """The missing cards, and what else is in the way."""
    if purchase.obstacle == "settlement":
        return _("no settlement to upgrade")
    if purchase.obstacle == "supply":
        return _(_PURCHASE_TEXTS[purchase.what].none_left)
    lacks = [" ".join(f"{n} {RESOURCE_SIGNS[kind]}" for kind, n in enumerate(purchase.missing) if n)]
    if purchase.obstacle:
        lacks.append(_(_PURCHASE_TEXTS[purchase.what].room))
    return listing(filter(None, lacks))


def cost_list(data: Data, bridges: bool) -> list[str]:
    """What everything costs, a line each."""
    costs = _costs(data, bridges)
    return [_("{what}: {cost}", what=_(_PURCHASE_TEXTS[what].title), cost=cards(cost)) for what, cost in costs]


# --- offers that can't be kept


def lacking_for_offer(view: View, offer: OfferView) -> Hand:
    """What the viewer lacks to keep an offer; nothing for another player's offer."""
    if offer.seat != view.seat:
        return NOTHING
    held = view.players[view.seat].hand or NOTHING
    return hand(max(0, n - h) for n, h in zip(offer.give, held, strict=True))


def unkept_lines(view: View) -> list[str]:
    """A line for each open offer of the viewer that they can't keep now."""
    return [line for offer in view.offers if (line := unkept_line(view, offer))]


def unkept_line(view: View, offer: OfferView) -> str:
    """The line for one offer; empty if it can be kept or is another player's."""
    missing = lacking_for_offer(view, offer)
    if not any(missing):
        return ""
    return _("⚠️ You can't keep your offer {n} anymore: missing {cards}.", n=offer.id, cards=cards(missing))


# --- the others' hands


def counting_aid(view: View, names: Sequence[str]) -> str:
    """A line for each other player: of each resource the number of cards, or the fewest and the most that it can be."""
    others = [player for player in view.players if player.seat != view.seat and not player.resigned]
    lines = [
        _(
            "**{name}** ({cards}): {hand}",
            name=names[p.seat],
            cards=card_count(p.hand_size),
            hand=_counted_hand(view, p.seat),
        )
        for p in others
    ]
    return "\n".join([_("**Card counting**"), *lines, f"-# {_why_uncertain(view)}"])


def _why_uncertain(view: View) -> str:
    """What was counted, and what is unknown."""
    seen = _("Counted from what everyone saw, offers included.")
    if any(kind is StepKind.DISCARD for kind, _fields in view.agenda):
        return sentences([seen, _("Discards count once all are in.")])
    if view.counts is not None and view.counts.bounds is not None:
        return sentences([seen, _("The robber took many cards that you don't know, so some ranges are wide.")])
    return sentences([seen, _("Only the cards that the robber took are unknown.")])


def _counted_hand(view: View, seat: int) -> str:
    bounds = view.counted(seat)
    parts = [
        f"{RESOURCE_SIGNS[kind]} {least}" if least == most else f"{RESOURCE_SIGNS[kind]} {least}–{most}"
        for kind, (least, most) in enumerate(zip(bounds.least, bounds.most, strict=True))
        if most
    ]
    return enumeration(parts) or _("no cards")
