"""The news that a table keeps: whatever is needed later is still there, however much happens."""

from __future__ import annotations

import pytest

from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.parts import DECLINED, SUBSTITUTE
from bot.table.table import MOST_NEWS, REFUSAL_LASTS, said_no_recently, seatings
from engine.errors import RefereeError
from tests.bot.table.desk import ANN, BOB, CEM, EVE, FAY, Desk


def test_seat_changes_are_remembered_however_much_happens() -> None:
    desk = Desk.of(ANN, BOB, CEM)
    desk.act(BOB, OfferSeat(EVE))
    change = desk.act(EVE, TakeSeat("Eve", 1))
    assert change.game is not None
    for _ in range(MOST_NEWS):
        desk.act(CEM, Replace(CEM))
        desk.act(CEM, ReturnToSeat())
    desk.act(EVE, OfferSeat(FAY))
    desk.act(FAY, TakeSeat("Fay", 1))
    assert len(desk.table.news) == MOST_NEWS + 1
    assert [(news.about, news.name, news.user) for news in seatings(desk.table, 1)] == [
        (BOB, "Bob", EVE),
        (EVE, "Eve", FAY),
    ]
    assert seatings(desk.table)[0].recorded == change.game.revision
    assert seatings(desk.table, 0) == []
    assert desk.folded() == desk.table


def test_a_person_who_declined_cant_be_asked_for_a_day_however_much_happens() -> None:
    desk = Desk.of(ANN, BOB, CEM)
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, DeclineSeat("Eve"))
    for _ in range(MOST_NEWS):
        desk.act(CEM, Replace(CEM))
        desk.act(CEM, ReturnToSeat())
    assert said_no_recently(desk.table, EVE, DECLINED, desk.now)
    assert not said_no_recently(desk.table, EVE, SUBSTITUTE, desk.now)
    assert not said_no_recently(desk.table, FAY, DECLINED, desk.now)
    with pytest.raises(RefereeError, match="declined"):
        desk.act(BOB, OfferSeat(EVE))
    desk.now += REFUSAL_LASTS
    desk.act(BOB, OfferSeat(EVE))


def test_a_person_who_has_had_a_seat_since_declining_can_be_asked_again() -> None:
    desk = Desk.of(ANN, BOB, CEM)
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, DeclineSeat("Eve"))
    desk.act(CEM, OfferSeat(0))
    desk.act(EVE, TakeSeat("Eve", 2))
    desk.act(EVE, OfferSeat(FAY))
    desk.act(FAY, TakeSeat("Fay", 2))
    desk.act(BOB, OfferSeat(EVE))
