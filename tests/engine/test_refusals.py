"""Refusals are data: a stable code, typed parameters, and an English sentence made of them."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import engine
from engine import errors
from engine.errors import IllegalAction, RefereeError
from engine.refusals import CardList, Hex, Player, Players, refusal

CODES = """
    already-open alternate-rule answer_time answered asked bank-empty bank-short blocked board colors edition
    empty-side format layout must-move must-take no-cards no-land no-pieces no-resource no-settlement no-such-card
    no-such-offer no-such-phase no-undo no-victim nobody-to-ask not-accepted not-asked not-at-settlement
    not-connected not-discarded not-due not-here not-in-hand not-now not-playing not-voted not-yours nothing-owed
    nowhere occupied one-card option over own-turn players request_time round_limit same-hex same-resource scenario
    target too-close too-early too-many too-many-offers too-new trade-gone unaffordable unknown-place unsound
    variant voted wrong-count wrong-phase wrong-piece wrong-rate wrong-turn
"""


def test_the_codes_of_refusals_stay() -> None:
    """What calls the engine can rely on them."""
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        importlib.import_module(module.name)
    assert {key.partition("/")[0] for key in errors.SENTENCES} == {*CODES.split()}


def test_a_sentence_is_made_of_its_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.refusals.SENTENCES", errors.SENTENCES.copy())
    robbed = refusal("robbed/by somebody", "{player} took {cards} at {place}: {n} card.", "{player} took {n} cards.")
    error = robbed(player=Player(1, "blue"), cards=CardList((0, 0, 2, 0, 1)), place=Hex(3, "1.2"), n=1)
    assert isinstance(error, IllegalAction)
    assert (error.key, error.code) == ("robbed/by somebody", "robbed")
    with pytest.raises(TypeError, match="cards"):
        robbed(player=Player(1, "blue"), place="C4", n=2)
    with pytest.raises(ValueError, match="robbed"):
        refusal("robbed/by somebody", "Again.")


def test_names_of_several_players_are_joined() -> None:
    three = [Player(n, color) for n, color in enumerate(("red", "blue", "white"))]
    assert str(Players(three)) == "red, blue and white"
    assert str(Players(three[:2], choice=True)) == "red or blue"
    assert str(Players(three[:1])) == "red"


def test_an_error_without_a_sentence_is_still_readable() -> None:
    assert str(RefereeError("no-table", number=7)) == "no-table number=7"


def test_every_sentence_of_the_engine_is_one_sentence() -> None:
    for key, sentences in errors.SENTENCES.items():
        for sentence in sentences:
            assert sentence[0].isupper() or sentence[0] == "{", key
            assert sentence.endswith("."), key
