"""A player's own hand in words: cards, what can be bought or is missing, rates, development cards, points."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.words.language import N_, _, enumeration, n_, sentences
from bot.words.marks import cards, development_cards, harbor, resource
from bot.words.narrator import own_line
from bot.words.purchases import ROADS_GONE, can_buy, mine
from engine.data import Data
from engine.events import CardTaken
from engine.position import Position
from engine.resources import KNIGHT, NOTHING, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY
from engine.rules import data_of
from engine.terms import Piece, StepKind
from engine.views import View


def own_hand(view: View, names: Sequence[str]) -> str:
    """All of the viewer's own secrets, who has just stolen from them, and what to do with it all, in a few lines."""
    me = mine(view)
    have = me.hand or NOTHING
    parts = [
        n_(
            "**Your hand** ({n} card): {cards}.", "**Your hand** ({n} cards): {cards}.", me.hand_size, cards=cards(have)
        ),
        stolen_lines(view, names),
        can_buy(view) if view.turn else "",
        development(view),
        _bank(view),
        points(view),
    ]
    return "\n".join(part for part in parts if part)


def stolen_lines(view: View, names: Sequence[str]) -> str:
    """What was stolen from the viewer this turn, which only they and the thief know."""
    thefts = [e for e in view.events if isinstance(e, CardTaken) and e.victim == view.seat]
    return "\n".join(f"⚠️ {own_line(event, view, names)}" for event in thefts)


def rates(view: View) -> str:
    """The viewer's rates with the bank: "Bank: ore 2:1, the rest 4:1." """
    best = mine(view).rates
    usual = max(best)
    parts = [f"{resource(kind)} {rate}:1" for kind, rate in enumerate(best) if rate < usual]
    parts.append(_("the rest {rate}:1", rate=usual) if parts else _("everything {rate}:1", rate=usual))
    text = _("**Bank:** {rates}.", rates=enumeration(parts))
    lost = blocked(view)
    return sentences([text, _("Blocked by the robber: {harbors}.", harbors=lost)]) if lost else text


def _bank(view: View) -> str:
    """The rates, and whether the viewer can trade anything at them."""
    me = mine(view)
    if not view.turn or any(have >= rate for have, rate in zip(me.hand or NOTHING, me.rates, strict=True)):
        return rates(view)
    return sentences([rates(view), _("Too few cards of one kind to trade.")])


def blocked(view: View) -> str:
    """The viewer's harbors that the robber blocks: "2:1 ore harbor"; empty for none."""
    me = mine(view)
    own = [(kind, hex_) for kind, nodes, hex_ in view.board.harbor_nodes if (me.settlements | me.cities) & nodes]
    return enumeration(harbor(kind) for kind, hex_ in own if hex_ == view.robber)


def development(view: View) -> str:
    """The viewer's unplayed development cards, with a note on those that are too new to play."""
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
    sentence = _("**Development cards:** {cards}.", cards=enumeration(parts))
    if view.card_played and view.on_turn == view.seat:
        return sentences([sentence, _("You played your development card this turn.")])
    if view.step.kind is StepKind.PRE_ROLL and not data_of(view.config).cards_before_roll:
        return " ".join([sentence, _("In this game you play them after the roll.")])
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


def points(view: View) -> str:
    """The viewer's points, with hidden ones apart, and their knights."""
    me, target = mine(view), view.config.target
    total = me.points if me.all_points is None else me.all_points
    text = _("**Points:** {total} of {target}", total=total, target=target)
    if total != me.points:
        seen = {"total": total, "target": target, "seen": me.points, "hidden": total - me.points}
        text = _("**Points:** {total} of {target} ({seen} visible, {hidden} hidden)", **seen)
    knights = me.played[KNIGHT]
    return " · ".join([text, *([n_("{n} knight played", "{n} knights played", knights)] if knights else [])])


_HELP = (
    N_("move the robber and steal a card, counts for the Largest Army"),
    N_("build two roads for free"),
    N_("take two cards of your choice from the bank"),
    N_("name a resource and get all of it from everyone else"),
    N_("1 point, hidden until the end"),
)
_TITLES = (N_("Knight"), N_("Road Building"), N_("Year of Plenty"), N_("Monopoly"), N_("Victory Point"))


def card_help(card: int, data: Data) -> str:
    """What a development card does, in one sentence."""
    if card == VICTORY_POINT and not data.hidden_points:
        return _("1 point once played")
    return _(_HELP[card])


def card_title(card: int) -> str:
    """A development card's name, capitalized."""
    return _(_TITLES[card])
