"""Why a move is advised: what it brings, how it changes the chances, and the next best move with what it lacks. After a
game, its moments in lines: what a person chose, what it was worth, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.hints import move, what
from bot.words.language import N_, _, n_, noted, sentences
from bot.words.marks import Names, cards, corner_signs, knight_count, listing, point_count, road_count
from bot.words.places import surroundings
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
    MakeOffer,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    WithdrawOffer,
)
from engine.geometry import bits
from engine.rules import data_of
from engine.views import View
from players.advice import Advice, Other
from players.moments import Moment
from players.reasons import Reason

CARD_PLAYS: tuple[type[Action], ...] = (PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty)
MOST_PLAN_STEPS = 4
"""Maximum actions of a plan that are listed."""

_PLAIN = {
    "kept": N_("What you keep gets you closest to building."),
    "stolen": N_("You steal a card."),
    "needed": N_("You're likelier to get a card that you need."),
    "nearby": N_("There are good spots to settle close to it."),
    "site": N_("It gives you a better spot to settle."),
    "declined": N_("You declined the same deal, or a better one, this turn."),
}
_PAYS = (
    N_("Then you can afford a road."),
    N_("Then you can afford a settlement."),
    N_("Then you can afford a city."),
    N_("Then you can afford a development card."),
)
_NEARER = (
    N_("It gets you closer to building."),
    N_("It gets you closer to a road."),
    N_("It gets you closer to a settlement."),
    N_("It gets you closer to a city."),
    N_("It gets you closer to a development card."),
)
_LACKS = {
    "points": N_("It's worth fewer points."),
    "longest_road": N_("It doesn't get you the Longest Road."),
    "largest_army": N_("It doesn't get you the Largest Army."),
    "production": N_("It gets you fewer cards."),
    "nearer": N_("It leaves you further from building."),
    "site": N_("It leaves you with worse spots to settle."),
    "road": N_("It does less for the Longest Road."),
    "army": N_("It does less for the Largest Army."),
    "safe": N_("A 7 could cost you more."),
    "card": N_("You wouldn't get a development card."),
    "used": N_("It uses up the card."),
    "victory": N_("It couldn't bring you a Victory Point."),
    "unfair": N_("You'd give more cards than you get."),
}


def why(view: View, names: Names, advice: Advice) -> str:
    """What speaks for a piece of advice, in lines; "" if nothing does."""
    lines = [
        reasons(view, names, advice.reasons),
        _plan(view, names, advice),
        _chances(advice),
        _next_best(view, names, advice, advice.other) if advice.other else "",
    ]
    return "\n".join(filter(None, lines))


def reasons(view: View, names: Names, reasons: Sequence[Reason]) -> str:
    """Reasons for a move, in sentences."""
    brings = {reason.kind: reason.n for reason in reasons}
    if {*brings} == {"card", "victory"} and 1 not in brings.values():
        return _(
            "Of the {unseen} cards that you haven't seen, {knights} are knights and {points} are Victory Points.",
            unseen=_unseen(view),
            knights=str(brings["card"]),
            points=str(brings["victory"]),
        )
    if [reason.kind for reason in reasons] == ["rival", "rival"]:
        return _rivals(view, names, [reason.seat for reason in reasons])
    return sentences(_reason(view, names, reason) for reason in reasons)


def _rivals(view: View, names: Names, seats: Sequence[int]) -> str:
    if view.turn == 0:
        return _("It takes a good spot from {name}.", name=listing(names[seat] for seat in seats))
    with_points = [noted(names[seat], point_count(view.players[seat].points)) for seat in seats]
    return _("It slows down {rivals}.", rivals=listing(with_points))


def _plan(view: View, names: Names, advice: Advice) -> str:
    """What may follow in the same turn."""
    then = sentences(what(view, names, action) for action in advice.plan[1:MOST_PLAN_STEPS])
    if not then:
        return ""
    if isinstance(advice.action, MakeOffer):
        return _("If someone accepts: {then}", then=then)
    return _("Then: {then}", then=then)


def _chances(advice: Advice) -> str:
    before, after = percent(advice.before), percent(advice.after)
    if before == after:
        return _("📈 Your chance to win: about {after}%.", after=after)
    return _("📈 Your chance to win: {before}% → {after}%.", before=before, after=after)


def _next_best(view: View, names: Names, advice: Advice, other: Other) -> str:
    """The second best move, and why it isn't the best."""
    values = {"move": move(view, names, other.action), "chance": percent(other.after)}
    lacks = "" if other.lacks is None else what_it_lacks(names, other.action, other.lacks)
    if not lacks and percent(advice.after) == values["chance"]:
        return _("-# About as good: {move}.", move=values["move"])
    if not lacks:
        return _("-# Next best: {move} ({chance}%).", **values)
    return _("-# Next best: {move} ({chance}%). {lacks}", **values, lacks=lacks)


def percent(chance: float) -> str:
    """A whole number between 1 and 99; 100 only if it is certain."""
    return str(100 if chance >= 1.0 else min(99, max(1, round(100 * chance))))


def _reason(view: View, names: Names, reason: Reason) -> str:
    n = reason.n
    match reason.kind:
        case "points":
            return _("You gain {points}.", points=point_count(n))
        case "longest_road":
            return _("You take the Longest Road with {roads}: 2 points.", roads=road_count(n))
        case "largest_army":
            return _("You take the Largest Army with {knights}: 2 points.", knights=knight_count(n))
        case "finisher":
            return _("{name} could be about to win, so don't trade with them.", name=names[reason.seat])
        case "outlook":
            return n_(
                "With a likely second settlement, you'd have {n} dot.",
                "With a likely second settlement, you'd have {n} dots.",
                n,
            )
        case "production":
            return n_("It brings {n} more dot.", "It brings {n} more dots.", n)
        case "free":
            return n_(
                "The robber leaves you, so {n} dot counts again.", "The robber leaves you, so {n} dots count again.", n
            )
        case "pays":
            return _(_PAYS[n])
        case "nearer":
            return _(_NEARER[n])
        case "lead":
            return _("Your Longest Road grows to {roads}.", roads=road_count(n))
        case "road":
            return _("You then need {roads} more for the Longest Road.", roads=road_count(n))
        case "army":
            return _("You then need {knights} more for the Largest Army.", knights=knight_count(n))
        case "safe":
            return n_("A 7 would no longer cost you {n} card.", "A 7 would no longer cost you {n} cards.", n)
        case "card":
            return _("{n} of the {unseen} cards that you haven't seen are knights.", n=str(n), unseen=_unseen(view))
        case "victory":
            return n_(
                "{n} of the {unseen} cards that you haven't seen is a Victory Point.",
                "{n} of the {unseen} cards that you haven't seen are Victory Points.",
                n,
                unseen=_unseen(view),
            )
        case "rival":
            return _rivals(view, names, [reason.seat])
        case kind:
            return _(_PLAIN[kind])


def _unseen(view: View) -> str:
    """How many development cards the reader hasn't seen: in the deck, with others, or gone with players who left."""
    seen = sum(sum(p.played) + (p.development_count if p.seat == view.seat else 0) for p in view.players)
    return str(sum(data_of(view.config).deck) - seen)


def what_it_lacks(names: Names, action: Action, lacks: Reason) -> str:
    """What a move has less of than a better one, as a sentence."""
    if lacks.kind == "rival":
        return _("It leaves {name} stronger.", name=names[lacks.seat])
    return _(_LACKS["used" if lacks.kind == "card" and isinstance(action, CARD_PLAYS) else lacks.kind])


# --- a game's moments


def moment_lines(names: Names, costly: Sequence[Moment], best: Sequence[Moment]) -> str:
    """Both kinds of moments, each below its title; "" if there are none."""
    lines = []
    if costly:
        lines += [_("**Cost the most**"), *(_costly_line(names, moment) for moment in costly)]
    if best:
        lines += [_("**Helped the most**"), *(_good_line(names, moment) for moment in best)]
    return "\n".join(lines)


def moment_title(moment: Moment) -> str:
    """A moment in a few words: "Turn 21, −9%"."""
    values = {"turn": moment.view.turn, "n": _percentage_points(moment)}
    if not moment.view.turn:
        return _("Setup, −{n}%", **values) if moment.gain < 0.0 else _("Setup, +{n}%", **values)
    return _("Turn {turn}, −{n}%", **values) if moment.gain < 0.0 else _("Turn {turn}, +{n}%", **values)


def _costly_line(names: Names, moment: Moment) -> str:
    view = moment.view
    values = {**_values(names, moment), "other": _other(view, names, moment.other), "why": _why_better(names, moment)}
    if not view.turn:
        return _("- Setup, **−{n}%**: {move}. Better: {other} {why}", **values).rstrip()
    return _("- Turn {turn}, **−{n}%**: {move}. Better: {other} {why}", **values).rstrip()


def _good_line(names: Names, moment: Moment) -> str:
    view = moment.view
    next_best = _("Next best: {other}", other=_other(view, names, moment.other))
    lacks = what_it_lacks(names, moment.other, moment.lacks) if moment.lacks and not moment.reasons else ""
    values = {**_values(names, moment), "why": sentences((_why_better(names, moment), next_best, lacks))}
    if not view.turn:
        return _("- Setup, **+{n}%**: {move}. {why}", **values)
    return _("- Turn {turn}, **+{n}%**: {move}. {why}", **values)


def _values(names: Names, moment: Moment) -> dict[str, object]:
    return {
        "n": _percentage_points(moment),
        "turn": moment.view.turn,
        "move": _chosen(moment.view, names, moment.action),
    }


def _percentage_points(moment: Moment) -> str:
    return str(round(abs(100 * moment.gain)))


def _why_better(names: Names, moment: Moment) -> str:
    """What follows the better choice, why it is better, and the chances to win of both."""
    view = moment.view
    then = sentences(_("{move}.", move=_chosen(view, names, action)) for action in moment.then[:MOST_PLAN_STEPS])
    why = reasons(view, names, moment.reasons)
    if not why and moment.lacks is not None and moment.gain < 0.0:
        why = _("Your move: {lacks}", lacks=what_it_lacks(names, moment.action, moment.lacks))
    return sentences((_("Then: {then}", then=then) if then else "", why, _both_chances(moment)))


def _both_chances(moment: Moment) -> str:
    """How much the better choice raises the chance to win."""
    if not moment.after:
        return ""
    worse, better = sorted((moment.after, moment.after - moment.gain))
    if better >= 1.0:
        return _("It wins: {worse}% → 100%.", worse=percent(worse))
    return _("{worse}% → {better}%.", worse=percent(worse), better=percent(better))


def _chosen(view: View, names: Names, action: Action) -> str:
    """A choice in a few words. Places are named by what is there, as on the board that everyone sees."""
    match action:
        case BuildSettlement(at):
            return _("Settle at {place}", place=_place(view, at))
        case BuildCity(at):
            return _("Build a city at {place}", place=_place(view, at))
        case BuildRoad(at):
            return _("Build a road to {place}", place=_place(view, _new_end(view, at)))
        case BuildBridge(at):
            return _("Build a bridge to {place}", place=_place(view, _new_end(view, at)))
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
    """What is at an intersection, as on the board that everyone sees."""
    return corner_signs(view.board, node) or surroundings(view.board, node)


def _new_end(view: View, edge: int) -> int:
    """The end of an edge that the reader hadn't reached before, else the first end."""
    assert view.seat is not None
    player, grid = view.players[view.seat], view.board.grid
    reached = player.settlements | player.cities
    for road in bits(player.roads):
        reached |= grid.edge_node_mask[road]
    ends = grid.edges[edge]
    return next((end for end in ends if not reached >> end & 1), ends[0])
