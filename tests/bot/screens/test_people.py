"""Whom a name, a color, an id or a mention means, and how namesakes are told apart."""

from __future__ import annotations

import pytest

from bot import languages
from bot.plaintext import length
from bot.screens import suggested
from bot.screens.viewer import LONGEST_SHORT_NAME, Viewer
from bot.words.language import speaking
from bot.words.refusals import refusal_sentence
from engine.errors import RefereeError
from tests.bot.screens.played import FIRST, viewer
from tests.bot.words.pseudo import Made


def meant(found: Viewer, text: str) -> int | None:
    """The seat that a text means, where `nobody` is a choice, too."""
    return suggested.seat_or_no_one(found, text)


def refused(found: Viewer, text: str) -> RefereeError:
    """The error that refuses a text."""
    with pytest.raises(RefereeError) as caught:
        meant(found, text)
    return caught.value


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Ann", "Bob", "Cem"), ("Ann", "Bob", "Cem")),
        (("Ann", "Bob", "BOB"), ("Ann", "Bob (blue)", "BOB (white)")),
        (("red", "Blue", "nobody"), ("red (red)", "Blue (blue)", "nobody (white)")),
        (("teal", "LEAVE", "everyone"), ("teal (red)", "LEAVE (blue)", "everyone (white)")),
        (("Bob (red)", "Bob", "B*ob"), ("Bob red", "Bob (blue)", "Bob (white)")),
        (("Bob", "Ｂｏｂ", "Вob", "Ann"), ("Bob (red)", "Ｂｏｂ (blue)", "Вob (white)", "Ann")),
        (("Ann日本", "Ann中国", "日本", "中国"), ("Ann日本 (red)", "Ann中国 (blue)", "日本", "中国")),
        (("Bartholomew the Great", "Bartholomew the Greek"), ("Bartholomew t… (red)", "Bartholomew… (blue)")),
    ],
)
def test_ambiguous_names_are_shown_with_the_color(names: tuple[str, ...], shown: tuple[str, ...]) -> None:
    shown_names = viewer(*names).names
    assert shown_names == shown
    assert len({name.casefold() for name in shown_names}) == len(shown_names)
    assert all(length(name) <= LONGEST_SHORT_NAME for name in shown_names)


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        *(("Ann", 0), ("  ann ", 0), ("@Ann", 0), ("**Ann**", 0), ("red", 0), ("RED", 0), ("Ann (red)", 0)),
        *(
            (f"{FIRST}", 0),
            (f"<@{FIRST}>", 0),
            (f"<@!{FIRST + 1}>", 1),
            ("[Bob](http://x.y)", 1),
            ("Bob](http://x.y)", 1),
        ),
        *(("Bobhttp//x.y", 1), ("Bobhttp//x.y (blue)", 1), ("blue", 1), ("nobody", None), ("<nobody>", None)),
        (" NOBODY", None),
    ],
)
def test_one_person_can_be_named_in_many_ways(text: str, seat: int | None) -> None:
    assert meant(viewer("Ann", "[Bob](http://x.y)", "Cem"), text) == seat


@pytest.mark.parametrize("text", ["bob", "Bob", "@BOB", "b*ob"])
def test_a_name_that_several_players_share_is_refused_with_the_choices(text: str) -> None:
    refusal = refused(viewer("Bob", "Ann", "**bob**"), text)
    assert refusal.code == "several-players"
    assert "could be Bob (red) or bob (white): choose from the list." in refusal_sentence(refusal)


def test_marks_of_a_name_matter_only_between_namesakes() -> None:
    reader = viewer("Zoë", "Łukasz", "Zoe")
    assert (meant(reader, "zoë"), meant(reader, "ZOE"), meant(reader, "lukasz")) == (0, 2, 1)
    assert refused(reader, "Zoé").code == "several-players"


def test_nobody_can_be_named_in_the_language_of_the_person() -> None:
    reader = viewer("Ann", "Keiner", "Cem")
    with speaking(Made(nobody_no_one="niemand keiner", no_one="gar_niemand")):
        assert {meant(reader, text) for text in ("Niemand", "nobody", "no one", "gar_niemand", "<nobody>")} == {None}
        assert refused(reader, "keiner").code == "several-players"


def test_every_choice_that_is_listed_can_be_typed() -> None:
    reader = viewer("Bob", "Ann", "**bob**", "blue")
    assert meant(reader, "Bob (red)") == 0
    assert meant(reader, "bob (white)") == 2
    assert meant(reader, "blue (orange)") == 3
    assert refusal_sentence(refused(reader, "blue")) == (
        "“blue” could be Ann (blue) or blue (orange): choose from the list."
    )


def test_the_color_beside_a_name_can_be_typed_in_english_and_in_ones_own_language() -> None:
    reader = viewer("Bob", "Bob")
    with speaking(languages.resolve("de")):
        assert [meant(reader, f"Bob ({color})") for color in ("red", "rot", "blue", "blau")] == [0, 0, 1, 1]


def test_a_player_called_nobody_differs_from_the_choice_nobody() -> None:
    reader = viewer("nobody", "Ann", "Cem")
    assert refusal_sentence(refused(reader, "Nobody")) == (
        "“Nobody” could be nobody (red) or no one at all: choose from the list."
    )
    assert meant(reader, "<nobody>") is None
    assert meant(reader, f"<@{FIRST}>") == meant(reader, "nobody (red)") == suggested.seat_named(reader, "nobody") == 0


def test_a_mention_means_one_player_where_the_bare_id_is_ambiguous() -> None:
    reader = viewer(f"{FIRST + 1}", "Ann", "Cem")
    assert meant(reader, f"<@{FIRST + 1}>") == 1
    assert refused(reader, f"{FIRST + 1}").code == "several-players"


@pytest.mark.parametrize("text", ["", " ", "Zoe", "<@1>", "<@>", "<leave>", "***", "@", "\u202e", "٣", "x" * 6000])
def test_an_unknown_name_is_refused_with_a_list_of_the_players(text: str) -> None:
    refusal = refused(viewer("Ann", "||", "Cem"), text)
    assert refusal.code == "no-player"
    assert refusal_sentence(refusal).startswith("No one in this game is called “")
    assert refusal_sentence(refusal).endswith("”. The players are Ann (red), player (blue) and Cem (white).")
    assert len(refusal_sentence(refusal)) < 200


def test_suggestions_show_a_name_and_send_a_mention() -> None:
    reader = viewer("Bob", "Bob", "nobody")
    assert suggested.player_choices(reader, (1, 2)) == [
        ("Bob (blue)", f"<@{FIRST + 1}>"),
        ("nobody (white)", f"<@{FIRST + 2}>"),
    ]
