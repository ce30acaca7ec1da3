"""Bots can't be exploited: what they give, what they answer, and to whom."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from engine.actions import AcceptOffer, Action, DeclineOffer, MakeOffer, WithdrawOffer
from engine.config import COLORS, Config
from engine.game import Game
from engine.resources import BRICK, ORE, covers, single
from players import LEVELS, computer
from players.arena import DEFAULT, contest
from players.table import play
from tests.engine import builder
from tests.engine.builder import seat
from tests.engine.randomly import chance
from tests.players.tricksters import TRICKSTERS
from tests.seeds import few_of

SEATS = 4


def trading_moments(seed: int, level: str, every: int = 1) -> Iterator[Game]:
    """Turns of a game among bots, when the player on turn can make offers: every second turn, or every fifth if each
    answer takes an expert's time; of these only one in `every`."""
    game = Game.new(Config(colors=COLORS[:SEATS], target=5), chance(seed))
    players = [computer("hard", random.Random(n)) for n in range(SEATS)]
    turn = 0
    while game.outcome is None:
        seat = game.to_act[0]
        if game.turn > turn and not game.state.offers and MakeOffer in game.options(seat):
            turn = game.turn + (5 if level == "expert" else 2) * every - 1
            yield game.copy()
        play(game, players)


def answers(game: Game, offer: MakeOffer, level: str = "hard", seed: int = 0) -> dict[int, Action]:
    """What each of the others answers to an offer by the player on turn, by seat."""
    seat = game.to_act[0]
    game.play(seat, offer)
    found = {}
    for other in range(SEATS):
        view = game.view(other, counted=True)
        if other != seat:
            player = computer(level, random.Random(seed))
            found[other] = player.answer(view, game.options(other), view.offers[-1])
    return found


EVERY = few_of((3, 1))
"""One in how many of these turns is looked at."""


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("level", ["hard", "expert"])
def test_a_bot_never_gives_two_more_than_it_gets_and_gives_one_more_only_to_build(level: str, every: int) -> None:
    gifts, rng = [0, 0, 0], random.Random(1)
    for game in trading_moments(6, level, every):
        seat, data = game.to_act[0], game.rules.data
        costs = (data.road_cost, data.settlement_cost, data.city_cost, data.card_cost)
        r = rng.choice([r for r in range(5) if game.state.hands[seat][r]])
        for s in {0, 1, 2, 3, 4} - {r}:
            for n in (1, 2, 3, 5):
                twin = game.copy()
                for other, answer in answers(twin, MakeOffer(single(r), single(s, n)), level).items():
                    if isinstance(answer, AcceptOffer):
                        assert n <= 2
                        gifts[n] += 1
                        hand = twin.state.hands[other]
                        after = [have + (k == r) - n * (k == s) for k, have in enumerate(hand)]
                        assert n == 1 or any(covers(after, cost) and not covers(hand, cost) for cost in costs)
    assert gifts[1] > 5 / every
    assert gifts[2] or level == "expert"


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("level", ["easy", "hard", "expert"])
def test_a_bot_declines_the_same_or_a_worse_offer_again_in_that_turn(level: str, every: int) -> None:
    declined = 0
    for game in trading_moments(2, level, every):
        seat = game.to_act[0]
        r = max(range(5), key=lambda r: game.state.hands[seat][r])
        if game.state.hands[seat][r] < 2:
            continue
        for s in range(5):
            if s == r:
                continue
            twin = game.copy()
            first = answers(twin, MakeOffer(single(r, 2), single(s)), level, 1)
            refusing = [other for other, answer in first.items() if isinstance(answer, DeclineOffer)]
            for other in refusing:
                twin.play(other, first[other])
            twin.play(seat, WithdrawOffer(twin.state.offers[-1].id))
            for give, want in ((single(r, 2), single(s)), (single(r), single(s)), (single(r, 2), single(s, 2))):
                again = answers(twin, MakeOffer(give, want), level, 2)
                assert all(isinstance(again[other], DeclineOffer) for other in refusing)
                twin.play(seat, WithdrawOffer(twin.state.offers[-1].id))
                declined += len(refusing)
    assert declined > 100 / every


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("level", ["hard", "expert"])
def test_two_seeds_give_the_same_answer(level: str, every: int) -> None:
    compared = 0
    for game in trading_moments(3, level, every):
        seat = game.to_act[0]
        actions = []
        for seed in (1, 2):
            player = computer(level, random.Random(seed))
            actions.append(player.decide(game.view(seat, counted=True), game.options(seat)))
        assert actions[0] == actions[1]
        r = max(range(5), key=lambda r: game.state.hands[seat][r])
        offer = MakeOffer(single(r), single((r + 1 + compared % 4) % 5))
        if game.options(seat).allows(offer):
            assert answers(game.copy(), offer, level, 1) == answers(game.copy(), offer, level, 2)
        compared += 1
    assert compared > (4 if level == "expert" else 10) / every


def _won(name: str, number: int) -> bool:
    LEVELS[name] = TRICKSTERS[name]
    return 0 in contest(DEFAULT, [name, "hard", "hard", "hard"], "tricksters", True, number).winners


@pytest.mark.soak
@pytest.mark.parametrize("name", TRICKSTERS)
def test_no_trickster_can_exploit_bots(name: str) -> None:
    """A fair share of the games is a quarter."""
    games = 300
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        won = sum(pool.map(partial(_won, name), range(games), chunksize=4))
    print(f"{name} won {won} of {games}")
    assert won <= 0.3 * games


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_a_bot_that_could_place_free_roads_answers_an_offer(level: str) -> None:
    """Seed 802 of the simulation: offers can be accepted meanwhile, which is no choice that the card asks for."""
    made = builder.table(seat(hand="bblw", cards="r", settlements="A1", roads="a1"), seat(hand="o", settlements="C8"))
    made.play(1, MakeOffer(single(ORE), single(BRICK)))
    view = made.game.view(0, counted=True)
    assert computer(level, random.Random(0)).answer(view, made.game.options(0), view.offers[-1]) is not None
