"""The menu of open offers, and who can counter which."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Reply
from bot.screens.trade import offers_menu
from bot.screens.viewer import Viewer
from engine.actions import AcceptOffer, MakeOffer
from tests.bot.screens.played import table
from tests.engine import builder
from tests.engine.builder import cards, seat


def labels(reply: Reply | None) -> list[str]:
    """The labels of a menu's buttons."""
    assert reply is not None
    return [b.label for row in reply.rows if isinstance(row, Sequence) for b in row if isinstance(b, Button)]


def test_no_offer_loses_its_buttons_however_many_are_open() -> None:
    many = builder.table(*(seat(hand="bblwgo"),) * 4)
    for want in "lwgo":
        many.play(0, MakeOffer(cards("b"), cards(want)))
    for offer in many.game.view().offers:
        for other in (1, 2, 3):
            many.play(other, AcceptOffer(offer.id))
    for other in (1, 2, 3):
        many.play(other, MakeOffer(cards("o"), cards("b")))
    own, asking = [f"{offer.id}" for offer in many.game.view().offers[:4]], many.game.view().offers[4:]
    viewer = Viewer(table(many.game.config), many.game, 0)
    first, second, last = offers_menu(viewer), offers_menu(viewer, page=1), offers_menu(viewer, page=9)
    assert {f"Accept {offer.id}" for offer in asking} < {*labels(first)}, "what asks the reader comes first"
    assert labels(first)[-1] == "Next"
    assert "Previous" in labels(second)
    assert labels(last)[-1] == "Previous"
    shown = [*labels(first), *labels(second), *labels(last)]
    assert all(f"Cancel offer {n}" in shown for n in own)
