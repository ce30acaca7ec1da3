"""E2, E3: counter-offers, the same offer twice, and how long an offer that answers another one lasts."""

from __future__ import annotations

import pytest

from engine.actions import AcceptOffer, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.events import Traded
from tests.engine.builder import Table, cards, seat, table
from tests.engine.tables import offer, trading


def test_E2_a_counter_offer_goes_to_the_current_player_and_accepting_it_makes_the_trade() -> None:
    """An answer with other terms is an offer to the player on turn. When they accept it, the trade is made."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("o", "bb", answers=1))
    assert t.code(2, offer("o", "b", answers=7)) == "no-such-offer"
    assert t.play(0, AcceptOffer(2)) == (Traded(0, 1, cards("bb"), cards("o")),)
    assert (t.hand(0), t.hand(1)) == ("wwo", "bbl")
    assert [o.id for o in t.game.view().offers] == [1]


def test_E2_the_current_player_can_decline_or_counter_a_proposal() -> None:
    """The player on turn can decline an unasked proposal, which ends it, or counter it, to its maker alone."""
    t = trading()
    t.play(1, offer("o", "bb"))
    t.play(0, offer("b", "o", answers=1))
    assert t.game.view().offers[1].to == 1 << 1
    t.play(0, DeclineOffer(1))
    assert [o.id for o in t.game.view().offers] == [2]
    t.play(1, AcceptOffer(2))
    t.play(0, CloseOffer(2, 1))
    assert t.hand(1) == "bl"


def test_E2_the_same_offer_can_be_open_only_once() -> None:
    """No player can have the same offer open twice, to the same people or to some of them. A different offer can be
    open, too."""
    t = trading()
    t.play(0, offer("b", "o"))
    assert t.code(0, offer("b", "o")) == t.code(0, offer("b", "o", to=(1,))) == "already-open"
    assert offer("b", "o") not in list(t.game.options(0)[MakeOffer])
    t.play(0, offer("b", "g", to=(2,)))
    t.play(0, offer("b", "g"))  # to more people than before
    t.play(1, offer("o", "w"))
    assert t.code(1, offer("o", "w")) == "already-open"
    t.play(0, WithdrawOffer(1))
    t.play(0, offer("b", "o"))


def test_E2_the_same_counter_offer_can_be_open_only_once() -> None:
    """A counter-offer that is open can't be made again, whatever it answers, and no open offer can be repeated as
    one."""
    t = trading()
    t.play(1, offer("o", "bb"))
    t.play(0, offer("b", "o", answers=1))
    assert t.code(0, offer("b", "o", answers=1)) == t.code(0, offer("b", "o", to=(1,))) == "already-open"
    t.play(2, offer("g", "ww"))
    t.play(0, offer("b", "o", answers=3))  # the same cards to another player
    t.play(0, offer("w", "g"))
    refused = t.refused(0, offer("w", "g", answers=3))
    assert str(refused) == "You already have that offer open."
    assert t.can(0, offer("ww", "g", answers=3))


def test_E2_a_new_counter_offer_replaces_the_old_one_and_the_same_one_is_refused() -> None:
    """Players who aren't on turn have one offer open: another counter-offer replaces it, the same one is refused."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("o", "bb", answers=1))
    assert t.code(1, offer("o", "bb", answers=1)) == t.code(1, offer("o", "bb")) == "already-open"
    t.play(1, offer("o", "bw", answers=1))
    t.play(1, offer("o", "bb", answers=1))
    assert [o.id for o in t.game.view().offers] == [1, 4]


def test_E2_in_format_3_the_same_counter_offer_can_be_open_twice() -> None:
    """Those games keep the rules that they began with."""
    t = table(seat(hand="bbww"), seat(hand="ol"), seat(hand="og"), format=3)
    t.play(1, offer("o", "bb"))
    t.play(0, offer("b", "o", answers=1))
    assert t.code(0, offer("b", "o", to=(1,))) == "already-open"
    t.play(0, offer("b", "o", answers=1))
    assert [o.id for o in t.game.view().offers] == [1, 2, 3]


def test_E3_a_counter_offer_stays_when_the_offer_that_it_answers_ends_without_a_deal() -> None:
    """When the other offer is canceled, declined or replaced, the counter-offer still holds and can be closed."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("o", "bb", answers=1))
    t.play(0, WithdrawOffer(1))
    assert [o.id for o in t.game.view().offers] == [2]
    t.play(0, offer("w", "o", answers=2))
    t.play(0, DeclineOffer(2))
    assert [o.id for o in t.game.view().offers] == [3]
    t.play(2, offer("g", "bb"))
    t.play(0, offer("w", "g", answers=4))
    t.play(2, offer("g", "b"))  # replaces the offer that was answered
    assert [o.id for o in t.game.view().offers] == [3, 5, 6]
    t.play(1, AcceptOffer(3))
    assert t.play(0, CloseOffer(3, 1)) == (Traded(0, 1, cards("w"), cards("o")),)


def test_E3_the_same_rules_apply_to_a_counter_offer_to_a_counter_offer() -> None:
    """It ends when the counter-offer that it answers is closed, and stays when that one ends because of another
    deal."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("o", "bb", answers=1))
    t.play(0, offer("bw", "o", answers=2))
    t.play(2, AcceptOffer(1))
    twin = Table(t.game.copy(), t.script)
    t.play(0, CloseOffer(1, 2))
    assert [o.id for o in t.game.view().offers] == [3]
    twin.play(0, AcceptOffer(2))
    assert [o.id for o in twin.game.view().offers] == [1]


def test_E3_a_counter_offer_ends_when_the_offer_that_it_answers_is_closed() -> None:
    """Answers with other terms go with the offer; another offer of the player on turn stays."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, AcceptOffer(1))
    t.play(2, offer("o", "bb", answers=1))
    t.play(0, offer("w", "g"))
    t.play(0, CloseOffer(1, 1))
    assert [o.id for o in t.game.view().offers] == [3]


@pytest.mark.parametrize("format", [1, 2])
def test_E_in_formats_1_and_2_repeated_offers_and_counter_offers_stay_open(format: int) -> None:
    """They keep the rules that they began with, so that their records lead to the same position."""
    t = table(seat(settlements="B4", roads="c4", hand="bbww"), seat(hand="ol"), seat(hand="og"), format=format)
    t.play(0, offer("b", "o"))
    t.play(0, offer("b", "o"))
    t.play(1, AcceptOffer(1))
    t.play(2, offer("o", "bb", answers=1))
    t.play(0, CloseOffer(1, 1))
    assert [o.id for o in t.game.view().offers] == [2, 3]
