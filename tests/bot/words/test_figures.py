"""The words about a game's stats: in the picture, and in its alternative text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.plaintext import length
from bot.words import pictures
from engine.log.chronicle import Account, Story, story_of
from engine.outcome import Outcome
from engine.terms import EndReason
from engine.views import View
from tests.bot.screens.played import move, new_game
from tests.bot.screens.tables import NAMES, config, step, view, with_player

ROLLS = (0, 0, 0, 0, 0, 0, 6, 0, 30, 0, 0, 0, 0)
STORY = Story(
    ((2, 2, 2, 2), (9, 10, 2, 2)),
    (
        Account(made=30, robbed=3, lost=1, discarded=4, gave=2, got=1),
        Account(made=41, robbed=1, lost=2, paid=8, bought=2),
        Account(made=12, lost=1),
        Account(won=3),
    ),
    ((0, 2, 1, 0), (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
)


def ended(winners: tuple[int, ...], points: tuple[int, ...] = (9, 10, 2, 2), reason: str = "target") -> View:
    """The view of a game that ended in its seventh turn."""
    outcome = Outcome(EndReason(reason), winners, points)
    return view(step=step("over"), on_turn=None, turn=7, round=2, rolls=ROLLS, outcome=outcome)


def test_the_alternative_text_names_the_winner_and_the_stats() -> None:
    text = pictures.figures_alt(ended((1,)), STORY, NAMES)
    assert text.startswith("Bob won in turn 7 with 10 points, 1 ahead. Points: Bob 10, Ann 9, Cy 2, Dee 2.")
    assert "Most stolen: Ann (3 cards). Most lost: Bob (2 cards)." in text
    assert "Cards produced: Bob 41, Ann 30, Cy 12." in text
    assert "36 rolls. Each sum rolled (expected): " in text
    assert ", 8: 30 (5.0), " in text
    assert "Discarded: Ann 4." in text
    assert "Given to other players in trades: Ann 2." in text
    assert "Traded to the bank: Bob 8." in text
    assert "Won by monopolies: Dee 3." in text
    assert "Ann stole from Bob 2, Cy 1." in text
    assert "Bob stole from Ann 1." in text
    assert "Spent" not in text


def test_the_alternative_text_covers_shared_wins_and_games_without_a_winner() -> None:
    shared = pictures.figures_alt(ended((0, 1), (9, 9, 2, 2), "rounds"), STORY, NAMES)
    assert shared.startswith("Ann and Bob won in turn 7 with 9 points, 7 ahead.")
    all_of_them = pictures.figures_alt(ended((0, 1, 2, 3), (2, 2, 2, 2), "agreement"), STORY, NAMES)
    assert all_of_them.startswith("Ann, Bob, Cy and Dee won in turn 7 with 2 points. ")
    text = pictures.figures_alt(ended((1,), (9, 3, 2, 2), "last"), STORY, NAMES)
    assert text.startswith("Bob won in turn 7 with 3 points. ")
    nobody = pictures.figures_alt(ended((), reason="called_off"), STORY, NAMES)
    assert nobody.startswith("The end in turn 7: no winner. ")


def test_in_the_alternative_text_the_winner_stands_first_and_who_left_last() -> None:
    over = with_player(ended((1,), (9, 3, 2, 2), "last"), 0, resigned=True)
    text = pictures.figures_alt(over, STORY._replace(points=((9, 3, 2, 2),)), NAMES)
    assert "Points: Bob 3, Cy 2, Dee 2, Ann 9." in text


def test_stats_of_a_running_game_say_that_hidden_points_dont_count_yet() -> None:
    running = view(turn=7, round=2, rolls=ROLLS)
    assert pictures.figures_alt(running, STORY, NAMES).startswith("Turn 7, round 2, without hidden points. Points: ")
    words = pictures.figure_words(running, NAMES)
    assert (words.title, words.detail) == ("Turn 7", "round 2 · without hidden points")
    assert words.rolls == "36 rolls"
    all_seen = view(config(variants=("vp-cards-played",)), turn=7, round=2, rolls=ROLLS)
    assert pictures.figures_alt(all_seen, STORY, NAMES).startswith("Turn 7 · round 2. Points: ")
    assert pictures.figure_words(all_seen, NAMES)[:2] == ("Turn 7", "round 2")


def test_the_heading_of_the_stats_picture_gives_the_result() -> None:
    assert pictures.figure_words(ended((1,)), NAMES)[:2] == ("Bob won", "10 points · turn 7 · round 2")
    assert pictures.figure_words(ended((0, 1), (9, 9, 2, 2)), NAMES).title == "Ann and Bob won"
    assert pictures.figure_words(ended(()), NAMES)[:2] == ("No winner", "turn 7 · round 2")
    assert set(pictures.figure_words(view(), NAMES).ways) == {*Account._fields, "held"}


@pytest.mark.parametrize("length_of_names", [1, 20])
def test_the_alternative_text_of_a_large_table_fits(length_of_names: int) -> None:
    names = [chr(65 + seat) * length_of_names for seat in range(8)]
    account = Account(*([99] * 13))
    story = Story(((9,) * 8,), (account,) * 8, tuple(tuple(9 * (a != b) for b in range(8)) for a in range(8)))
    outcome = Outcome(EndReason.ROUNDS, (0, 1, 2, 3, 4, 5, 6), (9,) * 7 + (8,))
    running = view(config("big-island", 8), turn=300, round=40, rolls=ROLLS)
    text = pictures.figures_alt(replace(running, outcome=outcome), story, names)
    assert length(text) <= pictures.LONGEST_ALT
    assert "Points: " in text
    assert "Most stolen: " in text


def test_the_alternative_text_of_a_whole_game_has_all_points() -> None:
    game, rng = new_game("base", 4, "2007"), random.Random(4)
    while game.outcome is None and game.turn < 40:
        move(game, rng)
    final, story = game.view(None), story_of(game.config, game.records)
    text = pictures.figures_alt(final, story, NAMES)
    assert length(text) <= pictures.LONGEST_ALT
    assert all(f"{name} {n}" in text for name, n in zip(NAMES, story.points[-1], strict=False))
    assert pictures.dice_line(final).startswith("**The dice:** ")
