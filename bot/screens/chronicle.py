"""A whole game as the frames of a film: a view for each turn, with its caption. They are drawn later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.words.language import _
from bot.words.marks import listing
from bot.words.narrator.log import heading
from engine.config import Config
from engine.game import Game
from engine.log.lasting import ends_of_turns
from engine.record import Record
from engine.views import View

MOST_FRAMES = 240
"""Most frames in a film; from longer games some turns are left out."""


def frames(config: Config, records: Iterable[Record]) -> list[View]:
    """The public view at the end of setup, of each turn, and of the game, from the log."""
    log = list(records)
    ends = ends_of_turns(config, log).values()
    found: list[View] = []
    for number, past in enumerate(Game.each(config, log)):
        if number + 1 in ends or number + 1 == len(log):
            found.append(past.view(None))
    if past.outcome is not None and number in ends:  # the next player won by beginning their turn
        del found[-2]
    return thinned(found)


def caption(view: View, names: Sequence[str]) -> str:
    """A frame's caption: "Turn 12 · Ann rolled 8"."""
    if view.outcome is not None:
        who = listing(names[seat] for seat in view.outcome.winners)
        return _("The end: {names} won", names=who) if view.outcome.winners else _("The end: no winner")
    if not view.turn or view.on_turn is None:
        return _("After setup")
    return heading(view.turn, names[view.on_turn], view.dice)


def thinned(views: Sequence[View], most: int = MOST_FRAMES) -> list[View]:
    """At most `most` of the views, evenly spread, with the first and the last."""
    if len(views) <= most:
        return list(views)
    return [views[round(k * (len(views) - 1) / (most - 1))] for k in range(most)]
