"""Which font draws which character: nothing is ever drawn as a box."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

import render
from bot.languages import codes, language
from bot.words.language import speaking
from render import fonts
from render.fonts import drop, fitting, length, text
from render.palette import INK

THAI, UNKNOWN = "ก", "߷"
"""A character that only the host's font has, and one that no font has."""
HIGH, LOW = "אב"
"""Letters that only the host's font has; they are written from right to left."""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """A host's own font, in use."""
    from fontTools.fontBuilder import FontBuilder  # takes long
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for name, top in (("letter", 700), ("low", 350)):
        pen = TTGlyphPen(None)
        for at, point in enumerate(((50, 0), (50, top), (550, top), (550, 0))):
            (pen.lineTo if at else pen.moveTo)(point)
        pen.closePath()
        glyphs[name] = pen.glyph()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([*glyphs])
    builder.setupCharacterMap({ord(THAI): "letter", ord(HIGH): "letter", ord(LOW): "low"})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({".notdef": (600, 0), "letter": (600, 50), "low": (600, 50)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Own", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(tmp_path / "own.ttf")
    render.write_names_in(tmp_path / "own.ttf")
    yield tmp_path / "own.ttf"
    render.write_names_in(None)


@pytest.mark.parametrize("code", ["en", *codes()])
def test_all_that_pictures_say_can_be_drawn_in_each_language(code: str, caplog: pytest.LogCaptureFixture) -> None:
    """After a change in `ja.po`, `tools/fonts.py` may have to be run again."""
    from tools import fonts as tool  # takes long

    caplog.set_level(logging.CRITICAL)
    with speaking(language(code)):
        said = {ch for words in tool.drawn() for ch in words}
    assert {ch for ch in said if fonts._placed(ch)[1] != ch and not ch.isspace()} == set()
    assert all(fonts._placed(ch) == (fonts._LATIN, " ") for ch in said if ch.isspace())


def test_the_japanese_font_is_a_small_subset_with_its_license() -> None:
    from tools import fonts as tool

    assert tool.needed() <= tool.held()
    assert (tool.ASSETS / fonts.JAPANESE).stat().st_size < 100_000
    assert "SIL OPEN FONT LICENSE" in (tool.ASSETS / "MPLUSRounded1c-LICENSE.txt").read_text("utf-8")


def test_a_text_in_two_fonts_stands_on_one_baseline() -> None:
    mixed, latin = text("0かな0", 40, INK), text("0", 40, INK)
    assert [which for which, _run in fonts._runs("0かな0")] == [fonts._LATIN, fonts._JAPANESE, fonts._LATIN]
    assert length("0かな0", 40) == 2 * length("0", 40) + length("かな", 40)
    at = (0, -drop("0かな0", 40))
    assert mixed.crop((*at, latin.width, at[1] + latin.height)).tobytes() == latin.tobytes()


def test_what_no_font_has_is_left_out() -> None:
    assert text(f"An{UNKNOWN}n", 40, INK).tobytes() == text("Ann", 40, INK).tobytes()
    assert text(UNKNOWN, 40, INK).getbbox() is None
    assert fitting(f" {UNKNOWN}Ann", 40, 400) == "Ann"
    assert text("1\u202f000", 40, INK).tobytes() == text("1 000", 40, INK).tobytes()


def test_names_in_kana_are_drawn_and_others_are_not() -> None:
    assert render.legible("あきこ")
    assert render.legible("カｱＡ")
    assert render.shape("あきこ") != render.shape("あきら")
    assert not render.legible("龘龘")


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Jose\u0301", "José"),
        ("か\u3099", "が"),
        ("ﾊﾟﾝﾀﾞ", "パンダ"),
        ("\ufb01ona Ⅷ", "fiona VIII"),
        ("A\u00adn\u0335n", "Ann"),
    ],
)
def test_marks_belong_to_their_letters(written: str, drawn: str) -> None:
    """Letters and marks that are characters of their own, what stands for several letters, and what has no place."""
    assert fitting(written, 40, 400) == drawn
    assert text(written, 40, INK).tobytes() == text(drawn, 40, INK).tobytes()
    assert render.shape(written) == render.shape(drawn)
    assert render.legible(written)


def test_marks_alone_are_no_name() -> None:
    assert not render.legible("\u0301\u0301")


def test_kanji_of_a_name_are_drawn_all_or_none() -> None:
    """The shipped font has those for its own words only."""
    assert fitting("木材 Jo", 40, 400) == "木材 Jo"
    assert fitting("木龘 Jo", 40, 400) == "Jo"
    assert render.legible("木材")
    assert not render.legible("木龘A")


def test_a_host_can_have_names_drawn_in_a_font_of_their_own(own: Path) -> None:
    assert render.legible(THAI)
    assert not render.legible(UNKNOWN)
    assert [which for which, _run in fonts._runs(f"A{THAI}か")] == [fonts._LATIN, fonts._OWN, fonts._JAPANESE]
    assert text(THAI, 100, INK).size == (60, 70)
    render.write_names_in(None)
    assert not render.legible(THAI)


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Ann", "Ann"),
        ("אבג", "גבא"),
        ("אב גד", "דג בא"),
        ("אב Ann 12", "Ann 12 בא"),
        ("Ann אב גד Bob", "Ann דג בא Bob"),
        ("אבּג", "גבּא"),
        ("Ann אבּ Bob", "Ann בּא Bob"),
        ("(אב)", "(בא)"),
        ("אב…", "…בא"),
        ("سلام 7", "7 مالس"),
    ],
)
def test_names_from_right_to_left_are_drawn_so(written: str, drawn: str) -> None:
    assert fonts._visual(written) == drawn


def test_a_name_in_a_hosts_font_begins_at_the_right(own: Path) -> None:
    """Its first letter is the high one."""
    ink = text(HIGH + LOW, 100, INK).getchannel("A")
    assert [ink.getpixel((ink.width * quarter // 4, 5)) for quarter in (1, 3)] == [0, 255]


def test_a_font_is_told_from_other_files(own: Path) -> None:
    assert render.is_font(own)
    own.write_text("Ann")
    assert not any(map(render.is_font, (own, own.with_name("none.ttf"), own.parent)))
