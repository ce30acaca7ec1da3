"""A stage: the real bot in a simulated Discord, a game that follows a plan, and what each person sees of it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.service import lobby, repository
from bot.table.acts.play import Play
from engine.actions import Action
from engine.config import Config
from tests.bot.batch import at_once
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, make_bot
from tests.bot.playground import new_file
from tests.bot.worlds.plans import Step, Told
from tests.bot.worlds.watch import ALL, Watch, same


@dataclass(frozen=True)
class Begins:
    """Stands in what people see, and in the log, where it begins to be about a secret."""

    secret: str


class Stage:
    """One world, number 0 or 1."""

    def __init__(self, hall: Hall, watch: Watch, records: list[logging.LogRecord], world: int) -> None:
        """`records`: what the process logs, INFO and above, as it comes."""
        self.hall, self.watch, self.world = hall, watch, world
        self._records, self._logged = records, list[str]()
        self._done = 0
        self.is_probed = False
        """Whether anyone has looked at everything yet."""
        self._begun: list[tuple[Begins, int, int]] = []

    def begin(self, secret: str) -> None:
        """Note that from now on it is about this secret."""
        self._begun.append((Begins(secret), self.watch.count, len(self._records)))

    async def config(self) -> Config:
        """The configuration of the game."""
        return (await self.hall.table()).config

    async def person(self, seat: int | None) -> Any:
        """The person in a seat; None: an onlooker."""
        return self.hall.people[-1] if seat is None else await self.hall.person(seat)

    async def past(self, steps: Iterable[Step]) -> None:
        """Do steps without Discord, then have the result shown."""
        hall = self.hall
        table, game = await hall.table(), await hall.game()
        async with at_once(hall.services):
            for seat, action in steps:
                await self._play(table.number, table.user_at(game, seat), action)
        await hall.bot.app.publisher.idle()

    async def _play(self, number: int, user: int, action: Action) -> None:
        hall = self.hall
        self._done += 1
        await hall.services.games.act(number, user, Play(action), f"past-{self._done}")

    async def does(self, seat: int, action: Action) -> None:
        """Have the player do an action, alternately by the panel and by a command."""
        self._done += 1
        way: Any = (by_components, by_commands)[self._done % 2]
        before = (await self.hall.game()).revision
        await way(self.hall, await self.person(seat), action)
        assert (await self.hall.game()).revision > before, f"{action} was not played"

    async def seen(self, seat: int | None) -> list[object]:
        """Everything that a person sees: all changes in the channel, all answers and direct messages to them."""
        person = await self.person(seat)
        numbers: dict[str, str] = {}
        changes = list[object]()
        for at, sent in enumerate((*self.watch.all(self.hall.env), None)):
            changes += [begins for begins, since, _ in self._begun if since == at]
            if sent is not None and sent.audience in (ALL, person.id):
                changes.append(sent.plain(numbers))
        messages = [same(repr(_message(m)), numbers) for m in self.hall.channel.history(viewer=person)]
        return [*changes, *messages, *(same(repr(_message(m)), numbers) for m in person.user.dm_channel.history())]

    def close(self) -> None:
        """Keep what was logged until now."""
        self._logged = [f"{r.levelname} {r.name} {r.getMessage()}" for r in self._records]

    def log(self) -> list[object]:
        """The lines that the process has logged, INFO and above, until the stage was closed."""
        numbers: dict[str, str] = {}
        lines = list[object]()
        for at, line in enumerate((*self._logged, None)):
            lines += [begins for begins, _, since in self._begun if since == at]
            if line is not None:
                lines.append(same(line, numbers))
        return lines


def _message(message: Any) -> tuple[object, ...]:
    """What a client shows of a message."""
    return (
        message.id,
        message.content,
        [component.to_dict() for component in message.components],
        [(a.filename, a.description, a.size) for a in message.attachments],
        message.edited_at is not None,
        message.flags.value,
        [user.id for user in message.mentions],
    )


async def _begin(hall: Hall, options: dict[str, Any]) -> None:
    """Start a game of all people but the last; the option `pace` is the turn timer in seconds.

    With special building, all players are called from four cards on, as in the plans.
    """
    host, *others = hall.people[:-1]
    await hall.lobby([host])
    if options:
        await hall.options(**options)
    for person in others:
        await person.click(await hall.panel(), label="Join")
    if options.get("scenario") == "extension":
        for person in (host, *others):
            await hall.standing(person, 4)
    await host.click(await hall.panel(), label="Start")


class Theatre:
    """Opens the same stage for each world, with the chance of a plan."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
        self._folder, self._monkeypatch, self._caplog = folder, monkeypatch, caplog

    @contextlib.asynccontextmanager
    async def stage(self, world: int, chance: Told, people: int, **options: Any) -> AsyncIterator[Stage]:
        """Open a stage with a running game of all people but the last, played with this chance."""
        make: Callable[..., Told] = lambda seed, number, entropy: chance  # noqa: E731
        path = new_file(self._folder / f"games{world}.db")
        with self._monkeypatch.context() as patch:
            for module in (repository, lobby):
                patch.setattr(module, "SeededChance", make)
            watch = Watch(patch)
            self._caplog.clear()
            self._caplog.set_level(logging.INFO)
            bot = make_bot(path)
            async with simcord.run(bot) as env:
                hall = Hall(path, env, bot, people)
                hall.started_long_ago()
                await hall.allow_messages()
                try:
                    await _begin(hall, options)
                    stage = Stage(hall, watch, self._caplog.records, world)
                    yield stage
                    stage.close()
                finally:
                    await hall.bot.close()
        errors = [r for r in self._caplog.records if r.levelno >= logging.ERROR]
        assert not errors, "\n".join(f"{r.getMessage()} {r.exc_text or ''}" for r in errors)
