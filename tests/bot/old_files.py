"""The files of earlier releases, and what is in them."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bot.oracle import check_all_acts
from tests.bot.playground import Playground

FILES = Path(__file__).with_name("files")
HASHES = {
    1: "37c442e0898bbbf0c88e14d9f0cc32f34864fe894b7b7ba0739af89792b77da3",  # over
    2: "55352a44496ccb0a98d45bcfb7dcb5489abba67df31df28a188fd7a4e424a835",  # in its first turns
    3: "eeb445ff08e764d53c19a9b174e5e1af33d1a5cdf4c7f7040f54bfbc0896663f",  # in a window for knights, with a deadline
    6: "06f5a853a17bcf360eb4b0f8238b1b9b36e1014aa7ffb81067d372d5e99dae13",  # extension, a standing number of 6
}
"""Hashes of the positions by game, as 0.1.0 gave them when it made the file."""


@asynccontextmanager
async def opened(folder: Path, release: str, now: float) -> AsyncIterator[Playground]:
    """Open a playground on the file of a release. New interactions have ids that the file doesn't contain."""
    ground = Playground(earlier(folder / "old.db", release))
    ground.clock = now
    for _ in range(20_000):
        ground.id()
    await ground.open()
    try:
        yield ground
        await check_all_acts(ground.store)
    finally:
        await ground.close()


def earlier(path: Path, release: str = "0.1.0") -> Path:
    """Write the file of a release to `path`. In the file of 0.1.0, game 1 is over, 2, 3 and 6 are running, 4 is a lobby
    and 5 is canceled."""
    path.write_bytes(gzip.decompress((FILES / f"{release}.db.gz").read_bytes()))
    path.chmod(0o600)
    return path
