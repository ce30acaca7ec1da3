"""Makes the Japanese font of the pictures, in `render/assets`: `python tools/fonts.py FONT`. FONT: a file with all of
M PLUS Rounded 1c ExtraBold, such as m-plus-rounded-1c-japanese-800-normal.woff of the npm package
@fontsource/m-plus-rounded-1c.

It keeps kana, for names, and what the Japanese words in pictures need. Run it again when a test says that these have a
new character.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from bot.languages import language
from bot.screens.history import caption
from bot.words import pictures
from bot.words.language import speaking
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.outcome import Outcome
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.terms import EndReason
from engine.views import View
from render.fonts import JAPANESE

ASSETS = Path(__file__).parent.parent / "render" / "assets"
KANA = (*map(chr, range(0x3041, 0x3097)), *map(chr, range(0x30A1, 0x30FB)))
PUNCTUATION = "ー・、。〜「」『』（）！？："
FORMS = range(25)
"""Numbers for which each language has used all forms that it has for numbers."""


def drawn() -> Iterator[str]:
    """All that pictures say, in the present language. Players are called by their colors."""
    for scenario in SCENARIOS.values():
        players = max(scenario.players)
        yield from _drawn(scenario.colors_for(players)[:players], scenario.id, scenario.bridges)


def _drawn(colors: tuple[str, ...], scenario: str, bridges: bool) -> Iterator[str]:
    game = Game.new(Config(colors, scenario=scenario), SeededChance(bytes(SEED_BYTES), "", ()))
    setup, nameless = game.view(0), [""] * len(colors)
    names = pictures.drawn_names(setup, nameless)
    yield from names
    yield from (text for words in pictures.cost_words(data_of(setup.config), bridges) for text in words)
    for n in FORMS:
        for view in views(setup, n):
            *words, ways = pictures.figure_words(view, nameless)
            yield from (*words, *ways.values(), caption(view, names))
            for own in (True, False):
                yield from pictures.then_and_now_titles(setup, view, own)
                yield from pictures.then_and_now_titles(view, view, own)
        yield from (text for words in pictures.hand_words(with_cards(setup, n)) for text in words)


def views(setup: View, n: int) -> Iterator[View]:
    """A game before, in and after a turn, with so many rolls and points."""
    turn = replace(setup, turn=n + 1, on_turn=0, round=n + 1, rolls=(0, 0, n, *[0] * 10))
    yield from (setup, turn, replace(turn, dice=(3, 5)))
    for winners in ((), (0,), (0, 1)):
        yield replace(turn, outcome=Outcome(EndReason.TARGET, winners, (n,) * len(setup.players)))


def with_cards(view: View, n: int) -> View:
    """The view of a viewer with new development cards: `n` of each kind, and an older one of the first."""
    cards = replace(view.players[0], development_cards=(n + 1, n, n, n, n), fresh_cards=(n, n, n, n, n))
    return replace(view, players=(cards, *view.players[1:]))


def needed() -> set[str]:
    """The characters that the Japanese font must have."""
    latin = TTFont(ASSETS / "Nunito-900.ttf").getBestCmap()
    with speaking(language("ja")):
        words = {ch for text in drawn() for ch in text if not ch.isspace() and ord(ch) not in latin}
    return words | {*KANA, *PUNCTUATION}


def held() -> set[str]:
    """The characters that it has."""
    return set(map(chr, TTFont(ASSETS / JAPANESE).getBestCmap()))


def make(source: Path) -> None:
    """Write the font; raises `SystemExit` if the source lacks a character."""
    whole = TTFont(source, recalcTimestamp=False)
    if lacking := needed() - set(map(chr, whole.getBestCmap())):
        raise SystemExit(f"{source} lacks {' '.join(sorted(lacking))}")
    options = Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 1, 2, 13, 14])
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "gasp", "vhea", "vmtx"]  # what a line of text doesn't use
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(needed()))
    subsetter.subset(whole)
    whole.flavor = "woff"
    whole.save(ASSETS / JAPANESE)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: {Path(sys.argv[0]).name} FONT")
    make(Path(sys.argv[1]))
