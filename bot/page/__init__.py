"""A game as one self-contained page, for any browser and without a network: watch it again, and check the dice.

All that people wrote is data in it, never markup, and its policy forbids everything but its own scripts and styles. The
page of a running game follows the game, where it is served (`bot.page.following`).
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from bot.export import Player, read
from bot.page.contents import contents
from bot.page.following import Course, compact, course
from bot.plaintext import safe_name
from bot.words import page as words
from bot.words.marks import with_color
from bot.words.pictures import result
from engine.config import Config
from engine.log.moments import moments_of
from engine.record import Record
from engine.views import View
from render import svg

ASSETS = {
    path.name: path.read_text("utf-8")
    for path in Path(__file__).parent.iterdir()
    if path.suffix in (".html", ".css", ".js")
}
"""By name. They are read only once: after an update they would no longer fit the code that this process runs."""


def page(file: Mapping[str, Any]) -> bytes:
    """The page of a finished game, with its proof; `file`: the data of the exported game (`bot.export.export`).

    It replays the game and is written in the present language. So run it in a thread, or in a process that speaks it.
    Raises like `bot.export.read` and `Game.replay`, and `ValueError` if the game isn't over.
    """
    exported = read(file)
    labels = words.proof_labels(sum(len(record.draws) for record in exported.records))
    made = _Page(exported.game, exported.config, exported.records, exported.players)
    if made.now.outcome is None:
        raise ValueError(f"game {exported.game} isn't over")
    proof = ASSETS["proof.html"].format_map(_escaped(labels))
    return made.put_together(proof, {"file": file, "proof-words": labels}, PROVING)


class RunningPage(NamedTuple):
    """The page of a game that runs, for onlookers."""

    data: bytes
    course: Course
    """What a page that was made earlier lacks."""


def running_page(number: str, config: Config, records: Iterable[Record], players: Sequence[Player]) -> RunningPage:
    """The page of a game for onlookers: all that `View(None)` shows, now and back to the beginning.

    `players`: in order of joining. Raises like `Game.replay`.
    """
    return _Page(number, config, records, players).following()


PLAYER = ("board.js", "player.js", "controls.js")
PROVING, FOLLOWING = ("proof.js", *PLAYER), (*PLAYER, "follow.js")
"""The scripts of a finished game's page, and of a running one's."""


def policy(scripts: Sequence[str]) -> str:
    """The content security policy of a page with these scripts: its own scripts and styles, and nothing else. What
    follows a game can ask where the page came from."""
    hashes = " ".join(_hash(ASSETS[name]) for name in scripts)
    asks = "connect-src 'self'; " if scripts is FOLLOWING else ""
    return (
        f"default-src 'none'; style-src {_hash(_style())}; script-src {hashes}; {asks}"
        "base-uri 'none'; form-action 'none'"
    )


class _Page:
    """A game's page in the making."""

    def __init__(self, number: str, config: Config, records: Iterable[Record], players: Sequence[Player]) -> None:
        moments = moments_of(config, records)
        self.now = moments[-1].view
        self._names = _names(self.now, players)
        self._drawing = svg.drawing(self.now.board)
        self._number = safe_name(number)
        self._labels = words.labels(self._number)
        self._data = contents(moments, self._names, self._drawing) | {"words": self._labels}

    def following(self) -> RunningPage:
        """The page of the running game."""
        labels = words.following_labels()
        title, detail = result(self.now, self._names)
        code = _style() + "".join(ASSETS.values())
        found = course(self._data, code, {"result": title, "detail": detail})
        live = ASSETS["live.html"].format_map(_escaped(labels))
        follow = {"mark": found.mark, "number": self._number, "words": labels}
        return RunningPage(self.put_together("", {"follow": follow}, FOLLOWING, live), found)

    def put_together(self, proof: str, data: Mapping[str, Any], scripts: Sequence[str], live: str = "") -> bytes:
        """The page with some more data and scripts."""
        sources = [ASSETS[name] for name in scripts]
        title, detail = result(self.now, self._names)
        blocks = [_data(name, value) for name, value in {"data": self._data, **data}.items()]
        text = ASSETS["page.html"].format_map(
            _escaped(self._labels | {"result": title, "detail": detail, "policy": policy(scripts)})
            | {
                "style": _style(),
                "view_box": self._drawing.view_box,
                "symbols": self._drawing.symbols,
                "land": self._drawing.land,
                "names": self._drawing.names,
                "proof": proof,
                "live": live,
                "data": "\n".join([*blocks, *(f"<script>{source}</script>" for source in sources)]),
            }
        )
        return text.encode("utf-8", "backslashreplace")  # JSON's way to write what is no character


def _names(view: View, players: Sequence[Player]) -> list[str]:
    """Harmless names by seat: "Bob", or "Bob (red)" if there are two."""
    names = [safe_name(players[player.player].name) for player in view.players]
    taken = Counter(name.casefold() for name in names)
    return [
        with_color(name, player.color) if taken[name.casefold()] > 1 else name
        for name, player in zip(names, view.players, strict=True)
    ]


def _escaped(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: escape(text) for name, text in texts.items()}


def _data(name: str, value: object) -> str:
    """A block of data that no name or phrase in it can end."""
    text = compact(value).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _style() -> str:
    return ASSETS["page.css"] + svg.css()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
