"""Whatever people do at a table, in whatever order, it stays right, and no time runs that must stand still."""

from __future__ import annotations

import pytest

from bot.table.acts.motions import Propose
from bot.table.acts.waiting import LookAfter
from bot.table.options import DECIDE
from bot.table.parts import PAUSE, RESUME
from bot.table.waiting import actionable_since, decisions
from tests.bot.table.anything import go_on
from tests.bot.table.desk import ANN, BOB, CEM, DAY, HOUR, Desk
from tests.seeds import few_of


@pytest.mark.parametrize("part", few_of(range(10)))
def test_a_table_stays_right_whatever_happens(part: int) -> None:
    for seed in range(10 * part, 10 * part + 10):
        assert_repeatable(go_on(seed))


@pytest.mark.soak
def test_a_table_stays_right_whatever_happens_in_ten_thousand_games() -> None:
    for seed in range(1000, 11_000):
        assert_repeatable(go_on(seed))


def assert_repeatable(desk: Desk) -> None:
    """Check that doing all of it again gives the same table."""
    assert desk.folded() == desk.table


def test_nothing_is_decided_before_it_is_checked_that_players_could_see_the_game() -> None:
    desk = Desk.of(ANN, BOB, CEM, pace=86_400, expiry=DECIDE)
    [wait] = decisions(desk.table)
    assert wait.until is not None
    desk.now = wait.until + 1
    desk.act(0, LookAfter(at=wait.until - 1))
    assert [same_wait.asks for same_wait in desk.table.waits] == [wait.asks]
    desk.act(0, LookAfter(at=wait.until))
    assert [wait_now.asks for wait_now in desk.table.waits] != [wait.asks]


def test_a_call_is_held_back_again_when_a_pause_ends() -> None:
    """M: a call that is held back until an order would have acted is held back again when a pause ends."""
    desk = Desk.of(ANN, BOB, CEM, pace=86_400)
    [wait] = decisions(desk.table)
    assert actionable_since(desk.table, wait) == wait.since
    for what, after in ((PAUSE, HOUR), (RESUME, 3 * DAY)):
        desk.now += after
        for user in (ANN, BOB):
            desk.act(user, Propose(what))
    [wait] = decisions(desk.table)
    assert actionable_since(desk.table, wait) == desk.now > wait.since
    assert wait.until == wait.since + DAY + 3 * DAY
