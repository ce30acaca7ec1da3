"""What a click on *Roll* runs through: files, functions, and queries to the database.

`python -m bench.trace [-v]`. Four people who want no direct messages play on a simulated Discord, until a turn
begins. Then its player rolls, and the trace ends once everything is shown. `-v` lists the queries and the files.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import simcord

from bot.store.sql.database import DriverDatabase
from tests.bot.discord.hall import Hall, make_bot
from tests.bot.discord.moments import at

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "bot", "render")
ALIVE = "INSERT INTO runs"
"""Beginning of a query that Harbormaster makes from time to time, no matter what people do."""


class Trace:
    """Calls by file and function, in all threads, and queries to the database."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.asked: list[str] = []

    def _called(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            code = frame.f_code
            self.calls[code.co_filename, code.co_qualname] += 1

    def start(self) -> None:
        """Start tracing."""
        for name in ("read", "write", "mark"):
            self._count(name)
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def _count(self, name: str) -> None:
        do = getattr(DriverDatabase, name)

        async def counted(database: DriverDatabase, what: Any, *values: Any, **options: Any) -> Any:
            query = " ".join(what.split()) if isinstance(what, str) else what.__qualname__
            if not query.startswith(ALIVE):
                self.asked.append(f"{name} {query[:100]}")
            return await do(database, what, *values, **options)

        setattr(DriverDatabase, name, counted)

    def stop(self) -> None:
        """Stop tracing."""
        sys.setprofile(None)
        threading.setprofile(None)

    @property
    def files(self) -> dict[str, set[str]]:
        """Our files in which functions were called, with these functions."""
        found = dict[str, set[str]]()
        for file, function in self.calls:
            path = Path(file)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
                found.setdefault(str(path.relative_to(ROOT)), set()).add(function)
        return found


async def roll() -> Trace:
    """Play until a turn begins, and have its player roll."""
    with tempfile.TemporaryDirectory() as folder:
        bot = make_bot(Path(folder) / "games.db")
        async with simcord.run(bot) as env:
            hall, trace = Hall(Path(folder) / "games.db", env, bot, 4), Trace()
            await hall.begin()
            game = await hall.advance(at("pre_roll"))
            person = await hall.person(game.to_act[0])
            panel = await hall.panel()
            trace.start()
            await person.click(panel, label="Roll")
            trace.stop()
            await bot.close()
            return trace


def main(args: list[str]) -> None:
    """Print the figures."""
    random.seed(1)
    trace = asyncio.run(roll())
    files = trace.files
    in_bot = [file for file in files if file.startswith("bot/")]
    print(f"files {len(files)}, of them in bot/ {len(in_bot)}")
    print(f"functions {sum(map(len, files.values()))}")
    print(f"queries to the database {len(trace.asked)}")
    if "-v" in args:
        print(*trace.asked, *sorted(files), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
