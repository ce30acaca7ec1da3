"""Measures everything in one table, each figure next to its reference and goal: `python -m bench`, or `make bench`.

`--quick` shows in a minute or two that all of it works. Its figures say little.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator

from bench import click, disk, engine_speed, page, picture, requests
from bench.table import Row, show


def rows() -> Iterator[Row]:
    """All rows, one subject after the other, so that none disturbs another."""
    yield from engine_speed.rows()
    yield from picture.rows()
    yield from page.rows()
    yield from asyncio.run(click.rows())
    yield from asyncio.run(click.rows(100, network=100))
    yield asyncio.run(disk.row())
    yield from requests.rows()


def quick() -> Iterator[Row]:
    """The same rows, without pictures of other scenarios, from only a few games, boards and clicks."""
    yield from engine_speed.rows(rounds=1, games=2)
    yield from picture.rows(["base"], games=1, actions=20)
    yield from page.rows(games=1, count=3)
    yield from asyncio.run(click.rows(10))
    yield asyncio.run(disk.row(6))
    yield from requests.rows()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small run, which shows that all of it works")
    show(quick() if parser.parse_args().quick else rows())
