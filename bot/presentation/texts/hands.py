"""A player's own hand in words: cards, what can be bought or is missing, rates, development cards, points."""

from __future__ import annotations

from dataclasses import dataclass

from bot.presentation.texts.marks import CARD_TITLES, a, card_list, cards, count, listing, resource
from bot.presentation.texts.ruledata import data_of
from engine.data import Data
from engine.resources import GENERIC, KNIGHT, RESOURCES, VICTORY_POINT, Hand, hand
from engine.views import PlayerView, View


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something that can be bought: its name, its cost, and what stands in the way ("": nothing)."""

    what: str
    cost: Hand
    missing: Hand
    obstacle: str

    @property
    def possible(self) -> bool:
        """Whether the hand and the supply allow it; places and turns are another matter."""
        return not self.obstacle and not any(self.missing)


def own_hand(view: View) -> str:
    """All of the viewer's own secrets and what to do with them, in a few lines."""
    me = mine(view)
    parts = [
        f"**Your hand** ({count(me.hand_size, 'card')}): {cards(me.hand or ())}.",
        can_buy(view) if view.turn else "",
        development(view),
        rates(view),
        points(view),
    ]
    return "\n".join(part for part in parts if part)


def mine(view: View) -> PlayerView:
    """The viewer; an onlooker has no hand and gets `ValueError`."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    return view.players[view.seat]


def purchases(view: View) -> list[Purchase]:
    """What the viewer could buy, and what is missing for it."""
    me, data = mine(view), data_of(view.config)
    roads, settlements, cities = me.pieces_left
    no = "no {} is left in your supply".format
    table = [("road", data.road_cost, "" if roads else no("road"))]
    if view.board.bridges:
        table.append(("bridge", data.bridge_cost, "" if roads else no("road")))
    table += [
        ("settlement", data.settlement_cost, "" if settlements else no("settlement")),
        ("city", data.city_cost, _city_obstacle(me, cities)),
        ("development card", data.card_cost, "" if view.deck else "the deck is used up"),
    ]
    have = me.hand or hand([0] * 5)
    return [
        Purchase(what, cost, hand(max(0, c - h) for c, h in zip(cost, have, strict=True)), obstacle)
        for what, cost, obstacle in table
    ]


def _city_obstacle(me: PlayerView, cities: int) -> str:
    if not cities:
        return "no city is left in your supply"
    return "" if me.settlements else "you have no settlement that it could replace"


def can_buy(view: View) -> str:
    """What the viewer's cards buy now, and what is missing for the rest."""
    bought = purchases(view)
    ready = [p.what for p in bought if p.possible]
    lines = [f"**You can pay for** {listing(map(a, ready), 'or')}." if ready else "You can't pay for anything now."]
    missing = [f"{p.what}: {p.obstacle or cards(p.missing)}" for p in bought if not p.possible]
    if missing:
        lines.append(f"-# Missing for a {'; '.join(missing)}.")
    return "\n".join(lines)


def unaffordable(what: str, cost: Hand, have: Hand) -> str:
    """ "A city costs 3 ore and 2 grain; you have 2 ore and 2 grain." """
    held = hand(h if c else 0 for c, h in zip(cost, have, strict=True))
    return f"A {what} costs {cards(cost)}; you have {cards(held) if any(held) else 'none of it'}."


def cost_list(data: Data, bridges: bool) -> list[str]:
    """What everything costs, a line each."""
    table = [("Road", data.road_cost)]
    if bridges:
        table.append(("Bridge", data.bridge_cost))
    table += [
        ("Settlement", data.settlement_cost),
        ("City", data.city_cost),
        ("Development card", data.card_cost),
    ]
    return [f"{what}: {cards(cost)}" for what, cost in table]


def rates(view: View) -> str:
    """The viewer's rates with the bank and harbors: "Bank: ore 2:1, the rest 4:1." """
    best = mine(view).rates
    usual = max(best)
    better = [f"{resource(kind)} {rate}:1" for kind, rate in enumerate(best) if rate < usual]
    rest = "everything" if not better else "the rest"
    own = harbors(view)
    return f"**Bank:** {', '.join([*better, f'{rest} {usual}:1'])}." + (f" Harbors: {own}." if own else "")


def harbors(view: View) -> str:
    """The viewer's harbors: "2:1 ore harbor, 3:1 harbor"; empty: none."""
    me = mine(view)
    kinds = {kind for kind, nodes, _ in view.board.harbor_nodes if (me.settlements | me.cities) & nodes}
    labels = ["3:1 harbor" if kind == GENERIC else f"2:1 {RESOURCES[kind]} harbor" for kind in sorted(kinds)]
    return ", ".join(labels)


def development(view: View) -> str:
    """The viewer's unplayed development cards; which of them are too new is told."""
    me = mine(view)
    held = me.development_cards
    if held is None or not any(held):
        return ""
    fresh = me.fresh_cards or hand([0] * 5)
    quiet = VICTORY_POINT if data_of(view.config).hidden_points else -1
    parts = []
    for kind, n in enumerate(held):
        if not n:
            continue
        new = fresh[kind] if kind != quiet else 0
        note = "" if not new else " (new, playable next turn)" if new == n else f" ({new} new, playable next turn)"
        parts.append(card_list(hand(n if k == kind else 0 for k in range(5))) + note)
    note = " One development card has been played this turn." if _played_now(view) else ""
    return f"**Development cards:** {', '.join(parts)}.{note}"


def _played_now(view: View) -> bool:
    return view.card_played and view.on_turn == view.seat


def points(view: View) -> str:
    """The viewer's points, hidden ones included."""
    me = mine(view)
    total = me.all_points if me.all_points is not None else me.points
    hidden = f" ({me.points} that all see, {total - me.points} hidden)" if total != me.points else ""
    target = data_of(view.config).target
    return f"**Points:** {total} of {target}{hidden}; {count(me.played[KNIGHT], 'knight')} played."


def card_help(card: int, data: Data) -> str:
    """What a development card does, in one sentence."""
    kept = "counts 1 point and stays hidden until the end" if data.hidden_points else "counts 1 point once played"
    return {
        0: "move the robber and take a card; counts for the largest army",
        1: "place two roads for free",
        2: "take two cards of your choice from the bank",
        3: "name a resource and get all of it from the others",
        4: kept,
    }[card]


def card_title(card: int) -> str:
    """A development card's name with a capital."""
    return CARD_TITLES[card].capitalize()
