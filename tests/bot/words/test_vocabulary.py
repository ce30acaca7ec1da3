"""What people type in their language: lists that fit together, round trips, and letters that could be two resources."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import pytest

from bot.languages import codes, language
from bot.table.options import PACES
from bot.words import times
from bot.words.language import Catalogue, _, speaking
from bot.words.marks import RESOURCE_NAMES, cards
from bot.words.refusals import refusal_sentence
from bot.words.typed import (
    as_typed,
    coded,
    parse_hand,
    parse_trade,
    parse_wish,
    shown_trade,
    typed,
    understood,
)
from bot.words.vocabulary import _RESOURCES, Role, _ways, lexicon
from engine.errors import RefereeError
from engine.resources import Hand, hand_of, single
from tests.bot.words.marked import messages
from tests.bot.words.pseudo import FalseFriend, Long, Made, Pseudo

ENGLISH = "brick lumber wool grain ore clay loam wood timber log sheep fleece wheat corn rock stone iron bricks logs"
FINISHED = [code for code in codes() if language(code).is_offered]
LANGUAGES: dict[str, Catalogue] = {"pseudo": Pseudo(), "long": Long(), "false friend": FalseFriend()}
LANGUAGES |= {code: language(code) for code in FINISHED}


GERMAN = Made(
    brick="Lehm", lumber="Holz", wool="Wolle", grain="Getreide", ore="Erz", lumber_wood_timber_log_l="hölzer",
    for_against="für im_tausch_gegen", and_plus="und", a_an="ein eine",
)  # fmt: skip
SPANISH = Made(
    brick="arcilla", lumber="madera", wool="lana", grain="cereales", ore="mineral",
    **{"or": "o", "for_against": "por", "of_card_cards_the_some": "de la el"},
)  # fmt: skip
FRENCH = Made(
    brick="argile", lumber="bois", wool="laine", grain="blé", ore="minerai",
    for_against="pour en_échange", of_card_cards_the_some="de d' la l'",
)  # fmt: skip
POLISH = Made(brick="glina", lumber="drewno", wool="wełna", grain="zboże", ore="ruda", day_d="dzień dni")
JAPANESE = Made(
    brick="レンガ", lumber="木材", wool="羊毛", grain="小麦", ore="鉱石",
    brick_clay_loam_b="土", lumber_wood_timber_log_l="木", wool_sheep_fleece_s_w="羊", ore_rock_stone_iron_o="鉄",
    for_against="で", and_plus="と", of_card_cards_the_some="枚 個 の", hour_hr_h="時間", minute_min_m="分",
    h="時", min="分", pm_p_m="午後", one_two_three_four_five_six_seven_eight_nine_ten="一 二 三",
    **{"or": "か", "pm_p.m.": "午後"},
)  # fmt: skip


def said(text: str) -> str:
    """A hand or a trade that was typed, as suggestions show it, or the sentence that refuses it."""
    try:
        return shown_trade(*parse_trade(text))
    except RefereeError as error:
        if error.key != "unreadable/no-want":
            return refusal_sentence(error)
    return as_typed(parse_hand(text))


def some_hands() -> Iterator[Hand]:
    """Hands of one kind of each number that a language counts in its own way, then random ones."""
    for kind in range(5):
        for n in (*range(1, 26), 30, 99):
            yield tuple(n if one == kind else 0 for one in range(5))  # type: ignore[misc]
    chance = random.Random(58)
    for _number in range(20):
        yield tuple(chance.randrange(1, 30) * chance.randrange(2) for kind in range(5))  # type: ignore[misc]


# --- all languages


@pytest.mark.parametrize("code", LANGUAGES)
def test_cards_that_are_written_in_a_language_can_be_typed_in_it(code: str) -> None:
    wanted = hand_of(wool=1, ore=2)
    with speaking(LANGUAGES[code]):
        for one in filter(any, some_hands()):
            assert all(parse_hand(text) == one for text in (typed(one), as_typed(one), cards(one), cards(one, False)))
            assert parse_hand(as_typed(one).upper()) == one
            for text in (shown_trade(one, wanted), coded(one, wanted)):
                assert parse_trade(text) == (one, wanted)
                assert [(read.sides, read.is_guess) for read in understood(text)] == [((one, wanted), False)]
        for kind, name in enumerate(RESOURCE_NAMES):
            assert parse_hand(_(name)) == single(kind)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_suggestion_means_the_same_in_every_other_language(code: str) -> None:
    one, other = hand_of(brick=2, wool=1), hand_of(ore=3)
    with speaking(LANGUAGES[code]):
        values = coded(one), coded(one, other), times.coded_span(5400)
    for reader in LANGUAGES.values():
        with speaking(reader):
            assert (parse_hand(values[0]), parse_trade(values[1])) == (one, (one, other))
            assert times.typed_span(values[2]) == 5400


@pytest.mark.parametrize("code", [*FINISHED, "pseudo", "long"])
def test_english_words_are_read_in_every_language(code: str) -> None:
    hands = {word: parse_hand(word) for word in ENGLISH.split()}
    trade = parse_trade("2 wool and a brick for the ore")
    with speaking(LANGUAGES[code]):
        assert {word: parse_hand(word) for word in ENGLISH.split()} == hands
        assert parse_trade("2 wool and a brick for the ore") == trade
        assert times.typed_span("2 days, 3 hours") == 183600
        assert times.typed_minute("10:30 p.m.") == 1350


@pytest.mark.parametrize("code", LANGUAGES)
def test_times_that_are_written_in_a_language_can_be_typed_in_it(code: str) -> None:
    if code == "long":  # its words for units are made up while they are written
        return
    with speaking(LANGUAGES[code]):
        for seconds in (0, *PACES, 60, 120, 300, 5400, 90000, 2 * 86400 + 3660, 22 * 86400 + 5 * 3600):
            assert times.typed_span(times.pace(seconds)) == seconds
        for minutes in range(0, 1440, 7):
            assert times.typed_minute(times.clock_text(minutes)) == minutes


@pytest.mark.parametrize("code", FINISHED)
def test_no_word_of_a_language_means_two_things(code: str) -> None:
    with speaking(language(code)):
        (own, english), words = lexicon().spoken, lexicon()
        lists = [_ways(f"{_(name)} {_(said)}") for name, said in zip(RESOURCE_NAMES, _RESOURCES, strict=True)]
    assert len(set(own.names)) == 5
    assert [word for word, n in Counter(itertools.chain(*lists)).items() if n > 1] == []
    assert {word for word, kind in own.resources.items() if english.resources.get(word, kind) != kind} == set()
    assert set(Role) - {*own.roles.values()} <= {Role.ONE, Role.PAID, Role.OBJECT}
    assert sorted({*own.numbers.values()}) == [*range(1, 11)]
    assert sorted({*own.units.values()}) == [1, 60, 3600, 86400, 604800]
    for word in own.resources:
        assert word not in own.roles
        assert word not in own.numbers
        if len(word) > 1:
            assert words.meanings(word) == [(own.resources[word],)]


QUOTED = re.compile("[“„«「][\\s\u202f]*([^“”„«»「」]+?)[\\s\u202f]*[“”»」]")
"""Something that a sentence quotes, in the quotation marks of any language."""


def meaning(example: str) -> object:
    """What an example in a sentence means when it is typed; None if nothing."""
    for parse in (parse_trade, parse_hand, times.typed_span, times.typed_minute):
        with suppress(RefereeError):
            return parse(example)
    return None


@pytest.mark.parametrize("code", FINISHED)
def test_examples_in_sentences_can_be_typed(code: str) -> None:
    examples = {text for forms in messages() for text in forms if "write it like “" in text or "“2 wool" in text}
    assert len(examples) > 8
    for text in examples:
        meant = [meaning(example) for example in QUOTED.findall(text)]
        with speaking(language(code)):
            written = QUOTED.findall(language(code).gettext(text))
            assert [meaning(example) for example in written] == meant, written


# --- letters and beginnings


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("l", "“l” could be Lehm or Holz: write more of the word."),
        ("2l", "“l” could be Lehm or Holz: write more of the word."),
        ("llh", "“l” could be Lehm or Holz: write more of the word."),
        ("2 l : erz", "“l” could be Lehm or Holz: write more of the word."),
        ("wwe", "2 Wolle + 1 Erz"),
        ("wwo", "2 Wolle + 1 Erz"),
        ("2g1h", "1 Holz + 2 Getreide"),
        ("le", "1 Lehm"),
        ("2 ho", "2 Holz"),
        ("2ge", "2 Getreide"),
        ("ge", "“ge” could be Getreide or 1 Getreide + 1 Erz: write more of the word."),
        ("wol", "1 Wolle"),
        ("2 wolle lol", "“lol” isn't a resource (brick, lumber, wool, grain, ore). The rest I read as 2 Wolle."),
        ("1 wole", "I don't know “wole”: did you mean Wolle?"),
    ],
)
def test_letters_that_could_be_two_resources_are_asked_about(text: str, answer: str) -> None:
    with speaking(GERMAN):
        assert said(text) == answer


def test_both_meanings_of_a_letter_are_suggested() -> None:
    with speaking(GERMAN):
        readings = [(" → ".join(map(as_typed, read.sides)), read.is_guess) for read in understood("2l für e")]
        assert readings == [("2 Lehm → 1 Erz", True), ("2 Holz → 1 Erz", True)]
        assert [as_typed(read.sides[0]) for read in understood("le")] == ["1 Lehm"]
        with pytest.raises(RefereeError, match="several"):
            parse_hand("l")
    with speaking(FalseFriend()):
        assert all(len(lexicon().meanings(letter)) == 2 for letter in "blwgo")
        assert len(understood("b")) == 2


def test_beginnings_of_english_words_are_only_suggested() -> None:
    assert said("lu").startswith("“lu” isn't a resource")
    assert said("wo") == "1 wool + 1 ore"


# --- small words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("madera o lana", "An offer can't say “or”: make two offers."),
        ("w o", "1 lana + 1 mineral"),
        ("2 o", "2 mineral"),
        ("2a", "2 arcilla"),
        ("a wool", "1 lana"),
        ("a lana", "1 arcilla + 1 lana"),
        ("la lana por mineral", "1 lana → 1 mineral"),
        ("mineral por la", "1 mineral → 1 lana"),
        ("m", "“m” could be madera or mineral: write more of the word."),
    ],
)
def test_a_small_word_that_is_a_letter_too_is_one_only_before_a_name_of_its_language(text: str, answer: str) -> None:
    with speaking(SPANISH):
        assert said(text) == answer
        assert as_typed(parse_wish("madera o lana")[0]) == "1 madera + 1 lana"


@pytest.mark.parametrize(
    "text", ["2 bois en échange d'argile", "2 bois EN ECHANGE de l’argile", "bo 2 pour ar", "bois bois : l'argile"]
)
def test_phrases_and_shortened_articles_are_small_words(text: str) -> None:
    with speaking(FRENCH):
        assert said(text) == "2 bois → 1 argile"


@pytest.mark.parametrize("text", ["2 bois", "2 bois p", "2 bois en", "2 bois en é", "2 bois d'"])
def test_a_phrase_that_is_being_typed_says_nothing_yet(text: str) -> None:
    with speaking(FRENCH):
        assert [as_typed(read.sides[0]) for read in understood(text)] == ["2 bois"]


# --- marks, widths and blanks


def test_marks_above_and_below_letters_can_be_left_out() -> None:
    with speaking(POLISH):
        assert said("2 ZBOZE, welna") == said("2 zboże, wełna") == "1 wełna + 2 zboże"
        assert times.typed_span("2 dni") == times.typed_span("2 days")
    with speaking(GERMAN):
        assert said("2 hoelzer fuer erz") == said("2 Hölzer fur Erz") == said("2 holz im Tausch gegen erz")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("木2羊1", "2 木材 + 1 羊毛"),
        ("木木羊", "2 木材 + 1 羊毛"),
        ("木材2枚と羊毛1枚で鉱石1枚", "2 木材 + 1 羊毛 → 1 鉱石"),
        ("木材 2枚 羊毛 1枚", "2 木材 + 1 羊毛"),
        ("二枚の木材、羊一", "2 木材 + 1 羊毛"),
        ("２木，ﾚﾝｶﾞ", "1 レンガ + 2 木材"),
        ("ｗｗｏ", "2 羊毛 + 1 鉱石"),
        ("レンガ×2 🧱と木材×1 🪵", "2 レンガ + 1 木材"),
        ("木か羊で鉄", "An offer can't say “or”: make two offers."),
        ("木2金1", "“金” isn't a resource (brick, lumber, wool, grain, ore). The rest I read as 2 木材."),
    ],
)
def test_words_without_blanks_between_them_are_told_apart(text: str, answer: str) -> None:
    with speaking(JAPANESE):
        assert said(text) == answer


# --- times


@pytest.mark.parametrize(
    ("text", "seconds"), [("1,5 hours", 5400), ("two days and 3 h", 183600), ("1d2h", 93600), ("a week", 604800)]
)
def test_a_length_of_time_can_be_typed_in_many_ways(text: str, seconds: int) -> None:
    assert times.typed_span(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30",
        "1h 60",
        "1h, 30",
        "1h five",
        "1.5h 30",
        "2 days 30",
        "and 2 days",
        "hours 2",
        "1 1 h",
        "2 gold",
        "1,",
        "half",
        "half 2 h",
    ],
)
def test_an_unclear_length_of_time_is_refused(text: str) -> None:
    with pytest.raises(RefereeError, match="pace"):
        times.typed_span(text)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("22h30", 1350), ("22h", 1320), ("22:30 h", 1350), ("22時30分", 1350), ("午後10時", 1320), ("２２：３０", 1350)],
)
def test_a_time_of_day_can_be_typed_in_many_ways(text: str, minutes: int) -> None:
    with speaking(JAPANESE):
        assert times.typed_minute(text) == minutes
        assert times.typed_span("1時間30分") == 5400


@pytest.mark.parametrize("text", ["22:", "22 30", "25", "22:60", "22 gold", "13 pm", "22h30 gold", "h22"])
def test_an_unclear_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(RefereeError, match="clock"):
        times.typed_minute(text)
