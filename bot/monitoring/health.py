"""Checks a running process every few seconds: what is wrong, and whether only a restart can help."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.metrics import Metrics
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two looks. How long something has lasted is measured in looks, so that a process that was suspended
doesn't take the pause for an outage."""
STARTING = "Harbormaster is starting"
STOPPING = "Harbormaster is stopping"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found."""

    problem: str = ""
    """What is wrong, for the host; empty when all is well."""
    hopeless: bool = False
    """Whether the problem has lasted so long that the process should restart."""


Look = Callable[[], Awaitable[Finding]]
FINE = Finding()


class Health:
    """Runs all checks, and keeps their latest findings by the name of the check."""

    def __init__(self, checks: Mapping[str, Look], metrics: Metrics, give_up: Callable[[], None]) -> None:
        """`give_up`: asks the process to stop, with an exit status after which its supervisor starts it again."""
        self._checks = checks
        self._metrics = metrics
        self._give_up = give_up
        self._given_up = False
        self._task: asyncio.Task[None] | None = None
        self.problems = dict.fromkeys(checks, STARTING)
        """What is wrong, by check; empty where nothing is. Other threads can read it: it is replaced, never changed."""

    def start(self) -> None:
        """Begin to look."""
        self._task = in_own_context(asyncio.create_task, self._run(), name="health")

    def stop(self) -> None:
        """Stop looking: Harbormaster is closing, and isn't ready from now on."""
        if self._task is not None:
            self._task.cancel()
        self.problems = dict.fromkeys(self._checks, STOPPING)
        for name in self._checks:
            self._metrics.fine.labels(name).set(0)

    async def look(self) -> None:
        """Run each check once. Log what has changed, and give up if one of them is hopeless."""
        findings = await asyncio.gather(*(_ask(name, check) for name, check in self._checks.items()))
        for name, finding in zip(self._checks, findings, strict=True):
            self._note(name, finding)

    def _note(self, name: str, finding: Finding) -> None:
        before, now = self.problems[name], finding.problem
        self.problems = {**self.problems, name: now}
        self._metrics.fine.labels(name).set(not now)
        if now and not before:
            log.warning("Not ready (%s): %s", name, now)
        elif before not in ("", STARTING) and not now:
            log.info("Ready again (%s)", name)
        if finding.hopeless and not self._given_up:
            self._given_up = True
            log.critical("Harbormaster stops, so that its supervisor starts it again (%s): %s", name, now)
            self._give_up()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            next_look = loop.time() + EVERY
            await self.look()
            await asyncio.sleep(next_look - loop.time())


async def _ask(name: str, check: Look) -> Finding:
    """What a check finds, or that it didn't answer in time for the next look."""
    try:
        async with asyncio.timeout(EVERY):
            return await check()
    except TimeoutError:
        return Finding(f"no answer within {EVERY:.0f} s")
    except Exception:
        log.exception("The check (%s) has failed", name)
        return Finding("the check has failed; the log says why")
