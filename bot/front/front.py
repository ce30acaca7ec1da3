"""What all parts of the front share: the service, the client, the screens, the pictures."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.front import turns
from bot.front.pictures import Pictures
from bot.front.screens import Screens
from bot.front.sight import Sight
from bot.service import Service
from bot.tables import PANEL, Projection, Table
from engine.game import Game


class Front:
    """The table as people see it."""

    def __init__(self, client: discord.Client, service: Service) -> None:
        self.client = client
        self.service = service
        self.pictures = Pictures()
        self.screens = Screens(self)
        self._recent: dict[int, dict[int, Game]] = {}

    def note(self, number: int, game: Game) -> None:
        """Remember a game after an action: the last one of a turn is shown when its panel is put away."""
        turns_ = self._recent.setdefault(number, {})
        view = game.view(None)
        if view.step == "over":
            self._recent.pop(number, None)
            return
        turns_[view.turn] = game
        for old in [turn for turn in turns_ if turn < view.turn - 2]:
            del turns_[old]

    async def last_of_turn(self, public: Sight, turn: int) -> Sight | None:
        """The public view of the end of an earlier turn."""
        game = self._recent.get(public.table.number, {}).get(turn)
        if game is None:
            game = await turns.last_of_turn(public.game, turn)
        return None if game is None else Sight(public.table, game)

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
        return self.link(await self.service.table(number), await self.service.projections(number))
