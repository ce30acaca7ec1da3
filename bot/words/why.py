"""Why a move is advised: what it brings, how it changes the chances, and the next best move with what it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.hints import move, what
from bot.words.language import N_, _, n_, sentences
from bot.words.marks import knight_count, listing, point_count, road_count
from engine.actions import Action, MakeOffer, PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty
from engine.views import View
from players.advice import Advice, Other
from players.reasons import Reason

Names = Sequence[str]

PLAYS: tuple[type[Action], ...] = (PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty)
STEPS = 4
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
    """What speaks for an advice, in lines; "" if nothing does."""
    lines = [
        reasons(view, names, advice.reasons),
        _plan(view, names, advice),
        _chances(advice),
        _next(view, names, advice, advice.other) if advice.other else "",
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
    with_points = [f"{names[seat]} ({point_count(view.players[seat].points)})" for seat in seats]
    return _("It slows down {rivals}.", rivals=listing(with_points))


def _plan(view: View, names: Names, advice: Advice) -> str:
    """What may follow in the same turn."""
    then = sentences(what(view, names, action) for action in advice.plan[1:STEPS])
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


def _next(view: View, names: Names, advice: Advice, other: Other) -> str:
    """The second best move, and why it isn't the best."""
    values = {"move": move(view, names, other.action), "chance": percent(other.after)}
    lacks = "" if other.lacks is None else lacking(names, other.action, other.lacks)
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
    return str(view.deck + sum(p.development_count for p in view.players if p.seat != view.seat))


def lacking(names: Names, action: Action, lacks: Reason) -> str:
    """What a move has less of than a better one, as a sentence."""
    if lacks.kind == "rival":
        return _("It leaves {name} stronger.", name=names[lacks.seat])
    return _(_LACKS["used" if lacks.kind == "card" and isinstance(action, PLAYS) else lacks.kind])
