"""L11: after the roll a turn has a trade phase and then a building phase, each with its own step."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import EndTrade
from engine.data import Data
from engine.domains import Domain, Single
from engine.errors import IllegalAction
from engine.events import TradeEnded
from engine.moves import by_action
from engine.refusals import Refusal, refusal
from engine.state import Move, Rules, State, Tx, out_of_turn
from engine.steps.build import BUILDING, Bridge
from engine.steps.cards import CARD_MOVES
from engine.steps.trade import TRADING
from engine.steps.turn import FinishTurn, Turn
from engine.terms import N_, StepKind
from engine.variants.variant import Variant

BUILD_LATER = refusal("wrong-phase/trade_phase", "This is the trade phase: go on to build first.")
TRADE_OVER = refusal("wrong-phase/building_phase", "Trade is over in this turn: build, or end your turn.")


class TradePhase(Turn):
    """Only trade; a development card can be played."""

    __slots__ = ()
    kind = StepKind.TRADE_PHASE

    def prompt(self) -> Refusal[IllegalAction]:
        return BUILD_LATER


class BuildingPhase(Turn):
    """Only building and buying; a development card can be played."""

    __slots__ = ()
    kind = StepKind.BUILDING_PHASE

    def prompt(self) -> Refusal[IllegalAction]:
        return TRADE_OVER


class GoOn(Move):
    """Go on to the building phase, which ends offers. There is no way back, so it can't be undone."""

    action = EndTrade

    def domain(self, state: State, step: TradePhase, seat: int) -> Domain | None:
        return _END_TRADE if seat == step.seat else None

    def do(self, state: State, step: TradePhase, seat: int, action: EndTrade, tx: Tx) -> None:
        state.offers.clear()
        state.replace(step, [BuildingPhase(seat)])
        tx.emit(TradeEnded(seat))

    def why(self, state: State, step: TradePhase, seat: int, action: EndTrade) -> IllegalAction:
        return out_of_turn(state, step, seat)


_END_TRADE = Single(EndTrade())


def _data(data: Data) -> Data:
    return replace(data, separate_phases=True)


def _patch(rules: Rules) -> None:
    rules.after_roll = TradePhase
    rules.moves[TradePhase] = by_action(GoOn(), FinishTurn(), *CARD_MOVES, *TRADING)
    rules.moves[BuildingPhase] = by_action(FinishTurn(), *BUILDING, Bridge(), *CARD_MOVES)


VARIANT = Variant(
    id="separate-phases",
    title=N_("Separate phases"),
    summary=N_("After the roll you first trade, then build. No trading after that."),
    topic="turn",
    data=_data,
    patch=_patch,
)
