"""A game in numbers: points by turn, and what became of each player's resource cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.actions import Action, AgreeToEnd, CallOff, Discard, EndTurn, Resign, Roll, Undo
from engine.config import COLORS, Config
from engine.game import Game
from engine.log.chronicle import OUTGOING, Account, flows_of, story_of
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from engine.steps.discard import Discards
from engine.terms import EndReason
from tests.engine.randomly import chance, lively, played
from tests.seeds import few_of


def add_up(config: Config, records: Sequence[Record]) -> None:
    """Check that each player holds what came in less what went out, by resource, and that the bank has the rest."""
    game, flows, story = Game.replay(config, records), flows_of(config, records), story_of(config, records)
    state, data = game.state, game.rules.data
    hands = [[0] * 5 for _ in range(config.players)]
    for flow in flows:
        for kind, n in enumerate(flow.cards):
            hands[flow.seat][kind] += -n if flow.way in OUTGOING else n
    assert hands == state.hands
    chosen = [step.chosen for step in state.agenda if isinstance(step, Discards)]
    flying = [cards for some in chosen for cards in some if cards]
    for kind in range(5):
        assert (
            data.bank - sum(cards[kind] for cards in hands) - sum(cards[kind] for cards in flying) == state.bank[kind]
        )
    assert [account.held for account in story.accounts] == [sum(hand) for hand in state.hands]
    for way in Account._fields:
        for seat in range(config.players):
            moved = sum(sum(flow.cards) for flow in flows if (flow.seat, flow.way) == (seat, way))
            assert getattr(story.accounts[seat], way) == moved
    total = Account(*(sum(column) for column in zip(*story.accounts, strict=True)))
    assert (total.robbed, total.won, total.got) == (total.lost, total.ceded, total.gave)
    assert [sum(row) for row in story.robberies] == [account.robbed for account in story.accounts]
    assert [sum(row) for row in zip(*story.robberies, strict=True)] == [account.lost for account in story.accounts]
    assert not any(story.robberies[seat][seat] for seat in range(config.players))
    points = [p.points if game.outcome is None else p.all_points for p in game.view(None).players]
    assert len(story.points) == game.turn + 1
    assert list(story.points[-1]) == points


@pytest.mark.parametrize("games", few_of((2, 6)))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_cards_add_up_at_the_end_in_every_scenario(scenario: str, games: int) -> None:
    for seed in range(games):
        game = lively(seed, scenarios=(scenario,), targets=(4, 6), variants=0.3)
        add_up(game.config, game.records)


@pytest.mark.parametrize("games", few_of((4, 12)))
def test_cards_add_up_at_any_moment(games: int) -> None:
    rng = random.Random(1)
    for seed in range(games):
        game = lively(seed)
        for _ in range(8):
            add_up(game.config, game.records[: rng.randint(1, game.revision)])


def test_cards_add_up_in_a_game_of_hundreds_of_turns() -> None:
    game = lively(19, targets=(20,), rounds=0)
    assert game.turn > 300
    add_up(game.config, game.records)


def test_the_story_has_the_points_of_each_turn() -> None:
    game = played(4)
    story = story_of(game.config, game.records)
    assert len(story.points) == game.turn + 1
    assert story.points[0] == (2,) * 4
    assert game.outcome is not None
    assert story.points[-1] == game.outcome.points


def test_undone_actions_do_not_count_twice() -> None:
    plain, undone = played(5), played(5, undoing=True)
    assert any(isinstance(record.action, Undo) for record in undone.records)
    assert story_of(plain.config, plain.records) == story_of(undone.config, undone.records)


def test_an_undone_end_of_a_turn_adds_no_turn() -> None:
    game = Game.new(Config(COLORS[:2]), chance(1))
    rng = random.Random(1)
    while not game.view(None).dice or game.view(None).step.kind != "main":
        game.play(game.to_act[0], game.options(game.to_act[0]).sample(rng))
    seat, before = game.to_act[0], story_of(game.config, game.records)
    game.play(seat, EndTurn())
    assert len(story_of(game.config, game.records).points) == len(before.points) + 1
    game.play(seat, Undo())
    assert story_of(game.config, game.records) == before


def until_discards() -> Game:
    """A game in which at least two players must discard."""
    for seed in range(50):
        game, rng = Game.new(Config(COLORS[:3]), chance(seed)), random.Random(seed)
        while game.revision < 400 and game.outcome is None:
            options = game.options(seat := game.to_act[0])
            keeping: list[Action] = [action for action in (Roll(), EndTurn()) if type(action) in options]
            game.play(seat, keeping[0] if keeping else options.sample(rng))
            if game.view(None).step.kind == "discard" and len(game.to_act) > 1:
                return game
    raise AssertionError("nobody discards")


def test_a_discard_counts_immediately_even_if_the_game_ends_before_all_players_discard() -> None:
    game = until_discards()
    seat = game.to_act[0]
    choice = next(iter(game.options(seat)[Discard]))
    assert isinstance(choice, Discard)
    before = story_of(game.config, game.records).accounts[seat].discarded
    game.play(seat, choice)
    add_up(game.config, game.records)
    game.play(REFEREE, CallOff())
    add_up(game.config, game.records)
    assert story_of(game.config, game.records).accounts[seat].discarded == before + sum(choice.cards)


def test_a_player_who_leaves_returns_their_hand() -> None:
    game = until_discards()
    seat = game.to_act[1]
    hand_size = sum(game.state.hands[seat])
    game.play(seat, Resign())
    add_up(game.config, game.records)
    assert story_of(game.config, game.records).accounts[seat].returned == hand_size > 0


@pytest.mark.parametrize("reason", EndReason)
def test_the_figures_are_right_for_every_kind_of_end(reason: EndReason) -> None:
    game, rng = (
        Game.new(Config(COLORS[:3], round_limit=3 * (reason == "rounds"), target=4), chance(2)),
        random.Random(2),
    )
    while game.outcome is None:
        if reason == "called_off":
            game.play(REFEREE, CallOff())
        elif reason == "last" and game.turn > 3:
            game.play(next(s for s in range(3) if not game.state.resigned >> s & 1), Resign())
        elif reason == "agreement" and game.view(None).may_count_points:
            game.play(next(s for s in range(3) if not game.state.votes >> s & 1), AgreeToEnd(True))
        elif reason == "rounds":
            options = game.options(game.to_act[0])
            game.play(game.to_act[0], EndTurn() if EndTurn in options else options.sample(rng))
        else:
            game.play(game.to_act[0], game.options(game.to_act[0]).sample(rng))
    assert game.outcome.reason == reason
    add_up(game.config, game.records)
    assert story_of(game.config, game.records).points[-1] == game.outcome.points


def with_a_hidden_point() -> Game:
    """A running game in which a player holds a victory point card."""
    for seed in range(100):
        game, rng = Game.new(Config(COLORS[:3], target=8), chance(seed)), random.Random(seed)
        while game.outcome is None:
            if any(game.state.all_points(seat) > game.state.points(seat) for seat in range(3)):
                return game
            game.play(game.to_act[0], game.options(game.to_act[0]).sample(rng))
    raise AssertionError("nobody hides a point")


def test_hidden_points_are_shown_only_after_the_end() -> None:
    game = with_a_hidden_point()
    visible = tuple(player.points for player in game.view(None).players)
    assert story_of(game.config, game.records).points[-1] == visible
    game.play(REFEREE, CallOff())
    assert game.outcome is not None
    assert story_of(game.config, game.records).points[-1] == game.outcome.points != visible


@pytest.mark.parametrize("kind", ["steal", "deck"])
def test_the_story_of_a_running_game_does_not_depend_on_hidden_cards(kind: str) -> None:
    """Which card the robber took (G3), and which development card was bought."""
    differed = 0
    game = played(3)
    for number, record in enumerate(game.records[:-1]):
        for at, (drawn, ordinal, n, result) in enumerate(record.draws):
            if drawn == kind:
                story = story_of(game.config, game.records[: number + 1])
                for other in {0, n // 2, n - 1} - {result}:
                    draws = (*record.draws[:at], (drawn, ordinal, n, other), *record.draws[at + 1 :])
                    log = [*game.records[:number], replace(record, draws=draws)]
                    if Game.replay(game.config, log).outcome is None:
                        assert story_of(game.config, log) == story
                        differed += 1
    assert differed > 5
