"""What a game's page carries as data: the game's positions, and what happened in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bot.page.positions import Position, difference, position
from bot.words.language import _, sentences
from bot.words.marks import hex_text
from bot.words.narrator import line, newest
from bot.words.page import AWARDS, BUILDINGS, CARDS, SEVENS, STOLEN, TRADES, cards_in_words, corner
from bot.words.pictures import WAYS
from engine import events as ev
from engine.log.moments import Moment
from engine.views import View
from render import svg
from render.palette import MARKS
from render.picture import giving

JUMPS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    (SEVENS, lambda e: isinstance(e, ev.Rolled) and sum(e.dice) == 7),
    (BUILDINGS, lambda e: isinstance(e, ev.Built) and not e.free and not e.piece.on_edge),
    (AWARDS, lambda e: isinstance(e, ev.AwardMoved)),
    (TRADES, lambda e: isinstance(e, ev.Traded)),
    (CARDS, lambda e: isinstance(e, ev.CardPlayed)),
    (STOLEN, lambda e: isinstance(e, ev.CardTaken)),
)
"""Where a reader can go: what happened, and whether an event is that."""


class Contents:
    """A page's data, to which moments can be added."""

    def __init__(self, view: View, over: bool, names: Sequence[str], words: Mapping[str, str]) -> None:
        """`view`: of any moment. `names`: by seat. `words`: the labels of the page."""
        drawing = svg.drawing(view.board)
        self.beside: dict[str, Any] = {
            "over": over,
            "players": [{"name": names[p.seat], "color": p.color, "mark": MARKS[p.color]} for p in view.players],
            "places": drawing.places,
            "reach": drawing.reach,
            "names": place_names(view),
            "ways": {way: _(title) for way, title in WAYS.items() if way != "held"},
            "words": words,
            **cards_in_words(),
        }
        """All but the moments and where a reader can go."""
        self.moments: list[str] = []
        """As JSON."""
        self.jumps: tuple[list[tuple[int, str]], ...] = tuple([] for _ in JUMPS)
        """By kind, the moments with what a reader can go to, by number, and each in words."""
        self._names = names
        self._last: Position = {}

    def add(self, moments: Iterable[Moment]) -> None:
        """Add the next moments."""
        for moment in moments:
            for found, (_what, fits) in zip(self.jumps, JUMPS, strict=True):
                said = (_line(event, moment, self._names) for event in moment.events if fits(event))
                found += [(len(self.moments), line) for line in said]
            now = position(moment.view, moment.accounts)
            data = {
                "set": difference(self._last, now),
                "told": _told(moment, self._names),
                "new": newest(moment.view, self._names),
                "giving": giving(moment.view),
            }
            self.moments.append(compact(data))
            self._last = now

    def as_json(self) -> str:
        """All of it."""
        jumps = [{"to": _(what), "at": found} for found, (what, _fits) in zip(self.jumps, JUMPS, strict=True)]
        rest = compact(self.beside | {"jumps": jumps})
        return f'{rest[:-1]},"moments":[{",".join(self.moments)}]}}'


def _told(moment: Moment, names: Sequence[str]) -> str:
    """What an action did, in words; whose turn begins is said with each position."""
    return sentences(_line(event, moment, names) for event in moment.events if not isinstance(event, ev.TurnBegan))


def _line(event: ev.Event, moment: Moment, names: Sequence[str]) -> str:
    return line(event, moment.view, names).replace("**", "")


def place_names(view: View) -> dict[str, list[str]]:
    """All places in words, by kind and id, for those who can't see the board."""
    board = view.board
    return {
        "node": [corner(board, node) for node in range(len(board.grid.nodes))],
        "edge": list(board.grid.edge_names),
        "hex": [hex_text(board, hex_) for hex_ in range(len(board.grid.hexes))],
    }


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
