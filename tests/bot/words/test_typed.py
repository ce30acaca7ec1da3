"""Typed cards: every way of writing them, round trips, and one-sentence complaints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table.options import PACES
from bot.words import times
from bot.words.language import speaking
from bot.words.marks import cards, resource_counts
from bot.words.refusals import refusal_sentence
from bot.words.typed import (
    as_typed,
    coded,
    parse_hand,
    parse_number,
    parse_trade,
    parse_wish,
    shown_trade,
    typed,
    understood,
)
from engine.errors import RefereeError
from engine.resources import Hand, hand, hand_of, single
from tests.bot.words.pseudo import FalseFriend, Long, Pseudo

HANDS = st.tuples(*[st.integers(0, 99)] * 5).filter(any).map(hand)
TYPED = (
    "2 1 0 99 a two ten wool wools sheep w b l g o ore ores rock brick clay lumber wood grain wheat corn woool gold "
    "and + , ; for : -> → > x × 2x x2 of cards 🐑 🪨 - ( wwo 2wo 2w 3o"
)
WORDS = st.sampled_from(TYPED.split())
GARBAGE = st.text(max_size=60) | st.lists(WORDS, max_size=12).map(" ".join)


def refused(text: str, *more: str) -> str:
    """The sentence that refuses a hand, or a trade."""
    with pytest.raises(RefereeError) as caught:
        parse_trade(text, *more) if more else parse_hand(text)
    assert caught.value.code == "unreadable"
    return refusal_sentence(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "2 wool, 1 ore",
        "2 <:wool:123> <:ore:45>",
        ":wool::wool: :ore:",
        "2w1o",
        "2w o",
        "w2 o1",
        "wool ore wool",
        "wwo",
        "2x wool + ore",
        "2xwool, ore",
        "2 x wool and 1x ore",
        "wool x2 ore",
        "wool × 2, ore",
        "Wool 2 Ore 1",
        "wool 2, ore",
        "ore, wool 2",
        "two wool + one ore",
        "wool ore wools",
        "🐑🐑🪨",
        "2 🐑 and 1 🪨",
        "2 🐑 wool and 1 🪨 ore",
        "2 SHEEP & a rock",
        "2 fleeces plus some stone",
        "1 ore 1 wool 1 wool",
        "2×🐑, 🪨",
        "2 cards of wool and the ore.",
        "for 2 wool, ore",
        "→ 2 wool + 1 ore",
        "(2 wool + ore)",
        "`2 wool` [ore]",
        "**2 wool**, __ore__ :)",
        "~~2*wool~~, _ore_",
        "2 **wool**, {1} ore :-)",
        "2 wool, ore :(",
    ],
)
def test_cards_can_be_written_in_many_ways(text: str) -> None:
    assert parse_hand(text) == hand_of(wool=2, ore=1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for kind, names in enumerate(
        ("brick bricks clay loam b", "lumber wood woods timber log logs l", "wool sheep fleece s w",
         "grain grains wheat corn g", "ore ores rock rocks stone stones iron o")) for name in names.split()],
)  # fmt: skip
def test_resources_can_be_typed_by_other_names(name: str, kind: int) -> None:
    assert parse_hand(name) == parse_hand(name.upper()) == parse_hand(f"a {name}") == single(kind)


@pytest.mark.parametrize(
    ("give", "want"),
    [
        ("2 wool + brick for ore", None),
        ("2w b : o", None),
        ("2 wool, 1 brick -> ore", None),
        ("2 wool, 1 brick→1 ore", None),
        ("wool wool brick => an ore", None),
        ("wool 2 + clay against rock", None),
        ("2w1b>1o", ""),
        ("two sheep and a brick = 1x ore", " "),
        ("2 wool brick", "ore"),
        ("2 wool brick for", "for ore"),
        ("wwb", "o"),
        ("(2 wool + brick) for ore", None),
        ("`2 wool, brick` <-> `ore`", None),
        ("(2 wool brick):(ore)", None),
        ("2 wool, brick for ore :)", None),
    ],
)
def test_a_trade_can_be_typed_as_one_text_or_two(give: str, want: str | None) -> None:
    assert parse_trade(give, want) == (hand_of(wool=2, brick=1), hand_of(ore=1))


@given(HANDS, HANDS)
def test_cards_that_harbormaster_writes_can_be_read_back(one: Hand, other: Hand) -> None:
    for text in (typed(one), as_typed(one), cards(one), cards(one, signs=False), " ".join(resource_counts(one))):
        assert parse_hand(text) == one
    for text in (coded(one, other), shown_trade(one, other), f"{cards(one)} for {cards(other)}"):
        assert parse_trade(text) == (one, other)
    assert len(coded(one, other)) < 100
    best, *_others = understood(shown_trade(one, other))
    assert (best.sides, best.is_guess, best.says_w) == ((one, other), False, False)


@given(HANDS, HANDS)
def test_written_cards_can_be_read_back_in_every_language(one: Hand, other: Hand) -> None:
    """What Harbormaster says can be typed back, and so can English."""
    english = typed(one), f"{cards(one)} for {cards(other)}"
    with speaking(Pseudo()):
        for text in (typed(one), as_typed(one), cards(one), cards(one, signs=False), english[0]):
            assert parse_hand(text) == one
        for text in (coded(one, other), shown_trade(one, other), english[1]):
            assert parse_trade(text) == (one, other)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "No cards are named: write it like “2 wool, 1 ore”."),
        ("0 wool", "No cards are named: write it like “2 wool, 1 ore”."),
        ("2 gold", "“gold” isn't a resource. They are brick, lumber, wool, grain and ore: write it like"),
        ("2", "2 of what?"),
        ("2 3 wool", "2 of what?"),
        ("2 wool 3", "3 of what?"),
        ("2, wool", "2 of what?"),
        ("2wo", "“2 wo” of what?"),
        ("wool 2 ore", "It isn't clear whether 2 counts “wool” or “ore”: put a comma between the two."),
        ("wool 2 brick 3 ore", "It isn't clear whether 2 counts “wool” or “brick”"),
        ("100 wool", "There are never more than 99"),
        ("99999999999 wool", "“99999999999” is too many"),
        ("woool", "I don't know “woool”: did you mean wool?"),
        ("1 brik", "I don't know “brik”: did you mean brick?"),
        ("wol", "I don't know “wol”: did you mean wool?"),
        ("2 woool + brick", "I don't know “woool” (did you mean wool?). The rest I read as 1 brick."),
        ("2 ore, 3 gold", "“gold” isn't a resource (brick, lumber, wool, grain, ore). The rest I read as"),
        ("gold, silver, ore", "“gold” isn't a resource. They are brick"),
        ("-1 wool", "“-” isn't a resource (brick, lumber, wool, grain, ore). The rest I read as 1 wool."),
        ("² wool", "“²” isn't a resource"),
        ("٣ wool", "“٣” isn't a resource"),
        ("[x](http://y.z) wool", "“http” isn't a resource"),
        ("2 wool <@145607444391234567>", "Only cards go here"),
        ("wool @Bob", "Only cards go here"),
        ("2 wool for ore", "Only one side of the trade goes here"),
    ],
)  # fmt: skip
def test_an_unclear_hand_is_refused_with_one_sentence(text: str, complaint: str) -> None:
    assert refused(text).startswith(complaint)


@pytest.mark.parametrize(
    ("give", "want", "complaint"),
    [
        ("2 wool", "", "Say what you want for it, too, like “2 wool for 1 ore”."),
        ("2 wool for", "", "Say what you want for it, too"),
        ("for ore", "", "Say what you give for it, too"),
        ("", "", "No cards are named"),
        ("", "ore", "No cards are named"),
        ("wool for ore", "brick", "You say twice what you want: say it once."),
        ("wool", "ore for brick", "Only one side of the trade goes here"),
        ("wool for ore for brick", "", "That has more than two sides"),
        ("wool -> ore : brick", "", "That has more than two sides"),
        ("brick for woool", "", "I don't know “woool” (did you mean wool?). The rest I read as 1 brick."),
        ("brick", "woool", "I don't know “woool”: did you mean wool?"),
    ],
)
def test_an_unclear_trade_is_refused_with_one_sentence(give: str, want: str, complaint: str) -> None:
    assert refused(give, want).startswith(complaint)


@pytest.mark.parametrize(
    ("trade", "word", "rest"),
    [
        ("2 wool for ore lol", "lol", "2 wool → 1 ore"),
        ("2 wool for ore, Bob", "bob", "2 wool → 1 ore"),
        ("2 wool for ore gg", "gg", "2 wool → 1 ore"),
        ("wow, 2 wool for ore", "wow", "2 wool → 1 ore"),
        ("🐑 gg for ore", "gg", "1 wool → 1 ore"),
        ("2 sheep, wwo for o", "wwo", "2 wool → 1 ore"),
    ],
)
def test_joined_letters_are_no_cards_on_a_side_with_whole_words(trade: str, word: str, rest: str) -> None:
    complaint = f"“{word}” isn't a resource (brick, lumber, wool, grain, ore). The rest I read as {rest}."
    assert refused(trade, "") == complaint
    assert all(reading.is_guess for reading in understood(trade))


@pytest.mark.parametrize(
    ("trade", "told"),
    [
        ("wwb : o", "1 brick + 2 wool → 1 ore"),
        ("2xw wb for oo", "1 brick + 3 wool → 2 ore"),
        ("2w, gg for ore", "2 wool + 2 grain → 1 ore"),
        ("two w and wo > g", "3 wool + 1 ore → 1 grain"),
        ("b wool for ore o", "1 brick + 1 wool → 2 ore"),
    ],
)
def test_each_side_of_a_trade_can_be_letters_or_words(trade: str, told: str) -> None:
    assert shown_trade(*parse_trade(trade)) == told


@given(GARBAGE, GARBAGE)
def test_any_text_is_read_as_cards_or_refused_with_a_sentence(text: str, other: str) -> None:
    for parse in (lambda: [parse_hand(text)], lambda: parse_trade(text), lambda: parse_trade(text, other)):
        complaint = ""
        try:
            assert all(any(side) for side in parse())
        except RefereeError as error:
            complaint = refusal_sentence(error)
        assert len(complaint) < 200
        assert complaint == "" or complaint[-1] in ".?"
    assert all(max(map(max, reading.sides)) <= 99 for reading in understood(text))


@pytest.mark.parametrize(
    ("text", "sides", "guess"),
    [
        ("2 wool", ["2 wool"], False),
        ("2 wo", ["2 wool"], True),
        ("2 wool f", ["2 wool"], True),
        ("2 wool for", ["2 wool", "…"], False),
        ("2 wool for o", ["2 wool", "1 ore"], False),
        ("2 wool for lu", ["2 wool", "1 lumber"], True),
        ("2 woool + brik", ["1 brick + 2 wool"], True),
        ("sheeep for whe", ["1 wool", "1 grain"], True),
    ],
)
def test_unfinished_text_is_understood_as_far_as_possible(text: str, sides: list[str], guess: bool) -> None:
    best, *_others = understood(text)
    assert ([as_typed(side) for side in best.sides], best.is_guess) == (sides, guess)


def test_the_letter_w_for_wool_is_noticed_in_typed_text() -> None:
    for text in ("2w", "w o", "ore for w", "w2"):
        assert understood(text)[0].says_w
    for text in ("wool", "sheep", "wwo", "🐑"):
        assert not understood(text)[0].says_w


def test_the_last_letters_typed_can_be_cards_or_the_start_of_a_word() -> None:
    assert [[as_typed(side) for side in reading.sides] for reading in understood("ore for wo")] == [
        ["1 ore", "1 wool + 1 ore"],
        ["1 ore", "1 wool"],
    ]
    for text in ("gold", "", "ore for wool for brick", "2", "wool 2 ore"):
        assert understood(text) == []


def test_cards_are_shown_with_count_sign_and_name() -> None:
    assert cards(hand_of(brick=2, ore=1)) == "2 🧱 brick and 1 🪨 ore"
    assert cards((0, 0, 0, 0, 0)) == "nothing"


@pytest.mark.parametrize("text", ["", "+1", "-1", "²", "٣", "1_0", "1.0", "1 0", "##1", ":1", "9" * 10, "9" * 5000])
def test_the_number_of_an_offer_is_a_short_text_of_digits(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize("text", ["12", "012", " #12 ", "１２", "＃１２", "\u300012", "12: 2 wool", "１２：2 wool"])
def test_the_number_of_an_offer_can_be_typed_in_many_ways(text: str) -> None:
    assert parse_number(text) == 12


@pytest.mark.parametrize("typed", [("", "ore"), ("for ore",)])
def test_a_request_must_say_what_is_wanted(typed: tuple[str, ...]) -> None:
    with pytest.raises(RefereeError) as caught:
        parse_wish(*typed)
    assert refusal_sentence(caught.value) == "Say what you're looking for in `get`, like “1 ore”."


def test_what_a_request_says_twice_is_named() -> None:
    with pytest.raises(RefereeError) as caught:
        parse_wish("brick for wool", "ore")
    assert refusal_sentence(caught.value) == "You say twice what you would give: say it once."
    assert parse_wish("brick for", "ore") == parse_wish("brick", "ore")


def test_or_can_be_used_in_requests_but_not_in_offers() -> None:
    assert refused("2 wool for brick or ore", "") == "An offer can't say “or”: make two offers."
    assert parse_wish("brick or ore") == parse_wish("brick, ore")
    assert [as_typed(read.sides[0]) for read in understood("brick or ore", either=True)] == ["1 brick + 1 ore"]
    assert understood("brick or ore") == []
    assert "did you mean" in refused("2 wool for or", "")


@pytest.mark.parametrize("seconds", [0, *PACES])
def test_suggested_times_mean_the_same_in_every_language(seconds: int) -> None:
    for language in (Pseudo(), Long(), FalseFriend()):
        with speaking(language):
            assert times.typed_span(times.coded_span(seconds)) == seconds
    assert times.typed_span(times.pace(seconds)) == seconds
