"""Trade with players and with the bank (section E)."""

from __future__ import annotations

from engine.actions import AcceptOffer, BankTrade, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.domains import BankTrades, Choices, Closings, Domain, Offers
from engine.errors import IllegalAction
from engine.events import BankTraded, OfferAnswered, OfferMade, OfferWithdrawn, Traded
from engine.geometry import bits, mask_of
from engine.moves import Move, out_of_turn, pay, receive
from engine.resources import RESOURCES, covers, describe
from engine.state import Offer, State
from engine.steps.turn import Main
from engine.tx import Tx


class Maritime(Move):
    """With the bank at the best rate one has (E4)."""

    action = BankTrade
    undoable = True

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if seat != step.seat:
            return None
        hand, rates = state.hands[seat], state.rates[seat]
        for r in range(5):
            if hand[r] >= rates[r]:
                trades = BankTrades(rates, hand, state.bank)
                return trades if len(trades) else None
        return None

    def do(self, state: State, step: Main, seat: int, action: BankTrade, tx: Tx) -> None:
        pay(state, seat, action.give)
        receive(state, seat, action.get)
        tx.emit(BankTraded(seat, action.give, action.get))

    def why(self, state: State, step: Main, seat: int, action: BankTrade) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        hand, rates, bank = state.hands[seat], state.rates[seat], state.bank
        give, get = action.give, action.get
        if min(give) < 0 or min(get) < 0 or not sum(give) or not sum(get):
            return IllegalAction("empty-side", "Name what you give to the bank and what you want from it.")
        for r, name in enumerate(RESOURCES):
            if give[r] and get[r]:
                return IllegalAction("same-resource", f"You can't trade {name} for {name} with the bank.")
        if not covers(hand, give):
            return IllegalAction("unaffordable", f"You hold only {describe(hand)}.")
        for r, name in enumerate(RESOURCES):
            if give[r] % rates[r]:
                return IllegalAction("wrong-rate", f"The bank takes {name} from you {rates[r]} for 1.", rate=rates[r])
        lots = sum(g // r for g, r in zip(give, rates, strict=True))
        if lots != sum(get):
            return IllegalAction(
                "wrong-count",
                f"For {describe(give)} the bank gives {lots} card{'s' * (lots != 1)}, not {sum(get)}.",
            )
        short = ", ".join(RESOURCES[r] for r in range(5) if get[r] > bank[r])
        return IllegalAction("bank-short", f"The bank hasn't got that much {short}.")


def find_offer(state: State, number: int) -> Offer | None:
    """The open offer of that id."""
    return next((o for o in state.offers if o.id == number), None)


class Propose(Move):
    """An offer to others by the player on turn, or to that player by another (E1, E2)."""

    action = MakeOffer

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if state.resigned >> seat & 1 or not any(state.hands[seat]):
            return None
        same = state.rules.data.same_resource_trades
        if not state.offers:
            others = state.active() & ~(1 << seat) if seat == step.seat else 1 << step.seat
            return Offers(state.hands[seat], others, same)
        if seat == step.seat:
            if sum(o.seat == seat for o in state.offers) >= state.rules.data.max_offers:
                return None
            answers = [o.id for o in state.offers if o.seat != seat]
            return Offers(state.hands[seat], state.active() & ~(1 << seat), same, answers)
        answers = [o.id for o in state.offers if o.seat == step.seat and o.to >> seat & 1]
        return Offers(state.hands[seat], 1 << step.seat, same, answers)

    def do(self, state: State, step: Main, seat: int, action: MakeOffer, tx: Tx) -> None:
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

    def why(self, state: State, step: Main, seat: int, action: MakeOffer) -> IllegalAction:
        hand = state.hands[seat]
        if sum(o.seat == seat for o in state.offers) >= state.rules.data.max_offers and seat == step.seat:
            return IllegalAction(
                "too-many-offers",
                f"You have {state.rules.data.max_offers} open offers; withdraw one before making another.",
            )
        if not any(hand):
            return IllegalAction("unaffordable", "You have no cards to offer.")
        domain = self.domain(state, step, seat)
        code = domain.fault(action) if isinstance(domain, Offers) else "not-now"
        texts = {
            "empty-side": "An offer needs at least one card on each side; gifts aren't allowed.",
            "too-many": "That's more cards than there are.",
            "same-resource": "The same resource can't stand on both sides of an offer.",
            "unaffordable": f"You can't offer {describe(action.give)}: you hold only {describe(hand)}.",
            "nobody-to-ask": "In another's turn offers go to the player on turn only, and never to yourself."
            if seat != step.seat
            else "You can't offer that to yourself or to somebody who isn't playing.",
            "no-such-offer": "The offer that you answer isn't open any more.",
        }
        return IllegalAction(code or "not-now", texts.get(code or "", "You can't make an offer now."))


class Accept(Move):
    """Accept an offer; by the player on turn this closes it (E2)."""

    action = AcceptOffer

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [
            o.id
            for o in state.offers
            if o.to >> seat & 1 and not o.accepted >> seat & 1 and covers(state.hands[seat], o.want)
        ]
        return Choices(AcceptOffer, ids) if ids else None

    def do(self, state: State, step: Main, seat: int, action: AcceptOffer, tx: Tx) -> None:
        offer = find_offer(state, action.offer)
        assert offer is not None
        if seat == step.seat:
            exchange(state, seat, offer.seat, give=offer, flipped=True, tx=tx)
            return
        offer.accepted |= 1 << seat
        offer.declined &= ~(1 << seat)
        tx.emit(OfferAnswered(seat, offer.id, True))

    def why(self, state: State, step: Main, seat: int, action: AcceptOffer) -> IllegalAction:
        offer = find_offer(state, action.offer)
        if offer is None:
            return IllegalAction("no-such-offer", "That offer isn't open any more.")
        if not offer.to >> seat & 1:
            return IllegalAction("not-asked", "That offer wasn't made to you.")
        if offer.accepted >> seat & 1:
            return IllegalAction("answered", "You have accepted that offer already.")
        return IllegalAction(
            "unaffordable",
            f"You would have to give {describe(offer.want)}; you hold only {describe(state.hands[seat])}.",
        )


class DeclineIt(Move):
    """Decline an offer, also after having accepted it."""

    action = DeclineOffer

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [o.id for o in state.offers if o.to >> seat & 1 and not o.declined >> seat & 1]
        return Choices(DeclineOffer, ids) if ids else None

    def do(self, state: State, step: Main, seat: int, action: DeclineOffer, tx: Tx) -> None:
        offer = find_offer(state, action.offer)
        assert offer is not None
        offer.declined |= 1 << seat
        offer.accepted &= ~(1 << seat)
        if seat == step.seat:
            state.offers.remove(offer)
        tx.emit(OfferAnswered(seat, offer.id, False))

    def why(self, state: State, step: Main, seat: int, action: DeclineOffer) -> IllegalAction:
        offer = find_offer(state, action.offer)
        if offer is None:
            return IllegalAction("no-such-offer", "That offer isn't open any more.")
        if not offer.to >> seat & 1:
            return IllegalAction("not-asked", "That offer wasn't made to you.")
        return IllegalAction("answered", "You have declined that offer already.")


class Close(Move):
    """The player on turn closes with one of those who accepted (E2)."""

    action = CloseOffer

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if seat != step.seat or not state.offers:
            return None
        hand = state.hands[seat]
        pairs = [(o.id, s) for o in state.offers if o.seat == seat and covers(hand, o.give) for s in bits(o.accepted)]
        return Closings(pairs) if pairs else None

    def do(self, state: State, step: Main, seat: int, action: CloseOffer, tx: Tx) -> None:
        offer = find_offer(state, action.offer)
        assert offer is not None
        exchange(state, seat, action.seat, give=offer, flipped=False, tx=tx)

    def why(self, state: State, step: Main, seat: int, action: CloseOffer) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        offer = find_offer(state, action.offer)
        if offer is None or offer.seat != seat:
            return IllegalAction("no-such-offer", "You have no such open offer.")
        if not covers(state.hands[seat], offer.give):
            return IllegalAction("unaffordable", f"You no longer hold {describe(offer.give)}.")
        return IllegalAction("not-accepted", "That player hasn't accepted your offer.")


def exchange(state: State, seat: int, partner: int, give: Offer, flipped: bool, tx: Tx) -> None:
    """Move the cards of an offer between `seat`, who is on turn, and `partner`; refused if either no longer holds them.

    `flipped`: the offer is the partner's. The refusal is the one case in which an option is not accepted: what the
    partner holds must not show in the options (section M).
    """
    ours, theirs = (give.want, give.give) if flipped else (give.give, give.want)
    if not covers(state.hands[partner], theirs):
        raise IllegalAction(
            "trade-gone",
            f"{state.color(partner).capitalize()} can no longer give {describe(theirs)}.",
            seat=partner,
        )
    mine, other = state.hands[seat], state.hands[partner]
    for r in range(5):
        mine[r] += theirs[r] - ours[r]
        other[r] += ours[r] - theirs[r]
    state.offers.remove(give)
    tx.emit(Traded(seat, partner, ours, theirs))


class Withdraw(Move):
    """Take an own offer back (E3)."""

    action = WithdrawOffer

    def domain(self, state: State, step: Main, seat: int) -> Domain | None:
        if not state.offers:
            return None
        ids = [o.id for o in state.offers if o.seat == seat]
        return Choices(WithdrawOffer, ids) if ids else None

    def do(self, state: State, step: Main, seat: int, action: WithdrawOffer, tx: Tx) -> None:
        state.offers = [o for o in state.offers if o.id != action.offer]
        tx.emit(OfferWithdrawn(seat, action.offer))

    def why(self, state: State, step: Main, seat: int, action: WithdrawOffer) -> IllegalAction:
        return IllegalAction("no-such-offer", "You have no such open offer.")


TRADING: tuple[Move, ...] = (Maritime(), Propose(), Accept(), DeclineIt(), Close(), Withdraw())
"""All trade in a turn."""
