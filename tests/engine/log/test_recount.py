"""A game turn by turn: what is in its log and was not undone, and the view of a past moment."""

from __future__ import annotations

import random

import pytest

from engine.actions import AskToBuild, EndTurn, TakeBackDiscard, Undo
from engine.config import COLORS, Config
from engine.events import CardBought, CardTaken, Event, TurnBegan, Undone
from engine.game import Game, events_of
from engine.log.recount import recount
from engine.scenarios import SCENARIOS
from tests.engine.randomly import attempt, chance, played, random_action, random_config


def told(game: Game) -> list[Event]:
    return [event for turn in recount(game.config, game.records, None).turns for _, event in turn.events]


@pytest.mark.parametrize("seed", range(3))
def test_undone_actions_are_not_in_the_recount(seed: int) -> None:
    """A game in which much is undone and done again reads like one without undo."""
    game = played(seed, undoing=True)
    assert any(isinstance(record.action, Undo) for record in game.records)
    story = recount(game.config, game.records, None)
    assert not any(isinstance(event, Undone) for event in told(game))
    assert [turn.number for turn in story.turns] == list(range(game.turn + 1))
    ends = sum(event.name == "turn_ended" for event in told(game))
    assert ends == game.turn - 1 + isinstance(game.records[-1].action, EndTurn)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_without_undo_the_recount_has_all_events_in_order(scenario: str) -> None:
    rng = random.Random(5)
    game = Game.new(random_config(rng, (scenario,), variants=0.3), chance(5))
    while game.outcome is None and game.revision < 400:
        seat, action = random_action(game, rng)
        if not isinstance(action, (Undo, TakeBackDiscard)):
            attempt(game, seat, action)
    over = game.outcome is not None
    everything = [e.redact(None, over) for events in events_of(game.config, game.records) for e in events]
    assert told(game) == [event for event in everything if not isinstance(event, TurnBegan)]


def test_a_reader_sees_only_their_own_secrets() -> None:
    game = played(1)
    game = Game.replay(game.config, game.records[:-1])
    found = set[tuple[type[Event], bool]]()
    for seat in (None, 0, 1):
        for turn in recount(game.config, game.records, seat).turns:
            for _, event in turn.events:
                if isinstance(event, (CardBought, CardTaken)):
                    own = seat is not None and seat in (event.seat, getattr(event, "victim", None))
                    assert (event.card is not None) == own
                    found.add((type(event), own))
    assert len(found) == 4


def test_a_past_moment_is_given_by_a_revision_or_a_turn() -> None:
    game = played(1)
    past = Game.replay(game.config, game.records[:60])
    story = recount(game.config, game.records, 1, past.public_revision)
    assert story.then == past.view(1)
    first = next(turn for turn in story.turns if turn.since(past.public_revision).events)
    assert first.number in (past.turn, past.turn + 1)
    beginning = recount(game.config, game.records, None, turn=9).then
    assert beginning.turn == 9
    assert Game.replay(game.config, game.records[: beginning.revision - 1]).turn == 8
    assert recount(game.config, game.records, 0, 10**6).then == game.view(0)
    number = max(record.number for record in game.records if record.actor == 2)
    assert recount(game.config, game.records, 2, 0).then == Game.replay(game.config, game.records[: number + 1]).view(2)


def test_M_hidden_requests_to_build_do_not_change_an_onlookers_recount() -> None:
    """J2: an onlooker's recount is the same whether or not a player has asked to build."""
    rng = random.Random(4)
    plain = Game.new(Config(COLORS[:5], scenario="extension"), chance(4))
    secretive = plain.copy()
    secretive.chance = chance(4)
    for _ in range(150):
        seat = rng.choice(plain.to_act)
        options = plain.options(seat)
        action = options[rng.choice(list(options))].sample(rng)
        if plain.turn and plain.view(None).step.kind == "main":
            asking = (seat + 1) % 5
            secretive.play(asking, AskToBuild(True))
            secretive.play(asking, AskToBuild(False))
        plain.play(seat, action)
        secretive.play(seat, action)
    assert secretive.revision > plain.revision
    for revision in (None, 20, plain.public_revision, 10**6):
        here, there = (recount(game.config, game.records, None, revision, turn=2) for game in (plain, secretive))
        assert (here.turns, here.then) == (there.turns, there.then)
        assert [events for events in here.log if events] == [events for events in there.log if events]
