"""Draws a board of each scenario, and reads the program's code and the languages. Processes forked from the one that
imports this needn't do it again."""

from __future__ import annotations

import asyncio
import gc

from bot import languages, program
from bot.discord.show.pictures import Pictures
from bot.metrics import Metrics
from bot.tasks import Worker

CODE = program.code_digest()
"""The version of the code that all these processes run."""


async def _draw() -> None:
    worker = Worker()
    await Pictures(Metrics(), worker).warm()
    await worker.stop(1.0)  # a process with threads should not be forked


asyncio.run(_draw())
languages.offered()
gc.collect()
gc.freeze()  # what is here stays, and isn't copied for looking at it
