"""A player's own hand in words: cards, what can be bought or is missing, rates, development cards, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words import room
from bot.words.language import N_, _, n_
from bot.words.marks import cards, development_cards, harbor, listing, resource, resource_counts
from bot.words.narrator import own_line
from engine.data import Data
from engine.events import CardTaken
from engine.resources import KNIGHT, NOTHING, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY, Hand, hand
from engine.rules import data_of
from engine.terms import Piece, StepKind
from engine.views import PlayerView, View

DEVELOPMENT_CARD = "development card"


@dataclass(frozen=True, slots=True)
class _Texts:
    """What is said of something that can be bought."""

    name: str
    one: str
    title: str
    none_left: str
    room: str = ""
    """What is still needed where it has no place."""


_ROADS_GONE = N_("no road is left in your supply")

_TEXTS: dict[str, _Texts] = {
    Piece.ROAD: _Texts(
        N_("road"),
        N_("a road"),
        N_("Road"),
        _ROADS_GONE,
        N_("a free edge beside your roads and buildings"),
    ),
    Piece.BRIDGE: _Texts(
        N_("bridge"),
        N_("a bridge"),
        N_("Bridge"),
        _ROADS_GONE,
        N_("open water beside your roads and buildings"),
    ),
    Piece.SETTLEMENT: _Texts(
        N_("settlement"),
        N_("a settlement"),
        N_("Settlement"),
        N_("no settlement is left in your supply"),
        N_("a free corner at your roads"),
    ),
    Piece.CITY: _Texts(
        N_("city"),
        N_("a city"),
        N_("City"),
        N_("no city is left in your supply"),
        N_("another settlement, since your last one must stay"),
    ),
    DEVELOPMENT_CARD: _Texts(
        N_("development card"),
        N_("a development card"),
        N_("Development card"),
        N_("the deck is used up"),
    ),
}
"""By what can be bought."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something that can be bought: a piece or DEVELOPMENT_CARD, its cost, and what stands in the way ("": nothing)."""

    what: str
    cost: Hand
    held: Hand
    """What the hand has of that."""
    obstacle: str
    """"supply", "settlement" or "place": none is left, of the one or of what it replaces, or it can stand nowhere."""

    @property
    def possible(self) -> bool:
        """Whether hand, supply and board allow it; turns are another matter."""
        return not self.obstacle and not any(self.missing)

    @property
    def missing(self) -> Hand:
        """What the hand lacks."""
        return hand(max(0, c - h) for c, h in zip(self.cost, self.held, strict=True))


def own_hand(view: View, names: Sequence[str]) -> str:
    """All of the viewer's own secrets, who has just robbed them, and what to do with it all, in a few lines."""
    me = mine(view)
    have = me.hand or NOTHING
    parts = [
        n_(
            "**Your hand** ({n} card): {cards}.", "**Your hand** ({n} cards): {cards}.", me.hand_size, cards=cards(have)
        ),
        taken(view, names),
        can_buy(view) if view.turn else "",
        development(view),
        _bank(view),
        points(view),
    ]
    return "\n".join(part for part in parts if part)


def taken(view: View, names: Sequence[str]) -> str:
    """What was taken from the viewer in this turn, which only they and the taker know."""
    robbed = [e for e in view.events if isinstance(e, CardTaken) and e.victim == view.seat]
    return "\n".join(f"⚠️ {own_line(event, view, names)}" for event in robbed)


def mine(view: View) -> PlayerView:
    """The viewer; an onlooker has no hand and gets `ValueError`."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    return view.players[view.seat]


def purchases(view: View) -> list[Purchase]:
    """What the viewer could buy, and what is missing for it."""
    me, costs = mine(view), _costs(data_of(view.config), view.board.bridges)
    roads, settlements, cities = me.pieces_left
    left = {Piece.SETTLEMENT: settlements, Piece.CITY: cities, DEVELOPMENT_CARD: view.deck}
    have = me.hand or NOTHING
    found = []
    for what, cost in costs:
        obstacle = "" if left.get(what, roads) else "supply"
        if what == Piece.CITY and cities and not me.settlements:
            obstacle = "settlement"
        elif what != DEVELOPMENT_CARD and not obstacle and not room.places(view, what):
            obstacle = "place"
        held = hand(h if c else 0 for c, h in zip(cost, have, strict=True))
        found.append(Purchase(what, cost, held, obstacle))
    return found


def purchase_name(purchase: Purchase) -> str:
    """ "a city"."""
    return _(_TEXTS[purchase.what].one)


def _costs(data: Data, bridges: bool) -> list[tuple[str, Hand]]:
    """What can be bought, and for what."""
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
    bought = purchases(view)
    ready = [_(_TEXTS[p.what].one) for p in bought if p.possible]
    missing = [(_TEXTS[p.what], _lack(p)) for p in bought if not p.possible]
    text = _("You can't afford anything now.")
    if ready:
        text = _("**You can afford** {things}.", things=listing(ready, "or"))
    if not missing:
        return text
    parts = [f"{_(texts.name if at else texts.one)}: {lack}" for at, (texts, lack) in enumerate(missing)]
    return text + "\n-# " + _("Still needed for {parts}.", parts="; ".join(parts))


def _lack(purchase: Purchase) -> str:
    """The cards that are missing, and what else is in the way."""
    if purchase.obstacle == "settlement":
        return _("you have no settlement that it could replace")
    if purchase.obstacle == "supply":
        return _(_TEXTS[purchase.what].none_left)
    nowhere = [_(_TEXTS[purchase.what].room)] if purchase.obstacle else []
    return listing([*resource_counts(purchase.missing), *nowhere])


def cost_list(data: Data, bridges: bool) -> list[str]:
    """What everything costs, a line each."""
    return [f"{_(_TEXTS[what].title)}: {cards(cost)}" for what, cost in _costs(data, bridges)]


def rates(view: View) -> str:
    """The viewer's rates with the bank and harbors: "Bank: ore 2:1, the rest 4:1." """
    best = mine(view).rates
    usual = max(best)
    parts = [f"{resource(kind)} {rate}:1" for kind, rate in enumerate(best) if rate < usual]
    parts.append(_("the rest {rate}:1", rate=usual) if parts else _("everything {rate}:1", rate=usual))
    text = _("**Bank:** {rates}.", rates=", ".join(parts))
    own = harbors(view)
    return " ".join([text, _("Harbors: {harbors}.", harbors=own)]) if own else text


def _bank(view: View) -> str:
    """The rates, and whether anything can be traded at them."""
    me = mine(view)
    if not view.turn or any(have >= rate for have, rate in zip(me.hand or NOTHING, me.rates, strict=True)):
        return rates(view)
    return " ".join([rates(view), _("You hold too few cards of a kind to trade.")])


def harbors(view: View) -> str:
    """The viewer's harbors: "2:1 ore harbor, 3:1 harbor"; empty: none."""
    me = mine(view)
    own = [(kind, hex_) for kind, nodes, hex_ in view.board.harbor_nodes if (me.settlements | me.cities) & nodes]
    open_ = {kind for kind, hex_ in own if hex_ != view.robber}
    found = [harbor(kind) for kind in sorted(open_)]
    found += [
        _("{harbor}, no use while the robber is there", harbor=harbor(kind))
        for kind, hex_ in own
        if hex_ == view.robber
    ]
    return ", ".join(found)


def development(view: View) -> str:
    """The viewer's unplayed development cards; which of them are too new is told."""
    me = mine(view)
    held = me.development_cards
    if held is None or not any(held):
        return ""
    fresh = me.fresh_cards or NOTHING
    quiet = VICTORY_POINT if data_of(view.config).hidden_points else -1
    kinds = [kind for kind, n in enumerate(held) if n]
    parts = []
    for kind, text in zip(kinds, development_cards(held), strict=True):
        new = fresh[kind] if kind != quiet else 0
        if obstacle := _no_use(view, kind):
            text = f"{text} ({obstacle})"
        elif new == held[kind]:
            text = _("{cards} (new, playable next turn)", cards=text)
        elif new:
            text = n_("{cards} ({n} new, playable next turn)", "{cards} ({n} new, playable next turn)", new, cards=text)
        parts.append(text)
    told = _("**Development cards:** {cards}.", cards=", ".join(parts))
    if view.card_played and view.on_turn == view.seat:
        return " ".join([told, _("You have played your one development card of this turn.")])
    if view.step.kind is StepKind.PRE_ROLL and not data_of(view.config).cards_before_roll:
        return " ".join([told, _("In this game they are played after the roll.")])
    return told


def _no_use(view: View, kind: int) -> str:
    """Why a development card can't be played as things stand, whatever else is the matter (H4, H5)."""
    if kind == YEAR_OF_PLENTY and not any(view.bank):
        return _("the bank is empty")
    if kind != ROAD_BUILDING:
        return ""
    if not mine(view).pieces_left[0]:
        return _(_ROADS_GONE)
    ways = room.places(view, Piece.ROAD) | room.places(view, Piece.BRIDGE)
    return "" if ways else _("there is no free edge beside your roads and buildings")


def points(view: View) -> str:
    """The viewer's points, hidden ones included."""
    me = mine(view)
    total = me.all_points if me.all_points is not None else me.points
    values = {"total": total, "target": data_of(view.config).target, "seen": me.points, "hidden": total - me.points}
    if total == me.points:
        return n_(
            "**Points:** {total} of {target}; {n} knight played.",
            "**Points:** {total} of {target}; {n} knights played.",
            me.played[KNIGHT],
            **values,
        )
    return n_(
        "**Points:** {total} of {target} ({seen} visible, {hidden} hidden); {n} knight played.",
        "**Points:** {total} of {target} ({seen} visible, {hidden} hidden); {n} knights played.",
        me.played[KNIGHT],
        **values,
    )


_HELP = (
    N_("move the robber and take a card; counts for the largest army"),
    N_("place two roads for free"),
    N_("take two cards of your choice from the bank"),
    N_("name a resource and get all of it from the others"),
    N_("counts 1 point and stays hidden until the end"),
)
_TITLES = (N_("Knight"), N_("Road building"), N_("Year of plenty"), N_("Monopoly"), N_("Victory point"))


def card_help(card: int, data: Data) -> str:
    """What a development card does, in one sentence."""
    if card == VICTORY_POINT and not data.hidden_points:
        return _("counts 1 point once played")
    return _(_HELP[card])


def card_title(card: int) -> str:
    """A development card's name with a capital."""
    return _(_TITLES[card])
