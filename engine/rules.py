"""The rules of one game: data and tables compiled once from scenario, edition and alternate rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from engine.actions import Action
from engine.config import Config
from engine.data import Data
from engine.domains import ANYTHING, Domain, Options
from engine.editions import EDITIONS
from engine.errors import IllegalAction
from engine.events import Event
from engine.formats import format_of
from engine.moves import Move, by_action
from engine.outcome import Over, check_victory
from engine.scenarios import SCENARIOS, Scenario, check
from engine.state import State
from engine.step import Step
from engine.steps import build, cards, discard, expiry, robber, setup, special, table, take_card, trade, turn
from engine.tx import Tx
from engine.variants import VARIANTS

Narrow = Callable[[State, Any, int, Domain], Domain | None]
"""Narrows what is possible: (state, step, seat, domain) -> domain or None. Several commute."""
Reaction = Callable[[State, Tx, Any], None]
"""Follows an event at once: (state, tx, event)."""
Why = Callable[[State, Any, int, Any], IllegalAction | None]
"""Why a narrowing refuses an action, or None: (state, step, seat, action)."""


_NONE = [0] * 5


class Rules:
    """Compiled rules; the same for every game with the same configuration, and never changed afterwards."""

    def __init__(self, config: Config) -> None:
        check(config)
        self.config = config
        self.scenario: Scenario = SCENARIOS[config.scenario]
        self.moves: dict[type[Step], dict[type[Action], Move]] = _moves()
        self.anytime = by_action(table.Leave(), table.Agree(), table.AgreeOff(), special.Ask(), special.Standing())
        """What a seat may do whatever the step."""
        self.referee: dict[type[Step], dict[type[Action], Move]] = {
            special.LateRequests: by_action(special.CloseRequests())
        }
        """What the referee may do in a step, as the time is over."""
        self.referee_anytime: dict[type[Action], Move] = by_action(
            table.EndWithoutWinner(), expiry.Decide(), expiry.Decline()
        )
        """What the referee may do whatever the step."""
        self.narrow: dict[type[Action], list[tuple[Narrow, Why]]] = {}
        self.reactions: dict[type[Event], list[Reaction]] = {}
        self.robber_hexes: Callable[[State], int] = lambda state: state.board.land_mask
        """Hexes where the robber may stand (G1)."""
        self.harbor_shut: Callable[[State, int], bool] = lambda state, hex_: False
        """Whether the harbor of a hex gives no rate now."""
        self.may_count_points: Callable[[State], bool] = table.everyone_has_had_a_turn
        """Whether the game can be ended by agreement with the points counted (I6)."""
        self.after_roll: Callable[[int], Step] = turn.Main
        """The step of a seat that follows the roll."""
        variants = [VARIANTS[v] for v in sorted(config.variants)]
        self.data = data_of(config)
        format_of(config).patch(self)
        for variant in variants:
            variant.patch(self)
        self._domains = {
            step: tuple(
                (action, move.domain, self.narrow.get(action), isinstance(move, cards.PlayCard))
                for action, move in moves.items()
            )
            for step, moves in self.moves.items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        return (rules_of, (self.config,))

    def options(self, state: State, seat: int) -> Options:
        """What a seat may do now, in the step on top."""
        step, found = state.agenda[-1], Options()
        without_cards = state.development_cards[seat] == _NONE
        for action, domain_of, narrowings, takes_card in self._domains[type(step)]:
            if takes_card and without_cards:
                continue
            domain = domain_of(state, step, seat)
            if domain is not None and narrowings:
                for narrow, _ in narrowings:
                    domain = narrow(state, step, seat, domain)
                    if domain is None:
                        break
            if domain is not None:
                found[action] = domain
        return found

    def domain(self, state: State, seat: int, action: type[Action]) -> Domain | None:
        """What a seat may do now of one type of action: the same as in `options`, without the others."""
        step = state.agenda[-1]
        move = self.moves[type(step)].get(action)
        domain = None if move is None else move.domain(state, step, seat)
        for narrow, _ in self.narrow.get(action, ()):
            if domain is None:
                break
            domain = narrow(state, step, seat, domain)
        return domain

    def open_to(self, state: State, step: Step, seat: int, action: type[Action]) -> bool:
        """Whether alternate rules leave a type of action possible in a step, whatever the seat holds."""
        return all(narrow(state, step, seat, ANYTHING) is not None for narrow, _ in self.narrow.get(action, ()))

    def is_quiet(self, step: Step, action: type[Action]) -> bool:
        """Whether nobody else may learn who does this in a step: a secret request or answer (J2, L8)."""
        move = self.anytime.get(action) or self.moves[type(step)].get(action)
        return move is not None and move.quiet

    def refusal(self, state: State, step: Step, seat: int, action: Action) -> IllegalAction | None:
        """Why an alternate rule refuses what would be possible without it."""
        for _, why in self.narrow.get(type(action), ()):
            if reason := why(state, step, seat, action):
                return reason
        return None

    def settle(self, state: State, tx: Tx) -> None:
        """Let decisions that are done go, until one blocks; then see whether somebody has won."""
        top = state.agenda[-1]
        while top.settle(state, tx):
            state.remove(top)
            top = state.agenda[-1]
        check_victory(state, tx)


@lru_cache(maxsize=256)
def rules_of(config: Config) -> Rules:
    """The compiled rules of a configuration; raises `ConfigError`."""
    return Rules(config)


@lru_cache(maxsize=256)
def data_of(config: Config) -> Data:
    """The rule data of a configuration, which need not be complete: a lobby's may lack players."""
    data = Data(target=config.target, round_limit=config.round_limit)
    data = SCENARIOS[config.scenario].data(config, EDITIONS[config.edition](data))
    for name in sorted(config.variants):
        data = VARIANTS[name].data(data)
    return format_of(config).data(data)


def _moves() -> dict[type[Step], dict[type[Action], Move]]:
    """The table of moves of the plain game: for each step what can be done in it."""
    bridge = build.Bridge()
    return {
        setup.Setup: by_action(setup.PlaceSettlement(), setup.PlaceRoad(), setup.PlaceBridge()),
        setup.ChooseYields: by_action(setup.PickYield()),
        turn.NextTurn: {},
        turn.PreRoll: by_action(turn.RollDice(), *cards.CARD_MOVES),
        turn.Main: by_action(turn.FinishTurn(), *build.BUILDING, bridge, *cards.CARD_MOVES, *trade.TRADING),
        discard.Discards: by_action(discard.DiscardCards(), discard.TakeBack()),
        robber.RobberStep: by_action(robber.PlaceRobber()),
        take_card.TakeStep: by_action(take_card.ChooseVictim(), take_card.Decline()),
        robber.CountKnights: {},
        cards.FreeRoads: by_action(cards.FreeRoad(), cards.FreeBridge()),
        special.LateRequests: by_action(special.Ask(), special.NoRequest()),
        special.SpecialBuilding: by_action(*build.BUILDING, bridge, special.PassBuilding()),
        Over: {},
    }
