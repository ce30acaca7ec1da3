"""Trade with players and with the bank (section E)."""

from __future__ import annotations

from engine.actions import AcceptOffer, Action, BankTrade, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.domains import BankTrades, Choices, Closings, Domain, Offers
from engine.errors import IllegalAction
from engine.events import BankTraded, OfferAnswered, OfferMade, OfferWithdrawn, Traded
from engine.geometry import bits, mask_of
from engine.moves import pay, receive
from engine.offer import Offer
from engine.refusals import CardList, Resource, refusal
from engine.resources import covers, hand
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.steps.turn import Turn

EMPTY_BANK_TRADE = refusal("empty-side/bank", "Name what you give to the bank and what you want from it.")
SAME_WITH_BANK = refusal("same-resource/bank", "You can't trade {resource} for {resource} with the bank.")
HOLD_ONLY = refusal("unaffordable/bank", "You only have {hand}.")
WRONG_RATE = refusal("wrong-rate", "The bank takes {resource} from you {rate} for 1.")
WRONG_LOTS = refusal(
    "wrong-count/bank",
    "For {give} the bank gives {n} card, not {asked}.",
    "For {give} the bank gives {n} cards, not {asked}.",
)
BANK_SHORT = refusal("bank-short/trade", "The bank hasn't got that much {resource}.")
TOO_MANY_OFFERS = refusal("too-many-offers", "You have {most} open offers: cancel one before making another.")
NO_CARDS_TO_OFFER = refusal("unaffordable/no cards", "You have no cards to offer.")
NO_OFFER_NOW = refusal("not-now/offer", "You can't make an offer now.")
ONLY_ON_TURN = refusal(
    "nobody-to-ask/another's turn",
    "It's someone else's turn: you can only trade with them.",
)
OFFER_FAULTS = {
    "empty-side": refusal("empty-side", "An offer needs at least one card on each side: gifts aren't allowed."),
    "too-many": refusal("too-many", "That's more cards than there are."),
    "same-resource": refusal("same-resource", "The same resource can't be on both sides of an offer."),
    "unaffordable": refusal("unaffordable/offer", "You can't offer {give}: you only have {hand}."),
    "nobody-to-ask": refusal("nobody-to-ask", "You can't offer that to yourself or to someone who isn't playing."),
    "already-open": refusal("already-open", "You already have that offer open."),
}
"""The refusals by the code that `Offers.fault` returns."""
OFFER_GONE = refusal("no-such-offer/gone", "That offer isn't open anymore.")
NO_SUCH_OFFER = refusal("no-such-offer/own", "You have no such open offer.")
OFFER_NOT_YOURS = refusal("not-asked/offer", "That offer wasn't made to you.")
OWN_OFFER = refusal("not-asked/own offer", "That offer is your own: the others answer it.")
ACCEPTED_ALREADY = refusal("answered/accepted", "You have accepted that offer already.")
DECLINED_ALREADY = refusal("answered/declined", "You have declined that offer already.")
CANT_ACCEPT = refusal("unaffordable/accept", "You would have to give {want}, but you only have {hand}.")
NO_LONGER_HELD = refusal("unaffordable/close", "You no longer have {give}.")
NOT_ACCEPTED = refusal("not-accepted", "That player hasn't accepted your offer.")
TRADE_GONE = refusal("trade-gone", "The deal is off: {player} can no longer give {cards}.")


class Maritime(Move):
    """Trade with the bank at the seat's best rates (E4)."""

    action = BankTrade
    undoable = True

    def domain(self, state: State, step: Turn, seat: int) -> Domain | None:
        if seat != step.seat:
            return None
        hand, rates = state.hands[seat], state.rates[seat]
        for r in range(5):
            if hand[r] >= rates[r]:
                trades = BankTrades(rates, hand, state.bank)
                return trades if len(trades) else None
        return None

    def do(self, state: State, step: Turn, seat: int, action: BankTrade, tx: Tx) -> None:
        pay(state, seat, action.give)
        receive(state, seat, action.get)
        tx.emit(BankTraded(seat, action.give, action.get))

    def why(self, state: State, step: Turn, seat: int, action: BankTrade) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        own_cards, rates, bank = state.hands[seat], state.rates[seat], state.bank
        give, get = action.give, action.get
        if min(give) < 0 or min(get) < 0 or not sum(give) or not sum(get):
            return EMPTY_BANK_TRADE()
        for r in range(5):
            if give[r] and get[r]:
                return SAME_WITH_BANK(resource=Resource(r))
        if not covers(own_cards, give):
            return HOLD_ONLY(hand=CardList(hand(own_cards)))
        for r in range(5):
            if give[r] % rates[r]:
                return WRONG_RATE(resource=Resource(r), rate=rates[r])
        lots = sum(g // r for g, r in zip(give, rates, strict=True))
        if lots != sum(get):
            return WRONG_LOTS(give=CardList(give), n=lots, asked=sum(get))
        return BANK_SHORT(resource=Resource(next(r for r in range(5) if get[r] > bank[r])))


def find_offer(state: State, number: int) -> Offer | None:
    """The open offer with that id, or None."""
    return next((o for o in state.offers if o.id == number), None)


def offer_gone_error(state: State, action: Action) -> IllegalAction | None:
    """Why an action about an offer is refused in any step if that offer isn't open; None for all other actions."""
    if isinstance(action, MakeOffer):
        number = None if action.answers == -1 else action.answers
    elif isinstance(action, AcceptOffer | DeclineOffer | CloseOffer | WithdrawOffer):
        number = action.offer
    else:
        number = None
    return None if number is None or find_offer(state, number) else OFFER_GONE()


def not_asked_error(offer: Offer, seat: int) -> IllegalAction | None:
    """Why a seat can't answer an offer that wasn't made to it; None if it was."""
    if offer.to >> seat & 1:
        return None
    return OWN_OFFER() if offer.seat == seat else OFFER_NOT_YOURS()


def decline(state: State, seat: int, number: int, tx: Tx) -> None:
    """Decline the open offer with that id for a seat. An offer to the player on turn ends with that."""
    offer = find_offer(state, number)
    assert offer is not None
    offer.declined |= 1 << seat
    offer.accepted &= ~(1 << seat)
    if seat == state.on_turn:
        state.offers.remove(offer)
    tx.emit(OfferAnswered(seat, offer.id, False))


class Propose(Move):
    """Make an offer: the player on turn to others, or another player to the player on turn (E1, E2)."""

    action = MakeOffer

    def domain(self, state: State, step: Turn, seat: int) -> Domain | None:
        if state.resigned >> seat & 1 or not any(state.hands[seat]):
            return None
        data = state.rules.data
        same = data.same_resource_trades
        if not state.offers:
            others = state.active() & ~(1 << seat) if seat == step.seat else 1 << step.seat
            return Offers(state.hands[seat], others, same)
        own = [] if data.equal_offers else [(o.give, o.want, o.to) for o in state.offers if o.seat == seat]
        if seat == step.seat:
            if sum(o.seat == seat for o in state.offers) >= data.max_offers:
                return None
            answers = {o.id: 1 << o.seat for o in state.offers if o.seat != seat}
            others = state.active() & ~(1 << seat)
            return Offers(state.hands[seat], others, same, answers, own, data.equal_counters)
        answers = {o.id: 1 << o.seat for o in state.offers if o.seat == step.seat and o.to >> seat & 1}
        return Offers(state.hands[seat], 1 << step.seat, same, answers, own, data.equal_counters)

    def do(self, state: State, step: Turn, seat: int, action: MakeOffer, tx: Tx) -> None:
        if seat == step.seat:
            answered = find_offer(state, action.answers)
            default = 1 << answered.seat if answered else state.active() & ~(1 << seat)
            to = mask_of(action.to) or default
        else:
            to = 1 << step.seat
            for old in [o for o in state.offers if o.seat == seat]:  # one open offer each
                state.offers.remove(old)
                tx.emit(OfferWithdrawn(seat, old.id))
        offer = Offer(state.next_offer, seat, action.give, action.want, to, action.answers)
        state.next_offer += 1
        state.offers.append(offer)
        tx.emit(OfferMade(seat, offer.id, offer.give, offer.want, tuple(bits(to)), action.answers))

    def why(self, state: State, step: Turn, seat: int, action: MakeOffer) -> IllegalAction:
        own_cards, most = state.hands[seat], state.rules.data.max_offers
        answered = find_offer(state, action.answers)
        if answered is not None and (not_asked := not_asked_error(answered, seat)):
            return not_asked
        if sum(o.seat == seat for o in state.offers) >= most and seat == step.seat:
            return TOO_MANY_OFFERS(most=most)
        if not any(own_cards):
            return NO_CARDS_TO_OFFER()
        domain = self.domain(state, step, seat)
        fault = domain.fault(action) if isinstance(domain, Offers) else None
        if fault is None:
            return NO_OFFER_NOW()
        if fault == "nobody-to-ask" and seat != step.seat:
            return ONLY_ON_TURN()
        return OFFER_FAULTS[fault](give=CardList(action.give), hand=CardList(hand(own_cards)))


class Accept(Move):
    """Accept an offer; if the player on turn accepts, that closes it (E2)."""

    action = AcceptOffer

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [
            o.id
            for o in state.offers
            if o.to >> seat & 1 and not o.accepted >> seat & 1 and covers(state.hands[seat], o.want)
        ]
        return Choices(AcceptOffer, ids) if ids else None

    def do(self, state: State, step: Step, seat: int, action: AcceptOffer, tx: Tx) -> None:
        offer = find_offer(state, action.offer)
        assert offer is not None
        if seat == state.on_turn:
            exchange(state, seat, offer.seat, give=offer, flipped=True, tx=tx)
            return
        offer.accepted |= 1 << seat
        offer.declined &= ~(1 << seat)
        tx.emit(OfferAnswered(seat, offer.id, True))

    def why(self, state: State, step: Step, seat: int, action: AcceptOffer) -> IllegalAction:
        offer = find_offer(state, action.offer)
        assert offer is not None
        if not_asked := not_asked_error(offer, seat):
            return not_asked
        if offer.accepted >> seat & 1:
            return ACCEPTED_ALREADY()
        return CANT_ACCEPT(want=CardList(offer.want), hand=CardList(hand(state.hands[seat])))


class DeclineIt(Move):
    """Decline an offer, even after having accepted it."""

    action = DeclineOffer

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [o.id for o in state.offers if o.to >> seat & 1 and not o.declined >> seat & 1]
        return Choices(DeclineOffer, ids) if ids else None

    def do(self, state: State, step: Step, seat: int, action: DeclineOffer, tx: Tx) -> None:
        decline(state, seat, action.offer, tx)

    def why(self, state: State, step: Step, seat: int, action: DeclineOffer) -> IllegalAction:
        offer = find_offer(state, action.offer)
        assert offer is not None
        if not_asked := not_asked_error(offer, seat):
            return not_asked
        return DECLINED_ALREADY()


class Close(Move):
    """For the player on turn: close their own offer with a player who accepted it (E2)."""

    action = CloseOffer

    def domain(self, state: State, step: Turn, seat: int) -> Domain | None:
        if seat != step.seat or not state.offers:
            return None
        hand = state.hands[seat]
        pairs = [(o.id, s) for o in state.offers if o.seat == seat and covers(hand, o.give) for s in bits(o.accepted)]
        return Closings(pairs) if pairs else None

    def do(self, state: State, step: Turn, seat: int, action: CloseOffer, tx: Tx) -> None:
        offer = find_offer(state, action.offer)
        assert offer is not None
        exchange(state, seat, action.seat, give=offer, flipped=False, tx=tx)

    def why(self, state: State, step: Turn, seat: int, action: CloseOffer) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        offer = find_offer(state, action.offer)
        assert offer is not None
        if offer.seat != seat:
            return NO_SUCH_OFFER()
        if not covers(state.hands[seat], offer.give):
            return NO_LONGER_HELD(give=CardList(offer.give))
        return NOT_ACCEPTED()


def exchange(state: State, seat: int, partner: int, give: Offer, flipped: bool, tx: Tx) -> None:
    """Move the cards of an offer between `seat`, which is on turn, and `partner`; refused if the partner lacks them.

    `flipped`: the offer is the partner's. The refusal is the only case in which an option is not accepted, because the
    options must not show what the partner holds (section M).
    """
    ours, theirs = (give.want, give.give) if flipped else (give.give, give.want)
    if not covers(state.hands[partner], theirs):
        raise TRADE_GONE(player=state.player(partner), cards=CardList(theirs))
    mine, other = state.hands[seat], state.hands[partner]
    for r in range(5):
        mine[r] += theirs[r] - ours[r]
        other[r] += ours[r] - theirs[r]
    state.offers.remove(give)
    if not state.rules.data.counters_outlive:
        state.offers = [o for o in state.offers if o.answers != give.id]
    tx.emit(Traded(seat, partner, ours, theirs))


class Withdraw(Move):
    """Withdraw the seat's own offer (E3)."""

    action = WithdrawOffer

    def domain(self, state: State, step: Turn, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [o.id for o in state.offers if o.seat == seat]
        return Choices(WithdrawOffer, ids) if ids else None

    def do(self, state: State, step: Turn, seat: int, action: WithdrawOffer, tx: Tx) -> None:
        state.offers = [o for o in state.offers if o.id != action.offer]
        tx.emit(OfferWithdrawn(seat, action.offer))

    def why(self, state: State, step: Turn, seat: int, action: WithdrawOffer) -> IllegalAction:
        return NO_SUCH_OFFER()


TRADING: tuple[Move, ...] = (Maritime(), Propose(), Accept(), DeclineIt(), Close(), Withdraw())
"""All moves of trade in a turn."""
