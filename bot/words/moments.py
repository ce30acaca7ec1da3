"""A game's moments in lines: what a person chose, what it was worth, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.hints import move, what
from bot.words.language import _, sentences
from bot.words.marks import cards, corner_signs
from bot.words.places import surroundings
from bot.words.why import STEPS, lacking, percent, reasons
from engine.actions import (
    AcceptOffer,
    Action,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    WithdrawOffer,
)
from engine.geometry import bits
from engine.views import View
from players.moments import Moment

Names = Sequence[str]


def moments(names: Names, costly: Sequence[Moment], best: Sequence[Moment]) -> str:
    """Both kinds of moments, each below its title; "" if there are none."""
    lines = []
    if costly:
        lines += [_("**Cost the most**"), *(_costly(names, moment) for moment in costly)]
    if best:
        lines += [_("**Helped the most**"), *(_good(names, moment) for moment in best)]
    return "\n".join(lines)


def title(moment: Moment) -> str:
    """A moment in a few words: "Turn 21, −9%"."""
    values = {"turn": moment.view.turn, "n": _points(moment)}
    if not moment.view.turn:
        return _("Setup, −{n}%", **values) if moment.gain < 0.0 else _("Setup, +{n}%", **values)
    return _("Turn {turn}, −{n}%", **values) if moment.gain < 0.0 else _("Turn {turn}, +{n}%", **values)


def _costly(names: Names, moment: Moment) -> str:
    view = moment.view
    values = {**_values(names, moment), "other": _other(view, names, moment.other), "why": _why(names, moment)}
    if not view.turn:
        return _("- Setup, **−{n}%**: {move}. Better: {other} {why}", **values).rstrip()
    return _("- Turn {turn}, **−{n}%**: {move}. Better: {other} {why}", **values).rstrip()


def _good(names: Names, moment: Moment) -> str:
    view = moment.view
    next_best = _("Next best: {other}", other=_other(view, names, moment.other))
    lacks = lacking(names, moment.other, moment.lacks) if moment.lacks and not moment.reasons else ""
    values = {**_values(names, moment), "why": sentences((_why(names, moment), next_best, lacks))}
    if not view.turn:
        return _("- Setup, **+{n}%**: {move}. {why}", **values)
    return _("- Turn {turn}, **+{n}%**: {move}. {why}", **values)


def _values(names: Names, moment: Moment) -> dict[str, object]:
    return {"n": _points(moment), "turn": moment.view.turn, "move": _chosen(moment.view, names, moment.action)}


def _points(moment: Moment) -> str:
    return str(round(abs(100 * moment.gain)))


def _why(names: Names, moment: Moment) -> str:
    """What follows the better choice, why it is better, and the chances to win of both."""
    view = moment.view
    then = sentences(_("{move}.", move=_chosen(view, names, action)) for action in moment.then[:STEPS])
    why = reasons(view, names, moment.reasons)
    if not why and moment.lacks is not None and moment.gain < 0.0:
        why = _("Your move: {lacks}", lacks=lacking(names, moment.action, moment.lacks))
    return sentences((_("Then: {then}", then=then) if then else "", why, _chances(moment)))


def _chances(moment: Moment) -> str:
    """How far the better choice lifts the chance to win above the other one."""
    if not moment.after:
        return ""
    worse, better = sorted((moment.after, moment.after - moment.gain))
    if better >= 1.0:
        return _("It wins: {worse}% → 100%.", worse=percent(worse))
    return _("{worse}% → {better}%.", worse=percent(worse), better=percent(better))


def _chosen(view: View, names: Names, action: Action) -> str:
    """A choice in a few words. Places are named by what is there, as on the board that all see."""
    match action:
        case BuildSettlement(at):
            return _("Settle at {place}", place=_place(view, at))
        case BuildCity(at):
            return _("Build a city at {place}", place=_place(view, at))
        case BuildRoad(at):
            return _("Build a road to {place}", place=_place(view, _end(view, at)))
        case BuildBridge(at):
            return _("Build a bridge to {place}", place=_place(view, _end(view, at)))
        case AcceptOffer(offer):
            return _deal(view, names, offer, next(each.seat for each in view.offers if each.id == offer))
        case CloseOffer(offer, seat):
            return _deal(view, names, offer, seat)
        case DeclineOffer(offer):
            found = next(each for each in view.offers if each.id == offer)
            values = {"get": cards(found.give), "give": cards(found.want), "name": names[found.seat]}
            return _("Decline {get} for {give} from {name}", **values)
        case _:
            return move(view, names, action)


def _other(view: View, names: Names, action: Action) -> str:
    """What could have been done instead, as a sentence."""
    match action:
        case EndTurn():
            return what(view, names, action)
        case DeclineOffer() | WithdrawOffer():
            return _("Don't trade.")
        case AcceptOffer():
            return _("Accept.")
        case _:
            return _("{move}.", move=_chosen(view, names, action))


def _deal(view: View, names: Names, number: int, partner: int) -> str:
    """A trade from the reader's side."""
    offer = next(each for each in view.offers if each.id == number)
    give, get = (offer.give, offer.want) if offer.seat == view.seat else (offer.want, offer.give)
    return _("Trade {give} for {get} with {name}", give=cards(give), get=cards(get), name=names[partner])


def _place(view: View, node: int) -> str:
    """What is at an intersection, as on the board that all see."""
    return corner_signs(view.board, node) or surroundings(view.board, node)


def _end(view: View, edge: int) -> int:
    """The end of an edge that the reader hadn't reached before, else the first end."""
    assert view.seat is not None
    player, grid = view.players[view.seat], view.board.grid
    reached = player.settlements | player.cities
    for road in bits(player.roads):
        reached |= grid.edge_node_mask[road]
    ends = grid.edges[edge]
    return next((end for end in ends if not reached >> end & 1), ends[0])
