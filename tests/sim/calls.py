"""Whom a game waits for is called, and no one is called twice: not by the same message, not to the same turn, and not
about the same topic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import Context
from functools import partial
from typing import Any

from bot import languages
from bot.projections import Kind, Name, Projection
from bot.store import Change
from bot.table.preferences import UserSettings
from bot.table.reminders import held_until
from bot.table.table import RUNNING, Table
from bot.table.waiting import WINDOW, what_is_owed
from engine.game import Game
from engine.geometry import bits
from engine.terms import StepKind
from tests.sim import saves
from tests.sim.town import Town
from tests.sim.weather import Weather
from tests.wire.calls import Request
from tests.wire.messages import Message
from tests.wire.stored_game import StoredGame

APART = 590.0
"""Seconds for which no one is called again: ten minutes, and clocks differ."""
SOON = 120.0
"""Seconds after which a person must have been called."""
ANSWERING = 30.0
"""The same where all have the same time to answer, which most do soon."""
CLOCKS = 20.0
"""Seconds by which times of clocks and of messages can differ."""
HEADS = {
    re.sub(r"\\{(number|turn)\\}", r"(\\d+)", re.escape(language.gettext(text)))
    for language in languages.offered()
    for text in ("Game {number} · setup", "Game {number} · turn {turn}")
}
TURN = re.compile(rf"### (?:{'|'.join(sorted(HEADS))})")
"""How a game message begins, in any language; it names the game and the turn."""


class Called:
    """No one is called twice."""

    name = "no one is called twice"

    def __init__(self, town: Town) -> None:
        self.town = town
        self._nonces = dict[tuple[str, int], int]()
        """The first message with a nonce that has called someone."""
        self._turns = dict[tuple[int, str, int], int]()
        """The message that has last called someone to a turn of a channel."""
        self._topics = dict[tuple[int, Name], int]()
        """The message that has last called someone about a topic of a game."""
        self._known = set[int]()
        """Messages of which a process has learned that they are there."""
        self.last = dict[int, float]()
        """When each person was last called, by anything, in seconds since the epoch."""
        self.to_offers = dict[int, float]()
        """The same about an offer."""
        for message in town.wire.world.messages.values():
            self._note(message)
        town.wire.heard.append(self._heard)
        saves.listen_to_notes(self._noted)

    def _heard(self, call: Request, answer: Any) -> None:
        if call.method != "POST" or call.status != 200 or not isinstance(answer, dict) or "components" not in answer:
            return
        message = self.town.wire.world.messages.get(int(answer["id"]))
        if message is not None and message.notified:
            self._by_nonce(message, str((call.json or {}).get("nonce") or ""))
            self._by_turn(message)
            self._note(message)

    def _note(self, message: Message) -> None:
        at = self.town.time - self.town.wire.world.ids.age(message.id)
        for user in message.notified:
            self.last[user.id] = max(at, self.last.get(user.id, 0.0))

    def _by_nonce(self, message: Message, nonce: str) -> None:
        for user in message.notified if nonce else ():
            first = self._nonces.setdefault((nonce, user.id), message.id)
            if first != message.id and not self._asked(user.id, message):
                self._wrong(user.name, message)

    def _by_turn(self, message: Message) -> None:
        if not (head := TURN.match(message.text)):
            return
        turn = ".".join(filter(None, head.groups()))
        for user in message.notified:
            key = message.channel.id, turn, user.id
            self._compare(self._turns.get(key, message.id), message, user.name)
            self._turns[key] = message.id

    def _compare(self, last: int, message: Message, user: str) -> None:
        """Compare a message that has called someone with the last one that has."""
        ids = self.town.wire.world.ids
        lost = last in self.town.deleted and last not in self._known  # no one can know that they were called
        if last != message.id and ids.age(last) - ids.age(message.id) < APART and not lost:
            self._wrong(user, message)

    def _noted(self, number: int, shown: Iterable[Projection]) -> None:
        """Look at what a process notes about whom it has called of what."""
        world = self.town.wire.world
        for one in shown:
            if one.posted is not None:
                self._known.add(one.posted.message)
            if one.name.kind is not Kind.NOTIFIED or one.place is None:
                continue
            message = world.messages.get(one.place.message)
            user = next((user for user in message.notified if user.id == one.name.user), None) if message else None
            if message is None or user is None:
                continue
            if one.name.key.startswith("offer."):
                self.to_offers[user.id] = self.town.time - world.ids.age(message.id)
            self._compare(self._topics.get((number, one.name), message.id), message, user.name)
            self._topics[number, one.name] = message.id

    def _asked(self, user: int, message: Message) -> bool:
        """Whether they have just asked for messages again, which greets them again."""
        if message.channel.recipient is None:
            return False
        own = [it for it in self.town.wire.world.interactions.values() if it.user.id == user]
        return any(self.town.universe.now - it.sent < 30.0 for it in own)

    def _wrong(self, user: str, message: Message) -> None:
        self.town.universe.wrong(self.name, f"{user} is called again: {message.text[:200]!r}")


class Rested:
    """No one is reminded in their quiet hours, nor on vacation."""

    name = "no one is reminded while they rest"

    def __init__(self, town: Town) -> None:
        self.town = town
        town.wire.heard.append(self._heard)

    def _heard(self, call: Request, answer: Any) -> None:
        if call.method != "POST" or call.status != 200 or not isinstance(answer, dict) or "components" not in answer:
            return
        message = self.town.wire.world.messages.get(int(answer["id"]))
        if message is not None and "⏰" in message.text and message.notified:
            self.town.universe.loop.create_task(self._look(message))

    async def _look(self, message: Message) -> None:
        now, store = self.town.time, await self.town.store()
        try:
            people = await store.settings_of([user.id for user in message.notified])
        finally:
            await store.close()
        for user in message.notified if all(abs(one.ahead) < CLOCKS for one in self.town.machines) else ():
            if (known := people.get(user.id)) is None:
                continue
            choices = known.choices
            changed = self.town.rests.has_changed(user.id, self.town.universe.now)
            if not changed and held_until(choices, now) and held_until(choices, now - SOON):
                self.town.universe.wrong(self.name, f"{user.name} is reminded: {message.text[:200]!r}")


class Awaited:
    """In calm weather, everyone for whom a game waits has been called since it does, or at least since a turn began in
    which it waits for them again and again, or has done something since. Who was called just before, and a player took
    that back, is called ten minutes later; so is whom the next of several offers names."""

    name = "whom a game waits for is called"

    def __init__(self, town: Town, weather: Weather, called: Called) -> None:
        self.town, self.weather, self.called = town, weather, called
        self._last = dict[int, tuple[Table, Game]]()
        self._opened = set[tuple[int, int]]()
        """The windows of each game, by their decisions' numbers."""
        self._began = dict[tuple[int, object], float]()
        """When each turn of each game, and each window for answers, began for the first time."""
        self._no_offers = set[int]()
        """People who don't want to be called about offers."""
        saves.listen(self._saved)
        saves.listen_to_settings(self._noted)

    def _saved(self, change: Change, game: Game | None) -> None:
        table, number = change.table, change.table.number
        game = game or self._last[number][1] if number in self._last else game
        if game is None:
            return
        self._last[number], step = (table, game), game.state.agenda[-1]
        if game.turn:  # in setup, each placement is called for
            self._began.setdefault((number, game.turn), self.town.time)
        if step.kind is StepKind.INTERRUPT and table.window and (number, step.serial) not in self._opened:
            self._opened.add((number, step.serial))
            self._began.setdefault((number, what := what_is_owed(game, WINDOW)), table.window[1])
            look = partial(self._look_at_window, number, step.serial, what)
            self.town.universe.loop.call_later(ANSWERING, look, context=Context())  # also if the process dies

    def _noted(self, settings: UserSettings) -> None:
        change = self._no_offers.discard if settings.choices.offer_pings else self._no_offers.add
        change(settings.user)

    def look(self, stored: StoredGame) -> None:
        """Look at those for whom a game waits. Nothing has disturbed the town for minutes."""
        table = stored.table
        if self._cannot_tell(table):
            return
        position = stored.game()
        for wait in table.waits:
            user = table.user_at(position, wait.seat)
            if table.member_at(position, wait.seat).level or (wait.offer and user in self._no_offers):
                continue
            acted = next((at for other, _seen, at in table.acted if other == user), 0.0)
            knows = max(self.called.last.get(user, 0.0), acted)
            same = max(self.called.to_offers.get(user, 0.0), acted) if wait.offer else knows
            begun = wait.since - wait.spent  # an answer to their offer gives them more time, and calls no one
            if not wait.offer:
                begun = min(begun, self._began.get((table.number, position.turn), begun))
            if self.town.time - max(wait.since, same + APART) > SOON and knows < begun - CLOCKS:
                self._wrong(table, user)

    def _look_at_window(self, number: int, serial: int, what: str) -> None:
        """Look at those who are asked for an answer for which all have the same time (L8)."""
        table, game = self._last[number]
        if game.state.agenda[-1].serial != serial or self._cannot_tell(table) or not self.weather.calm(SOON):
            return
        for user in (table.user_at(game, seat) for seat in bits(game.awaited) if not table.member_at(game, seat).level):
            if self.called.last.get(user, 0.0) < self._began[number, what] - CLOCKS:
                self._wrong(table, user)

    def _cannot_tell(self, table: Table) -> bool:
        clocks = any(abs(one.ahead) > CLOCKS for one in self.town.machines)
        return table.status != RUNNING or bool(table.paused) or clocks

    def _wrong(self, table: Table, user: int) -> None:
        name = next(one.name for one in self.town.wire.users if one.id == user)
        self.town.universe.wrong(self.name, f"game {table.number} waits for {name}, who was never called")
