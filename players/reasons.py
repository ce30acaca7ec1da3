"""Reasons for a move: what it changes about a seat's strength, and how much by each thing that people count."""

from __future__ import annotations

from math import exp, log

from engine.actions import Action, BuildSettlement, BuyCard, Discard, MoveRobber, PlayKnight, TakeCard
from engine.board import pips
from engine.resources import KNIGHT, VICTORY_POINT, covers
from engine.state import State
from engine.terms import StepKind
from engine.values import value
from players.chances import Chances
from players.situation import Situation
from players.thinking import BUILDS, Line, Thinker
from players.trading import prices

NEAR = 2
"""Pieces that are missing for an award, at most, for it to be a reason."""
STEALS: tuple[type[Action], ...] = (MoveRobber, PlayKnight, TakeCard)

Cause = tuple[str, int]
"""One of `GROUPS`, or "rival" and its seat."""
Effects = dict[Cause, float]
"""How much stronger each cause makes a seat."""

KINDS = {
    "points": "`n` points more",
    "longest_road": "the longest road, of `n` segments",
    "largest_army": "the largest army, of `n` knights",
    "production": "`n` dots more",
    "outlook": "`n` dots once the second settlement is placed, in setup",
    "free": "the robber keeps back `n` dots less",
    "pays": "something can be paid for that couldn't be before: number `n` of road, settlement, city, card",
    "nearer": "cards that bring nearer number `n` of road, settlement, city, card, from 1; 0: something",
    "kept": "what isn't discarded is near to a building",
    "stolen": "a stolen card",
    "needed": "a stolen card that is likelier to be one that is needed",
    "site": "a better place for a settlement",
    "nearby": "the same, beside a settlement that is being placed",
    "road": "`n` segments are missing for the longest road",
    "lead": "the longest road that the seat already has grows to `n` segments",
    "army": "`n` knights are missing for the largest army",
    "safe": "a seven would no longer cost `n` cards",
    "card": "a development card: `n` of those unseen are knights",
    "victory": "a development card: `n` of those unseen are Victory Points",
    "rival": "a rival, `seat`, is weaker",
    "finisher": "who offers, `seat`, may be about to win",
    "declined": "the same deal, or a better one, was declined in this turn",
    "unfair": "more cards go than come",
}
"""Kinds of reasons, and what `Reason.n` and `Reason.seat` are in them."""


@value
class Reason:
    """What speaks for a move."""

    kind: str
    n: int = 0
    seat: int = -1


GROUPS: dict[str, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in (
        ("points", "points points_late lead settlements cities settlements_left cities_left full"),
        ("longest_road", "road_award"),
        ("largest_army", "army_award"),
        (
            "production",
            "brick lumber wool grain ore brick_root lumber_root wool_root grain_root ore_root kinds bank production "
            "road_pace settlement_pace city_pace card_pace "
            "brick_rate lumber_rate wool_rate grain_rate ore_rate spread upgrade",
        ),
        (
            "hand",
            "to_road to_settlement to_city to_card pays_road pays_settlement pays_city pays_card "
            "soon_road soon_settlement soon_city soon_card has_brick has_lumber has_wool has_grain has_ore",
        ),
        (
            "site",
            "site_now site_next site_far sites site_new site_rate site_contested "
            "site_brick site_lumber site_wool site_grain site_ore",
        ),
        ("road", "road road_gap road_margin roads_left"),
        ("army", "knights army_gap army_margin"),
        ("safe", "cards at_risk"),
        ("card", "knight_cards other_cards road_building year_of_plenty monopoly deck"),
    )
}
"""Which of what a strength is made of (`Chances.inputs`) belongs to what kind of reason."""

PRICES = ("to_road", "to_settlement", "to_city", "to_card")
"""Inputs that say how near a hand is to a price."""
BROUGHT = {"points": "victory", "army": "card", "largest_army": "card"}
"""What a group speaks for when a development card was bought that may bring it."""


def effects_of(thinker: Thinker, line: Line) -> Effects:
    """How much better a line is for its seat, on average, by the change of each group alone, and of each rival."""
    before, chances = thinker.situation, thinker.chances
    state, seat = before.state, before.seat
    rivals = [s for s in range(state.players) if s != seat and not state.resigned >> s & 1]
    total = dict.fromkeys([*[(name, -1) for name in (*GROUPS, "victory")], *[("rival", s) for s in rivals]], 0.0)
    bought = [type(action) for action in line.actions if type(action) in BUILDS] == [BuyCard]
    for likely, after in line.outcomes:
        for name, effect in _own(chances, before, after).items():
            total[BROUGHT.get(name, name) if bought else name, -1] += likely * effect
        if not bought:  # what the others lose by a card is that they don't have it
            for s, effect in _others(chances, before, after, rivals).items():
                total["rival", s] += likely * effect
    return total


def _own(chances: Chances, before: Situation, after: Situation) -> dict[str, float]:
    """How much stronger each group of inputs makes the seat by its change alone."""
    seat, old, new = before.seat, before.state, after.state
    then, now = chances.inputs(before, seat), chances.inputs(after, seat)
    start, found = chances.sum(then), {}
    for name, group in GROUPS.items():
        mixed = {each: now[each] if each in group else n for each, n in then.items()}
        found[name] = chances.sum(mixed) - start if mixed != then else 0.0
    if new.longest == seat != old.longest:  # the points of an award speak for the award
        found["longest_road"] += found.pop("points") + found.pop("road")
    elif new.army == seat != old.army:
        found["largest_army"] += found.pop("points") + found.pop("army")
    if _built(old, seat) == _built(new, seat):  # a place is worth more or less by what else comes in
        found["production"], found["site"] = found["production"] + found["site"], 0.0
    if chances.judge.sites(new, seat).open and not chances.judge.sites(old, seat).open:  # only now a settlement is near
        found["site"] += found.pop("hand")
    elif new.hands[seat] == old.hands[seat] or _in_setup(old):  # then a building is nearer by what comes, or where
        found["site" if found["site"] > found["production"] else "production"] += found.pop("hand")
    return found


def _others(chances: Chances, before: Situation, after: Situation, rivals: list[int]) -> dict[int, float]:
    """How much better each rival's change alone is for the seat, by rival."""
    strengths = {s: chances.strength(before, s) for s in rivals}
    total = sum(map(exp, strengths.values()))
    changed = {s: total - exp(strengths[s]) + exp(chances.strength(after, s)) for s in rivals}
    return {s: log(total) - log(changed[s]) for s in rivals}


def told(chances: Chances, cause: Cause, before: Situation, line: Line) -> Reason | None:
    """A reason with its numbers; None where there is nothing that people would count."""
    name, seat = cause
    if seat >= 0:
        return Reason(name, seat=seat)
    kind = type(line.actions[0])
    if name == "hand" and (kind in STEALS or kind is Discard):
        return Reason("kept" if kind is Discard else "needed" if kind is TakeCard else "stolen")
    if name == "site" and kind is BuildSettlement:
        return Reason("nearby")
    found = {_counted(chances, name, before, after) for _, after in line.outcomes}
    if len(found) > 1 and name == "hand":  # it depends on chance
        return Reason("nearer")
    return min(found, key=lambda reason: reason.n if reason else 0)


def _counted(chances: Chances, name: str, before: Situation, after: Situation) -> Reason | None:
    """A reason of one's own, by what there is of it; None if that isn't more."""
    seat, old, new = before.seat, before.state, after.state
    data = old.rules.data
    n = 1
    match name:
        case "points":
            n = new.all_points(seat) - old.all_points(seat)
        case "longest_road":
            n = new.road_length[seat] if new.longest == seat != old.longest else 0
        case "largest_army":
            n = new.played[seat][KNIGHT] if new.army == seat != old.army else 0
        case "production":
            n = _dots(chances, after) - _dots(chances, before)
            if old.robber != new.robber and _built(old, seat) == _built(new, seat):
                name = "free"
            elif _in_setup(old) and not old.settlements[seat]:
                name = "outlook"
        case "hand":
            paid = _paid(chances, before, after)
            return Reason("pays", paid) if paid >= 0 else Reason("nearer", _nearest(chances, before, after))
        case "site":
            then, now = chances.judge.sites(old, seat), chances.judge.sites(new, seat)
            n = int(now.now > then.now or now.following > then.following or now.far > then.far)
        case "road" if new.longest == seat == old.longest:
            return Reason("lead", new.road_length[seat]) if new.road_length[seat] > old.road_length[seat] else None
        case "road":
            n = _missing(data.road_award, old.road_length, new.road_length, seat)
        case "army":
            n = _missing(data.army_award, _knights(old), _knights(new), seat)
        case "card":
            return Reason(name, before.unseen[KNIGHT])
        case "victory":
            n = before.unseen[VICTORY_POINT]
        case "safe":
            size, left = sum(old.hands[seat]), sum(new.hands[seat])
            n = size // 2 if size > data.discard_limit >= left else 0
    return Reason(name, n) if n > 0 else None


def _paid(chances: Chances, before: Situation, after: Situation) -> int:
    """The number of the best thing to build that a hand can pay for now, and couldn't before; -1: none."""
    held, holds = before.state.hands[before.seat], after.state.hands[before.seat]
    costs, now = prices(before.state.rules.data), chances.inputs(after, before.seat)
    for n in (2, 1, 3, 0):  # city, settlement, card, road
        if covers(holds, costs[n]) and not covers(held, costs[n]) and now[PRICES[n]] > 0.0:
            return n
    return -1


def _nearest(chances: Chances, before: Situation, after: Situation) -> int:
    """The number of what a hand is now nearest to, of what it's nearer to than before, from 1; 0: to nothing."""
    then, now = chances.inputs(before, before.seat), chances.inputs(after, before.seat)
    found = [(now[name], n) for n, name in enumerate(PRICES, 1) if now[name] > then[name]]
    return max(found)[1] if found else 0


def _missing(least: int, old: list[int], new: list[int], seat: int) -> int:
    """How much is missing for an award, if it was more before; else 0."""
    award = max(least, 1 + max(n for s, n in enumerate(new) if s != seat))
    return award - new[seat] if old[seat] < new[seat] < award <= new[seat] + NEAR else 0


def _in_setup(state: State) -> bool:
    return state.agenda[-1].kind is StepKind.SETUP


def _built(state: State, seat: int) -> tuple[int, int, int]:
    return state.roads[seat], state.settlements[seat], state.cities[seat]


def _knights(state: State) -> list[int]:
    return [played[KNIGHT] for played in state.played]


def _dots(chances: Chances, situation: Situation) -> int:
    """Dots of the seat's buildings that the robber doesn't keep back, those of cities twice."""
    brings = chances.judge.brings(situation.state, situation.seat)
    return sum([pips(number) * sum(cards) for number, cards in enumerate(brings) if cards is not None])
