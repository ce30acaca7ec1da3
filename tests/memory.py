"""A disk in memory, where a machine has one, for files that need not outlive a power cut."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_PLACE = Path("/dev/shm")
"""Where Linux has it."""


def disk(room: int) -> Path | None:
    """A folder in memory with at least `room` bytes free, or None."""
    if os.access(_PLACE, os.W_OK) and shutil.disk_usage(_PLACE).free >= room:
        return _PLACE
    return None
