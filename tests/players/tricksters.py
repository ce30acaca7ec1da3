"""Players who try to exploit bots: each plays like `hard`, but trades by its own script."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import AcceptOffer, Action, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.domains import Offers, Options
from engine.events import OfferMade
from engine.resources import Hand, single
from engine.views import OfferView, View
from players.player import may_accept
from players.sensible import HardPlayer
from players.trading import SPARE


class Trickster(HardPlayer):
    """Makes the offers of its script first, and closes the best of those that are accepted."""

    most = 3
    """The most offers in a turn."""

    def decide(self, view: View, options: Options) -> Action:
        if CloseOffer in options:
            accepted = [action for action in options[CloseOffer] if isinstance(action, CloseOffer)]
            return max(accepted, key=lambda action: self.worth(view, *self.deal(view, action.offer)))
        made = [e for e in view.events if isinstance(e, OfferMade) and e.seat == view.seat]
        domain = options.get(MakeOffer)
        if isinstance(domain, Offers) and len(made) < self.most:
            if mine := [offer.id for offer in view.offers if offer.seat == view.seat]:
                return WithdrawOffer(mine[0])  # all have declined it
            for offer in self.wishes(view, made):
                if offer in domain:
                    return offer
        plain = {kind: domain for kind, domain in options.items() if kind is not MakeOffer}
        return super().decide(view, Options(plain))

    def wishes(self, view: View, made: list[OfferMade]) -> Iterator[MakeOffer]:
        """Offers to make next, the best first."""
        raise NotImplementedError

    def deal(self, view: View, number: int) -> tuple[Hand, Hand]:
        """What an offer of the seat gives and gets."""
        return next((offer.give, offer.want) for offer in view.offers if offer.id == number)

    def worth(self, view: View, give: Hand, get: Hand) -> float:
        """How likely the seat is to win if it exchanges these cards with no other seat, plus something for each card
        more."""
        thinker = self.thinker(view)
        hand = thinker.situation.state.hands[thinker.seat]
        hand[:] = [a - b + c for a, b, c in zip(hand, give, get, strict=True)]
        return thinker.value(thinker.situation) + SPARE * (sum(get) - sum(give))

    def deals(self, view: View, most: int) -> list[tuple[Hand, Hand]]:
        """One card for up to `most` of another kind, the best for the seat first. Exchanges that bring it nothing are
        left out."""
        hand = view.players[view.seat or 0].hand or ()
        exchanges = [
            (single(r), single(s, n))
            for r in range(5)
            if hand[r]
            for s in range(5)
            if s != r
            for n in range(most, 0, -1)
        ]
        start = self.worth(view, single(0, 0), single(0, 0))
        rated = [(self.worth(view, give, want), give, want) for give, want in exchanges]
        return [(give, want) for value, give, want in sorted(rated, reverse=True) if value > start]


class Haggler(Trickster):
    """Asks for up to four cards for one."""

    def wishes(self, view: View, made: list[OfferMade]) -> Iterator[MakeOffer]:
        before = {(e.give, e.want) for e in made}
        for give, want in self.deals(view, 4):
            if (give, want) not in before:
                yield MakeOffer(give, want)


class Spammer(Trickster):
    """Makes the same offer until another player gives in: up to two cards for one."""

    most = 8

    def wishes(self, view: View, made: list[OfferMade]) -> Iterator[MakeOffer]:
        if made:
            yield MakeOffer(made[0].give, made[0].want)
        for give, want in self.deals(view, 2):
            yield MakeOffer(give, want)


class LeaderHugger(Trickster):
    """Trades only with the leaders, one card for one, and accepts everything that they offer."""

    def wishes(self, view: View, made: list[OfferMade]) -> Iterator[MakeOffer]:
        before = {(e.give, e.want) for e in made}
        leaders = self.leaders(view)
        for give, want in self.deals(view, 1):
            if (give, want) not in before:
                yield MakeOffer(give, want, tuple(leaders))

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        if offer.seat in self.leaders(view) and may_accept(options, offer):
            return AcceptOffer(offer.id)
        return DeclineOffer(offer.id)

    def leaders(self, view: View) -> list[int]:
        """The other seats with the most points."""
        others = [player for player in view.players if player.seat != view.seat and not player.resigned]
        most = max(player.points for player in others)
        return [player.seat for player in others if player.points == most]


TRICKSTERS = {"haggler": Haggler, "spammer": Spammer, "leader-hugger": LeaderHugger}
