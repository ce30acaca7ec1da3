"""The time from a click to the last byte of the new picture, over real sockets, for the trivial program and others.

Run: python -m bench.wire.floor [CLICKS] [BYTES]
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.wire.calls import Interaction, Request
from tests.wire.process import BotProcess
from tests.wire.server import WireServer

Click = Callable[[], Awaitable[float]]  # one click; seconds from its dispatch to the last byte of the picture
WARM_UP = 10


@dataclass(frozen=True)
class Latency:
    """Seconds per click, of one bot."""

    samples: list[float]

    @property
    def median(self) -> float:
        """The median, in seconds."""
        return statistics.median(self.samples)

    @property
    def p99(self) -> float:
        """The seconds that 99 % of the clicks don't exceed."""
        return sorted(self.samples)[min(len(self.samples) - 1, round(len(self.samples) * 0.99))]

    def __str__(self) -> str:
        return f"median {self.median * 1e3:6.2f} ms, p99 {self.p99 * 1e3:6.2f} ms, {len(self.samples)} clicks"


async def measure(clicks: dict[str, Click], n: int) -> dict[str, Latency]:
    """Do each click `n` times in turn, so that all run under the same conditions. The first few don't count."""
    samples: dict[str, list[float]] = {name: [] for name in clicks}
    for turn in range(WARM_UP + n):
        for name, click in clicks.items():
            seconds = await click()
            if turn >= WARM_UP:
                samples[name].append(seconds)
    return {name: Latency(found) for name, found in samples.items()}


def has_file(request: Request) -> bool:
    """Whether a request brings a picture."""
    return bool(request.files)


async def picture_click(
    wire: WireServer, act: Callable[[], Awaitable[Interaction]], shows: Callable[[Request], bool] = has_file
) -> float:
    """Do `act` (a user's click) and wait for the first accepted request that `shows` its result.

    Returns the seconds from the dispatch of the interaction to that request's last byte.
    """
    wire.requests.clear()
    clicked = await act()

    def shown() -> Request | None:
        return next((r for r in wire.requests if r.accepted and shows(r)), None)

    request = await wire.until(shown, what="no picture came")
    assert request is not None
    return request.done - clicked.sent


@asynccontextmanager
async def trivial_click(size: int = 100_000, network: float = 0.0) -> AsyncIterator[Click]:
    """Run the trivial program with a picture of `size` bytes. Yields its click. `network`: seconds that each event and
    each answer takes."""
    with tempfile.TemporaryDirectory() as folder:
        async with WireServer() as wire:
            wire.unlimited()
            wire.network = (network, network)
            argv = [sys.executable, "-m", "bench.wire.trivial_bot"]
            async with BotProcess(wire, argv, Path(folder) / "none", {"BOARD_BYTES": str(size)}) as bot:
                await bot.start()
                alice = wire.user("Alice")
                panel = (await alice.slash("panel")).messages[0]

                async def click() -> float:
                    panel.history.clear()
                    return await picture_click(wire, lambda: alice.click(panel, "Next"))

                yield click


async def main(n: int, size: int) -> None:
    """Print the latency of the trivial program."""
    start = time.perf_counter()
    async with trivial_click(size) as click:
        found = await measure({"trivial program": click}, n)
    for name, latency in found.items():
        print(f"{name}, {size} bytes: {latency}")
    print(f"{time.perf_counter() - start:.1f} s in all")


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    asyncio.run(main(*(numbers + [300, 100_000][len(numbers) :])))
