"""What was: the log of a game as events, and how a turn ended."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from dataclasses import replace

from bot.presentation.texts.log import full, short
from bot.presentation.viewer import Viewer
from engine.events import TurnBegan
from engine.game import Game, events_of
from engine.views import View


class TurnMemory:
    """How the latest turns ended, so that a turn's panel can be put away as it was; what is forgotten is replayed."""

    def __init__(self, most: int = 256) -> None:
        """`most`: games, and ends of turns, that are remembered."""
        self._most = most
        self._latest: OrderedDict[int, Game] = OrderedDict()
        self._ends: OrderedDict[tuple[int, int], tuple[Game, Game]] = OrderedDict()
        """By table and turn: the game before and after the action that ended it."""

    def remember(self, number: int, game: Game) -> None:
        """Remember a game after an action; one that another process has played in between leaves a gap."""
        before = self._latest.pop(number, None)
        if before is not None and game.revision == before.revision + 1 and game.turn > before.turn:
            self._ends[number, before.turn] = (before, game)
        if game.outcome is None:
            self._latest[number] = game
        for known in (self._latest, self._ends):
            if len(known) > self._most:
                known.popitem(last=False)

    async def end_of(self, public: Viewer, turn: int) -> Viewer | None:
        """An earlier turn as its panel shows it for good."""
        pair = self._ends.pop((public.table.number, turn), None)
        pair = pair or await asyncio.to_thread(_end_of_turn, public.game, turn)
        return None if pair is None else public.showing(_closing_view(*pair))


def _end_of_turn(game: Game, turn: int) -> tuple[Game, Game] | None:
    """The game before and after the action that ended a turn for good, by replaying its log."""
    before: Game | None = None
    found: tuple[Game, Game] | None = None
    for past in Game.each(game.config, game.records):
        if past.turn == turn:
            before = past.copy()
        elif past.turn == turn + 1 and before is not None:
            found, before = (before, past.copy()), None
        elif past.turn > turn + 1:
            break
    return found


def _closing_view(before: Game, after: Game) -> View:
    """The end of a turn: the turn's story with the action that ended it."""
    old, new = before.view(None), after.view(None)
    last = tuple(itertools.takewhile(lambda event: not isinstance(event, TurnBegan), new.last))
    return replace(
        new,
        step=replace(old.step, awaited=0),
        on_turn=old.on_turn,
        turn=old.turn,
        round=old.round,
        dice=old.dice,
        events=(*old.events, *last),
        last=last,
        offers=(),
    )


async def log(viewer: Viewer) -> tuple[list[str], list[str]]:
    """The whole game so far as the viewer may read it: in short for a message, in full for a file."""

    def tell() -> tuple[list[str], list[str]]:
        over = viewer.game.outcome is not None
        events = [
            tuple(event.redact(viewer.seat, over) for event in some)
            for some in events_of(viewer.game.config, viewer.game.records)
        ]
        return short(events, viewer.view, viewer.mentions), full(events, viewer.view, viewer.names)

    return await asyncio.to_thread(tell)
