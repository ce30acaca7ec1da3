"""Films a turn on a phone for the README: the offline table in Chromium (`make docs`)."""

from __future__ import annotations

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image
from playwright.sync_api import FloatRect

from docs.draw import FOLDER
from docs.shots import at, browsing, opened, play_on
from engine.actions import BuildSettlement, Roll
from engine.game import Game
from tests.browser.screen import Screen, offline_table

COLORS = 128
SIZE = (390, 900)
VIEW = FloatRect(x=0, y=165, width=SIZE[0], height=SIZE[1] - 165 - 70)
"""The part of the screen that is filmed: only the messages."""


class Film:
    """A film of what a screen shows, frame by frame."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def take(self, seconds: float) -> None:
        """Add a frame of that many seconds, once the page is still."""
        self.screen.settle()
        self.screen.page.wait_for_timeout(1500)
        if (latest := self.screen.page.get_by_text("jump to latest")).is_visible():
            latest.click()
            self.screen.page.wait_for_timeout(700)
        picture = self.screen.page.screenshot(clip=VIEW)
        self.frames.append(Image.open(io.BytesIO(picture)).convert("RGB"))
        self.times.append(round(1000 * seconds))

    def keep(self, path: Path) -> None:
        """Save the film as an animated GIF that repeats forever; all frames have the same colors."""
        strip = Image.new("RGB", (self.frames[0].width, sum(frame.height for frame in self.frames)))
        for n, frame in enumerate(self.frames):
            strip.paste(frame, (0, n * frame.height))
        palette = strip.quantize(COLORS, dither=Image.Dither.NONE)
        first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames)
        first.save(path, save_all=True, append_images=others, duration=self.times, loop=0, optimize=True)


def settles_after_rolling(game: Game) -> bool:
    """Whether the player to act can build a settlement after rolling the dice."""
    if game.turn < 12 or game.view(None).step.kind != "pre_roll":
        return False
    trial = game.copy()
    trial.play(game.to_act[0], Roll())
    return trial.outcome is None and at(trial, BuildSettlement)


def main() -> None:
    """Film a turn: roll, settle, end the turn."""
    with browsing() as (browser, folder):
        database = folder / "games.db"
        opened(browser, database, 4, shown=False)
        with ThreadPoolExecutor() as threads:  # not here: playwright runs an event loop
            who = threads.submit(asyncio.run, play_on(database, settles_after_rolling, 1)).result()
        with offline_table(database, seats=4) as address:
            screen = Screen(browser, address, SIZE)
            screen.become(who)
            film = Film(screen)
            film.take(2)
            screen.press("Roll")
            film.take(3)
            screen.press("Build")
            film.take(3)
            screen.choose()
            film.take(3)
            screen.press("End turn")
            film.take(3)
            film.keep(FOLDER / "turn.gif")


if __name__ == "__main__":
    main()
