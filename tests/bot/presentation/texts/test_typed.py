"""Typed cards: every way of writing them, round trips, and complaints of one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.texts.marks import cards
from bot.presentation.texts.refusals import sentence
from bot.presentation.texts.typed import parse_hand, parse_number, parse_resource, typed
from engine.errors import RefereeError
from engine.resources import ORE, hand, hand_of

HANDS = st.tuples(*[st.integers(0, 99)] * 5).filter(any).map(hand)


@pytest.mark.parametrize(
    "text",
    [
        "2 wool, 1 ore",
        "2w1o",
        "wool ore wool",
        "wwo",
        "2x wool + ore",
        "Wool 2 Ore 1",
        "🐑🐑🪨",
        "2 🐑 and 1 🪨",
        "2 SHEEP & a rock",
        "1 ore 1 wool 1 wool",
        "2×🐑, 🪨",
    ],
)
def test_cards_can_be_written_in_many_ways(text: str) -> None:
    assert parse_hand(text) == hand_of(wool=2, ore=1)


@given(HANDS)
def test_what_is_written_can_be_read_back(cards_: tuple[int, int, int, int, int]) -> None:
    assert parse_hand(typed(cards_)) == cards_


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "No cards are named: write it like “2 wool, 1 ore”."),
        ("0 wool", "No cards are named"),
        ("2 gold", "“gold” is no resource; there are brick, lumber, wool, grain and ore"),
        ("2", "A number without a resource after it (2)"),
        ("2 3 wool", "A number without a resource after it (2)"),
        ("2wo", "It isn't clear what “2 wo” counts"),
        ("100 wool", "There are never more than 99"),
        ("99999999999 wool", "“99999999999” is too many"),
        ("-1 wool", "“-” is no resource"),
        ("² wool", "“²” is no resource"),
        ("٣ wool", "“٣” is no resource"),
        ("[x](http://y.z) wool", "“…” is no resource"),
    ],
)
def test_what_is_unclear_gets_one_sentence_with_an_example(text: str, complaint: str) -> None:
    with pytest.raises(RefereeError) as caught:
        parse_hand(text)
    assert caught.value.code == "unreadable"
    message = sentence(caught.value)
    assert message.startswith(complaint)
    assert message.endswith("write it like “2 wool, 1 ore”.")


@given(st.text(max_size=60))
def test_any_text_is_cards_or_a_complaint(text: str) -> None:
    complaint = ""
    try:
        assert any(parse_hand(text))
    except RefereeError as error:
        complaint = sentence(error)
    assert len(complaint) < 200


def test_one_resource() -> None:
    assert parse_resource("Ore") == parse_resource("🪨") == ORE
    for text in ("ore wool", "", "gold"):
        with pytest.raises(RefereeError) as caught:
            parse_resource(text)
        assert sentence(caught.value).startswith("Name one resource: brick")


def test_cards_in_words() -> None:
    assert cards(hand_of(brick=2, ore=1)) == "2 🧱 brick and 1 🪨 ore"
    assert cards((0, 0, 0, 0, 0)) == "nothing"


@pytest.mark.parametrize("text", ["", " 1", "+1", "-1", "²", "٣", "１", "1_0", "1.0", "9" * 10, "9" * 5000])
def test_a_number_is_a_few_of_ten_digits(text: str) -> None:
    assert parse_number(text) is None
    assert parse_number("012") == 12
