"""The coach of a first game: sends tips and plans for one person's eyes only, by the token of what they did last."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container
from typing import Any

import discord
from cachetools import TTLCache

from bot.discord.ephemeral import EphemeralMessages
from bot.discord.show import channels, signs
from bot.discord.show.messages import layout_of
from bot.discord.show.recent import recent
from bot.screens.coaching import advice
from bot.screens.viewer import Viewer
from bot.service import Services
from bot.store import Unavailable
from bot.table.acts.lessons import GiveTips
from bot.table.table import RUNNING
from bot.tasks import Locks
from engine.errors import RefereeError

log = logging.getLogger(__name__)

TOKEN = 840.0
"""Seconds for which a private message can follow an interaction, a minute left for sending it."""


class Coach:
    """Tells people of a first game what to aim for, and what is new to them.

    What was told is stored; who can be told is not: after a restart the next tip waits for the next click.
    """

    def __init__(self, services: Services, ephemeral: EphemeralMessages, showing: Callable[[int], bool]) -> None:
        """`showing`: whether a game is being shown, after which `tell` is called."""
        self._services, self._ephemeral, self._showing = services, ephemeral, showing
        self._heard: TTLCache[tuple[int, int], discord.Interaction[Any]] = recent(TOKEN)
        self._locks = Locks()
        self._coached = set[int]()
        """Games that give tips, as far as they have been shown: for all others a click costs nothing."""

    async def heard(self, number: int, interaction: discord.Interaction[Any]) -> None:
        """Somebody has used a game, and been answered."""
        self._heard[interaction.user.id, number] = interaction
        if number not in self._coached or self._showing(number):
            return
        try:
            table = await self._services.repository.table(number)
            await self.tell(Viewer(table, await self._services.repository.game(number)))
        except (RefereeError, Unavailable) as error:
            log.info("Game %d: no tip: %s", number, error)

    async def tell(self, public: Viewer) -> None:
        """Give each person their next tip, if there is one and they can be told."""
        table = public.table
        if table.coached is None or table.status != RUNNING:
            self._coached.discard(table.number)
            return
        self._coached.add(table.number)
        async with self._locks(table.number):  # the latest is the last to be sent
            for user in table.people:
                await self._advise(public, user, table.coached)

    async def _advise(self, public: Viewer, user: int, given: Container[str]) -> None:
        number, interaction = public.table.number, self._heard.get((user, public.table.number))
        found = advice(Viewer.of(public.table, public.game, user), given)
        if interaction is None or found is None or interaction.is_expired():
            return
        names, reply = found
        try:
            view = layout_of(reply, number)
            signs.put_in(interaction.client, view)
            done = await self._services.games.act(number, user, GiveTips(tuple(names)))
            if done.table != done.before:  # nobody has been quicker
                sent = await interaction.followup.send(
                    view=view, ephemeral=True, allowed_mentions=channels.SILENT, wait=True
                )
                await self._ephemeral.opened((user, -number), interaction, sent.id, same=False)
        except (*channels.FAILED, Unavailable, RefereeError) as error:
            log.info("Game %d: a tip could not be given: %s", number, error)
