"""The coach of a first game, which sends tips and plans privately, by the token of the person's latest interaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace

import discord
from cachetools import TTLCache

from bot.discord.in_flight import EphemeralMessages
from bot.discord.interaction import InteractionToken, recent
from bot.discord.show import channels, messages
from bot.discord.show.messages import files_of, layout_of
from bot.discord.show.pictures import Pictures
from bot.screens.coach import advice
from bot.screens.viewer import Viewer
from bot.service import Services
from bot.store import Unavailable
from bot.table.acts.coach import GiveTips
from bot.table.preferences import Look
from bot.table.table import RUNNING
from bot.tasks import Locks
from bot.words.language import speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)

TIP_WITHIN = 14 * 60
"""Seconds after an interaction within which a tip can follow it. Discord takes its token for 15 minutes; a minute is
left for thinking and sending."""


class Coach:
    """Tells people in a first game what to aim for, and what is new to them.

    The tips that were given are stored. Who can get one is not: after a restart, the next tip waits for the next click.
    """

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        ephemeral: EphemeralMessages,
        pictures: Pictures,
        showing: Callable[[int], object],
    ) -> None:
        """`showing`: whether a game is being shown; `tell` is called after that."""
        self._client, self._services, self._ephemeral, self._showing = client, services, ephemeral, showing
        self._pictures = pictures
        self._heard: TTLCache[tuple[int, int], InteractionToken] = recent(TIP_WITHIN)
        self._locks = Locks()
        self._coached = set[int]()
        """Games that give tips, once they have been shown; in all others a click costs nothing."""

    async def heard(self, number: int, user: int, token: InteractionToken) -> None:
        """Remember a person's answered interaction with a game, and give tips, unless the game is being shown."""
        self._heard[user, number] = token
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
        async with self._locks(table.number):  # so that the latest tip is sent last
            for user in table.people:
                await self._advise(public, user, table.coached)

    async def _advise(self, public: Viewer, user: int, given: Collection[str]) -> None:
        token = self._heard.get((user, public.table.number))
        if token is None or token.expired:
            return
        settings = await self._services.people.settings(user)
        with speaking(settings.language):
            await self._send_tip(Viewer.of(public.table, public.game, user), given, token, settings.choices.look)

    async def _send_tip(self, viewer: Viewer, given: Collection[str], token: InteractionToken, look: Look) -> None:
        number, user, tip = viewer.table.number, viewer.users[viewer.my_seat], advice(viewer, given)
        if tip is None:
            return
        reply = tip.reply
        try:
            if any(tip.marks[:2]):
                view = replace(viewer.view, changes=tip.marks, last=(), dice=None)
                reply.picture = await self._pictures.board(viewer.showing(view), look=look)
            layout = layout_of(reply, number)
            messages.put_in_signs(self._client, layout)
            done = await self._services.games.act(number, user, GiveTips(tip.names))
            if done.table != done.before:  # no other call was quicker
                sent = await token.webhook.send(
                    view=layout,
                    files=files_of(reply),
                    ephemeral=True,
                    allowed_mentions=channels.SILENT,
                    wait=True,
                )
                await self._ephemeral.opened((user, -number), token, sent.id, same=False)
        except (*channels.FAILED, Unavailable, RefereeError) as error:
            log.info("Game %d: a tip could not be given: %s", number, error)
