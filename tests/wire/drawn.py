"""Draws a board of each scenario. Processes forked from the one that imports this then draw faster."""

from __future__ import annotations

import asyncio

from bot.discord.show.pictures import Pictures
from bot.metrics import Metrics
from bot.tasks import Worker


async def _draw() -> None:
    worker = Worker()
    await Pictures(Metrics(), worker).warm()
    await worker.stop(1.0)  # a process with threads should not be forked


asyncio.run(_draw())
