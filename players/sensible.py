"""Bots that judge their options by the chance to win that each leaves them."""

from __future__ import annotations

from engine.actions import (
    Action,
    AskToBuild,
    BuildSettlement,
    CloseOffer,
    Discard,
    MakeOffer,
    MoveRobber,
    PassOn,
    TakeCard,
)
from engine.board import pips
from engine.domains import Cards, Options, Random
from engine.pieces import cities_left, settlement_places, settlements_left
from engine.resources import covers
from engine.state import State
from engine.terms import StepKind
from engine.views import OfferView, View
from players import opening, trading
from players.chances import Alone, Chances, weights
from players.discards import discards
from players.player import Player
from players.situation import Situation
from players.thinking import Line, Thinker


class SensiblePlayer(Player):
    """What `easy`, `hard` and `expert` share: they judge options by where they lead."""

    depth = 1
    width = 1
    rolls = 0
    bargain = trading.Bargain()

    def __init__(self, rng: Random, by: dict[str, float] | None = None) -> None:
        super().__init__(rng)
        self.weights = by or weights()

    def decide(self, view: View, options: Options) -> Action:
        return self.lines(view, options)[0].actions[0]

    def lines(self, view: View, options: Options) -> list[Line]:
        """Lines, the best first."""
        thinker = self.thinker(view)
        if AskToBuild in options:
            asks = AskToBuild() if self.asks_to_build(view) else PassOn()
            return [Line((asks,), [], thinker.value(thinker.situation))]
        lines = self.ranked(thinker, options)
        if MakeOffer in options or CloseOffer in options:
            trader = self.trader(thinker)
            before = lines[0].value if trader is thinker else trader.best(trading.own(options)).value
            best = trading.closing(trader, view, options, before) if CloseOffer in options else None
            best = best or trading.offer(trader, view, options, before, self.bargain)
            if best is not None:
                lines.insert(0, best)
        return lines

    def ranked(self, thinker: Thinker, options: Options) -> list[Line]:
        """Lines without trade with other players, the best first."""
        if isinstance(cards := options.get(Discard), Cards):
            return discards(thinker, cards)
        return thinker.ranked(trading.own(options))

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        return self.answers(view, options, offer)[0].actions[0]

    def answers(self, view: View, options: Options, offer: OfferView) -> list[Line]:
        """Lines for answers to an offer, the best first."""
        return trading.answers(self.trader(self.thinker(view)), view, options, offer)

    def asks_to_build(self, view: View) -> bool:
        """Whether it holds the price of a settlement or city that it can place, or of a card."""
        situation = Situation.of(view)
        state, seat = situation.state, situation.seat
        data, hand = state.rules.data, state.hands[seat]
        site = settlement_places(state, seat) and settlements_left(state, seat) > 0
        city = state.settlements[seat] and cities_left(state, seat) > 0
        return bool(
            (site and covers(hand, data.settlement_cost))
            or (city and covers(hand, data.city_cost))
            or (view.deck and covers(hand, data.card_cost))
        )

    def thinker(self, view: View) -> Thinker:
        """A thinker for the situation that the seat sees."""
        situation = Situation.of(view)
        return Thinker(situation, self.chances(situation.state), self.depth, self.width, self.rolls)

    def trader(self, thinker: Thinker) -> Thinker:
        """The thinker for trades with other players."""
        return thinker

    def chances(self, state: State) -> Chances:
        """The chances by which it judges positions."""
        return Chances(state, self.weights)


class EasyPlayer(SensiblePlayer):
    """Takes what looks best for itself immediately, judged inexactly. Sends the robber to the leader."""

    sloppiness = 0.15

    def decide(self, view: View, options: Options) -> Action:
        if MoveRobber in options:
            return self._against_the_leader(view, options)
        if TakeCard in options:
            victims = [action for action in options[TakeCard] if isinstance(action, TakeCard)]
            return max(victims, key=lambda action: view.players[action.seat].points)
        return super().decide(view, options)

    def trader(self, thinker: Thinker) -> Thinker:
        chances = Alone(thinker.situation.state, self.weights, self.rng, 0.0)
        return Thinker(thinker.situation, chances, self.depth, self.width)

    def chances(self, state: State) -> Chances:
        return Alone(state, self.weights, self.rng, self.sloppiness)

    def _against_the_leader(self, view: View, options: Options) -> Action:
        """The robber's move to the hex where it costs others most pips, each player's weighted by their points."""
        best, value = next(iter(options[MoveRobber])), -1.0
        for action in options[MoveRobber]:
            assert isinstance(action, MoveRobber)
            total = 0.0
            for player in view.players:
                if player.resigned:
                    continue
                nodes = view.board.hex_node_mask[action.at]
                buildings = (nodes & player.settlements).bit_count() + 2 * (nodes & player.cities).bit_count()
                total += buildings * player.points * (-5.0 if player.seat == view.seat else 1.0)
            total *= pips(view.board.tokens[action.at])
            if total > value:
                best, value = action, total
        return best


class HardPlayer(SensiblePlayer):
    """Weighs everyone's chances and looks ahead: in its turn several builds in a row, in setup what others leave."""

    depth = 3
    width = 5

    def ranked(self, thinker: Thinker, options: Options) -> list[Line]:
        if thinker.situation.state.agenda[-1].kind is StepKind.SETUP and BuildSettlement in options:
            return opening.settlements(thinker, options)
        return super().ranked(thinker, options)
