"""A position that is reached over the wire once and from which many tests go on: the stand-in's state and the files.

async with party(folder, position=await main_step(folder)) as table:
    ...
"""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from pathlib import Path
from types import MethodType
from typing import Any

from tests.wire.process import BotProcess
from tests.wire.world import World, to_nobody


@dataclass(frozen=True)
class Position:
    """What is left when a bot has been stopped."""

    world: bytes
    """The world as `_Pickler` writes it."""
    files: dict[str, bytes]
    """Content by what follows the database's name: "", ".commands", ..."""

    @classmethod
    async def of(cls, bot: BotProcess) -> Position:
        """Stop a bot, and keep what is left."""
        await bot.server.settled()
        assert await bot.stop() == 0
        for it in bot.server.world.interactions.values():
            it.requests.clear()  # this drops all their pictures
        name = bot.database.name
        paths = {path.name.removeprefix(name): path for path in bot.database.parent.glob(f"{name}*")}
        files = {end: path.read_bytes() for end, path in paths.items() if end != ".log"}
        return cls(_Pickler(bot.server.world).written, files)

    def laid_out(self, database: Path) -> World:
        """Write the files. Returns a copy of the world to go on with."""
        for end, data in self.files.items():
            database.with_name(database.name + end).write_bytes(data)
        world: World = _Unpickler(io.BytesIO(self.world)).load()
        return world


class _Pickler(pickle.Pickler):
    """Writes a world without the server, which the users refer to."""

    def __init__(self, world: World) -> None:
        output = io.BytesIO()
        super().__init__(output)
        self._server = next((server for user in world.users if (server := vars(user).get("server"))), None)
        self._told = world.told
        self.dump(world)
        self.written = output.getvalue()

    def persistent_id(self, value: Any) -> str | None:
        """What is left out."""
        if value is self._server:
            return "server"
        return "told" if isinstance(value, MethodType) and value == self._told else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: Any) -> Any:
        """What takes the place of what was left out."""
        return to_nobody if name == "told" else None
