"""Properties of random games (architecture: Tests): what holds in every position, whatever people try."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from engine.actions import (
    ACTIONS,
    AcceptOffer,
    Action,
    AskToBuild,
    CloseOffer,
    DecideFor,
    DeclineFor,
    Roll,
    SetStanding,
    Undo,
    action_from_json,
)
from engine.codec import decode, encode
from engine.config import Config
from engine.errors import IllegalAction
from engine.game import Game
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from tests.engine.invariants import check_position
from tests.engine.oracle import Awards, check_building, payout
from tests.engine.randomly import allowed, attempt, chance, random_action, random_config, trace, wild_action
from tests.seeds import few_of

GAMES = 120
BATCH = 40
FULL_GAMES = 6
SECRET = ("interrupt", "late_requests")
"""Decisions whose answers must stay hidden from all others."""


def timeless(game: Game) -> list[object]:
    """The position without the counters that an undo doesn't set back."""
    position = game.state.position()
    *flags, _, _ = position[6]
    return [*position[:6], flags, position[7][1], *position[8:]]


def options_are_accepted(game: Game, rng: random.Random) -> None:
    """Check on copies that some of the listed options are accepted, unless a partner doesn't hold the cards anymore
    (E2)."""
    before = trace(game)
    for seat in range(game.config.players):
        listed = list(game.options(seat).actions())
        for action in rng.sample(listed, min(6, len(listed))):
            twin = game.copy()
            refused = attempt(twin, seat, action)
            trade_gone = (
                refused is not None and refused.code == "trade-gone" and isinstance(action, (AcceptOffer, CloseOffer))
            )
            assert refused is None or trade_gone, (action, refused)
            if twin.can_undo(seat):
                twin.play(seat, Undo())
                assert timeless(twin) == timeless(game), f"{action} can't be taken back without a trace"
    assert trace(game) == before


def nonsense_is_refused(game: Game, rng: random.Random, times: int) -> None:
    """Check that anything else is refused with a sentence and leaves no trace."""
    before = trace(game)
    for _ in range(times):
        seat, action = wild_action(game, rng)
        if allowed(game, seat, action):
            continue
        refused = attempt(game, seat, action)
        assert isinstance(refused, IllegalAction), (seat, action)
        assert refused.code
        assert str(refused).endswith(".")
        assert attempt(game.copy(), seat, action) is not None, "refused only where all options are known"
        assert trace(game) == before


def play_on(game: Game, rng: random.Random, often: float, limit: int = 6000) -> Counter[str]:
    """Play a game to its end at random, with a close look at a share `often` of the positions. Returns counts of
    actions."""
    lengths: dict[tuple[int, int], int] = {}
    decisions = set[tuple[int, str]]()
    counts = Counter[str]()
    awards = Awards(game)
    while game.outcome is None and game.revision < limit:
        if rng.random() < often:
            check_position(game, lengths)
            check_building(game)
            options_are_accepted(game, rng)
            nonsense_is_refused(game, rng, 12)
            assert len(pickle.dumps(game.state)) <= 4096
        seat, action = random_action(game, rng)
        decision, revision = (seat, game.decision(seat)), game.revision
        possible = seat == REFEREE or allowed(game, seat, action)
        rolled = game.copy().state if isinstance(action, Roll) and rng.random() < 5 * often else None
        secret = isinstance(action, (AskToBuild, SetStanding)) or game.state.agenda[-1].kind in SECRET
        refused = attempt(game, seat, action)
        if rolled and game.state.dice and sum(game.state.dice) != 7:
            paid = payout(rolled, sum(game.state.dice))
            hands = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(rolled.hands, paid, strict=True)]
            assert hands == game.state.hands
        if refused is not None:
            assert not possible or refused.code == "trade-gone"
            continue
        assert possible
        awards.check(game)
        if seat == REFEREE:
            late_seat = action.seat if isinstance(action, (DecideFor, DeclineFor)) else None
            assert late_seat is None or (late_seat, game.decision(late_seat)) not in decisions
        elif not secret:  # the ids don't count hidden requests and answers
            assert decision not in decisions, "a decision's id came a second time"
            decisions.add(decision)
        assert game.revision == revision + 1
        assert game.records[-1].action == action
        counts[action.name] += 1
    check_position(game, lengths)
    nonsense_is_refused(game, rng, 12)
    return counts


def replays(game: Game) -> None:
    """Check that the log, by way of JSON, gives the same game."""
    text = json.dumps([encode(game.config), [r.to_json() for r in game.records]])
    settings, records = json.loads(text)
    config = decode(Config, settings)
    log = [Record.from_json(r) for r in records]
    assert config == game.config
    assert log == game.records
    again = Game.replay(config, log)
    assert again.hash() == game.hash()
    assert again.outcome == game.outcome
    seats = (None, *range(config.players))
    assert [again.view(s) for s in seats] == [game.view(s) for s in seats]


def random_game(seed: int, often: float, **choice: Any) -> Counter[str]:
    """Play one random game, from configuration to replay. Returns counts of actions."""
    rng = random.Random(seed)
    game = Game.new(random_config(rng, **choice), chance(seed))
    counts = play_on(game, rng, often)
    if seed % 4:
        assert Game.replay(game.config, game.records).hash() == game.hash()
    else:
        replays(game)
    return counts


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH)))
def test_the_rules_hold_in_short_random_games(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        random_game(seed, often=0.02)


@pytest.mark.parametrize("seed", few_of(range(FULL_GAMES), 2))
def test_the_rules_hold_in_full_random_games(seed: int) -> None:
    random_game(10**6 + seed, often=0.01, targets=(10,), rounds=0)


@pytest.mark.parametrize("games", few_of((2, 6)))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_rules_hold_in_random_games_on_every_board_with_alternate_rules(scenario: str, games: int) -> None:
    for seed in range(games):
        random_game(seed, often=0.01, scenarios=(scenario,), targets=(4, 6), variants=0.3)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(100))
def test_soak_the_rules_hold_in_many_random_games_on_all_boards(batch: int) -> None:
    for seed in range(batch * 20, batch * 20 + 20):
        random_game(
            2 * 10**6 + seed, often=0.02, scenarios=tuple(SCENARIOS), targets=(5, 8, 10), rounds=0, variants=0.2
        )


def test_random_games_use_every_kind_of_action_of_the_plain_game() -> None:
    """If the random players left an action out, the suite would prove less than it says."""
    elsewhere = {"build_bridge", "leave_robber", "pass", "ask_to_build", "set_standing", "play_victory_point"}
    elsewhere |= {"expire", "call_off", "end_trade"}  # the referee's; L11
    seen, seeds = set[str](), iter(range(80))
    while len(seen) < len(ACTIONS) - len(elsewhere):
        seen |= random_game(next(seeds), often=0).keys()
    assert seen == set(ACTIONS) - elsewhere


def test_actions_survive_json() -> None:
    """Every action, however wild, comes back from JSON as it was."""
    rng = random.Random(1)
    game = Game.new(Config(("red", "blue")), chance(1))
    for _ in range(2000):
        action: Action = wild_action(game, rng)[1]
        assert action_from_json(json.loads(json.dumps(action.to_json()))) == action
