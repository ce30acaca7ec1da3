"""L6: once something is built or bought in a turn, that turn has no more trade."""

from __future__ import annotations

from engine.actions import AcceptOffer, BankTrade, CloseOffer, MakeOffer
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.events import Built, CardBought, CardPlayed, Event
from engine.refusals import refusal
from engine.state import Rules, State, Step, Tx
from engine.terms import N_
from engine.variants.variant import Variant

TRADE_OVER = refusal(
    "alternate-rule/build-ends-trade",
    "In this game trade ends with the first thing built or bought in a turn.",
)


def _closed(state: State) -> bool:
    return state.built and not state.rules.data.separate_phases  # with L11, only its own phases end trade


def _narrow(state: State, step: Step, seat: int, domain: Domain) -> Domain | None:
    return None if _closed(state) else domain


def _why(state: State, step: Step, seat: int, action: object) -> IllegalAction | None:
    if _closed(state):
        return TRADE_OVER()
    return None


def _end_offers(state: State, tx: Tx, event: Event) -> None:
    if _closed(state):
        state.offers.clear()


def _patch(rules: Rules) -> None:
    for action in (BankTrade, MakeOffer, AcceptOffer, CloseOffer):
        rules.narrow.setdefault(action, []).append((_narrow, _why))
    for event in (Built, CardBought, CardPlayed):
        rules.reactions.setdefault(event, []).append(_end_offers)


VARIANT = Variant(
    id="build-ends-trade",
    title=N_("Building ends trade"),
    summary=N_("After you build or buy something, you can't trade anymore in that turn."),
    topic="trade",
    patch=_patch,
)
