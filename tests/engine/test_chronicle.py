"""The story of a game that is over."""

from __future__ import annotations

import random

from engine.actions import BuildRoad, EndTurn, Undo
from engine.chance import SeededChance
from engine.chronicle import story_of
from engine.config import COLORS, Config
from engine.events import BankTraded, CardTaken, Monopolised, PlentyTaken, Produced, Traded
from engine.game import Game, events_of


def played(seed: int, undoing: bool = False) -> Game:
    """A random game to five points; `undoing`: in which whatever can be is taken back once and done again."""
    game = Game.new(Config(COLORS[:4], target=5), SeededChance(seed.to_bytes(32, "big"), "1", ()))
    rng = random.Random(seed)
    while game.outcome is None:
        seat = rng.choice(game.to_act)
        options = game.options(seat)
        action = options[rng.choice(list(options))].sample(rng)
        game.play(seat, action)
        if undoing and game.outcome is None and game.can_undo(seat) and isinstance(action, (BuildRoad, EndTurn)):
            game.play(seat, Undo())
            game.play(seat, action)
    return game


def test_cards_that_came_and_went_are_counted() -> None:
    game = played(3)
    story = story_of(game.config, game.records)
    events = [event for some in events_of(game.config, game.records) for event in some]
    assert sum(story.made) == sum(sum(e.cards) for e in events if isinstance(e, (Produced, PlentyTaken)))
    stolen = sum(isinstance(e, CardTaken) for e in events)
    stolen += sum(n for e in events if isinstance(e, Monopolised) for _, n in e.taken)
    assert sum(story.taken) == sum(story.lost) == stolen
    assert sum(story.traded) == sum(sum(e.give) + sum(e.get) for e in events if isinstance(e, Traded))
    assert sum(story.bank) == sum(sum(e.give) for e in events if isinstance(e, BankTraded))


def test_points_are_told_for_each_turn() -> None:
    game = played(4)
    story = story_of(game.config, game.records)
    assert len(story.points) == game.turn + 1
    assert story.points[0] == (2,) * 4
    assert game.outcome is not None
    assert story.points[-1] == game.outcome.points


def test_what_was_taken_back_does_not_count_twice() -> None:
    plain, undone = played(5), played(5, undoing=True)
    assert any(isinstance(record.action, Undo) for record in undone.records)
    assert story_of(plain.config, plain.records) == story_of(undone.config, undone.records)
