"""If a seat has options, a sample of them exists."""

from __future__ import annotations

import random

from engine.actions import MakeOffer
from tests.engine.builder import seat, table


def test_a_seat_whose_only_option_is_an_offer_has_a_sample() -> None:
    t = table(seat(hand="b"), seat(hand="o"))
    options = t.game.options(1)
    assert set(options) == {MakeOffer}
    assert isinstance(options.sample(random.Random(1)), MakeOffer)
