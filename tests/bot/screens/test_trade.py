"""The menu of open offers, and who can counter which."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Reply
from bot.screens.trade import offer_buttons, offers_menu
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


def test_each_player_that_an_offer_asks_can_counter_it_the_player_on_turn_too() -> None:
    two = builder.table(*(seat(hand="bl"),) * 3)
    two.play(0, MakeOffer(cards("b"), cards("w")))
    [asked] = two.game.view().offers
    two.play(1, MakeOffer(cards("l"), cards("bb"), (), asked.id))
    offers = two.game.view().offers

    def countered(reader: int | None) -> list[int]:
        """The offers that a reader has a button to counter."""
        viewer = Viewer(table(two.game.config), two.game, reader)
        return [o.id for o in offers if f"Counter {o.id}" in [b.label for b in offer_buttons(viewer, o)]]

    assert [countered(reader) for reader in (None, 0, 1, 2)] == [[1, 2], [2], [1], [1]]
