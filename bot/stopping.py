"""A process that is asked to stop, or that is stuck, ends, whatever still holds it."""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
from typing import NoReturn

from bot.monitoring import reports

log = logging.getLogger(__name__)

UNCLEAN = 70
"""Exit status when the bot gave up, or something could not be closed properly."""
DEADLINE = 15.0
"""Seconds after which the process ends."""
LAST_WORDS = 5.0
"""Seconds for saying why, which may hang too."""


def end_at_the_latest() -> None:
    """Call it when closing begins: a thread that hangs, say on a dead disk, must not keep the process alive."""
    reason = f"Harbormaster could not be closed within {DEADLINE:.0f} s"
    timer = threading.Timer(DEADLINE, end_at_once, (reason,))
    timer.daemon = True
    timer.start()


def end_at_once(reason: str) -> NoReturn:
    """End the process as it is."""
    telling = threading.Thread(target=_tell, args=(reason,), daemon=True)
    telling.start()
    telling.join(LAST_WORDS)
    os._exit(UNCLEAN)


def _tell(reason: str) -> None:
    log.critical("%s; it ends as it is", reason)
    faulthandler.dump_traceback()  # what holds it: places in the code, no values
    reports.flush(LAST_WORDS / 2)
