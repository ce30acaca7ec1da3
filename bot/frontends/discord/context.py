"""What all parts of the front share: the services, the client, the screens, the pictures."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.frontends.discord import turns
from bot.frontends.discord.ephemeral import EphemeralMessages
from bot.frontends.discord.in_flight import InFlight
from bot.frontends.discord.pictures import Pictures
from bot.frontends.discord.screens import Screens
from bot.models import PANEL, Projection, Table
from bot.presentation.viewer import Viewer
from bot.service import Services
from engine.game import Game


class AppContext:
    """The table as people see it."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self.client = client
        self.services = services
        self.pictures = Pictures()
        self.screens = Screens(self)
        self.ephemeral = EphemeralMessages()
        self.in_flight = InFlight()
        self._recent: dict[int, dict[int, tuple[Game, Game]]] = {}
        """The first and the latest game seen of the latest turns, by table and turn."""

    def note(self, number: int, game: Game) -> None:
        """Remember a game after an action: the panel of its turn is put away with what it showed last."""
        known, turn = self._recent.setdefault(number, {}), game.view(None).turn
        first = known[turn][0] if turn in known else game
        known[turn] = (first, game)
        for old in [t for t in known if t < turn - 2]:
            del known[old]
        if game.outcome is not None:
            del self._recent[number]

    def changed(self, number: int, game: Game | None) -> None:
        """Show what the clock has done."""
        if game is not None:
            self.note(number, game)
        self.screens.refresh(number)

    async def end_of_turn(self, public: Viewer, turn: int) -> Viewer | None:
        """The public view of the end of an earlier turn."""
        known = self._recent.get(public.table.number, {})
        if turn in known and turn + 1 in known:
            pair: tuple[Game, Game] | None = (known[turn][1], known[turn + 1][0])
        else:
            pair = await turns.end_of_turn(public.game, turn)
        return None if pair is None else public.showing(turns.closing_view(*pair))

    def link(self, table: Table, marks: Mapping[str, Projection]) -> str | None:
        """Where the current panel is."""
        mark = marks.get(PANEL)
        if mark is None or mark.message is None:
            return None
        guild = table.guild or "@me"
        return f"https://discord.com/channels/{guild}/{mark.channel or table.channel}/{mark.message}"

    async def panel_link(self, number: int) -> str | None:
        """Where the current panel of a game is; None without such a game or panel."""
        if not number:
            return None
        return self.link(await self.services.repository.table(number), await self.services.marks.projections(number))
