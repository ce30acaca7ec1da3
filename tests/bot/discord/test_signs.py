"""The program's own emoji and clickable commands in what is sent."""

from __future__ import annotations

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.show.messages import MAX_TEXT, SIGNS, OwnSigns, controls, cut_to_fit, layout_of
from bot.plaintext import length
from bot.screens.controls import Button, ListOption, Open, Reply, Select
from bot.words.narrator import story
from engine.events import Produced, Rolled
from engine.resources import hand_of
from tests.bot.screens.tables import NAMES, view
from tests.bot.signs import without_signs

ROLLED = "🎲 Bob rolled **8** (<:die_three:12>{}<:die_five:12>): Ann +2 <:grain:12> grain."


@pytest.fixture
def signs() -> OwnSigns:
    signs = OwnSigns()
    signs.use(dict.fromkeys(SIGNS, 12))
    return signs


def sent(signs: OwnSigns, reply: Reply) -> list[str]:
    """The texts that are sent for a reply."""
    layout = layout_of(reply, 1)
    signs.put_in(layout)
    return [item.content for item in layout.walk_children() if isinstance(item, ui.TextDisplay)]


def test_texts_use_custom_emoji_and_can_be_converted_back(signs: OwnSigns) -> None:
    [line] = story((Rolled(1, (3, 5)), Produced(0, hand_of(grain=2))), view(), NAMES)
    assert sent(signs, Reply(line)) == [ROLLED.format(" + ")]
    assert without_signs(ROLLED.format(" + ")) == line
    assert sent(OwnSigns(), Reply(line)) == [line]


def test_a_text_that_would_get_too_long_keeps_unicode_emoji(signs: OwnSigns) -> None:
    long = "🐑" * 500
    assert len(signs.write(long)) > MAX_TEXT
    assert sent(signs, Reply(long)) == [long]


def test_controls_use_custom_emoji_and_keep_other_emoji(signs: OwnSigns) -> None:
    layout = ui.LayoutView()
    buttons = [Button("Ore", Open("hand"), emoji="🪨"), Button("Board", Open("board"), emoji="🗺️")]
    options = [ListOption("3", "Grain", emoji="🌾"), ListOption("x", "None")]
    for row in controls([buttons, Select("Which?", Open("hand"), options)], 1, ""):
        layout.add_item(row)
    for _ in range(2):  # sending again changes nothing
        signs.put_in(layout)
    [ore, board, which] = [item for item in layout.walk_children() if isinstance(item, ui.Button | ui.Select)]
    assert isinstance(ore, ui.Button)
    assert isinstance(board, ui.Button)
    assert isinstance(which, ui.Select)
    assert (str(ore.emoji), str(board.emoji)) == ("<:ore:12>", "🗺️")
    assert [str(option.emoji) for option in which.options] == ["<:grain:12>", "None"]


def test_commands_in_texts_can_be_clicked(signs: OwnSigns) -> None:
    content = "`/game join`, `/game move game:7` or `/hand`; `/game` and `/gone` stay, and so does `roll`."
    assert sent(signs, Reply(content)) == [content], "nobody knows them yet"
    signs.know({"game join": 5, "game move": 5, "hand": 6})
    [written] = sent(signs, Reply(content))
    assert (
        written == "</game join:5>, </game move:5> `game:7` or </hand:6>; `/game` and `/gone` stay, and so does `roll`."
    )
    assert without_signs(written) == content


@given(st.lists(st.text(min_size=1, max_size=3000), max_size=5), st.integers(1, 20))
def test_a_layouts_texts_always_fit(texts: list[str], times: int) -> None:
    layout = ui.LayoutView()
    for text in texts:
        layout.add_item(ui.TextDisplay(text * times))
    cut_to_fit(layout)
    left = [item.content for item in layout.walk_children() if isinstance(item, ui.TextDisplay)]
    assert sum(map(length, left)) <= MAX_TEXT
    assert all(left)
    short = sum(length(text * times) for text in texts) <= MAX_TEXT
    assert not short or left == [text * times for text in texts]
