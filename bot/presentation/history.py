"""What was: the log of a game as events, and how a turn ended."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace

from bot.presentation.texts.log import full, short
from bot.presentation.viewer import Viewer
from engine.events import TurnBegan
from engine.game import Game, events_of
from engine.views import View


class TurnMemory:
    """The first and the latest game seen of the latest turns, so that a turn's panel can be put away as it ended."""

    def __init__(self) -> None:
        self._known: dict[int, dict[int, tuple[Game, Game]]] = {}
        """By table and turn."""

    def remember(self, number: int, game: Game) -> None:
        """Remember a game after an action."""
        known, turn = self._known.setdefault(number, {}), game.view(None).turn
        first = known[turn][0] if turn in known else game
        known[turn] = (first, game)
        for old in [t for t in known if t < turn - 2]:
            del known[old]
        if game.outcome is not None:
            del self._known[number]

    async def end_of(self, public: Viewer, turn: int) -> Viewer | None:
        """An earlier turn as its panel shows it for good."""
        known = self._known.get(public.table.number, {})
        if turn in known and turn + 1 in known:
            pair: tuple[Game, Game] | None = (known[turn][1], known[turn + 1][0])
        else:
            pair = await asyncio.to_thread(_end_of_turn, public.game, turn)
        return None if pair is None else public.showing(_closing_view(*pair))


def _end_of_turn(game: Game, turn: int) -> tuple[Game, Game] | None:
    """The game before and after the action that ended a turn, by replaying its log."""
    low, high = 1, len(game.records)  # the shortest log that goes beyond the turn; its number never falls
    while low < high:
        middle = (low + high) // 2
        past = Game.replay(game.config, game.records[:middle])
        low, high = (low, middle) if past.view(None).turn > turn else (middle + 1, high)
    if low < 2:
        return None
    before, after = (Game.replay(game.config, game.records[:n]) for n in (low - 1, low))
    return before, after


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
