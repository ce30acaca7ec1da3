"""How this program is called from a shell, and its version."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

NAME = "harbormaster"


def command(words: str = "") -> str:
    """A command as it can be typed here: "harbormaster log", or with the program's path if it isn't on PATH.

    >>> command("log").endswith("harbormaster log")
    True
    """
    program = NAME
    here = Path(sys.executable).with_name(NAME)
    if shutil.which(NAME) is None and here.exists():
        program = os.path.relpath(here) if here.is_relative_to(Path.cwd()) else str(here)
    return f"{program} {words}".rstrip()


def version() -> str:
    """The release, and whether the engine runs as native modules (`make compiled`)."""
    import engine.rules  # here, so that `harbormaster --help` needn't wait for it

    native = Path(engine.rules.__file__).suffix != ".py"
    return f"{NAME} {metadata.version(NAME)} ({'compiled' if native else 'pure Python'})"
