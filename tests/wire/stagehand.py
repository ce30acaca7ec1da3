"""A person who does what `harbormaster rehearse` asks for (presses, fills in, types a command), and its output."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.wire.messages import Message
from tests.wire.model import Json
from tests.wire.process import BotProcess
from tests.wire.rates import Limit
from tests.wire.server import WireServer

BUTTONS = ("Go on", "Plays", "Yes", "Open a form")
COMMAND = [sys.executable, "-m", "bot", "rehearse"]
QUICK = Limit(100, 5.0)


@dataclass
class Rehearsal:
    """What a rehearsal has printed, and how it ended."""

    status: int
    said: str
    steps: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, status: int, said: str) -> Self:
        reports = [json.loads(line) for line in said.splitlines() if line.startswith('{"ok"')]
        return cls(status, said, {step["step"]: step for found in reports for step in found["steps"]})

    @property
    def wrong(self) -> dict[str, str]:
        """What isn't as expected, by step."""
        return {name: "; ".join(step["wrong"]) for name, step in self.steps.items() if step["state"] != "ok"}


async def help_out(wire: WireServer, labels: Collection[str] = BUTTONS) -> None:
    """Press each of these buttons where it appears, choose in the list, and type /rehearse when asked to."""
    alice, done = wire.user("Alice"), set[int]()

    def asked() -> list[tuple[Message, Json]]:
        seen = [m for m in wire.world.messages.values() if not m.deleted and m.id not in done]
        controls = ((m, c) for m in seen if m.only_for in (None, alice) for c in m.interactive)
        return [(m, c) for m, c in controls if c.get("label") in labels or (m.only_for and c.get("options"))]

    while await wire.until(lambda: asked() or "Type /rehearse" in wire.bot_output(), 60.0) and asked():
        message, control = asked()[0]
        done.add(message.id)
        if control.get("options"):
            await alice.select(message, control["custom_id"], [control["options"][0]["value"]])
            continue
        it = await alice.click(message, control["custom_id"])
        if it.kind == 9:
            await alice.submit_modal(it, {"words": "Ships and sheep", "level": ["strong"], "side": "sea"})
    offered = await alice.autocomplete("rehearse", {"place": "b"}, "place")
    await alice.slash("rehearse", {"place": offered[0]["value"]})


@asynccontextmanager
async def rehearsing(
    wire: WireServer, folder: Path, *words: str, env: Mapping[str, str] | None = None, channel: int = 0
) -> AsyncIterator[BotProcess]:
    """A rehearsal in a channel, by default `table`. Its film is short, and Discord's limits let it be quick."""
    for name in ("create message", "edit message", "delete new message", "edit by token"):
        wire.rates.set(name, QUICK)
    argv = [*COMMAND, "--channel", str(channel or wire.world.table.id), "--turns", "3", "--within", "24", *words]
    async with BotProcess(wire, argv, folder / "no.db", env) as bot:
        bot.alone = False
        await bot.launch()
        yield bot


async def rehearsal(
    wire: WireServer, folder: Path, *words: str, help_out: Callable[[WireServer], Awaitable[None]] = help_out
) -> Rehearsal:
    """A whole rehearsal, with a person's help."""
    async with rehearsing(wire, folder, *words) as bot:
        helping = asyncio.ensure_future(help_out(wire))
        try:
            status = await bot.ended(60.0)
            if helping.done():
                helping.result()
        finally:
            helping.cancel()
        return Rehearsal.of(status, bot.tail(1000))
