"""A simulated machine on which a process of Harbormaster runs: it can be killed, stopped, cut off and started again."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simloom import Host

from bot.discord import app
from bot.settings import Settings
from tests.sim.database import Server
from tests.sim.disk import Disk, Sql
from tests.sim.loop import Universe

AGAIN = 2.0
"""Seconds until a supervisor starts a process again that has ended by itself."""
ENDS = "a process ends only for a reason"
"""An invariant that holds before there is any weather, too."""


class Machine:
    """A machine and its supervisor."""

    def __init__(
        self, universe: Universe, name: str, settings: Settings, disk: Disk | None, server: Server | None
    ) -> None:
        self.universe, self.name, self.settings, self.disk, self.server = universe, name, settings, disk, server
        self.lives = list[Host]()
        """A host for each time that it was started: timers of an earlier life must never fire."""
        self.ahead = self._still_until = 0.0
        self.alive = False
        """Whether its process runs."""
        self.up_since = 0.0
        self.told: Callable[[], None] = lambda: None
        """Called whenever it has just started or died."""
        self.ended: list[Callable[[Machine, object], None]] = [lambda _, end: universe.wrong(ENDS, f"{name}: {end!r}")]
        """Called when a process has ended by itself, with what it has returned or raised."""
        if disk is not None:
            Sql.disks[str(disk.path)] = disk

    def start(self) -> None:
        """Switch it on, or start its process again."""
        self.universe.log(f"{self.name} starts")
        self.alive, self.up_since = True, self.universe.now
        self.told()
        host = Host(self.universe.world, self.name)
        host.clock, host.server = self, self.server  # type: ignore[attr-defined]
        self.lives.append(host)
        host.spawn(lambda: self._serve(len(self.lives)))

    @property
    def host(self) -> Host:
        """Its present life."""
        return self.lives[-1]

    async def _serve(self, life: int) -> None:
        end: object
        try:
            end = await app._serve(self.settings)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            end = error
        if life == len(self.lives):
            text = str(end).replace(str(self.settings.database), "its database")  # where that is differs each time
            self.universe.log(f"{self.name} ends: {type(end).__name__} {text}")
            for ended in self.ended:
                ended(self, end)
            self.universe.loop.call_soon(self._ended, context=_outside())

    def _ended(self) -> None:
        """The process is gone; a supervisor starts another one."""
        self._die(power=False)
        self.universe.loop.call_later(AGAIN, self._again, len(self.lives), context=_outside())

    def _again(self, life: int) -> None:
        if life == len(self.lives) and not self.alive:
            self.start()

    def kill(self, *, power: bool = False, again: float | None = AGAIN) -> None:
        """Kill its process, or cut its power. `again`: seconds until it starts again; None: it doesn't."""
        if not self.alive:
            return
        self.universe.log(f"{self.name} {'loses power' if power else 'is killed'}")
        self._die(power=power)
        if again is not None:
            self.universe.loop.call_later(again, self._again, len(self.lives), context=_outside())

    def _die(self, *, power: bool) -> None:
        self.alive = False
        self.told()
        self._still_until = 0.0
        self.proceed()
        self.host.crash()
        if self.disk is not None:
            self.disk.crash(power=power)
        if self.server is not None:
            self.server.forget(self.name)

    def stop(self, seconds: float) -> None:
        """Stop it for so long, as SIGSTOP does."""
        self.universe.log(f"{self.name} stands still")
        self._still_until = max(self._still_until, self.universe.now + seconds)
        self.universe.loop.stop_host(self.host)

    def proceed(self) -> None:
        """Let it go on, unless it must stand still for longer."""
        if self.universe.now >= self._still_until - 0.001:
            self.universe.loop.continue_host(self.host)


def _outside() -> Any:
    """A context outside of all machines."""
    import contextvars

    return contextvars.Context()


def disk_of(universe: Universe, folder: Path, rng: random.Random) -> Disk:
    """A disk with an empty, up-to-date file."""
    from tests.bot.playground import new_file

    path = folder / "harbor.db"
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    new_file(path)
    disk = Disk(path, rng)
    disk.sync()
    return disk
