"""What a game's page carries as data: the game's positions, and what happened in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.page.positions import differences, position
from bot.words import page as words
from bot.words.language import _, sentences
from bot.words.marks import hex_text
from bot.words.narrator import line, newest
from bot.words.pictures import WAYS
from engine import events as ev
from engine.log.moments import Moment
from engine.views import View
from render import svg
from render.palette import MARKS
from render.picture import giving

JUMPS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    (words.SEVENS, lambda e: isinstance(e, ev.Rolled) and sum(e.dice) == 7),
    (words.BUILDINGS, lambda e: isinstance(e, ev.Built) and not e.free and not e.piece.on_edge),
    (words.AWARDS, lambda e: isinstance(e, ev.AwardMoved)),
    (words.TRADES, lambda e: isinstance(e, ev.Traded)),
    (words.CARDS, lambda e: isinstance(e, ev.CardPlayed)),
    (words.STOLEN, lambda e: isinstance(e, ev.CardTaken)),
)
"""Where a reader can go: what happened, and whether an event is that."""


def contents(moments: Sequence[Moment], names: Sequence[str], drawing: svg.Drawing) -> dict[str, Any]:
    """The page's data; `names`: by seat."""
    now = moments[-1].view
    changes = differences(position(moment.view, moment.accounts) for moment in moments)
    return {
        "over": now.outcome is not None,
        "players": [{"name": names[p.seat], "color": p.color, "mark": MARKS[p.color]} for p in now.players],
        "moments": [
            {
                "set": changed,
                "told": _told(moment, names),
                "new": newest(moment.view, names),
                "giving": giving(moment.view),
            }
            for moment, changed in zip(moments, changes, strict=True)
        ],
        "jumps": [{"to": _(what), "at": _found(moments, names, fits)} for what, fits in JUMPS],
        "places": drawing.places,
        "reach": drawing.reach,
        "names": place_names(now),
        "ways": {way: _(title) for way, title in WAYS.items() if way != "held"},
        **words.cards_in_words(),
    }


def _told(moment: Moment, names: Sequence[str]) -> str:
    """What an action did, in words; whose turn begins is said with each position."""
    return sentences(_line(event, moment, names) for event in moment.events if not isinstance(event, ev.TurnBegan))


def _found(moments: Sequence[Moment], names: Sequence[str], fits: Callable[[Any], bool]) -> list[tuple[int, str]]:
    """The moments with an event that fits, by number, and the event in words."""
    return [
        (number, _line(event, moment, names))
        for number, moment in enumerate(moments)
        for event in moment.events
        if fits(event)
    ]


def _line(event: ev.Event, moment: Moment, names: Sequence[str]) -> str:
    return line(event, moment.view, names).replace("**", "")


def place_names(view: View) -> dict[str, list[str]]:
    """All places in words, by kind and id, for those who can't see the board."""
    board = view.board
    return {
        "node": [words.corner(board, node) for node in range(len(board.grid.nodes))],
        "edge": list(board.grid.edge_names),
        "hex": [hex_text(board, hex_) for hex_ in range(len(board.grid.hexes))],
    }
