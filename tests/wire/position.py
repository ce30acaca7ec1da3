"""A position that is reached over the wire once and from which many tests go on: the stand-in's state and the files.

async with party(folder, position=await main_step(folder)) as table:
    ...
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.wire.process import BotProcess
from tests.wire.world import World, to_nobody


@dataclass(frozen=True)
class Position:
    """What is left when a bot has been stopped."""

    world: World
    files: dict[str, bytes]
    """Content by what follows the database's name: "", ".commands", ..."""

    @classmethod
    async def of(cls, bot: BotProcess) -> Position:
        """Stop a bot, and keep what is left."""
        await bot.server.settled()
        assert await bot.stop() == 0
        for it in bot.server.world.interactions.values():
            it.requests.clear()  # this drops all their pictures
        world = _copied(bot.server.world)
        name = bot.database.name
        paths = {path.name.removeprefix(name): path for path in bot.database.parent.glob(f"{name}*")}
        return cls(world, {end: path.read_bytes() for end, path in paths.items() if end != ".log"})

    def laid_out(self, database: Path) -> World:
        """Write the files. Returns a copy of the world to go on with."""
        for end, data in self.files.items():
            database.with_name(database.name + end).write_bytes(data)
        return _copied(self.world)


def _copied(world: World) -> World:
    """A copy without the server, which the users refer to."""
    instead: dict[int, Any] = {id(vars(user).get("server")): None for user in world.users}
    instead[id(world.told)] = to_nobody
    return copy.deepcopy(world, instead)
