"""People at a table. They have a copy of its game, so they know what can be done, and when the game message shows it.

They use the controls of the messages that they get, as a Discord client lets them. What the game allows can't be
refused. If it is, or if a control is missing, the bench is wrong and ends.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bench.scale import people
from bench.scale.discord import BenchServer
from bench.scale.samples import Samples
from bench.scale.town import Standing
from bot.discord.talk.dispatch import BROKEN, OUTDATED, STOPPING, STRANGE
from bot.screens.viewer import Viewer
from bot.words.refusals import REASONS
from engine.errors import SENTENCES
from engine.game import Game
from tests.bot.discord.doing import by_commands, by_components
from tests.wire.calls import Interaction
from tests.wire.messages import Message
from tests.wire.party import DEFERRED, DEFERRED_UPDATE, SUGGESTED, UPDATE, Party, Person, answered
from tests.wire.places import Channel
from tests.wire.process import BotProcess
from tests.wire.users import Human

PATIENCE = 60.0
"""Longest wait for a picture or an answer, in seconds."""
BY_BUTTONS = 0.7
"""Share of the actions that are done by buttons rather than commands."""


def _refusals() -> re.Pattern[str]:
    """A pattern for texts that begin with one of the bot's refusals."""
    every = [BROKEN, STOPPING, STRANGE, OUTDATED]
    for sentence in (*REASONS.values(), *SENTENCES.values()):
        every += [sentence] if isinstance(sentence, str) else sentence
    return re.compile("(?:⚠️ )?(?:" + "|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(each)) for each in every) + ")")


REFUSAL = _refusals()


class Unplayable(Exception):
    """A sentence that says why the bench can't go on."""


class Player(Person):
    """A person at a table, who never pauses, and does one thing after the other."""

    def __init__(self, party: Party, human: Human) -> None:
        super().__init__(party, human)
        self.hands = asyncio.Lock()

    async def slash(self, channel: Channel, path: str, *, check: bool = True, **values: Any) -> Interaction:
        """Run a command after its autocompletes."""
        options = {name: v.human if isinstance(v, Person) else v for name, v in values.items()}
        for name in sorted(set(SUGGESTED) & set(options)):
            try:
                choices = await self.human.autocomplete(path, options, name, channel=channel)
            except TimeoutError:
                continue  # counted; people type on
            if options[name] not in [choice["value"] for choice in choices]:
                raise AssertionError(f"/{path} doesn't suggest {name}: {options[name]}")
        return await self.party.done(self.human.slash(path, options, channel=channel))


class Table(Party):
    """A game and its players. `mirror` is the game as it must be stored."""

    def __init__(self, wire: BenchServer, bot: BotProcess, standing: Standing, rng: random.Random) -> None:
        super().__init__(wire, bot, [], rng)
        self.server, self.standing, self.mirror = wire, standing, standing.game
        self.doubt: Game | None = None
        """The game after an action that may or may not have been carried out. Once it is set, no one acts here."""
        self.number, self.place = standing.table.number, wire.world.channels[standing.table.channel]
        self._before = _legible(self.server.world.panels[self.place.id])
        self._players = {user: Player(self, wire.world.human(user)) for user in standing.table.users}

    async def done(self, doing: Any) -> Interaction:
        """Wait until the answer is there, or the panel shows what was done. Raises `Unplayable` if it was refused."""
        it: Interaction = await doing
        if it.kind in (DEFERRED, DEFERRED_UPDATE):
            await self.wire.until(lambda: _is_told(it) or self._moved_on(it), PATIENCE, "no answer came")
        return self._accepted(it)

    async def game(self) -> Game:
        return self.mirror

    async def viewer(self, person: Person) -> Viewer:
        return Viewer.of(self.standing.table, self.mirror, person.id)

    async def person(self, seat: int) -> Player:
        return self._players[self.standing.table.user_at(self.mirror, seat)]

    async def panel(self) -> Message:
        return self.server.world.panels[self.channel.id]

    @property
    def playable(self) -> bool:
        """Whether a player can act."""
        return self.mirror.outcome is None and self.doubt is None

    async def act(self, samples: Samples) -> None:
        """Have a player act, and wait until the result is shown."""
        seat, action, after = people.act(self.mirror, self.rng)
        way = by_components if self.rng.random() < BY_BUTTONS else by_commands
        player, self._before = await self.person(seat), _legible(await self.panel())
        try:
            async with self._possible(player, str(action)):
                it: Interaction = await way(self, player, action)
            await self.wire.until(lambda: self._moved_on(it), PATIENCE, f"never shown: {_private(it)!r:.80}")
        except TimeoutError as error:  # lost, or stored and not shown
            self.doubt = after
            samples.problems.append(f"{action.name} in game {self.number}: {_first_line(error)}")
            return
        self.mirror = after
        samples.actions[action.name] += 1
        samples.pictures.append(self.server.pictures[self.channel.id] - it.sent)

    def _moved_on(self, it: Interaction) -> bool:
        """Whether the panel got a picture after the interaction, and differs from what it said before the action."""
        panel = self.server.world.panels[self.channel.id]
        return self.server.pictures[self.channel.id] > it.sent and _legible(panel) != self._before

    async def look(self, samples: Samples) -> None:
        """Have a player look at their hand, no matter what happens at the table."""
        player = self.rng.choice(list(self._players.values()))
        try:
            async with self._possible(player, "look at the hand"):
                if self.rng.random() < 0.5:
                    it = await player.human.click(await self.panel(), "My hand")
                else:
                    it = await player.human.slash("hand", channel=self.channel)
                await self.wire.until(lambda: _is_told(it), PATIENCE, "no hand came")
                if not any(message.files for message in self._accepted(it).messages if message.only_for):
                    raise AssertionError(f"no hand was shown: {_private(it)!r}")
        except TimeoutError as error:
            samples.problems.append(f"hand in game {self.number}: {_first_line(error)}")

    def _accepted(self, it: Interaction) -> Interaction:
        """Return the interaction. Raises `Unplayable` if it was refused."""
        if REFUSAL.match(_private(it)):
            raise Unplayable(self._told("were refused", it))
        return it

    @asynccontextmanager
    async def _possible(self, player: Player, what: str) -> AsyncIterator[None]:
        """Raise `Unplayable` if the block fails for another reason than time. It isn't the bot's fault: no person could
        have done that."""
        try:
            async with player.hands:
                yield
        except (LookupError, AssertionError, AttributeError, ValueError) as error:
            mine = [it for it in self.server.world.interactions.values() if it.user is player.human]
            raise Unplayable(self._told(f"couldn't do {what}: {_first_line(error)}", *mine[-1:])) from error

    def _told(self, what: str, *done: Interaction) -> str:
        """A text about what went wrong, what was sent, and what came back."""
        sentences = [f"The people of game {self.number} {what}."]
        for it in done:
            sent = {key: value for key, value in it.payload.get("data", {}).items() if key != "resolved"}
            sentences.append(f"They sent {json.dumps(sent):.400}. The answer was {it.kind}: {_private(it)!r:.400}.")
        return " ".join(sentences)


def _is_told(it: Interaction) -> bool:
    """Whether the person got more than the acknowledgment. Edits of the panel are for everyone, and don't count."""
    public = it.source is not None and not it.source.only_for
    return bool(it.followups) if public and it.kind in (DEFERRED_UPDATE, UPDATE) else answered(it)


def _legible(message: Message) -> tuple[str, list[str]]:
    """A message's text, and the ids of its controls."""
    return message.text, [control["custom_id"] for control in message.interactive]


def _private(it: Interaction) -> str:
    """The text that only the person can see."""
    return "\n".join(message.text for message in it.messages if message.only_for).strip()


def _first_line(error: Exception) -> str:
    """The first line of an error, without what the server adds to it."""
    return str(error).partition("\n")[0] or type(error).__name__
