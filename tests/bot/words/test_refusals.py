"""Refusals in words: every sentence can be made from suitable parameters, with names instead of colors."""

from __future__ import annotations

import ast
from string import Formatter

import pytest

from bot.plaintext import Span, TypedText
from bot.words.language import speaking
from bot.words.refusals import REASONS as SENTENCES
from bot.words.refusals import known_code, refusal_sentence
from engine import errors, game, rules  # noqa: F401 (all files of the engine that declare refusals)
from engine.errors import ConfigError, IllegalAction, RefereeError
from engine.refusals import CardList, Hex, Player, Players, Resource, Word, Words
from engine.resources import ORE, WOOL, hand_of
from tests.bot.screens.tables import NAMES, view
from tests.bot.words.marked import messages
from tests.bot.words.pseudo import Pseudo, untranslated
from tests.engine.variants import example_rule  # noqa: F401 (declares a refusal too)
from tests.house import ROOT

RED, BLUE, WHITE = (Player(seat, color) for seat, color in enumerate(("red", "blue", "white")))
CARDS = CardList(hand_of(wool=2, ore=1))
HEX = Hex(view().board.grid.hex_names.index("3.2"), "3.2")

KEYS = {*SENTENCES, *errors.SENTENCES}
TYPED: dict[str, object] = {
    "player": BLUE,
    "owner": BLUE,
    "players": Players([BLUE, WHITE], choice=True),
    "resource": Resource(ORE),
    "rates": "4:1.",
    **dict.fromkeys(("cost", "held", "missing", "hand", "bank", "give", "want", "cards"), CARDS),
}
"""The parameters that have a type, by name; all others are numbers."""


def test_sentences_about_a_number_are_collected_as_such() -> None:
    pairs = {pair for pair in (*SENTENCES.values(), *errors.SENTENCES.values()) if not isinstance(pair, str)}
    assert {(one, many) for one, many in pairs if one != many} <= {*messages()}


def parameters(key: str) -> set[str]:
    """The names of the parameters in a key's sentences."""
    entry = SENTENCES.get(key) or errors.SENTENCES[key]
    sentences = (entry,) if isinstance(entry, str) else entry
    return {name for text in sentences for _, name, _, _ in Formatter().parse(text) if name}


def refused(key: str, n: int = 2) -> RefereeError:
    """A refusal with all the parameters that its sentences have."""
    return RefereeError(key, **{name: n if name == "n" else TYPED.get(name, 7) for name in parameters(key)})


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_refusal_sentence_can_be_made_from_its_parameters(key: str) -> None:
    for n in (1, 2):
        text = refusal_sentence(refused(key, n), view(), NAMES)
        assert text.endswith((".", "!", "?"))
        assert "{" not in text
        assert not {"red", "blue", "white"} & set(text.replace("'s", "").split())
        with speaking(Pseudo()):
            assert untranslated(refusal_sentence(refused(key, n), view(), NAMES), NAMES) == []


def test_every_refusal_raised_by_harbormaster_has_a_sentence_and_its_parameters() -> None:
    wrong = []
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    ast.Name("RefereeError" | "IllegalAction" | "ConfigError"), [ast.Constant(str(key))], given
                ):
                    names = {keyword.arg for keyword in given}
                    if key not in KEYS or not (None in names or parameters(key) <= names):
                        wrong.append(f"{path.name}:{node.lineno} {key}")
    assert wrong == []


def test_the_engine_and_harbormaster_share_no_refusal_key() -> None:
    assert not SENTENCES.keys() & errors.SENTENCES.keys()


def test_without_names_or_a_view_the_sentence_is_the_engines_own() -> None:
    for key in errors.SENTENCES:
        assert refusal_sentence(refused(key)) == str(refused(key))


def test_players_are_called_by_name_if_names_are_known() -> None:
    error = IllegalAction("trade-gone", player=BLUE, cards=CARDS)
    assert refusal_sentence(error) == "The deal is off: blue can no longer give 2 wool and 1 ore."
    assert refusal_sentence(error, names=NAMES) == "The deal is off: Bob can no longer give 2 wool and 1 ore."


def test_several_players_are_listed() -> None:
    choice = IllegalAction("no-victim", players=Players([RED, BLUE, WHITE], choice=True))
    assert refusal_sentence(choice, names=NAMES) == "You can steal from Ann, Bob or Cy."
    waiting = IllegalAction("wrong-turn", players=Players([BLUE, WHITE]))
    assert refusal_sentence(waiting, names=NAMES) == "It isn't your turn: the game is waiting for Bob and Cy."


def test_a_hex_is_named_with_its_terrain_if_the_board_is_known() -> None:
    error = IllegalAction("same-hex", place=HEX)
    assert refusal_sentence(error) == "The robber is already on 3.2: choose another hex."
    assert refusal_sentence(error, view()) == "The robber is already on 3.2 (forest 11): choose another hex."


def test_a_resource_is_named_without_a_sign() -> None:
    error = IllegalAction("wrong-rate", resource=Resource(WOOL), rate=3)
    assert refusal_sentence(error) == "The bank takes wool from you 3 for 1."


def test_singular_and_plural_have_different_sentences() -> None:
    assert refusal_sentence(IllegalAction("wrong-count/plenty", n=1)) == "Take exactly 1 card from the bank."
    assert refusal_sentence(IllegalAction("wrong-count/plenty", n=2)) == "Take exactly 2 cards from the bank."


@pytest.mark.parametrize(
    ("key", "seconds", "text"),
    [
        ("too-soon", 3600, "Too early: you can do this in 1 hour."),
        ("too-soon/pace", 13 * 86_400, "Too early: they have 13 days left. Then you can do this."),
    ],
)
def test_the_remaining_time_is_readable(key: str, seconds: int, text: str) -> None:
    assert refusal_sentence(RefereeError(key, time=Span(seconds))) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            RefereeError("color", typed=TypedText("pink"), possible=Words(["red", "blue"])),
            "“pink” isn't a color here. Choose from red, blue.",
        ),
        (
            RefereeError("color-taken", color=Word("red"), name="Cem", free=Words(["blue", "white"])),
            "Cem already has red. Free: blue, white.",
        ),
        (
            RefereeError("full", players=4),
            "Table full (4). The host can choose a scenario for more players.",
        ),
        (ConfigError("players/few", least=2), "You need at least 2 players to start."),
        (RefereeError("not-lobby/cancelled"), "This table was canceled. Open a new one with `/game new`."),
    ],
)
def test_refusals_in_a_lobby_are_readable(error: RefereeError, text: str) -> None:
    assert refusal_sentence(error) == text


def test_a_key_without_a_sentence_is_still_readable() -> None:
    assert refusal_sentence(ConfigError("strange", text="{x}")) == "strange text={x}"


def test_an_unknown_refusal_code_counts_as_other() -> None:
    assert known_code(RefereeError("no-table", number=7)) == "no-table"
    assert known_code(IllegalAction("same-hex", place=HEX)) == "same-hex"
    assert known_code(IllegalAction("typed-by-somebody")) == "other"
