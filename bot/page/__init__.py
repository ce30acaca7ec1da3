"""A game as one self-contained page, for any browser and without a network: watch it again, and check the dice.

All that people wrote is data in it, never markup, and its policy forbids everything but its own scripts and styles.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from bot.export import Player, read
from bot.page.contents import contents
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
    return made.put_together(proof, {"file": file, "proof-words": labels}, ["proof.js", "page.js"])


def running_page(number: str, config: Config, records: Iterable[Record], players: Sequence[Player]) -> bytes:
    """The page of a game for onlookers: all that `View(None)` shows, now and back to the beginning.

    `players`: in order of joining. Raises like `Game.replay`.
    """
    return _Page(number, config, records, players).put_together("", {}, ["page.js"])


class _Page:
    """A game's page in the making."""

    def __init__(self, number: str, config: Config, records: Iterable[Record], players: Sequence[Player]) -> None:
        moments = moments_of(config, records)
        self.now = moments[-1].view
        self._names = _names(self.now, players)
        self._drawing = svg.drawing(self.now.board)
        self._labels = words.labels(safe_name(number))
        self._data = contents(moments, self._names, self._drawing) | {"words": self._labels}

    def put_together(self, proof: str, data: Mapping[str, Any], scripts: Sequence[str]) -> bytes:
        """The page with some more data and scripts."""
        style = ASSETS["page.css"] + svg.css()
        sources = [ASSETS[name] for name in scripts]
        title, detail = result(self.now, self._names)
        blocks = [_data(name, value) for name, value in {"data": self._data, **data}.items()]
        text = ASSETS["page.html"].format_map(
            _escaped(self._labels | {"result": title, "detail": detail, "policy": _policy(style, sources)})
            | {
                "style": style,
                "view_box": self._drawing.view_box,
                "symbols": self._drawing.symbols,
                "land": self._drawing.land,
                "names": self._drawing.names,
                "proof": proof,
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
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _policy(style: str, scripts: Iterable[str]) -> str:
    """A policy that allows these texts as style and scripts, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {' '.join(map(_hash, scripts))}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
