"""Pages of games for the browser, and a server for them."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from bot.export import Player, export
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from players.simulate import play_out
from tests.browser.screen import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
WORDS = ("1001", "wörds of luck", "1002")
Data = dict[str, Any]
Note = Callable[[str, object], None]
"""Notes how much was tried (pytest's `record_property`)."""


def players_of(config: Config, names: Sequence[str] = NAMES) -> list[Player]:
    """The players of a game, in order of joining."""
    return [Player(name, color) for name, color in zip(names, config.colors, strict=False)]


def file_of(game: Game, seed: int, names: Sequence[str] = NAMES, words: Sequence[str] = ()) -> Data:
    """The exported file of a game with the chance that `tests.engine.randomly.chance` makes of a seed."""
    return export(game, str(seed), seed.to_bytes(32, "big"), words, players_of(game.config, names))


FOUR = Config(("red", "blue", "white", "teal"), target=6)


def finished(seed: int, words: Sequence[str] = WORDS, config: Config = FOUR) -> Game:
    """A game of random moves with offers, and with what the players mixed in."""
    game = Game.new(config, SeededChance(seed.to_bytes(32, "big"), str(seed), words))
    play_out(game, random.Random(seed), offers=True)
    return game


def right(game: Game) -> tuple[str, str]:
    """What the proof of a game must find."""
    return "right", f"All {sum(len(record.draws) for record in game.records)} draws are as the seed says."


def with_file(made: bytes, file: Data) -> bytes:
    """A page with another file in it, as a forger would make it."""
    block = json.dumps(file).replace("<", "\\u003c")
    text = made.decode()
    return re.sub(r'(id="file">).*?(?=</script>)', lambda found: found[1] + block, text, flags=re.DOTALL).encode()


class Shown:
    """A page in the browser, and all that went wrong in it."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.page: Page = browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        self.page.close()

    def open(self, path: Path, made: bytes) -> None:
        """Open a page from a file."""
        path.write_bytes(made)
        self.page.goto(path.as_uri())

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so. (The page's policy forbids Playwright's own way.)"""
        until = monotonic() + PATIENCE / 1000
        while not condition():
            assert monotonic() < until
            self.page.wait_for_timeout(50)

    @property
    def last(self) -> int:
        """Number of the last moment."""
        return int(self.page.evaluate("harbormaster.last"))

    @property
    def at(self) -> int:
        """Number of the moment that is shown, as the slider has it."""
        return int(self.page.input_value("#slider"))

    @property
    def told(self) -> str:
        """What the page says about its position."""
        return str(self.page.inner_text("#told"))

    def position(self, number: int | None = None) -> Data:
        """The page's position, after going to a moment. All of the page then shows it."""
        if number is not None:
            self.page.evaluate("number => harbormaster.go(number)", number)
        found: Data = self.page.evaluate("harbormaster.position()")
        return found

    def verdict(self) -> tuple[str, str]:
        """What the proof has found ("right" or "wrong"), and its sentence."""
        self.page.wait_for_selector("#verdict.right, #verdict.wrong")
        return self.page.get_attribute("#verdict", "class") or "", self.page.inner_text("#verdict")


@contextmanager
def served(files: dict[str, bytes]) -> Iterator[int]:
    """Serve pages by their paths by plain HTTP; yields the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = files.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
