"""Pictures on demand: drawn from views by a worker, so that the event loop never waits."""

from __future__ import annotations

from collections.abc import Sequence

import render
from bot.metrics import Metrics
from bot.presentation.controls import Picture
from bot.presentation.texts import alt, stats
from bot.presentation.viewer import Viewer
from bot.workers import Worker
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.geometry import mask_of
from engine.scenarios import SCENARIOS
from engine.terms import PlaceKind
from engine.views import View

LABELS = {PlaceKind.INTERSECTION: "nodes", PlaceKind.EDGE: "edges", PlaceKind.HEX: "hexes"}
"""What they are called among the labels of a picture."""


class Pictures:
    """Draws boards and hands; the same for everybody who sees the same."""

    def __init__(self, metrics: Metrics, worker: Worker) -> None:
        self._metrics, self._worker = metrics, worker
        self._lookups = (0, 0)
        metrics.boards_looked_up(lambda: self._lookups)

    async def warm(self) -> None:
        """Draw a board of each scenario, so that nobody's click has to wait for the first of its kind."""
        for scenario in SCENARIOS.values():
            players = max(scenario.players)
            config = Config(scenario.colors_for(players)[:players], scenario=scenario.id)
            game = Game.new(config, SeededChance(bytes(SEED_BYTES), "", ()))
            await self._worker.run(_board, game.view(None), None)

    async def board(self, viewer: Viewer, labels: tuple[PlaceKind, Sequence[int]] | None = None) -> Picture:
        """The board of a view, with the legal places of a kind labelled: (kind, ids)."""
        view = viewer.view
        marks = None if labels is None else render.Labels(**{LABELS[labels[0]]: mask_of(labels[1])})
        with self._metrics.drawing.labels("board").time():
            data, self._lookups = await self._worker.run(_board, view, marks)
        return Picture(data, alt.board(viewer.view, viewer.names))

    async def hand(self, viewer: Viewer) -> Picture:
        """The cards of the one who looks."""
        with self._metrics.drawing.labels("hand").time():
            data = await self._worker.run(render.hand, viewer.view)
        return Picture(data, alt.hand(viewer.view), "hand.png")

    async def dice(self, viewer: Viewer) -> Picture | None:
        """The dice so far; None before the first roll."""
        if not any(viewer.view.rolls):
            return None
        with self._metrics.drawing.labels("dice").time():
            data = await self._worker.run(render.dice_chart, viewer.view)
        return Picture(data, stats.numbers(viewer.view), "dice.png")


def _board(view: View, labels: render.Labels | None) -> tuple[bytes, tuple[int, int]]:
    """A board, and how often rows were looked up where it was drawn."""
    return render.board(view, labels=labels), render.board_lookups()
