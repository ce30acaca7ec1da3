"""A whole game as pictures to come, a frame a turn, each with its caption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.presentation.texts.language import _
from bot.presentation.texts.marks import listing
from bot.presentation.texts.narrator.log import heading
from engine.config import Config
from engine.game import Game
from engine.record import Record
from engine.views import View

MOST_FRAMES = 240
"""Turns that a film shows; of a longer game some are left out."""


def frames(config: Config, records: Iterable[Record]) -> list[View]:
    """The board at the end of setup and of each turn, and at the end of the game, as all could see it; from the log."""
    found: list[View] = []
    last = None
    for past in Game.each(config, records):
        now = past.view(None)
        if last is not None and now.turn > last.turn and now.outcome is None:
            found.append(last)
        elif last is not None and found and now.turn < last.turn:  # the end of that turn was taken back
            found.pop()
        last = now
    if last is not None:
        found.append(last)
    return thinned(found)


def caption(view: View, names: Sequence[str]) -> str:
    """What a frame says: "Turn 12 · Ann rolled 8"."""
    if view.outcome is not None:
        who = listing(names[seat] for seat in view.outcome.winners)
        return _("The end: {names} won", names=who) if view.outcome.winners else _("The end: nobody won")
    if not view.turn or view.on_turn is None:
        return _("After setup")
    return heading(view.turn, names[view.on_turn], view.dice)


def thinned(views: Sequence[View], most: int = MOST_FRAMES) -> list[View]:
    """At most so many of them, evenly, with the first and the last."""
    if len(views) <= most:
        return list(views)
    return [views[round(k * (len(views) - 1) / (most - 1))] for k in range(most)]
