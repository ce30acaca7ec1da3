"""What must be shown in calm weather: in a channel the lobby, the game message, and how a game has ended; to a person
their hand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bot import languages
from bot.discord.show.lobby import lobby_layout
from bot.discord.show.round import PERSONAL
from bot.projections import Kind, Projection
from bot.screens.ratings import changed
from bot.screens.viewer import Viewer
from bot.service.promptness import PromptnessService
from bot.service.ratings import RatingService
from bot.service.servers import ServerService
from bot.table.preferences import UserSettings
from bot.table.table import LOBBY, OVER, RUNNING
from bot.words.hands import development_line, own_hand, points_line
from bot.words.language import speaking
from tests.bot.signs import without_signs
from tests.sim import saves
from tests.sim.town import Game, Town
from tests.sim.weather import Weather
from tests.wire.messages import Message
from tests.wire.stored_game import StoredGame, looks, shown

WITHIN = 60.0
"""Seconds within which everything must be shown."""


class Shown:
    """In calm weather, everything that must be shown is shown within a minute."""

    name = "everything is shown within a minute"

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        self._deletes = any(event.kind in ("delete_message", "purge") for event in town.plan.events)
        """Whether managers delete messages, of which Harbormaster hears nothing."""
        self._unsent = dict[int, bool]()
        """Users whose earlier hands stay as they are for a while: they haven't wanted direct messages, or had theirs
        closed. False: they want them again."""
        self._sent = set[tuple[int, int]]()
        """Those of them whose hands were sent since, by game."""
        saves.listen_to_settings(self._chosen)
        saves.listen_to_notes(self._noted)

    def _chosen(self, settings: UserSettings) -> None:
        if not settings.dms or settings.dms_closed:
            self._unsent[settings.user] = True
            self._sent = {sent for sent in self._sent if sent[1] != settings.user}
        elif settings.user in self._unsent:
            self._unsent[settings.user] = False

    def _noted(self, number: int, shown: Iterable[Projection]) -> None:
        sent = (one.name.user for one in shown if one.name.kind is Kind.HAND and not one.pending)
        self._sent |= {(number, user) for user in sent if not self._unsent.get(user)}

    async def look(self, game: Game) -> None:
        """Wait for the game message; people pause meanwhile."""
        begun = self.town.universe.now
        wrong = ""
        if not game.panels():  # perhaps a manager has deleted it
            await game.people[0].human.slash("board", channel=game.channel, wait=False)
        while self.town.universe.now - begun < WITHIN + 5.0:
            if not self.weather.calm(WITHIN):
                return
            stored = await game.read()
            try:
                wrong = "; ".join(await self._wrong(game, stored))
            except ValueError as error:
                wrong = f"what it must show can't be drawn: {error}"
            if not wrong:
                return
            await asyncio.sleep(1.0)
        self.town.universe.wrong(self.name, f"game {game.number}: {wrong}")

    async def _wrong(self, game: Game, stored: StoredGame) -> list[str]:
        found, panels, status = list[str](), game.panels(), stored.table.status
        if status in (LOBBY, RUNNING, OVER):
            if panels and not await self._is_right(panels[-1], stored):
                text = panels[-1].text[:300]
                found.append(f"{status}: the message shows something else than revision {stored.revision}: {text!r}")
            elif not panels and not (status == OVER and self._deletes):
                found.append(f"{status}: no message can be used")
        # Who asks for direct messages later was perhaps called otherwise, or waits for a turn.
        due = [name for name in stored.due if name.kind not in PERSONAL or name.user in self.town.written_to]
        if due:
            found.append(f"due are {[str(name) for name in due]}")
        if status == RUNNING:
            found += [f"the hand of {user} isn't {message.text[:300]!r}" for user, message in self._wrong_hands(stored)]
        return found

    def _wrong_hands(self, stored: StoredGame) -> list[tuple[int, Message]]:
        """Messages with hands that show something else, though they count as up to date."""
        sent = {user: self.town.wire.world.messages[message] for user, message in stored.hands.items()}
        return [
            (user, message)
            for user, message in sent.items()
            if user in stored.table.users and (user not in self._unsent or (stored.table.number, user) in self._sent)
            if not message.deleted and not _has_hand(message, stored, user)
        ]

    async def _is_right(self, message: Message, stored: StoredGame) -> bool:
        """Whether a message with buttons shows the table, in its language."""
        parts, picture = shown(message)
        with speaking(languages.resolve(stored.table.options.language)):
            if stored.table.status == LOBBY:
                return parts == await self._lobby(stored)
            if stored.table.status == OVER:
                stored = replace(stored, ratings=await self._ratings(stored), replayed=stored.game())
            return (parts, picture) == await stored.panel()

    async def _ratings(self, stored: StoredGame) -> str:
        store = await self.town.store()
        try:
            return changed((await RatingService(store).changes(stored.table)).values())
        finally:
            await store.close()

    async def _lobby(self, stored: StoredGame) -> list[Any]:
        table, store = stored.table, await self.town.store()
        try:
            computers = await ServerService(store).computers(table.guild)
            promptness = await PromptnessService(store).at(table, table.people)
        finally:
            await store.close()
        layout: Any = lobby_layout(table, computers=computers, promptness=promptness)  # untyped in discord.py
        return looks(layout.to_components())


def _has_hand(message: Message, stored: StoredGame, user: int) -> bool:
    """Whether a message shows a player's present cards and points, in whichever language. What they can do with them is
    up to date when they must do something."""
    viewer, text = Viewer.of(stored.table, stored.game(), user), without_signs(message.text)
    for language in languages.offered():
        with speaking(language):
            held, *_others = own_hand(viewer.view, viewer.names).splitlines()
            if all(part in text for part in (held, development_line(viewer.view), points_line(viewer.view))):
                return True
    return False
