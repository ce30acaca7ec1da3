"""Refusals are data: a stable code, typed parameters, and an English sentence made of them."""

from __future__ import annotations

import pytest

from engine import errors
from engine.errors import IllegalAction, RefereeError
from engine.refusals import CardList, Hex, Player, Players, refusal


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
