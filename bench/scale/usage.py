"""What processes use, according to Linux's /proc, and what Harbormaster counts itself."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp

TICK = os.sysconf("SC_CLK_TCK")
GONE = (FileNotFoundError, ProcessLookupError)
"""Errors about a process or thread that has ended before its file is opened, or while it is read."""
LAG = re.compile(r'^harbormaster_event_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)', re.MULTILINE)
LOOKUPS = re.compile(r'^harbormaster_(game|board)_cache_lookups_total\{result="(hit|miss)"\} (\S+)', re.MULTILINE)


def cpu(pid: int, *, children: bool = False) -> float:
    """Seconds of processor time so far; with `children`, also those of children that have ended and been waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if children else 13])) / TICK


def resident(pid: int) -> float:
    """MiB of a process that are in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def children_of(pid: int) -> list[int]:
    """The processes that a process has started; none if it has ended."""
    children = list[int]()
    with suppress(*GONE):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(*GONE):
                children += map(int, (task / "children").read_text().split())
    return children


def family_cpu(pid: int) -> float:
    """Seconds of processor time of a process and its children, such as a database's."""
    return cpu(pid, children=True) + _sum(cpu, children_of(pid))


def family_memory(pid: int) -> float:
    """MiB of a process and its children, such as a bot and its process that draws."""
    return resident(pid) + _sum(resident, children_of(pid))


def _sum(figure: Callable[[int], float], pids: Iterable[int]) -> float:
    """The sum of a figure over those processes that haven't ended meanwhile."""
    total = 0.0
    for pid in pids:
        with suppress(*GONE):
            total += figure(pid)
    return total


@dataclass(frozen=True, slots=True)
class Scrape:
    """Some figures that bots count themselves."""

    lags: dict[float, float]
    """By seconds: how often the event loop was at most that late."""
    lookups: dict[str, float]

    @classmethod
    async def of(cls, session: aiohttp.ClientSession, ports: Iterable[int]) -> Scrape:
        """Read the figures of some bots, added up."""
        lags, lookups = dict[float, float](), dict[str, float]()
        for port in ports:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                text = await answer.text()
            for most, count in LAG.findall(text):
                lags[float(most)] = lags.get(float(most), 0.0) + float(count)
            for what, result, count in LOOKUPS.findall(text):
                lookups[f"{what} {result}"] = lookups.get(f"{what} {result}", 0.0) + float(count)
        return cls(lags, lookups)

    def since(self, before: Scrape) -> Scrape:
        """The figures counted since `before`."""
        return Scrape(
            {most: count - before.lags.get(most, 0.0) for most, count in self.lags.items()},
            {what: count - before.lookups.get(what, 0.0) for what, count in self.lookups.items()},
        )

    def late(self, share: float) -> float:
        """Seconds that the event loop was late at most, in a share of all measurements: an upper bound."""
        whole = max(self.lags.values(), default=0.0)
        return next((most for most, count in sorted(self.lags.items()) if count >= share * whole), 0.0)
