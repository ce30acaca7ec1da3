"""What choices were worth: in a whole game, and in a few plain positions."""

from __future__ import annotations

import random

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    Undo,
    WithdrawOffer,
)
from engine.config import COLORS, Config
from engine.game import Game
from engine.log.lasting import lasting
from engine.resources import GRAIN, ORE, WOOL, single
from players import computer
from players.moments import LEAST, MOST, Moment, choices, moment, moments, worst_and_best
from players.sensible import HardPlayer
from players.table import play
from tests.engine.builder import node, seat, table
from tests.engine.randomly import chance


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of a random bot and three others."""
    finished = Game.new(Config(colors=COLORS[:4]), chance(5))
    rng = random.Random(5)
    players = [computer(level, rng) for level in ("random", "hard", "easy", "hard")]
    while finished.outcome is None:
        play(finished, players)
    return finished


def test_only_choices_that_matter_are_listed(game: Game) -> None:
    player = HardPlayer(random.Random(0))
    for who in (0, 1):
        numbers = choices(game.config, game.records, who)
        found = moments(player, game.config, game.records, who, numbers)
        costly, best = worst_and_best(found)
        for listed, sign in ((costly, -1.0), (best, 1.0)):
            assert len(listed) <= MOST
            assert all(sign * each.gain >= LEAST for each in listed)
            assert len({each.view.turn for each in listed}) == len(listed)
            assert all(each.action != each.other for each in listed)
            assert all(each.view.seat == who for each in listed)
        parts = [moments(player, game.config, game.records, who, numbers[at : at + 9]) for at in range(0, 99, 9)]
        assert [each for part in parts for each in part] == found[: sum(map(len, parts))]


def test_a_random_player_chooses_worse_than_one_that_thinks(game: Game) -> None:
    player = HardPlayer(random.Random(0))
    lost = []
    for who in (0, 1):
        found = moments(player, game.config, game.records, who, choices(game.config, game.records, who))
        lost.append(sum(min(0.0, each.gain) for each in found) / len(found))
    assert lost[0] < 3 * lost[1]


def test_undone_actions_and_the_last_action_are_not_choices(game: Game) -> None:
    log = [each.last_events for each in Game.each(game.config, game.records)]
    for who in range(4):
        numbers = choices(game.config, game.records, who)
        assert {*numbers} <= {*lasting(log)}
        assert len(game.records) - 1 not in numbers
        assert not any(isinstance(game.records[n].action, Undo | MakeOffer) for n in numbers)


def judged(action: Action, hand: str, who: int = 0, offer: MakeOffer | None = None) -> Moment:
    """What a choice was worth in a turn of seat 0, who holds these cards. `who` chooses, after the `offer`, if there
    is one."""
    mine = seat(settlements="C4 D6", roads="e4 g6", hand=hand, cards="k")
    position = table(mine, seat(settlements="B4 E3", hand="oog"), seat(settlements="C7 B2", hand="ww")).game
    if offer is not None:
        position.play(0, offer)
    result = moment(HardPlayer(random.Random(0)), position.view(who, counted=True), position.options(who), action)
    assert result is not None
    return result


def test_building_a_city_is_worth_more_than_ending_the_turn() -> None:
    built, ended = judged(BuildCity(node("D6")), "ggooo"), judged(EndTurn(), "ggooo")
    assert built.gain > 0.005 > -0.03 > ended.gain
    assert isinstance(built.other, BuildCity)  # at the other settlement
    assert ended.other == built.action


def test_a_trade_with_the_bank_that_wastes_cards_costs_something() -> None:
    wasted = judged(BankTrade(single(ORE, 4), single(WOOL)), "ggoooo")
    assert wasted.gain < -0.02
    assert isinstance(wasted.other, BuildCity)


def test_trades_are_judged_for_both_players() -> None:
    """The trade gets an ore that makes a city possible, for a grain that is one too many."""
    offer = MakeOffer(single(GRAIN), single(ORE))
    gained = judged(CloseOffer(1, 1), "gggoo", offer=offer)
    assert gained.gain > 0.02
    assert gained.other == WithdrawOffer(1)
    closed = judged(CloseOffer(1, 1), "gggoo", who=1, offer=offer)
    assert (closed.action, closed.other) == (AcceptOffer(1), DeclineOffer(1))
    assert closed.gain < gained.gain


def test_declining_a_bad_offer_gains_and_loses_nothing() -> None:
    bad = judged(DeclineOffer(1), "gggoo", who=1, offer=MakeOffer(single(GRAIN), single(ORE, 2)))
    assert bad.gain == 0.0
    good = judged(DeclineOffer(1), "lgggo", who=1, offer=MakeOffer(single(GRAIN), single(ORE)))
    assert good.gain <= 0.0
