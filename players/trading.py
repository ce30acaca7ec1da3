"""Offers to other players, and answers to theirs: whom a trade helps, and how much."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import AcceptOffer, Action, CloseOffer, DeclineOffer, MakeOffer
from engine.domains import Offers, Options
from engine.events import OfferMade
from engine.geometry import bits
from engine.position import Position
from engine.resources import Hand, single
from engine.state import State
from engine.views import OfferView, View
from players.thinking import BUILDS, TALK, Thinker

OFFERS_A_TURN = 1
"""Own offers in one turn, counters included: more would only hold the others up."""
GAIN = 0.02
"""How much likelier to win an offer must make its maker: others aren't bothered for less."""
WORTH_IT = 0.002
"""How much likelier to win an accepted offer must make whoever accepts it."""


def exchanged(position: Position, seat: int, partner: int, give: Hand, get: Hand) -> Position:
    """The position after a trade; a card that the partner lacks, as hands were dealt here, is taken from nobody."""
    after = position.copy()
    mine, theirs = after.state.hands[seat], after.state.hands[partner]
    for r in range(5):
        mine[r] += get[r] - give[r]
        theirs[r] = max(0, theirs[r] - get[r]) + give[r]
    return after


def answer(thinker: Thinker, view: View, options: Options, offer: OfferView) -> Action:
    """Accept what helps even if its maker makes the most of it, counter what nearly does, and decline the rest."""
    seat, partner = thinker.seat, offer.seat
    if about_to_win(thinker.position.state, partner):
        return DeclineOffer(offer.id)
    before = outlook(thinker, thinker.position, partner)
    after = exchanged(thinker.position, seat, partner, offer.want, offer.give)
    if options.allows(AcceptOffer(offer.id)) and outlook(thinker, after, partner) > before + WORTH_IT:
        return AcceptOffer(offer.id)
    counters = options.get(MakeOffer)
    if isinstance(counters, Offers) and offer.answers < 0 and not _made(view):
        best, value = None, before + GAIN
        for give, want in _swaps(thinker.position.state.hands[seat], offer.give):
            counter = MakeOffer(give, want, answers=offer.id)
            if (give == offer.want and want == offer.give) or counter not in counters:
                continue
            after = exchanged(thinker.position, seat, partner, give, want)
            found = outlook(thinker, after, partner)
            if found > value and helps(thinker, partner, give, want):
                best, value = counter, found
        if best is not None:
            return best
    return DeclineOffer(offer.id)


def outlook(thinker: Thinker, position: Position, on_turn: int) -> float:
    """How likely the seat is to win once the player on turn has made the most of the position."""
    if on_turn == thinker.seat or on_turn not in position.to_act:
        return thinker.value(position)
    other = thinker.of(position, on_turn)
    line = other.best(position.options(on_turn))
    return thinker.value(line.position or position)


def offer(thinker: Thinker, view: View, options: Options) -> MakeOffer | None:
    """An offer to others with which the seat could build at once, or None."""
    domain, made = options.get(MakeOffer), _made(view)
    if not isinstance(domain, Offers) or len(made) >= OFFERS_A_TURN:
        return None
    position, seat = thinker.position, thinker.seat
    partners = [s for s in bits(domain.seats) if sum(position.state.hands[s])]
    best, value = None, thinker.best(_own(options)).value + GAIN
    for give, want in _swaps(position.state.hands[seat], None):
        if (give, want) in made:
            continue
        willing = [s for s in partners if helps(thinker, s, give, want)]
        if not willing:
            continue
        after = exchanged(position, seat, willing[0], give, want)
        line = thinker.of(after, seat).best(_own(after.options(seat)))
        if line.value > value and any(type(action) in BUILDS for action in line.actions):
            asked = () if len(willing) == len(list(bits(domain.seats))) else tuple(willing)
            candidate = MakeOffer(give, want, asked)
            if candidate in domain:
                best, value = candidate, line.value
    return best


def closing(thinker: Thinker, view: View, options: Options) -> CloseOffer | None:
    """The best of the trades that others have agreed to, or None when going on without is better."""
    best, value = None, thinker.best(_own(options)).value
    for action in options[CloseOffer]:
        assert isinstance(action, CloseOffer)
        made = next(offer for offer in view.offers if offer.id == action.offer)
        after = exchanged(thinker.position, thinker.seat, action.seat, made.give, made.want)
        found = thinker.of(after, thinker.seat).best(_own(after.options(thinker.seat))).value
        if found > value:
            best, value = action, found
    return best


def helps(thinker: Thinker, partner: int, give: Hand, want: Hand) -> bool:
    """Whether a partner, by what is known of it, gains by a trade, and doesn't come near the end of the game by it."""
    if about_to_win(thinker.position.state, partner):
        return False
    other = thinker.of(thinker.position, partner)
    after = exchanged(thinker.position, thinker.seat, partner, give, want)
    return other.value(after) > other.value(thinker.position) + WORTH_IT


def about_to_win(state: State, seat: int) -> bool:
    """Whether nobody should trade with a seat any more."""
    return state.points(seat) >= state.rules.data.target - 2


def _own(options: Options) -> Options:
    """Options that need nobody else."""
    return Options({kind: domain for kind, domain in options.items() if kind not in TALK})


def _swaps(have: list[int], want: Hand | None) -> Iterator[tuple[Hand, Hand]]:
    """One card for another, and two for one; `want`: for these cards."""
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
    """What the seat has offered in this turn."""
    return {(e.give, e.want) for e in view.events if isinstance(e, OfferMade) and e.seat == view.seat}
