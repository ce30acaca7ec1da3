"""Where a machine has a disk in memory, for what need not outlive a power cut."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_PLACE = Path("/dev/shm")
"""Linux has one there."""


def disk(room: int) -> Path | None:
    """A folder in memory with so many bytes free; None: there is none."""
    if os.access(_PLACE, os.W_OK) and shutil.disk_usage(_PLACE).free >= room:
        return _PLACE
    return None
