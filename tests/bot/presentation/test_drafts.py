"""Cards put together by lists: what stands in an id, and what is offered, traded and discarded."""

from __future__ import annotations

import pytest

from bot.presentation import drafts
from bot.presentation.drafts import Draft
from engine.actions import MakeOffer
from engine.errors import RefereeError
from engine.resources import NOTHING, hand
from tests.bot.presentation.test_people import viewer


@pytest.mark.parametrize("cards", [NOTHING, hand((1, 0, 2, 19, 0)), hand((35, 12, 0, 0, 9))])
def test_a_hand_in_an_id_is_read_as_it_was(cards: tuple[int, ...]) -> None:
    assert drafts.decoded(drafts.coded(hand(cards))) == hand(cards)


def test_a_draft_stands_in_ids() -> None:
    draft = Draft(hand((2, 0, 0, 0, 0)), hand((0, 0, 1, 0, 1)), 0b1010, 7)
    assert Draft.read(draft.args) == draft
    assert draft.action == MakeOffer(hand((2, 0, 0, 0, 0)), hand((0, 0, 1, 0, 1)), (1, 3), 7)
    assert Draft.read(Draft().args) == Draft()


def test_a_choice_changes_its_side_alone() -> None:
    draft = Draft().changed("give", ["0.2"]).changed("want", ["4.1"]).changed("to", ["2", "0"])
    assert draft == Draft(hand((2, 0, 0, 0, 0)), hand((0, 0, 0, 0, 1)), 0b101)
    assert draft.changed("give", ["1.1"]).give == hand((0, 1, 0, 0, 0))
    assert draft.changed("to", []).to == 0


def test_nothing_is_put_together_out_of_an_empty_hand() -> None:
    """The list may still be there when the cards are gone, and an empty list can't be shown."""
    with pytest.raises(RefereeError):
        drafts.draft(viewer("Ann", "Bob", "Cem"), Draft())
