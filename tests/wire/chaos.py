"""People who play on while processes die, the database goes away and the line to it hangs; and what must hold then."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot import languages
from bot.discord.talk.dispatch import BROKEN, OUTDATED, STOPPING, STRANGE
from bot.settings import SettingsError
from bot.store import Unavailable
from bot.words.refusals import REASONS
from engine.actions import Action
from tests.wire.calls import Interaction, Request
from tests.wire.cluster import Cluster, cluster
from tests.wire.line import Line
from tests.wire.party import UPDATE, Party, answered
from tests.wire.postmaster import Postmaster
from tests.wire.process import BotProcess
from tests.wire.stored_game import StoredGame, interaction_of

RIGHT = 60.0
"""Seconds within which every panel must be right again."""
AWAY = (Unavailable, SettingsError)
"""What reading the database raises while it is away. The test connects to it directly, not by the line."""
STUCK = 20.0
"""Seconds after which people stop waiting for an answer."""
REFUSALS = {
    language.gettext(text)
    for language in languages.offered()
    for text in (BROKEN, STOPPING, STRANGE, OUTDATED, str(REASONS["stale"]))
}
"""Answers that promise nothing. If a process died before it showed what is stored, the panel is out of date; if it died
before it noted what it had posted, and that turn has ended since, its successor knows nothing of that message."""


@dataclass(frozen=True)
class Told:
    """An answered action: its interaction, and the number of the record that it would make."""

    it: Interaction
    action: Action
    record: int


@dataclass
class Chaos:
    """A cluster, the line to its own database server, a supervisor, and players."""

    cluster: Cluster
    server: Postmaster
    line: Line
    rng: random.Random
    told: dict[int, list[Told]] = field(default_factory=dict)
    """By game."""
    slowest: float = 0.0
    """The longest time, in seconds, until all panels were right again."""
    _playing: asyncio.Event = field(default_factory=asyncio.Event)
    _acting: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def begin(self) -> None:
        """Start all processes and deal all games."""
        await self.cluster.launch()
        for party in self.cluster.parties:
            await party.begin()
            self.told[party.number] = []

    @asynccontextmanager
    async def load(self) -> AsyncIterator[None]:
        """Let people play, and start ended processes again, until the block ends."""
        self._playing.set()
        keeping = [asyncio.create_task(_keep(bot)) for bot in self.cluster.bots]
        playing = [asyncio.create_task(self._play(party)) for party in self.cluster.parties]
        try:
            yield
            for task in (*playing, *keeping):
                if task.done():
                    task.result()
        finally:
            for task in (*playing, *keeping):
                task.cancel()
            await asyncio.gather(*playing, *keeping, return_exceptions=True)

    def kill(self) -> None:
        """Kill a process with SIGKILL."""
        running = [bot for bot in self.cluster.bots if bot.process is not None and bot.process.returncode is None]
        if running:
            self.rng.choice(running).signal(signal.SIGKILL)

    async def stand_still(self, seconds: float) -> None:
        """Let a process stand still for so many seconds, and then go on."""
        bot = self.rng.choice(self.cluster.bots)
        bot.signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        bot.signal(signal.SIGCONT)

    def excuse_old_files(self) -> None:
        """Forget refused edits that keep files of a message. A process that stood still didn't hear that another one
        had replaced them; it then sends them again."""
        requests = self.cluster.wire.requests
        requests[:] = [one for one in requests if one.code != 50035 or not _keeps_files(one)]

    async def recovered(self) -> None:
        """Let people pause until every panel is right."""
        self._playing.clear()
        try:
            if self._acting:
                await asyncio.wait(set(self._acting.values()))
            for party in self.cluster.parties:
                self.slowest = max(self.slowest, await party.panel_current(RIGHT, newest=True))
        finally:
            self._playing.set()

    async def check(self) -> int:
        """Check that people did play, that what they were told is stored, that each record was made once, and that no
        process logged an error. Returns how many actions were answered and are stored."""
        found = 0
        every = {str(it.id) for it in self.cluster.wire.world.interactions.values()}
        for party in self.cluster.parties:
            stored = await party.read()
            stored.check_once(every)
            found += sum(has_made(told, stored) for told in self.told[party.number])
            lost = [told for told in self.told[party.number] if not is_stored(told, stored)]
            assert not lost, [
                f"{told.action} was answered {[m.text for m in told.it.messages]} and is lost" for told in lost
            ]
        assert found >= len(self.told), f"only {found} actions were answered at {len(self.told)} tables"
        for bot in self.cluster.bots:
            text = bot.log.read_text()
            assert "Traceback" not in text, f"{bot.log.name}: {text[text.index('Traceback') - 1000 :][:5000]}"
        return found

    async def _play(self, party: Party) -> None:
        while True:
            await self._playing.wait()
            acting = self._acting[party.number] = asyncio.create_task(self._act(party))
            try:
                await acting
            finally:
                acting.cancel()
                del self._acting[party.number]
            await asyncio.sleep(party.rng.uniform(0.05, 0.3))

    async def _act(self, party: Party) -> None:
        """Let a player do something. Whether it worked is checked at the end."""
        # no answer, an old panel, a form that no longer exists: people try something else
        with contextlib.suppress(*AWAY, TimeoutError, LookupError, AssertionError, AttributeError, ValueError):
            if (await party.game()).outcome is not None:
                return
            person, action = await party.choose()
            assert party.last_read is not None
            record = party.last_read.revision
            it = await asyncio.wait_for(party.do(person, action), STUCK)
            if answered(it) and not still_asks(it):
                self.told[party.number].append(Told(it, action, record))


def _keeps_files(call: Request) -> bool:
    return any(str(file["id"]) not in map(str, call.files) for file in call.json.get("attachments") or ())


def still_asks(it: Interaction) -> bool:
    """Whether the answer to a click is the game message with the same button: what was shown is an earlier change."""
    pressed = f'"{it.payload["data"].get("custom_id")}"'
    return it.kind == UPDATE and not it.followups and pressed in json.dumps(it.data)


def is_stored(told: Told, stored: StoredGame) -> bool:
    """Whether what was told is stored. Refusals promise nothing, nor do answers if an older interaction came first."""
    made_by = [(interaction_of(key), record) for key, record in stored.made_by.items()]
    texts = [line for message in told.it.messages for line in message.text.splitlines()]
    lines = {line.strip().removeprefix("⚠️ ") for line in texts}  # where the person can try again
    if lines & REFUSALS:  # perhaps deleted by now; another sentence can come before or after it
        return True
    return any(id == told.it.id or (id < told.it.id and record == told.record) for id, record in made_by)


def has_made(told: Told, stored: StoredGame) -> bool:
    """Whether an action that was answered is stored, as that of its own interaction."""
    return told.it.id in map(interaction_of, stored.made_by)


async def _keep(bot: BotProcess) -> None:
    """Start a process again a second after its end, as a supervisor does."""
    while True:
        assert bot.process is not None
        await bot.process.wait()
        await bot.ended()
        await asyncio.sleep(1.0)
        await bot.launch()


@asynccontextmanager
async def chaos(folder: Path, processes: int, shards: int, games: int, seed: int) -> AsyncIterator[Chaos]:
    """Processes and games on a database server of their own. Except for its fsyncs, it is like a host's."""
    place = Path(tempfile.mkdtemp(prefix="harbormaster-"))
    server = await asyncio.to_thread(Postmaster, place / "data", "fsync = off")
    try:
        direct = server.new("games")
        async with (
            Line(server.socket) as line,
            cluster(folder, line.address("games"), processes, shards, seed=seed, games=games, limits=True) as table,
        ):
            for bot in table.bots:
                bot.address = direct
            state = Chaos(table, server, line, random.Random(seed))
            await state.begin()
            yield state
            print(f"all panels were right within {state.slowest:.1f} s")
    finally:
        await asyncio.to_thread(server.stop, "immediate")
        shutil.rmtree(place)
