"""How often Harbormaster has the disk write for an action: its fsyncs, as strace counts them. That a message is being
posted is one more, which counts apart: after a power cut it must not be posted again.

`python -m bench.disk [ACTIONS]`. A random game is played over the wire, with Harbormaster under strace. That slows it,
but changes no count. In the middle there is a pause, until Harbormaster folds its write-ahead log into the file. That
takes three fsyncs each time: the log, the file, the header of the next log. They don't count for any action, and the
next action must cost no more because of them.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.table import Row, at_most, show
from tests.wire.party import BOT, party

WHAT = "store: fsyncs an action"
PAUSE = 30.0
"""Longest pause in seconds. Harbormaster folds its log after two."""
FOLD = 3
"""Fsyncs of folding the log once."""
POST = re.compile("POST /channels/[0-9]+/messages ")


async def count(actions: int) -> tuple[list[int], int]:
    """Fsyncs of the bot during each of that many accepted actions, until everything is shown, without those for
    messages that were posted; and how many these were."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        strace = [
            "strace",
            "-f",
            "-y",
            "-qq",
            "-e",
            "trace=fsync,fdatasync,sync_file_range,msync,sync",
            "-o",
            str(trace),
        ]
        async with party(Path(folder), 1, argv=[*strace, *BOT]) as people:
            people.wire.unlimited()
            await people.begin()
            found, posted = [], 0
            before, began = calls(trace)
            for n in range(actions):
                if n == actions // 2:
                    await _folded(trace, began)
                    before, _ = calls(trace)
                requests = len(people.wire.requests)
                await people.step()
                now, _ = calls(trace)
                posts = sum(bool(POST.match(str(call))) for call in people.wire.requests[requests:])
                found.append(now - before - posts)
                posted += posts
                before = now
            return found, posted


async def _folded(trace: Path, folds: int) -> None:
    """Wait until the log has been folded again, all of it; `folds` is how often it was before."""
    end = time.perf_counter() + PAUSE
    while calls(trace)[1] == folds:
        if time.perf_counter() > end:
            raise RuntimeError("the log was not folded in the pause")
        await asyncio.sleep(0.1)
    await asyncio.sleep(1.0)


def calls(trace: Path) -> tuple[int, int]:
    """Fsyncs so far, without those of folding, and how often the log was folded, which syncs the file itself.

    An interrupted call is on two lines, the second marked as resumed.
    """
    lines = [line for line in trace.read_text().splitlines() if "sync" in line and "resumed>" not in line]
    folds = sum(".db>" in line for line in lines)
    return len(lines) - FOLD * folds, folds


async def row(actions: int = 60) -> Row:
    """The row of the table."""
    if shutil.which("strace") is None:
        return Row(WHAT, "not measured", "strace is not installed", "at most 1")
    try:
        found, posted = await count(actions)
    except RuntimeError as error:  # the bot didn't start: tracing isn't allowed
        return Row(WHAT, "not measured", str(error).splitlines()[0], "at most 1")
    remark = f"at most {max(found)} for one action, {actions} actions; and one for each of {posted} messages"
    return at_most(WHAT, statistics.fmean(found), 1, "fsyncs", remark, 2)


if __name__ == "__main__":
    show([asyncio.run(row(*map(int, sys.argv[1:])))])
