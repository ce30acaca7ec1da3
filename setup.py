"""Builds the engine and the bots as native modules if HARBORMASTER_COMPILED=1 asks for it (make compiled).

Everything else is in pyproject.toml. Without that setting the same sources run as they are, in any Python, and no
compiler is needed.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import setup

INTERPRETED = {
    "engine/actions.py": "the codec reads the fields' types, of which native modules keep the outline only",
    "engine/config.py": "the same",
    "engine/events.py": "the same",
    "engine/record.py": "the same",
    "engine/errors.py": "the bot's own errors inherit from it",
    "engine/codec.py": "called for what is stored and sent only",
    "engine/views.py": "goes to other processes, and a native object can't be pickled",
    "engine/chance.py": "the same",
    "engine/board.py": "lives by cached_property, which doesn't cache in a native class",
    "engine/values.py": "makes classes",
    "players/arena.py": "its results go to another process, and a native object can't be pickled",
    "players/simulate.py": "only measures and prints",
    "players/player.py": "others' players inherit from it",
    "players/random_player.py": "the same",
    "players/sensible.py": "the same",
}
"""Modules that stay Python, and why."""
FOLDERS = ("engine", "engine/log", "engine/steps", "engine/variants", "players")


def native() -> list[str]:
    """The files to compile."""
    paths = sorted(path for folder in FOLDERS for path in Path(folder).glob("*.py"))
    return [path.as_posix() for path in paths if path.name != "__init__.py" and path.as_posix() not in INTERPRETED]


if __name__ == "__main__":
    if os.environ.get("HARBORMASTER_COMPILED") == "1":
        from mypyc.build import mypycify

        setup(ext_modules=mypycify(native(), opt_level="3", debug_level="0"))
    else:
        setup()
