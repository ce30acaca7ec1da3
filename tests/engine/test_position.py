"""Positions to think with: a seat has the same options in one as in the game, and the position knows nothing that the
seat doesn't."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine.domains import Places
from engine.errors import IllegalAction
from engine.game import Game
from engine.position import BUILDS, Position
from engine.resources import RESOURCES
from engine.scenarios import SCENARIOS
from engine.terms import Piece, StepKind
from tests.engine.randomly import attempt, chance, random_action, random_config
from tests.engine.worlds import other_world, shape
from tests.seeds import few_of

GAMES, BATCH = 60, 6


def moments(seed: int, share: float) -> Iterator[tuple[Game, random.Random]]:
    """A random game of any scenario, with any alternate rules, after a `share` of its actions."""
    rng = random.Random(seed)
    config = random_config(rng, tuple(SCENARIOS), (4, 5), rounds=20, variants=0.3 if seed % 2 else 0)
    game = Game.new(config, chance(seed))
    while game.outcome is None:
        attempt(game, *random_action(game, rng))
        if rng.random() < share and game.outcome is None:
            yield game, rng


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 3))
def test_a_seat_has_the_same_options_in_a_position_as_in_the_game(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        for game, rng in moments(seed, 0.1):
            seat = rng.randrange(game.config.players)
            if game.state.resigned >> seat & 1:
                continue
            position = Position.of(game.view(seat), rng)
            assert position.to_act == tuple(s for s in range(game.config.players) if game.view(seat).awaited >> s & 1)
            there, here = position.options(seat), game.options(seat)
            assert {kind: shape(d) for kind, d in there.items()} == {kind: shape(d) for kind, d in here.items()}


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 3))
def test_a_position_holds_as_many_cards_as_the_game(batch: int) -> None:
    """Each hand and the deck have the right size, and each resource the right total, except during discards."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        for game, rng in moments(seed, 0.05):
            seat = rng.choice((None, *range(game.config.players)))
            dealt, real = Position.of(game.view(seat), rng).state, game.state
            assert [sum(hand) for hand in dealt.hands] == [sum(hand) for hand in real.hands]
            assert [sum(cards) for cards in dealt.development_cards] == [sum(cards) for cards in real.development_cards]
            assert sum(dealt.deck) == sum(real.deck)
            for state in (dealt, real):
                piles = [state.deck, *state.played, *state.development_cards]
                assert min(map(min, (*state.hands, *piles))) >= 0
            if real.agenda[-1].kind != "discard":
                for kind in range(len(RESOURCES)):
                    assert sum(hand[kind] for hand in dealt.hands) == sum(hand[kind] for hand in real.hands)
                assert dealt.bank == real.bank
            for name in ("reach", "buildings", "paved", "place", "on_turn", "round", "turns", "rates", "built"):
                assert getattr(dealt, name) == getattr(real, name), name


@pytest.mark.parametrize("games", few_of((6, 20)))
def test_a_position_knows_nothing_that_is_hidden_from_the_seat(games: int) -> None:
    """Two worlds that look alike give the same position, with the same random numbers."""
    for seed in range(games):
        for game, rng in moments(seed, 0.05):
            seat = rng.randrange(game.config.players)
            if game.rules.data.open_hands:
                continue
            twin = other_world(game, seat, rng)
            here, there = (Position.of(world.view(seat), random.Random(seed)) for world in (game, twin))
            assert here.state.hash() == there.state.hash()


@pytest.mark.parametrize("seed", few_of(range(30), 8))
def test_a_position_can_be_played_to_the_end(seed: int) -> None:
    for game, rng in moments(seed, 0.02):
        position = Position.of(game.view(rng.randrange(game.config.players)), rng)
        before = position.copy()
        unchanged = before.state.hash()
        for _ in range(3000):
            if position.outcome is not None:
                break
            seat = rng.choice(position.to_act)
            try:
                position.play(seat, position.options(seat).sample(rng), rng)
            except IllegalAction as error:
                if error.code != "trade-gone":
                    raise
        else:
            assert position.state.turn > game.turn + 20
        assert before.state.hash() == unchanged


@pytest.mark.parametrize("games", few_of((8, 20)))
def test_a_position_plays_like_the_game(games: int) -> None:
    """The same actions with the same luck lead to the same position."""

    class Luck:
        """The draws of a game's records, as numbers between 0 and 1."""

        def __init__(self) -> None:
            self.left: list[float] = []

        def random(self) -> float:
            return self.left.pop(0)

    for seed in range(games):
        rng = random.Random(seed)
        config = random_config(rng, tuple(SCENARIOS), (5,), rounds=20, variants=0.3 if seed % 2 else 0)
        game, luck = Game.new(config, chance(seed)), Luck()
        position = Position(game.state.copy())
        while game.outcome is None:
            seat = rng.choice(game.to_act)
            action = game.options(seat).sample(rng)
            game.play(seat, action)
            luck.left = [(result + 0.5) / n for _, _, n, result in game.records[-1].draws]
            position.play(seat, action, luck)
            assert not luck.left
            position.state.counts, position.state.ordinals = game.state.counts[:], game.state.ordinals[:]
            assert position.state.hash() == game.hash()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_there_is_room_exactly_where_a_player_who_can_pay_can_build(scenario: str) -> None:
    rng = random.Random(scenario)
    config = random_config(rng, (scenario,), (8,), rounds=25, variants=0.3)
    game, compared = Game.new(config, chance(1)), 0
    while game.outcome is None and compared < 60:
        if game.state.agenda[-1].kind in (StepKind.MAIN, StepKind.BUILDING_PHASE, StepKind.SPECIAL_BUILDING):
            seat, rich = game.to_act[0], game.copy()
            rich.state.hands[seat] = [9] * 5
            view, options = game.view(seat), rich.options(seat)
            roads, settlements, cities = view.players[seat].pieces_left
            supply = {Piece.SETTLEMENT: settlements, Piece.CITY: cities}
            for piece, action in BUILDS.items():
                domain = options.get(action)
                mask = domain.mask if isinstance(domain, Places) else 0
                if supply.get(piece, roads):
                    assert Position.of(view, rng).room(seat, piece) == mask, (piece, game.revision)
                    compared += bool(mask)
        attempt(game, *random_action(game, rng))
    assert compared > 20
