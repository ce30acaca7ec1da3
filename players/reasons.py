"""Reasons for a move: how much it changes a seat's strength by each thing that people count."""

from __future__ import annotations

from math import exp, log

from engine.actions import Action, BuildSettlement, BuyCard, Discard, MoveRobber, PlayKnight, TakeCard
from engine.board import pips
from engine.geometry import bits
from engine.resources import KNIGHT, VICTORY_POINT, covers
from engine.state import State
from engine.terms import StepKind
from engine.values import value
from players.chances import Chances
from players.situation import Situation
from players.thinking import BUILDS, Line, Thinker
from players.trading import prices

NEAR = 2
"""An award is a reason if at most this many pieces are missing for it."""
STEALS: tuple[type[Action], ...] = (MoveRobber, PlayKnight, TakeCard)

Cause = tuple[str, int]
"""A name of `GROUPS`, or "victory", and -1; or "rival" and the rival's seat."""
Effects = dict[Cause, float]
"""How much stronger each cause makes a seat."""

REASON_KINDS = {
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
"""Kinds of reasons, and what `Reason.n` and `Reason.seat` mean in them."""


@value
class Reason:
    """A reason for a move; see `REASON_KINDS`."""

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
"""Inputs of a strength (`Chances.inputs`) by the kind of reason that they belong to."""

PRICES = ("to_road", "to_settlement", "to_city", "to_card")
"""Inputs that say how near a hand is to each price."""
BROUGHT = {"points": "victory", "army": "card", "largest_army": "card"}
"""The kind of reason that a group belongs to when the move buys a development card, which can bring it."""


def effects_of(thinker: Thinker, line: Line) -> Effects:
    """How much better a line makes its seat, on average, by the change of each group alone, and of each rival alone."""
    before, chances = thinker.situation, thinker.chances
    state, seat = before.state, before.seat
    rivals = [s for s in range(state.players) if s != seat and not state.resigned >> s & 1]
    total = dict.fromkeys([*[(name, -1) for name in (*GROUPS, "victory")], *[("rival", s) for s in rivals]], 0.0)
    bought = [type(action) for action in line.actions if type(action) in BUILDS] == [BuyCard]
    for likely, after in line.outcomes:
        for name, effect in _own(chances, before, after).items():
            total[BROUGHT.get(name, name) if bought else name, -1] += likely * effect
        if not bought:  # all that others lose is the chance to buy that card
            for s, effect in _others(chances, before, after, rivals).items():
                total["rival", s] += likely * effect
    return total


def _own(chances: Chances, before: Situation, after: Situation) -> dict[str, float]:
    """How much stronger each group of inputs makes the seat by its change alone."""
    seat, old, new = before.seat, before.state, after.state
    then, now = chances.inputs(before, seat), chances.inputs(after, seat)
    start, effects = chances.sum(then), {}
    for name, group in GROUPS.items():
        mixed = {each: now[each] if each in group else n for each, n in then.items()}
        effects[name] = chances.sum(mixed) - start if mixed != then else 0.0
    if new.longest == seat != old.longest:  # the points of an award belong to the award
        effects["longest_road"] += effects.pop("points") + effects.pop("road")
    elif new.army == seat != old.army:
        effects["largest_army"] += effects.pop("points") + effects.pop("army")
    if _built(old, seat) == _built(new, seat):  # only production can have changed what a site is worth
        effects["production"], effects["site"] = effects["production"] + effects["site"], 0.0
    if chances.judge.sites(new, seat).open and not chances.judge.sites(old, seat).open:  # a settlement became possible
        effects["site"] += effects.pop("hand")
    elif new.hands[seat] == old.hands[seat] or _in_setup(old):  # production or a site brought a building nearer
        effects["site" if effects["site"] > effects["production"] else "production"] += effects.pop("hand")
    return effects


def _others(chances: Chances, before: Situation, after: Situation, rivals: list[int]) -> dict[int, float]:
    """How much each rival's change alone helps the seat, by rival."""
    strengths = {s: chances.strength(before, s) for s in rivals}
    total = sum(map(exp, strengths.values()))
    changed = {s: total - exp(strengths[s]) + exp(chances.strength(after, s)) for s in rivals}
    return {s: log(total) - log(changed[s]) for s in rivals}


def reason_for(chances: Chances, cause: Cause, before: Situation, line: Line) -> Reason | None:
    """The reason for a cause, with its numbers; None if there is nothing that people would count."""
    name, seat = cause
    if seat >= 0:
        return Reason(name, seat=seat)
    kind = type(line.actions[0])
    if name == "hand" and (kind in STEALS or kind is Discard):
        return Reason("kept" if kind is Discard else "needed" if kind is TakeCard else "stolen")
    if name == "site" and kind is BuildSettlement:
        return Reason("nearby")
    reasons = {_own_reason(chances, name, before, after) for _, after in line.outcomes}
    if len(reasons) > 1 and name == "hand":  # what it brings depends on chance
        return Reason("nearer")
    return min(reasons, key=lambda reason: reason.n if reason else 0)


def _own_reason(chances: Chances, name: str, before: Situation, after: Situation) -> Reason | None:
    """A reason in the seat itself, with its number; None if that isn't positive."""
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
            n = _missing(data.road_award, old.road_length, new.road_length, new, seat)
        case "army":
            n = _missing(data.army_award, _knights(old), _knights(new), new, seat)
        case "card":
            return Reason(name, before.unseen[KNIGHT])
        case "victory":
            n = before.unseen[VICTORY_POINT]
        case "safe":
            size, left = sum(old.hands[seat]), sum(new.hands[seat])
            n = size // 2 if size > data.discard_limit >= left else 0
    return Reason(name, n) if n > 0 else None


def _paid(chances: Chances, before: Situation, after: Situation) -> int:
    """The index (in `prices`) of the best thing that the hand can pay for now and couldn't before; -1: none."""
    old_hand, new_hand = before.state.hands[before.seat], after.state.hands[before.seat]
    costs, now = prices(before.state.rules.data), chances.inputs(after, before.seat)
    for n in (2, 1, 3, 0):  # city, settlement, card, road
        if covers(new_hand, costs[n]) and not covers(old_hand, costs[n]) and now[PRICES[n]] > 0.0:
            return n
    return -1


def _nearest(chances: Chances, before: Situation, after: Situation) -> int:
    """The number (from 1, in `PRICES`) of the price that the hand is nearest to, among those that it came nearer to; 0:
    none."""
    then, now = chances.inputs(before, before.seat), chances.inputs(after, before.seat)
    found = [(now[name], n) for n, name in enumerate(PRICES, 1) if now[name] > then[name]]
    return max(found)[1] if found else 0


def _missing(least: int, old: list[int], now: list[int], state: State, seat: int) -> int:
    """How many pieces are missing for an award, if more were missing before and few are now; else 0. By seat, `old` and
    `now` are the pieces before and now."""
    others = [now[s] for s in bits(state.active() & ~(1 << seat))]
    award = max(least, 1 + max(others, default=0))
    return award - now[seat] if old[seat] < now[seat] < award <= now[seat] + NEAR else 0


def _in_setup(state: State) -> bool:
    return state.agenda[-1].kind is StepKind.SETUP


def _built(state: State, seat: int) -> tuple[int, int, int]:
    return state.roads[seat], state.settlements[seat], state.cities[seat]


def _knights(state: State) -> list[int]:
    return [played[KNIGHT] for played in state.played]


def _dots(chances: Chances, situation: Situation) -> int:
    """Dots of the seat's buildings (twice for cities), without those that the robber blocks."""
    brings = chances.judge.brings(situation.state, situation.seat)
    return sum([pips(number) * sum(cards) for number, cards in enumerate(brings) if cards is not None])
