"""The table of `make bench`: each figure next to its reference and its goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A row of the table. `met` is None if it has no goal or wasn't measured."""

    what: str
    figure: str
    reference: str = ""
    goal: str = ""
    met: bool | None = None


def at_most(what: str, value: float, limit: float, unit: str, reference: str = "", digits: int = 1) -> Row:
    """A row whose figure should not exceed a limit."""
    return Row(what, f"{value:,.{digits}f} {unit}", reference, f"at most {limit:g} {unit}", value <= limit)


def at_least(what: str, value: float, limit: float, unit: str, reference: str = "", digits: int = 1) -> Row:
    """A row whose figure should reach a limit."""
    return Row(what, f"{value:,.{digits}f} {unit}", reference, f"at least {limit:g} {unit}", value >= limit)


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come, in columns."""
    for row in rows:
        mark = {True: "met", False: "MISSED", None: ""}[row.met]
        print(f"{row.what:44} {row.figure:>24}   {row.goal:22} {mark:6}   {row.reference}", flush=True)
