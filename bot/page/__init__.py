"""A game as one self-contained page, for any browser and without a network: watch it again, and check the dice.

All that people wrote is data in it, never markup, and its policy forbids everything but its own scripts and styles. The
page of a running game follows the game, where it is served (`bot.page.following`).
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from bot.export import Player, read
from bot.page.contents import Contents, compact
from bot.page.following import Course, Following
from bot.plaintext import safe_name
from bot.words import page as words
from bot.words.language import code
from bot.words.marks import with_color
from bot.words.pictures import result
from engine.actions import Undo
from engine.config import Config
from engine.log.moments import Reading
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
    made = Unfolding(exported.game, exported.config, exported.records, exported.players)
    if made.now.outcome is None:
        raise ValueError(f"game {exported.game} isn't over")
    proof = ASSETS["proof.html"].format_map(_escaped(labels))
    return made.put_together(proof, {"file": compact(file), "proof-words": compact(labels)}, PROVING)


class RunningPage(NamedTuple):
    """The page of a game that runs, for onlookers."""

    data: bytes
    course: Course
    """What a page that was made earlier lacks."""


PLAYER = ("board.js", "cards.js", "player.js", "controls.js")
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


class Unfolding:
    """A game's page in the making, which can go on as the game does."""

    def __init__(self, number: str, config: Config, records: Sequence[Record], players: Sequence[Player]) -> None:
        """Begin with a log, in the present language. `players`: in order of joining. Raises like `Game.replay`."""
        self._number = safe_name(number)
        self._labels = words.labels(self._number)
        self._begun = config, players, self._labels
        self._records = records
        self._reading = Reading(config)
        self._reading.read(records)
        moments = self._reading.since(0)
        self.now = moments[-1].view
        self._names = _names(self.now, players)
        self._contents = Contents(self.now, self._reading.over, self._names, self._labels)
        self._contents.add(moments)
        self._following = Following(self._contents, _style() + "".join(ASSETS.values()))

    def go_on(self, config: Config, records: Sequence[Record], players: Sequence[Player]) -> bool:
        """Go on until the end of a log; False: it doesn't just go on, so the page must begin again.

        Raises like `Game.replay`; then the page is of no use anymore.
        """
        known = len(self._records)
        new = records[known:]
        undone = any(isinstance(record.action, Undo) for record in new)
        if undone or self._begun != (config, players, words.labels(self._number)) or self._records != records[:known]:
            return False
        self._reading.read(new)
        moments = self._reading.since(len(self._contents.moments))
        self._contents.add(moments)
        self._records = records
        self.now = moments[-1].view if moments else self.now
        return not self._reading.over

    def course(self) -> Course:
        """The course of the running game's page."""
        title, detail = result(self.now, self._names)
        return self._following.now({"result": title, "detail": detail})

    def running(self) -> RunningPage:
        """The page of the running game."""
        labels, course = words.following_labels(), self.course()
        live = ASSETS["live.html"].format_map(_escaped(labels))
        follow = compact({"mark": course.mark, "number": self._number, "words": labels})
        return RunningPage(self.put_together("", {"follow": follow}, FOLLOWING, live), course)

    def put_together(self, proof: str, data: Mapping[str, str], scripts: Sequence[str], live: str = "") -> bytes:
        """The page with some more data, as JSON, and scripts."""
        sources = [ASSETS[name] for name in scripts]
        title, detail = result(self.now, self._names)
        drawing = svg.drawing(self.now.board)
        blocks = [_data(name, value) for name, value in {"data": self._contents.as_json(), **data}.items()]
        text = ASSETS["page.html"].format_map(
            _escaped(self._labels | {"language": code(), "result": title, "detail": detail, "policy": policy(scripts)})
            | {
                "style": _style(),
                "view_box": drawing.view_box,
                "symbols": drawing.symbols,
                "land": drawing.land,
                "names": drawing.names,
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


def _data(name: str, json: str) -> str:
    """A block of data that no name or phrase in it can end."""
    text = json.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _style() -> str:
    return ASSETS["page.css"] + svg.css()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
