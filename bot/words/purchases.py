"""What a player can buy, at what cost, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.words.language import N_, P_, _
from bot.words.marks import RESOURCE_SIGNS, cards, listing
from engine.data import Data
from engine.position import Position
from engine.resources import NOTHING, Hand, hand
from engine.rules import data_of
from engine.terms import Piece
from engine.views import PlayerView, View

DEVELOPMENT_CARD = "development card"


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts about something that can be bought."""

    name: str
    one: str
    title: str
    none_left: str
    room: str = ""
    """What is still needed if the board has no place for it."""


ROADS_GONE = N_("no roads left")


_TEXTS: dict[str, _Texts] = {
    Piece.ROAD: _Texts(
        P_("missing for", "road"),
        N_("a road"),
        N_("Road"),
        ROADS_GONE,
        N_("a free edge next to your roads and buildings"),
    ),
    Piece.BRIDGE: _Texts(
        P_("missing for", "bridge"),
        N_("a bridge"),
        N_("Bridge"),
        ROADS_GONE,
        N_("open water next to your roads and buildings"),
    ),
    Piece.SETTLEMENT: _Texts(
        P_("missing for", "settlement"),
        N_("a settlement"),
        N_("Settlement"),
        N_("no settlements left"),
        N_("a free corner at your roads"),
    ),
    Piece.CITY: _Texts(
        P_("missing for", "city"),
        N_("a city"),
        N_("City"),
        N_("no cities left"),
        N_("another settlement, since your last one must stay"),
    ),
    DEVELOPMENT_CARD: _Texts(
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
    return _(_TEXTS[purchase.what].one)


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
    ready = [_(_TEXTS[p.what].one) for p in purchases(view) if p.possible]
    text = _("Nothing to buy yet.")
    if ready:
        text = _("**You can afford** {things}.", things=listing(ready, "or"))
    return "\n".join(filter(None, (text, missing(view))))


def missing(view: View) -> str:
    """What is missing for all that the viewer can't buy, in small letters; empty: nothing."""
    lacks = [(_TEXTS[p.what], _lack(p)) for p in purchases(view) if not p.possible]
    parts = [_("{what}: {lack}", what=_(texts.name), lack=lack) for texts, lack in lacks]
    return "-# " + _("Missing · {parts}", parts=" · ".join(parts)) if parts else ""


def _lack(purchase: Purchase) -> str:
    """The missing cards, and what else is in the way."""
    if purchase.obstacle == "settlement":
        return _("no settlement to upgrade")
    if purchase.obstacle == "supply":
        return _(_TEXTS[purchase.what].none_left)
    lacks = [" ".join(f"{n} {RESOURCE_SIGNS[kind]}" for kind, n in enumerate(purchase.missing) if n)]
    if purchase.obstacle:
        lacks.append(_(_TEXTS[purchase.what].room))
    return listing(filter(None, lacks))


def cost_list(data: Data, bridges: bool) -> list[str]:
    """What everything costs, a line each."""
    return [f"{_(_TEXTS[what].title)}: {cards(cost)}" for what, cost in _costs(data, bridges)]
