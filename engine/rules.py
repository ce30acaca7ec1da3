"""The rules of one game: data and tables compiled once from scenario, edition and alternate rules."""

from __future__ import annotations

from functools import lru_cache

from engine.actions import Action
from engine.config import Config
from engine.data import Data
from engine.editions import EDITIONS
from engine.formats import format_of
from engine.moves import by_action
from engine.scenarios import SCENARIOS, check
from engine.state import Move, Rules, Step
from engine.steps import build, cards, discard, expiry, robber, setup, special, table, take_card, trade, turn
from engine.steps.over import Over
from engine.variants import VARIANTS


class ConfiguredRules(Rules):
    """The plain game, changed by edition, scenario, format and alternate rules; raises `ConfigError`."""

    def __init__(self, config: Config) -> None:
        check(config)
        self.config = config
        self.data = data_of(config)
        self.moves = _moves()
        self.anytime = by_action(table.Leave(), table.Agree(), table.AgreeOff(), special.Ask(), special.Standing())
        self.referee = {special.LateRequests: by_action(special.CloseRequests())}
        self.referee_anytime = by_action(table.EndWithoutWinner(), expiry.Decide(), expiry.Decline())
        self.narrow = {}
        self.reactions = {}
        self.robber_hexes = lambda state: state.board.land_mask
        self.harbor_shut = lambda state, hex_: False
        self.may_count_points = table.everyone_has_had_a_turn
        self.after_roll = turn.Main
        format_of(config).patch(self)
        for name in sorted(config.variants):
            VARIANTS[name].patch(self)
        self.rows = {
            step: [(action, move.domain, move.needs_card, action in self.narrow) for action, move in moves.items()]
            for step, moves in self.moves.items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        return (rules_of, (self.config,))


@lru_cache(maxsize=256)
def rules_of(config: Config) -> Rules:
    """The compiled rules of a configuration; raises `ConfigError`."""
    return ConfiguredRules(config)


@lru_cache(maxsize=256)
def data_of(config: Config) -> Data:
    """The rule data of a configuration. It can be incomplete: in a lobby, players can be missing."""
    data = Data(target=config.target, round_limit=config.round_limit)
    data = SCENARIOS[config.scenario].data(config, EDITIONS[config.edition](data))
    for name in sorted(config.variants):
        data = VARIANTS[name].data(data)
    return format_of(config).data(data)


def _moves() -> dict[type[Step], dict[type[Action], Move]]:
    """The plain game's table of moves: what can be done in each step."""
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
        cards.FreeRoads: by_action(cards.FreeRoad(), cards.FreeBridge(), trade.Accept(), trade.DeclineIt()),
        special.LateRequests: by_action(special.Ask(), special.NoRequest()),
        special.SpecialBuilding: by_action(*build.BUILDING, bridge, special.PassBuilding()),
        Over: {},
    }
