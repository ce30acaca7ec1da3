"""What an action leads to, as far as a seat knows: everything that can happen, with its probability."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.actions import BuyCard, MoveRobber, PlayMonopoly, TakeCard
from engine.config import COLORS, Config
from engine.game import Game
from engine.geometry import bits
from players import computer
from players.situation import Situation
from players.table import carry_out, move, play
from tests.engine.randomly import chance
from tests.seeds import few_of

DRAWN = (BuyCard, MoveRobber, TakeCard, PlayMonopoly)


@pytest.mark.parametrize("games", few_of((2, 6)))
def test_outcomes_happen_as_often_as_predicted(games: int) -> None:
    """The cards that are drawn in games, against their probabilities; what is certain happens."""
    seen: Counter[type] = Counter()
    expected = won = spread = 0.0
    for seed in range(games):
        game = Game.new(Config(colors=COLORS[:4], target=6), chance(seed))
        players = [computer("hard" if n % 2 else "easy", random.Random(n)) for n in range(4)]
        while game.outcome is None:
            seat, action = move(game, players)
            if type(action) not in DRAWN:
                carry_out(game, seat, action)
                continue
            outcomes = Situation.of(game.view(seat, counted=True)).outcomes(action)
            assert abs(sum(likely for likely, _ in outcomes) - 1) < 1e-9
            game.play(seat, action)
            seen[type(action)] += 1
            if isinstance(action, PlayMonopoly) or game.outcome is not None:
                continue
            now = _cards(game, seat)
            matching = [likely for likely, after in outcomes if _hand(after, seat) == now]
            assert len(matching) == 1
            if matching[0] < 1 - 1e-9:
                expected += sum(likely * likely for likely, _ in outcomes)
                spread += matching[0] * (1 - matching[0])
                won += matching[0]
    assert all(seen[kind] for kind in DRAWN)
    assert abs(won - expected) < 3 * max(1.0, spread) ** 0.5


def _cards(game: Game, seat: int) -> tuple[list[int], list[int]]:
    return game.state.hands[seat], game.state.development_cards[seat]


def _hand(situation: Situation, seat: int) -> tuple[list[int], list[int]]:
    return situation.state.hands[seat], situation.state.development_cards[seat]


@pytest.mark.parametrize("games", few_of((1, 3)))
def test_a_trade_is_consistent_with_what_the_other_player_held(games: int) -> None:
    checked = 0
    for seed in range(games):
        game = Game.new(Config(colors=COLORS[:4], target=6), chance(seed))
        players = [computer("easy" if n else "hard", random.Random(n)) for n in range(4)]
        while game.outcome is None:
            seat = game.to_act[0]
            situation = Situation.of(game.view(seat, counted=True))
            for other in range(4):
                belief = situation.beliefs[other]
                if belief is None:
                    continue
                assert abs(sum(likely for _, likely in belief.ways) - 1) < 1e-9
                hand = tuple(game.state.hands[other])
                if len(belief.ways) < 8:  # otherwise the true hand can be left out
                    assert hand in dict(belief.ways)
                for r in bits(sum(1 << r for r in range(5) if hand[r])):
                    card = tuple(int(k == r) for k in range(5))
                    after = belief.traded(card, (0, 0, 0, 0, 0))  # type: ignore[arg-type]
                    if len(belief.ways) < 8:
                        assert after is not None
                        checked += 1
            play(game, players)
    assert checked > 100
