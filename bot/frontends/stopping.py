"""A process that is asked to stop ends, whatever still holds it."""

from __future__ import annotations

import faulthandler
import logging
import os
import threading

log = logging.getLogger(__name__)

UNCLEAN = 70
"""Exit status when something could not be closed properly."""
DEADLINE = 15.0
"""Seconds after which the process ends."""


def end_at_the_latest() -> None:
    """Call it when closing begins: a thread that hangs, say on a dead disk, must not keep the process alive."""
    timer = threading.Timer(DEADLINE, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    log.critical("The bot could not be closed within %d s; it ends as it is", DEADLINE)
    faulthandler.dump_traceback()  # what holds it: places in the code, no values
    os._exit(UNCLEAN)
