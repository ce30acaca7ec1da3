"""What people are told about their proposals and votes."""

from __future__ import annotations

import pytest

from bot.screens import motions
from bot.service.games import Done
from bot.table.act import By
from bot.table.acts.motions import AskForSeat, MotionAct, Object, Propose
from bot.table.parts import PAUSE, RESUME, SUBSTITUTE
from tests.bot.table.desk import ANN, BOB, CEM, EVE, Desk
from tests.engine.builder import table as position


def told(desk: Desk, user: int, act: MotionAct) -> str:
    """What a user is told after a proposal or vote."""
    before, old = desk.table, desk.game
    desk.act(user, act)
    return motions.proposal_answer(act, Done(act, By(user, desk.now), before, desk.table, old, desk.game))


@pytest.mark.parametrize(
    ("by", "text"), [(ANN, "Withdrawn: nothing changes."), (BOB, "You voted no: the proposal is off.")]
)
def test_who_declines_a_proposal_reads_that_it_is_off_and_who_withdraws_it_that_it_is_withdrawn(
    by: int, text: str
) -> None:
    desk = Desk.at(position(players=2))
    told(desk, ANN, Propose(PAUSE))
    assert told(desk, by, Object(PAUSE)) == text


def test_a_vote_against_a_proposal_that_can_still_pass_is_just_counted() -> None:
    desk = Desk.at(position(players=3))
    told(desk, ANN, Propose(PAUSE))
    assert told(desk, BOB, Object(PAUSE)) == "You voted no."
    assert told(desk, CEM, Object(PAUSE)) == "You voted no: the proposal is off."


def test_who_votes_against_resuming_reads_that_half_are_enough_later() -> None:
    desk = Desk.at(position(players=4))
    for user in (ANN, BOB, CEM):
        told(desk, user, Propose(PAUSE))
    told(desk, ANN, Propose(RESUME))
    assert told(desk, BOB, Object(RESUME)) == (
        "You voted no. A day after the proposal, half of you are enough to resume."
    )


@pytest.mark.parametrize(
    ("by", "text"), [(EVE, "Withdrawn: nothing changes."), (ANN, "You voted no: the proposal is off.")]
)
def test_a_person_who_takes_back_their_request_for_a_seat_reads_that_it_is_withdrawn(by: int, text: str) -> None:
    desk = Desk.at(position(players=3), computers=1)
    told(desk, EVE, AskForSeat("Eve", 2))
    assert told(desk, by, Object(SUBSTITUTE)) == text
