"""The next roll: what it brings, and that lines judged with it can still be compared with the others."""

from __future__ import annotations

import random

import pytest

from engine.actions import Roll
from engine.config import COLORS, Config
from engine.game import Game
from engine.state import State
from players import computer
from players.ahead import after_roll
from players.chances import Chances
from players.expert import ExpertPlayer
from players.sensible import SensiblePlayer
from players.table import carry_out, move, play
from players.thinking import AHEAD, MOST_WEIGHED, Thinker
from players.trading import own
from tests.engine.builder import seat, table
from tests.engine.randomly import chance
from tests.native import interpreted
from tests.seeds import few_of


def test_a_roll_brings_the_foreseen_cards() -> None:
    game = Game.new(Config(colors=COLORS[:4], target=7), chance(4))
    players = [computer("hard", random.Random(n)) for n in range(4)]
    seen: set[int] = set()
    while game.outcome is None:
        seat, action = move(game, players)
        player = players[0]
        assert isinstance(player, SensiblePlayer)
        judge = player.chances(game.state).judge
        foreseen = [judge.brings(game.state, s) for s in range(4)]
        hands = [hand[:] for hand in game.state.hands]
        bank = game.state.bank[:]
        carry_out(game, seat, action)
        dice = game.state.dice
        if type(action) is Roll and dice is not None and (number := sum(dice)) != 7:
            brought = [by_number[number] or (0, 0, 0, 0, 0) for by_number in foreseen]
            if all(bank[r] >= sum(cards[r] for cards in brought) for r in range(5)):
                now = [[a + b for a, b in zip(*each, strict=True)] for each in zip(hands, brought, strict=True)]
                assert now == game.state.hands
                seen.add(number)
    assert len(seen) > 7


@pytest.mark.parametrize("played", few_of(((0, 5), (0, 7), (1, 7))), ids=str)
def test_lines_judged_with_the_next_roll_stay_comparable(played: tuple[int, int]) -> None:
    seed, target = played
    game = Game.new(Config(colors=COLORS[:4], target=target), chance(seed))
    players = [computer("hard", random.Random(n)) for n in range(4)]
    expert, changed = computer("expert", random.Random(0)), 0
    assert isinstance(expert, SensiblePlayer)
    while game.outcome is None:
        seat = game.to_act[0]
        options = own(game.options(seat))
        if game.turn > 20 and len(options) > 1 and not game.state.offers:
            thinker = expert.thinker(game.view(seat, counted=True))
            once = Thinker(thinker.situation, thinker.chances, thinker.depth, thinker.width).ranked(options)
            again = thinker.ranked(options)
            assert {line.actions for line in once} == {line.actions for line in again}
            values = [line.value for line in again]
            assert 0.0 <= values[-1] <= values[0] <= 1.0
            if 0.0 < values[-1] <= values[0] < 1.0:
                assert abs(sum(line.value for line in once) - sum(values)) < 1e-9
            assert 0.0 <= after_roll(thinker.chances, thinker.situation, seat) <= 1.0
            changed += [line.actions for line in once] != [line.actions for line in again]
        play(game, players)
    assert changed


@interpreted
def test_a_hand_with_many_options_does_not_raise_the_number_of_seats_weighed() -> None:
    mine = seat(settlements="C4 D6", roads="d2 c3 g6 e4", hand="bbbbbllllwwwwggggoooo", cards="k")
    others = [seat(settlements="B4 E3", hand="oogbw"), seat(settlements="C7 B2", hand="wwlgb")]
    game = table(mine, *others).game
    player, view = ExpertPlayer(random.Random(0)), game.view(0, counted=True)
    thinker = player.thinker(view)
    thinker.ranked(own(game.options(0)))
    assert AHEAD <= thinker.chances.weighed < AHEAD + 300

    class Watched(ExpertPlayer):
        def chances(self, state: State) -> Chances:
            self.last = super().chances(state)
            return self.last

    watched = Watched(random.Random(0))
    watched.decide(view, game.options(0))
    assert watched.last.weighed < MOST_WEIGHED + 300


def test_a_winning_move_is_certain_and_made_immediately() -> None:
    mine = seat(settlements="C4", cities="D6 B3 E5", roads="d2 c3", hand="bblllwggooo")
    game = table(mine, seat(settlements="F3"), target=8).game
    best = ExpertPlayer(random.Random(0)).lines(game.view(0, counted=True), game.options(0))[0]
    assert best.value == 1.0
    assert len(best.actions) == 1


def test_a_winning_move_stays_certain_when_others_are_nearly_certain() -> None:
    mine = seat(settlements="C4", cities="D6 B3 E5 F1 A1", roads="d2 c3 d3", hand="blwg", played="kkkk")
    game = table(mine, seat(settlements="F3"), target=14).game
    first, second, *others = ExpertPlayer(random.Random(0)).lines(game.view(0, counted=True), game.options(0))
    assert first.value == second.value == 1.0
    assert 0.99 < others[0].value < 1.0
