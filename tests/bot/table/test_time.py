"""When a time ends follows from when it began and from when it stood still."""

from __future__ import annotations

import random

import pytest

from bot.table.time import Interval, end_of, fewer, first, length, united, without


@pytest.mark.parametrize(
    ("stopped", "end"),
    [
        ([], 100.0),
        ([(200.0, 300.0)], 100.0),  # later
        ([(-50.0, -10.0)], 100.0),  # before
        ([(100.0, 150.0)], 100.0),  # it is over by then
        ([(50.0, 80.0)], 130.0),
        ([(-50.0, 20.0)], 120.0),
        ([(50.0, 80.0), (60.0, 70.0), (75.0, 90.0)], 140.0),  # they overlap
        ([(110.0, 120.0), (50.0, 80.0)], 140.0),  # the first comes in time that the second has added
        ([(99.0, 1000.0)], 1001.0),
    ],
)
def test_no_time_runs_while_the_clock_is_stopped(stopped: list[Interval], end: float) -> None:
    assert end_of(0.0, 100.0, stopped) == end


def test_intervals_can_be_united_subtracted_cut_and_measured() -> None:
    assert united([(5, 6), (1, 3), (2, 4), (4, 4.5), (7, 7), (9, 8)]) == [(1, 4.5), (5, 6)]
    assert fewer([(0, 1), (9, 10), (11, 12), (14, 15)], 2) == [(0, 1), (9, 15)]
    assert fewer([(0, 1), (9, 10)], 2) == [(0, 1), (9, 10)]
    assert without([(0, 10)], [(2, 3), (-5, 1), (9, 20), (2.5, 4)]) == [(1, 2), (4, 9)]
    assert first([(0, 2), (5, 9)], 3) == [(0, 2), (5, 6)]
    assert first([(0, 2)], 0) == []
    assert length([(0, 2), (5, 9)], 6) == 3


def test_a_time_ends_when_it_has_run_for_its_full_length() -> None:
    """Compared with counting the seconds."""
    rng = random.Random(1)
    for _ in range(300):
        begins = [rng.randrange(-5, 60) for _ in range(rng.randrange(6))]
        stopped = [(begin, begin + rng.randrange(9)) for begin in begins]
        seconds, second = rng.randrange(1, 40), 0
        left = seconds
        while left:
            left -= not any(begin <= second < end for begin, end in stopped)
            second += 1
        assert end_of(0, seconds, stopped) in range(second, second + 100)
        assert second == end_of(0, seconds, stopped) or any(begin == second for begin, _ in stopped)
