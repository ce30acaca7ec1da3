"""What a page says of the options that were chosen for a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.table.options import DECIDE, REMIND, TableOptions
from bot.words.options import beside
from tests.bot.screens.played import table
from tests.bot.screens.tables import config


@pytest.mark.parametrize(("pace", "expiry", "told"), [(120, DECIDE, 1), (3600, DECIDE, 0), (120, REMIND, 0)])
def test_all_can_read_that_a_placement_in_setup_has_more_time(pace: int, expiry: str, told: int) -> None:
    of = replace(table(config()), options=TableOptions(pace=pace, expiry=expiry))
    assert sum("30 minutes for each placement" in line for line in beside(of)) == told
