"""Memory that a process no longer needs goes back to the system."""

from __future__ import annotations

import ctypes
import sys
import threading
import time

MINUTE = 60.0


def give_back() -> None:
    """Start a thread that returns free memory to the system once a minute.

    Only the GNU C library needs it: it keeps free memory that lies between blocks in use.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):

        def repeat() -> None:
            while True:
                time.sleep(MINUTE)
                trim(0)

        threading.Thread(target=repeat, name="memory", daemon=True).start()
