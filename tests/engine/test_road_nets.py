"""I1, I2: lengths of any nets of roads and bridges against brute force, and who has the longest road then."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.awards import award_road, measure_road
from engine.game import Game
from engine.geometry import bits, mask_of
from engine.scenarios import SCENARIOS
from engine.state import State, Tx
from tests.engine.invariants import trail_by_hand
from tests.engine.oracle import holder
from tests.engine.randomly import chance, random_config

NETS = 100_000
BATCHES = 10
SHARE = NETS // (BATCHES * len(SCENARIOS))
"""Nets of a batch."""


def net(state: State, free: int, rng: random.Random) -> int:
    """Roads and bridges of one player, on edges out of `free`: trees, loops, dense clusters, or separate parts."""
    grid, found, ends = state.board.grid, 0, 0
    tight, apart = rng.choice((0.0, 0.3, 0.9)), rng.choice((0.0, 0.05, 0.3))
    for _ in range(rng.randint(0, state.rules.data.roads)):
        near = mask_of(e for n in bits(ends) for e in bits(grid.node_edge_mask[n])) & free & ~found
        closing = [e for e in bits(near) if not grid.edge_node_mask[e] & ~ends]
        if not near or rng.random() < apart:
            chosen = rng.choice([*bits(free & ~found)])
        else:
            chosen = rng.choice(closing if closing and rng.random() < tight else [*bits(near)])
        found |= 1 << chosen
        ends |= grid.edge_node_mask[chosen]
    return found


def lay_out(state: State, rng: random.Random) -> None:
    """Put random nets and buildings of all players on the board; some players have left, and some have the award."""
    free = state.board.road_mask | state.board.bridge_mask
    for seat in range(state.players):
        state.roads[seat] = net(state, free, rng)
        free &= ~state.roads[seat]
        state.settlements[seat] = state.cities[seat] = 0
    built = rng.choice((0.0, 0.05, 0.15, 0.4))
    for n in bits(state.board.settle_mask):
        if rng.random() < built:
            rng.choice((state.settlements, state.cities))[rng.randrange(state.players)] |= 1 << n
    state.buildings = sum(state.settlements) + sum(state.cities)
    state.resigned = mask_of(seat for seat in range(state.players - 1) if rng.random() < 0.1)
    state.longest = rng.choice((-1, *bits(state.active())))


def check_nets(scenario: str, seed: int, nets: int) -> int:
    """Compare this many nets with brute force. Returns how many were at least as long as the award asks for."""
    rng = random.Random(seed)
    left, long = nets, 0
    while left > 0:
        state = Game.new(random_config(rng, (scenario,)), chance(seed)).state
        grid = state.board.grid
        for _ in range(20):
            lay_out(state, rng)
            before, lengths = state.longest, []
            for seat in range(state.players):
                walls = {n for other in range(state.players) if other != seat for n in bits(state.settlements[other])}
                walls |= {n for other in range(state.players) if other != seat for n in bits(state.cities[other])}
                lengths.append(trail_by_hand([grid.edges[e] for e in bits(state.roads[seat])], walls))
                measure_road(state, seat)
            assert state.road_length == lengths, (seed, state.roads, state.settlements, state.cities)
            award_road(state, Tx(state, chance(0)))
            assert state.longest == holder(before, lengths, state.resigned, 5), (seed, before, lengths, state.resigned)
            long += sum(length >= 5 for length in lengths)
            left -= state.players
            if left <= 0:
                break
    return long


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_I1_a_sample_of_nets_is_as_long_as_by_brute_force(scenario: str) -> None:
    assert check_nets(scenario, seed=0, nets=40) > 10


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, BATCHES + 1))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_I1_many_nets_are_as_long_as_by_brute_force(
    scenario: str, batch: int, record_property: Callable[[str, object], None]
) -> None:
    assert check_nets(scenario, batch, SHARE) > SHARE / 4
    record_property("nets of roads", SHARE)
