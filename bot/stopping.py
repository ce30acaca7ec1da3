"""Ends a process that was asked to stop or is stuck, no matter what still holds it."""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
from typing import NoReturn

from bot.monitoring import reports

log = logging.getLogger(__name__)

UNCLEAN = 70
"""Exit status if Harbormaster gave up, or something could not be closed properly."""
DEADLINE = 15.0
"""Seconds from the start of closing until the process is ended."""
LAST_WORDS = 5.0
"""Seconds for logging the reason, which can hang, too."""


def end_at_the_latest() -> None:
    """End the process after `DEADLINE`. Call this when closing begins: a thread that hangs, on a dead disk for example,
    must not keep the process alive."""
    reason = f"Harbormaster could not be closed within {DEADLINE:.0f} s"
    timer = threading.Timer(DEADLINE, end_at_once, (reason,))
    timer.daemon = True
    timer.start()


def end_at_once(reason: str) -> NoReturn:
    """End the process immediately, as it is."""
    telling = threading.Thread(target=_tell, args=(reason,), daemon=True)
    telling.start()
    telling.join(LAST_WORDS)
    os._exit(UNCLEAN)


def _tell(reason: str) -> None:
    log.critical("%s; it ends as it is", reason)
    faulthandler.dump_traceback()  # shows what holds the process: places in the code, no values
    reports.flush(LAST_WORDS / 2)
