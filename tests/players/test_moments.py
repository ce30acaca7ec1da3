"""What choices were worth: in a whole game, and in a few plain positions."""

from __future__ import annotations

import random

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    CloseOffer,
    DeclineOffer,
    EndTrade,
    EndTurn,
    MakeOffer,
    Undo,
    WithdrawOffer,
)
from engine.config import COLORS, Config
from engine.game import Game
from engine.log.lasting import lasting
from engine.record import Record
from engine.resources import GRAIN, LUMBER, ORE, WOOL, single
from players import computer
from players.moments import LEAST, MOST_MOMENTS, Moment, _followed, choices, moment, moments, worst_and_best
from players.reasons import Reason
from players.sensible import HardPlayer
from players.table import play
from players.thinking import BUILDS
from tests.engine.builder import edge, node, seat, table
from tests.engine.randomly import chance


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of a random bot and three others."""
    finished = Game.new(Config(colors=COLORS[:4], target=7), chance(5))
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
            assert len(listed) <= MOST_MOMENTS
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


def nearly_won(action: Action) -> Moment:
    """What a choice is worth to a player who holds the price of a road but for one lumber, four wool, and four roads:
    the fifth is the longest road, which wins."""
    mine = seat(cities="B4", roads="c4 c5 c6 c7", hand="bwwww")
    position = table(mine, seat(settlements="E3", hand="oog"), seat(settlements="F1", hand="ww"), target=4).game
    result = moment(HardPlayer(random.Random(0)), position.view(0, counted=True), position.options(0), action)
    assert result is not None
    return result


def test_a_missed_plan_is_named_to_its_end_with_the_reason() -> None:
    missed = nearly_won(EndTurn())
    assert missed.other == BankTrade(single(WOOL, 4), single(LUMBER))
    assert [type(action) for action in missed.then] == [BuildRoad]
    assert [reason.kind for reason in missed.reasons] == ["longest_road"]
    assert missed.after - missed.gain == 1.0


def test_what_followed_a_good_choice_is_what_the_player_did() -> None:
    """A trade with the bank is shown with what it was for, but not with what came after that."""
    trade, road = BankTrade(single(WOOL, 4), single(LUMBER)), BuildRoad(edge("c4"))
    done = [Record(n, 0, action, ()) for n, action in enumerate((trade, road, road, EndTurn()), 1)]
    assert [*_followed(trade, done[1:], 0)] == [road]
    assert [*_followed(trade, done[3:], 0)] == []
    assert [*_followed(road, done[2:], 0)] == []
    assert [*_followed(EndTrade(), done[1:], 0)] == [road]


def test_what_followed_is_the_same_for_a_part_of_the_choices(game: Game) -> None:
    player = HardPlayer(random.Random(0))
    numbers = choices(game.config, game.records, 1)
    found = moments(player, game.config, game.records, 1, numbers)
    steps = [each for each in found if each.gain > 0.0 and each.then]
    assert steps
    assert all(isinstance(each.then[-1], BUILDS) or len(each.then) < 3 for each in steps)


def test_a_trade_that_cost_something_says_whom_it_helped() -> None:
    """Or that more cards went than came."""
    offer = MakeOffer(single(GRAIN), single(ORE))
    helped = judged(CloseOffer(1, 1), "gggoo", who=1, offer=offer)
    assert helped.lacks == Reason("rival", seat=0)
    gift = judged(CloseOffer(1, 1), "gggoo", who=1, offer=MakeOffer(single(GRAIN), single(ORE, 2)))
    assert gift.lacks == Reason("unfair")
