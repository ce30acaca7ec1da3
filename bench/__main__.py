"""`python -m bench`, or `make bench`: every figure beside its reference and its goal, in one table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from bench import click, disk, engine_speed, picture, requests
from bench.table import Row, show


def rows() -> Iterator[Row]:
    """All lines, one subject after the other, so that none disturbs another."""
    yield from engine_speed.rows()
    yield from picture.rows()
    yield from asyncio.run(click.rows())
    yield asyncio.run(disk.row())
    yield from requests.rows()


if __name__ == "__main__":
    show(rows())
