"""Pictures on demand: drawn from views in worker threads, so that the event loop never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import render
from bot.metrics import Metrics
from bot.presentation.controls import Picture
from bot.presentation.texts import alt, stats
from bot.presentation.viewer import Viewer
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.geometry import mask_of
from engine.scenarios import SCENARIOS
from engine.terms import PlaceKind

LABELS = {PlaceKind.INTERSECTION: "nodes", PlaceKind.EDGE: "edges", PlaceKind.HEX: "hexes"}
"""What they are called among the labels of a picture."""


class Pictures:
    """Draws boards and hands; the same for everybody who sees the same.

    Hands have a thread of their own and never keep a board waiting; few threads leave the event loop its time.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        metrics.boards_looked_up(render.board_lookups)
        self._boards = ThreadPoolExecutor(2, "board")
        self._hands = ThreadPoolExecutor(1, "hand")

    async def warm(self) -> None:
        """Draw a board of each scenario, so that nobody's click has to wait for the first of its kind."""
        for scenario in SCENARIOS.values():
            players = max(scenario.players)
            config = Config(scenario.colors_for(players)[:players], scenario=scenario.id)
            game = Game.new(config, SeededChance(bytes(SEED_BYTES), "", ()))
            await asyncio.get_running_loop().run_in_executor(self._boards, render.board, game.view(None))

    def close(self) -> None:
        """Let the threads end."""
        for pool in (self._boards, self._hands):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _draw(self, kind: str, pool: ThreadPoolExecutor, draw: Callable[[], bytes]) -> bytes:
        with self._metrics.drawing.labels(kind).time():
            return await asyncio.get_running_loop().run_in_executor(pool, draw)

    async def board(self, viewer: Viewer, labels: tuple[PlaceKind, Sequence[int]] | None = None) -> Picture:
        """The board of a view, with the legal places of a kind labelled: (kind, ids)."""
        view = viewer.view
        marks = None if labels is None else render.Labels(**{LABELS[labels[0]]: mask_of(labels[1])})
        data = await self._draw("board", self._boards, lambda: render.board(view, labels=marks))
        return Picture(data, alt.board(viewer.view, viewer.names))

    async def hand(self, viewer: Viewer) -> Picture:
        """The cards of the one who looks."""
        view = viewer.view
        data = await self._draw("hand", self._hands, lambda: render.hand(view))
        return Picture(data, alt.hand(viewer.view), "hand.png")

    async def dice(self, viewer: Viewer) -> Picture | None:
        """The dice so far; None before the first roll."""
        if not any(viewer.view.rolls):
            return None
        view = viewer.view
        data = await self._draw("dice", self._hands, lambda: render.dice_chart(view))
        return Picture(data, stats.numbers(view), "dice.png")
