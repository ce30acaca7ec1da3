"""Names in pictures and their alternative texts, and how those are cut."""

from __future__ import annotations

from dataclasses import replace
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.plaintext import length
from bot.screens.history import caption
from bot.words import pictures
from engine.changes import Changes
from engine.geometry import mask_of
from tests.bot.screens.tables import config, step, view, with_player

MIXED = ("Ann", "محمد", "日本A", "🎲", "Bob (green)", "Жёлудь")
"""Names by seat, of players from red to brown."""


def test_a_player_whose_name_the_font_cannot_show_is_called_by_the_color() -> None:
    """Everywhere in pictures alike, unless at least half of the letters can be shown."""
    table = view(config("extension", 6), turn=5, on_turn=1, dice=(3, 5))
    assert pictures.drawn_names(table, MIXED) == ["Ann", "Blue", "White", "Orange", "Bob (green)", "Жёлудь"]
    assert pictures.names_beside_marks(table, MIXED)[4] == "Bob"
    assert caption(table, pictures.drawn_names(table, MIXED)) == "Turn 5 · Blue rolled 8"


def test_alternative_texts_have_the_real_name_and_its_color_once() -> None:
    text = pictures.board_alt(view(config("extension", 6), turn=5, on_turn=1, dice=(3, 5)), MIXED)
    assert text.startswith("Board, turn 5: محمد rolled 8. Ann (red): ")
    assert "محمد (blue): " in text
    assert "Bob (green): " in text
    assert "(green) (green)" not in text


def test_the_alternative_text_says_whose_turn_it_is_in_setup_too() -> None:
    table = view(step=step("setup", 0b100), turn=0, on_turn=None)
    assert pictures.board_alt(table, ("Ann", "Bob", "Cy", "Dee")).startswith("The board during setup: next is Cy. ")
    everything = mask_of(range(54))
    now = replace(with_player(table, 0, settlements=everything, roads=mask_of(range(72))), turn=9, on_turn=3)
    text = pictures.then_and_now_alt(table, now, Changes(everything, mask_of(range(72))), ("Ann", "Bob", "Cy", "Dee"))
    assert text.startswith("The board then and now. Board, turn 9: Dee, before the roll. New for Ann: ")


@given(
    st.lists(st.builds(mul, st.text("abc,. …", min_size=1, max_size=40), st.integers(1, 60)), min_size=1, max_size=12)
)
def test_alternative_texts_are_cut_between_words(parts: list[str]) -> None:
    whole, text = " ".join(parts), pictures._fit(parts)
    assert length(text) <= pictures.LONGEST_ALT
    if length(whole) <= pictures.LONGEST_ALT:
        assert text == whole
    else:
        assert text.endswith("…")
        kept = text.removesuffix("…")
        assert whole.startswith(kept)
        assert whole[len(kept)] in " ,…;" or " " not in whole[: pictures.LONGEST_ALT - 1]


@pytest.mark.parametrize("players", [7, 8])
def test_the_alternative_text_of_a_crowded_board_is_not_cut_in_a_word(players: int) -> None:
    table = view(config("big-island", players), turn=5, on_turn=0)
    for seat in range(players):
        table = with_player(table, seat, settlements=0b11111 << 5 * seat, cities=0b1111 << 45 + 4 * seat)
    names = tuple(f"Wilhelmina the {n}th" for n in range(players))
    text = pictures.board_alt(table, names)
    assert 900 < length(text) <= pictures.LONGEST_ALT
    assert text.startswith("Board, turn 5: Wilhelmina the 0th, before the roll.")
