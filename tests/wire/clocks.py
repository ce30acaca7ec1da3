"""A bot whose machine's clock is set while it runs.

argv = with_clock(file, steady=True)
file.write_text("300")
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.wire.party import BOT

PROGRAM = """
import datetime, runpy, sys, time
import discord.utils
file, steady, sys.argv = sys.argv[1], sys.argv[2] == "steady", ["bot", *sys.argv[3:]]
def set_by_file(clock):
    def ahead():
        with open(file) as said:
            return clock() + float(said.read() or 0.0)
    return ahead
time.time = set_by_file(time.time)
discord.utils.utcnow = lambda: datetime.datetime.fromtimestamp(time.time(), datetime.UTC)  # which asks the machine
if steady:
    time.monotonic = set_by_file(time.monotonic)
runpy.run_module("bot", run_name="__main__")
"""


def with_clock(file: Path, *, steady: bool = False) -> Sequence[str]:
    """A bot's command line. `file` holds the seconds by which its clock is ahead.

    `steady`: the clock that no one sets is ahead as well, as on a machine that was frozen as a whole.
    """
    file.write_text("0")
    return [sys.executable, "-c", PROGRAM, str(file), "steady" if steady else "wall", *BOT[3:]]
