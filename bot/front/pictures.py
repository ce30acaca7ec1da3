"""Pictures on demand: drawn from views in worker threads, so that the event loop never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import render
from bot.front.parts import Picture
from bot.front.sight import Sight
from bot.words import alt
from engine.geometry import mask_of

PLURAL = {"node": "nodes", "edge": "edges", "hex": "hexes"}


class Pictures:
    """Draws boards and hands; the same for everybody who sees the same."""

    async def board(self, sight: Sight, labels: tuple[str, Sequence[int]] | None = None) -> Picture:
        """The board of a view, with the legal places of a kind labelled: ("node", "edge" or "hex", ids)."""
        marks = None if labels is None else render.Labels(**{PLURAL[labels[0]]: mask_of(labels[1])})
        data = await asyncio.to_thread(render.board, sight.view, labels=marks)
        return Picture(data, alt.board(sight.view, sight.names))

    async def hand(self, sight: Sight) -> Picture:
        """The cards of the one who looks."""
        data = await asyncio.to_thread(render.hand, sight.view)
        return Picture(data, alt.hand(sight.view), "hand.png")

    async def dice(self, sight: Sight) -> Picture | None:
        """The dice so far; None before the first roll."""
        if not any(sight.view.rolls):
            return None
        data = await asyncio.to_thread(render.dice_chart, sight.view)
        return Picture(data, "The dice so far as bars, as told in the text.", "dice.png")
