"""What people type the way they speak, in the languages there are: small words between cards, and times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.languages import language
from bot.words.language import speaking
from bot.words.refusals import refusal_sentence
from bot.words.times import typed_span
from bot.words.tokens import only_joins
from bot.words.typed import as_typed, parse_hand, parse_trade, parse_wish, understood
from engine.errors import RefereeError
from engine.resources import Hand


def said(code: str, text: str, parse: Callable[[str], Hand | tuple[Hand, Hand]] = parse_trade) -> str:
    """What a text means in a language, in English: "2 wool > 1 ore", or the key of the refusal."""
    try:
        with speaking(language(code)):
            read = parse(text)
    except RefereeError as error:
        return error.key
    return as_typed(read) if isinstance(read[0], int) else " > ".join(as_typed(side) for side in read if any(side))


# --- "or"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "1 brick for 1 wool or 1 lumber"),
        ("de", "1 Lehm für eine Wolle oder ein Holz"),
        ("es", "1 arcilla por 1 lana o 1 madera"),
        ("es", "lana por madera o dos minerales"),
        ("es", "una lana o una madera por mineral"),
        ("es", "arcilla por lana o la madera"),
        ("es", "arcilla por lana o una carta de la madera"),
        ("es", "1 arcilla por lana o 🪵"),
        ("es", "lana (o **madera**) por arcilla"),
        ("es", "lana o 2× madera por arcilla"),
        ("es", "lana x2 o madera por arcilla"),
        ("es", "2 o 3 lanas por arcilla"),
        ("es", "una o dos lanas por arcilla"),
        ("es", "2 o más lanas por arcilla"),
        ("es", "wool o brick por madera"),
        ("es", "la o ma por ce"),
        ("es", "w o 2 b por madera"),
        ("fr", "1 blé ou 1 bois pour la laine"),
        ("it", "2 legni o 1 lana per 1 minerale"),
        ("it", "un'argilla o un legno per lana"),
        ("it", "lana per legno o dell'argilla"),
        ("it", "legno o l'argilla per lana"),
        ("it", "2 o più lane per legno"),
        ("ja", "レンガで羊毛か木材"),
        ("pl", "1 drewno lub 1 wełna za 1 rudę"),
        ("pt-BR", "1 trigo ou 1 madeira por 1 tijolo"),
    ],
)
def test_or_is_refused_in_an_offer_whatever_stands_before_the_cards(code: str, text: str) -> None:
    assert said(code, text) == "unreadable/or"


@pytest.mark.parametrize(
    ("code", "text", "wish"),
    [
        ("es", "una lana o una madera", "1 lumber + 1 wool"),
        ("es", "madera o la lana", "1 lumber + 1 wool"),
        ("it", "una lana o un legno", "1 lumber + 1 wool"),
        ("it", "legno o della lana per un minerale", "1 lumber + 1 wool > 1 ore"),
    ],
)
def test_or_is_understood_in_a_wish_whatever_stands_before_the_cards(code: str, text: str, wish: str) -> None:
    assert said(code, text, parse_wish) == wish


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("w o", "1 wool + 1 ore"),
        ("2 o", "2 ore"),
        ("2 o lana", "1 wool + 2 ore"),
        ("2o 3 lana", "3 wool + 2 ore"),
        ("lana o", "1 wool + 1 ore"),
        ("lana o 2", "1 wool + 2 ore"),
        ("lana o2", "1 wool + 2 ore"),
        ("o2 lana", "1 wool + 2 ore"),
        ("o 2, lana", "1 wool + 2 ore"),
        ("w2 o1", "2 wool + 1 ore"),
        ("o 2w", "2 wool + 1 ore"),
        ("o lana", "1 wool + 1 ore"),
        ("o 🐑", "1 wool + 1 ore"),
    ],
)
@pytest.mark.parametrize("code", ["es", "it"])
def test_the_letter_of_or_is_ore_where_no_cards_follow_or_come_before(code: str, text: str, cards: str) -> None:
    assert said(code, text, parse_hand) == cards


@pytest.mark.parametrize(
    ("code", "text", "trade"),
    [
        ("es", "o 2w por b", "2 wool + 1 ore > 1 brick"),
        ("es", "b por o 2w", "1 brick > 2 wool + 1 ore"),
        ("es", "o 2 lana por b", "unreadable/number-between"),
        ("es", "b por lana, o 2 madera", "unreadable/or"),
        ("es", "b o 2w por arcilla", "unreadable/or"),
        ("it", "b : o una lana", "1 brick > 1 wool + 1 ore"),
    ],
)
def test_the_letter_of_or_is_ore_at_the_beginning_of_a_side(code: str, text: str, trade: str) -> None:
    assert said(code, text) == trade


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("o 2w", "2 wool + 1 ore"),
        ("o 2w 1b", "1 brick + 2 wool + 1 ore"),
        ("b o 2w", "unreadable/or, cards"),
        ("1b o 2w", "unreadable/or, cards"),
        ("b2 o 2w", "unreadable/or, cards"),
        ("b o lana", "unreadable/or, cards"),
        ("b, o 2 w", "unreadable/or, cards"),
        ("2 lana o una w", "unreadable/or, cards"),
        ("b o w", "1 brick + 1 wool + 1 ore"),
        ("lana, o 2 madera", "2 lumber + 1 wool"),
        ("🐑 o 2 🧱", "2 brick + 1 wool"),
    ],
)
def test_a_wish_drops_no_ore_that_could_be_or(text: str, wish: str) -> None:
    assert said("es", text, parse_wish) == wish


def test_the_letter_of_or_is_named_as_what_else_it_could_be() -> None:
    with speaking(language("es")), pytest.raises(RefereeError) as caught:
        parse_wish("b o 2w")
    assert {name: str(value) for name, value in caught.value.params.items()} == {"text": "“o”", "choices": "mineral"}


# --- articles


@pytest.mark.parametrize(
    ("code", "text", "trade"),
    [
        ("es", "2 de la madera por 1 de la lana", "2 lumber > 1 wool"),
        ("es", "2 cartas de la lana por 1 mineral", "2 wool > 1 ore"),
        ("es", "lana por 2 de la arcilla", "1 wool > 2 brick"),
        ("es", "mineral por la carta de madera", "1 ore > 1 lumber"),
        ("es", "mineral por la 🪵", "1 ore > 1 lumber"),
        ("es", "mineral por la", "1 ore > 1 wool"),
        ("es", "2 la 3 minerales por madera", "2 wool + 3 ore > 1 lumber"),
        ("es", "2 la, arcilla por madera", "1 brick + 2 wool > 1 lumber"),
        ("es", "2 la arcilla por madera", "unreadable/number-between"),
        ("es", "dos la lana por madera", "unreadable/number-between"),
        ("es", "mineral por la 🐑 x2", "1 ore > 2 wool"),
        ("fr", "2 de la laine contre 1 minerai", "2 wool > 1 ore"),
        ("fr", "une de la laine pour un bois", "1 wool > 1 lumber"),
        ("fr", "1 minerai contre la 🐑", "1 ore > 1 wool"),
        ("it", "1 minerale per le 2 lane", "unreadable/number-between"),
        ("fr", "1 bois pour la 2 minerais", "unreadable/number-between"),
        ("it", "1 minerale per le carte di lana", "1 ore > 1 wool"),
        ("it", "2 le per la lana", "2 lumber > 1 wool"),
        ("pt-BR", "madeira por o trigo", "1 lumber > 1 grain"),
        ("pt-BR", "madeira por 2 o trigo", "unreadable/several"),
        ("pt-BR", "madeira por o 2 trigo", "unreadable/several"),
        ("pt-BR", "trigo o de madeira por ovelha", "unreadable/several"),
    ],
)
def test_an_article_that_begins_like_cards_is_no_cards(code: str, text: str, trade: str) -> None:
    assert said(code, text) == trade


# --- particles


@pytest.mark.parametrize(
    ("text", "trade", "wish"),
    [
        ("鉱石で羊毛", "1 ore > 1 wool", "1 wool > 1 ore"),
        ("鉱石1で羊毛2をください", "1 ore > 2 wool", "2 wool > 1 ore"),
        ("鉱石1で羊毛2が欲しい", "1 ore > 2 wool", "2 wool > 1 ore"),
        ("羊毛2を鉱石1で", "1 ore > 2 wool", "2 wool > 1 ore"),
        ("羊毛2を鉱石1でお願いします", "1 ore > 2 wool", "2 wool > 1 ore"),
        ("2枚の羊毛を1枚の鉱石で", "1 ore > 2 wool", "2 wool > 1 ore"),
        ("羊毛を２枚で鉱石を一枚ください", "2 wool > 1 ore", "1 ore > 2 wool"),
        ("羊毛を2枚、木材を1枚で鉱石を1枚", "1 lumber + 2 wool > 1 ore", "1 ore > 1 lumber + 2 wool"),
        ("羊毛2を鉱石1と交換", "2 wool > 1 ore", "unreadable/one-side"),
        ("羊毛対鉱石", "1 wool > 1 ore", "1 wool > 1 ore"),
        ("羊毛→鉱石をください", "1 wool > 1 ore", "1 wool > 1 ore"),
        ("羊毛を2枚ください", "unreadable/no-want", "2 wool"),
        ("鉱石1で", "unreadable/no-want", "wish/no-want"),
        ("鉱石で羊毛で", "unreadable/directions", "unreadable/directions"),
        ("羊毛を鉱石で木材", "unreadable/directions", "unreadable/directions"),
        ("羊毛を2鉱石で", "2 ore > 1 wool", "1 wool > 2 ore"),
        ("羊毛を2🪨で", "2 ore > 1 wool", "1 wool > 2 ore"),
        ("羊毛を2枚の鉱石で", "unreadable/number-between", "unreadable/number-between"),
    ],
)
def test_a_particle_says_what_is_given(text: str, trade: str, wish: str) -> None:
    assert (said("ja", text), said("ja", text, parse_wish)) == (trade, wish)


@pytest.mark.parametrize("text", ["羊毛を2枚", "羊毛を2枚ください", "羊毛2をください", "羊毛を 二枚", "羊毛、羊毛を"])
def test_a_particle_behind_an_object_can_mean_nothing(text: str) -> None:
    assert said("ja", text, parse_hand) == "2 wool"
    assert said("ja", "羊毛を、木材をください", parse_hand) == "1 lumber + 1 wool"


def test_what_is_suggested_for_a_wish_is_what_its_text_means() -> None:
    with speaking(language("ja")):
        for text in ("鉱石で羊毛", "羊毛を鉱石で"):
            assert [read.sides for read in understood(text, either=True)] == [parse_wish(text)]


def test_what_is_understood_next_to_an_unknown_word_has_its_direction() -> None:
    with speaking(language("ja")), pytest.raises(RefereeError) as caught:
        parse_trade("羊毛2を鉱石1で頼む")
    assert "鉱石×1 → 羊毛×2" in refusal_sentence(caught.value)


# --- lengths of time


@pytest.mark.parametrize(
    ("code", "text", "minutes"),
    [
        # with an article
        ("de", "eine Stunde", 60),
        ("es", "una hora", 60),
        ("fr", "une heure", 60),
        ("it", "un'ora", 60),
        ("it", "un’ora e 30 minuti", 90),
        ("it", "1 giorno e un' ora", 1500),
        ("pl", "jedna godzina", 60),
        ("pt-BR", "uma hora", 60),
        # a number behind hours is minutes
        ("en", "1h30", 90),
        ("en", "2 days 1 hr 05", 2945),
        ("de", "1 Std. 30", 90),
        ("es", "1 h 30", 90),
        ("fr", "1h30", 90),
        ("fr", "1 heure 30", 90),
        ("fr", "une heure 30", 90),
        ("it", "2 ore 15", 135),
        ("ja", "１時間３０", 90),
        ("pl", "1 godz. 30", 90),
        ("pt-BR", "1h30", 90),
        # halves
        ("en", "half an hour", 30),
        ("en", "a half-hour", 30),
        ("en", "2 hours and a half", 150),
        ("de", "eine halbe Stunde", 30),
        ("es", "media hora", 30),
        ("es", "1 hora y media", 90),
        ("fr", "une demi-heure", 30),
        ("fr", "1h et demie", 90),
        ("it", "mezz'ora", 30),
        ("it", "un'ora e mezza", 90),
        ("ja", "1時間半", 90),
        ("ja", "半日", 720),
        ("pl", "pół godziny", 30),
        ("pt-BR", "meia hora", 30),
        ("pt-BR", "um dia e meio", 2160),
    ],
)
def test_a_length_of_time_can_be_typed_in_every_language(code: str, text: str, minutes: int) -> None:
    with speaking(language(code)):
        assert typed_span(text) == minutes * 60


# --- people


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", " , and & "),
        ("de", " und "),
        ("es", ", y "),
        ("fr", "\u00a0et\u202f"),
        ("it", " e "),
        ("ja", "、\u3000と，"),
        ("pl", " i "),
        ("pt-BR", " e; "),
    ],
)
def test_what_stands_between_people_is_known(code: str, text: str) -> None:
    with speaking(language(code)):
        assert only_joins(text)
        assert not only_joins(f"{text} x")
        assert not only_joins("or")
