"""Offers to other players, and answers to theirs: whom a trade helps, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.actions import AcceptOffer, Action, CloseOffer, DeclineOffer, MakeOffer
from engine.data import Data
from engine.domains import Offers, Options
from engine.events import OfferAnswered, OfferMade
from engine.geometry import bits
from engine.resources import VICTORY_POINT, Hand, covers, single
from engine.views import OfferView, View
from players.situation import Situation
from players.thinking import BUILDS, MOST_WEIGHED, TALK, Line, Thinker

GAIN = 0.02
"""How much an offer must raise its maker's chance to win: others aren't bothered for less."""
WORTH_IT = 0.002
"""How much an offer must raise the chance to win of the seat that accepts it."""
SPARE = 0.01
"""Chance to win that a spare card is worth. A trade must raise the chance by this much more for each card that the seat
gives in excess of those that it gets."""
LIKELY = 0.3
"""How likely a partner must be to gain by an offer, for it to be made."""


@dataclass(frozen=True)
class Bargain:
    """How a player offers trades."""

    most: int = 1
    """Most offers of its own in a turn, counteroffers included. More would only hold people up."""
    least: float = GAIN
    """How much an offer must raise its maker's chance to win: others aren't bothered for less."""
    to_build: bool = True
    """Whether it makes offers only for cards that it can build with immediately."""


def answers(thinker: Thinker, view: View, options: Options, offer: OfferView) -> list[Line]:
    """Answers to an offer, the best first: accept it if it helps even when its maker makes the most of it, counter it
    if it nearly does, or decline it.

    A deal that was declined stays declined for the rest of the turn, and so does any worse one.
    """
    situation, partner = thinker.situation, offer.seat
    no, yes = DeclineOffer(offer.id), AcceptOffer(offer.id)
    if about_to_win(situation, partner) or _declined(view, offer):
        return [Line((no,), [], thinker.value(situation))]
    before = _outlook(thinker, situation, partner)
    lines = [Line((no,), [], before)]
    after = situation.traded(partner, offer.want, offer.give) if options.allows(yes) else None
    if after is not None:
        gain = _gain(thinker, after, partner, before)
        fair = is_fair(situation, offer.want, offer.give) and gain > _price(offer.want, offer.give)
        lines.insert(0 if fair else 1, Line((yes,), [(1.0, after)], before + gain))
        if fair:
            return lines
    counters = options.get(MakeOffer)
    if isinstance(counters, Offers) and offer.answers < 0 and not _made(view):
        best, most = None, GAIN
        for give, want in _swaps(situation.state.hands[thinker.seat], offer.give):
            counter = MakeOffer(give, want, answers=offer.id)
            if (give == offer.want and want == offer.give) or counter not in counters:
                continue
            after = situation.traded(partner, give, want) if is_fair(situation, give, want) else None
            if after is None or thinker.value(after) - thinker.value(situation) < most:
                continue
            gain = _gain(thinker, after, partner, before) - _price(give, want)
            if gain > most and _likes(thinker, partner, give, want) > LIKELY:
                best, most = Line((counter,), [(1.0, after)], before + gain), gain
        if best is not None:
            lines.insert(0, best)
    return lines


def with_and_without(thinker: Thinker, action: Action, partner: int, give: Hand, get: Hand) -> tuple[Line, Line]:
    """The line of a trade with a partner, and that of not making it, each with what the seat can do then if it is on
    turn. A trade that can't be made changes nothing."""
    situation, standing = thinker.situation, []
    for after in (situation.traded(partner, give, get) or situation, situation):
        line = thinker.of(after).best(own(after.options())) if after.decides else Line((), [], 0.0)
        outcomes = line.outcomes or ([(1.0, after)] if after is not situation else [])
        standing.append(Line(line.actions, outcomes, _outlook(thinker, after, partner)))
    with_it, without = standing
    with_it.actions = (action, *with_it.actions)
    return with_it, without


def _gain(thinker: Thinker, after: Situation, partner: int, before: float) -> float:
    """How much a trade raises the seat's chance to win. A quick look can spare a closer one."""
    quick = thinker.value(after) - thinker.value(thinker.situation)
    return quick if quick <= WORTH_IT else _outlook(thinker, after, partner) - before


def _outlook(thinker: Thinker, situation: Situation, maker: int) -> float:
    """The seat's chance to win, on average, once the player on turn (the seat or `maker`) has used the cards best."""
    state, _seat = situation.state, thinker.seat
    if situation.decides:
        return thinker.of(situation).best(own(situation.options())).value
    if not state.agenda[-1].awaited(state) >> maker & 1:
        return thinker.value(situation)
    belief, total = situation.beliefs[maker], 0.0
    hand = state.hands[maker]
    for cards, likely in belief.ways if belief else (((hand[0], hand[1], hand[2], hand[3], hand[4]), 1.0),):
        theirs = situation.seen_by(maker, cards)
        line = thinker.of(theirs).best(own(theirs.options()))
        total += likely * thinker.value(line.situation or theirs)
    return total


def offer(thinker: Thinker, view: View, options: Options, before: float, bargain: Bargain) -> Line | None:
    """The best offer to others, or None. `before` is the seat's chance to win without one."""
    domain, offered = options.get(MakeOffer), _made(view)
    if not isinstance(domain, Offers) or len(offered) >= bargain.most:
        return None
    situation = thinker.situation
    asked = list(bits(domain.seats))
    partners = [s for s in asked if any(situation.state.hands[s]) and not about_to_win(situation, s)]
    best, value = None, bargain.least
    for give, want in _swaps(situation.state.hands[thinker.seat], None):
        if thinker.chances.weighed >= MOST_WEIGHED:
            break
        if (give, want) in offered or (bargain.to_build and not _completes(situation, give, want)):
            continue
        willing = [s for s in partners if _likes(thinker, s, give, want) > LIKELY]
        after = situation.traded(willing[0], give, want) if willing else None
        if after is None:
            continue
        line = thinker.of(after).best(own(after.options()))
        gain = line.value - before - _price(give, want)
        if gain > value and (not bargain.to_build or any(type(action) in BUILDS for action in line.actions)):
            candidate = MakeOffer(give, want, () if len(willing) == len(asked) else tuple(willing))
            if candidate in domain:
                best, value = Line((candidate, *line.actions), line.outcomes or [(1.0, after)], line.value), gain
    return best


def closing(thinker: Thinker, view: View, options: Options, before: float) -> Line | None:
    """The best trade that others have agreed to, or None if going on without one is better."""
    best, value = None, before
    for action in options[CloseOffer]:
        assert isinstance(action, CloseOffer)
        accepted = next(offer for offer in view.offers if offer.id == action.offer)
        after = thinker.situation.traded(action.seat, accepted.give, accepted.want)
        if after is None:
            continue
        line = thinker.of(after).best(own(after.options()))
        worth = line.value - _price(accepted.give, accepted.want)
        if worth > value:
            best, value = Line((action, *line.actions), line.outcomes or [(1.0, after)], line.value), worth
    return best


def _likes(thinker: Thinker, partner: int, give: Hand, want: Hand) -> float:
    """The probability that a partner holds the wanted cards and gains by the trade."""
    situation, chances, total = thinker.situation, thinker.chances, 0.0
    if about_to_win(situation, partner):
        return 0.0
    belief, hand = situation.beliefs[partner], situation.state.hands[partner]
    for cards, likely in belief.ways if belief else (((hand[0], hand[1], hand[2], hand[3], hand[4]), 1.0),):
        if covers(cards, want):
            theirs = situation.seen_by(partner, cards)
            before = chances.of(theirs, partner)
            after = theirs.traded(thinker.seat, want, give)
            if after is not None and chances.of(after, partner) > before + _price(want, give):
                total += likely
    return total


def about_to_win(situation: Situation, seat: int) -> bool:
    """Whether a seat is so near the end, by its points and by what it can hide, that no one should trade with it."""
    state, belief = situation.state, situation.beliefs[seat]
    hidden = state.development_cards[seat][VICTORY_POINT] if belief is None else belief.development[VICTORY_POINT]
    return state.points(seat) + hidden >= state.rules.data.target - 2


def _price(give: Hand, get: Hand) -> float:
    """How much a trade must raise the chance to win of the seat that gives and gets these cards."""
    return WORTH_IT + SPARE * max(0, sum(give) - sum(get))


def is_fair(situation: Situation, give: Hand, get: Hand) -> bool:
    """Whether the seat gives no more cards than it gets, or one more if the trade completes a price."""
    more = sum(give) - sum(get)
    return more <= 0 or (more == 1 and _completes(situation, give, get))


def _completes(situation: Situation, give: Hand, get: Hand) -> bool:
    """Whether the seat can pay for something after a trade that it couldn't pay for before."""
    state, seat = situation.state, situation.seat
    before = state.hands[seat]
    after = [before[r] - give[r] + get[r] for r in range(5)]
    return any(covers(after, cost) and not covers(before, cost) for cost in prices(state.rules.data))


def prices(data: Data) -> tuple[Hand, ...]:
    """The prices of a road, a settlement, a city and a development card."""
    return data.road_cost, data.settlement_cost, data.city_cost, data.card_cost


def own(options: Options) -> Options:
    """Options without trade with other players."""
    return Options({kind: domain for kind, domain in options.items() if kind not in TALK})


def _swaps(have: list[int], want: Hand | None) -> Iterator[tuple[Hand, Hand]]:
    """Trades of one card for another, and of two for one, as (give, want). `want`: only trades for these cards."""
    for r in range(5):
        for n in range(1, min(2, have[r]) + 1):
            if want is not None:
                if not want[r]:
                    yield single(r, n), want
                continue
            for s in range(5):
                if s != r:
                    yield single(r, n), single(s)


def _made(view: View) -> set[tuple[Hand, Hand]]:
    """What the seat has offered in this turn, as (give, want)."""
    return {(e.give, e.want) for e in view.events if isinstance(e, OfferMade) and e.seat == view.seat}


def _declined(view: View, offer: OfferView) -> bool:
    """Whether the seat has declined the same deal, or a better one, in this turn."""
    declined = {e.offer for e in view.events if isinstance(e, OfferAnswered) and e.seat == view.seat and not e.accepted}
    return any(
        isinstance(e, OfferMade) and e.offer in declined and covers(e.give, offer.give) and covers(offer.want, e.want)
        for e in view.events
    )
