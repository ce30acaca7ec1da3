"""Takes the screenshots in docs/pictures: the offline table in Chromium, on a desktop and on a phone (`make docs`).

Between two of the moments to show, the table is closed, and the game is played on in its file.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from bot.offline import WORLD
from bot.projections import Move, moved
from bot.service import Services
from bot.store import open_store
from bot.table.acts.play import Play
from bot.table.table import RUNNING
from docs.draw import FOLDER, sensible
from engine.actions import Action, BuildCity, BuildSettlement, Discard, MakeOffer
from engine.game import Game
from tests.browser.screen import DESKTOP, PHONE, Screen, chromium, offline_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"": DESKTOP, "-phone": PHONE}
TOPS = {"victory": "the end", "catchup": "since your last move"}
"""By screenshot: the text at its top, if it doesn't show the newest message."""


async def play_on(database: Path, until: Callable[[Game], bool], seed: int) -> str:
    """Play the running game until a moment. Returns the name of the player to act then."""
    store = await open_store(database, namespace=WORLD)
    services, rng = Services.of(store), random.Random(seed)
    try:
        number = max(await store.numbers())
        for n in itertools.count():
            table, game = await services.repository.table(number), await services.repository.game(number)
            if table.status != RUNNING or until(game):
                break
            seat = rng.choice(game.to_act)
            action = sensible(game, game.options(seat), rng)
            while ends(game, seat, action):
                action = game.options(seat).sample(rng)
            user, interaction = table.user_at(game, seat), f"shots-{seed}-{n}"
            await services.games.act(number, user, Play(action), interaction)
        shown = (await services.projections.visible(number)).values()
        moves = [(one, Move.EDIT if one.posted else Move.COVER) for one in shown if one.pending]
        seen = [moved(one, one.name, move, table.version) for one, move in moves]
        await services.projections.note(number, seen)  # the next opening shows it anyway, below the welcome
        user = table.user_at(game, game.to_act[0]) if game.to_act else table.users[0]
        return next(member.name for member in table.members if member.user == user)
    finally:
        await services.repository.finished()
        await store.close()


def ends(game: Game, seat: int, action: Action) -> bool:
    """Whether the game is over after an action, which should happen on a screen."""
    trial = game.copy()
    trial.play(seat, action)
    return trial.outcome is not None


@contextmanager
def screens(browser: Browser, database: Path, seats: int) -> Iterator[dict[str, Screen]]:
    """Open the table in both sizes. Yields the screens by suffix of the files' names."""
    with offline_table(database, seats=seats) as address:
        found = {name: Screen(browser, address, size) for name, size in SIZES.items()}
        yield found
        for screen in found.values():
            screen.page.close()


def shoot(found: dict[str, Screen], name: str, top: str = "") -> None:
    """Take a screenshot in both sizes: of the newest message, or from the message with the text `top` on."""
    for size, screen in found.items():
        screen.settle()
        screen.page.wait_for_timeout(4000 if top else 1500)
        if top:
            screen.messages.get_by_text(top).last.evaluate("found => found.scrollIntoView({block: 'start'})")
            screen.page.wait_for_timeout(500)
        elif (latest := screen.page.get_by_text("jump to latest")).is_visible():
            latest.click()
            screen.page.wait_for_timeout(700)
        screen.picture(FOLDER / f"{name}{size}.png")
        print(f"{name}{size}", flush=True)


def opened(browser: Browser, database: Path, seats: int, shown: bool = True) -> None:
    """Open a table and start its game. With `shown`, take screenshots before the start."""
    with screens(browser, database, seats) as found:
        screen = found[""]
        screen.command("/game new")
        screen.wait("Players: 1 of")
        for name in ("Ben", "Cleo", "Dan", "Eva", "Finn")[: seats - 1]:
            screen.become(name)
            screen.press("Join")
        screen.become("Ann")
        found["-phone"].become("Ann")
        if shown:
            shoot(found, "lobby")
            shoot_timer(found)
        screen.press("Start")
        screen.wait("Rolling for first")


def shoot_timer(found: dict[str, Screen]) -> None:
    """Take a screenshot of the turn timer's form. It changes nothing, because deadlines would show today's date."""
    for size, screen in found.items():
        screen.press("Options")
        screen.press("Turn timer")
        screen.picture(FOLDER / f"timer{size}.png")
        screen.page.keyboard.press("Escape")
        screen.settle()


def company(browser: Browser, folder: Path) -> None:
    """Take screenshots of bots: in the lobby, at their turn, as advisers, and in a first game."""
    with screens(browser, folder / "computers.db", 2) as found:
        screen = found[""]
        screen.command("/game new")
        screen.wait("Players: 1 of")
        screen.become("Ben")
        screen.press("Join")
        screen.become("Ann")
        screen.press("Fill with bots")
        screen.wait("New players replace bots")
        shoot(found, "bots")
        screen.press("Start")
        screen.wait("place your first settlement")
        for _ in range(40):
            name = next((name for name in ("Ann", "Ben") if screen.messages.get_by_text(f"{name}, place").count()), "")
            if not name:
                screen.page.wait_for_timeout(1000)
                continue
            for window in found.values():
                window.become(name)
            break
        screen.command("/hint")
        screen.wait("Settle at")
        shoot(found, "hint", "Settle at")
    with screens(browser, folder / "first.db", 1) as found:
        screen = found[""]
        screen.command("/game learn")
        screen.wait("Your turn: press Roll")
        shoot(found, "learn")
        screen.press("Roll")
        screen.press("End turn")
        screen.wait("rolled")
        screen.page.wait_for_timeout(5000)
        shoot(found, "bot")


@contextmanager
def browsing() -> Iterator[tuple[Browser, Path]]:
    """Open a browser, and a folder for games. Ends the program if there is no Chromium."""
    executable = chromium()
    if executable is None:
        sys.exit("There is no Chromium on this machine: install the package chromium.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser, Path(folder)
        browser.close()


def main() -> None:
    """Take all screenshots."""
    with browsing() as (browser, folder):
        database = folder / "games.db"
        opened(browser, database, 4)
        moments: list[tuple[str, Callable[[Game], bool], Callable[[Screen], object]]] = [
            ("turn", lambda g: g.turn > 20 and at(g, BuildSettlement), lambda s: None),
            ("picker", lambda g: at(g, BuildSettlement), lambda s: s.press("Build")),
            ("trade", lambda g: g.turn > 24 and at(g, MakeOffer) and sum(g.view(None).rolls) > 24, offer),
            (
                "catchup",
                lambda g: g.turn > 30 and g.view(None).step.kind == "pre_roll",
                lambda s: s.command("/catchup"),
            ),
            ("hand", lambda g: at(g, MakeOffer), lambda s: s.press("My hand")),
            ("discard", lambda g: bool(g.to_act) and Discard in g.options(g.to_act[0]), lambda s: s.press("Discard")),
            ("victory", a_city_wins, build_city),
            ("leaderboard", lambda g: False, lambda s: s.command("/leaderboard")),
        ]
        for seed, (name, until, press) in enumerate(moments):
            with ThreadPoolExecutor() as threads:  # not here: playwright runs an event loop
                who = threads.submit(asyncio.run, play_on(database, until, seed)).result()
            with screens(browser, database, 4) as found:
                for screen in found.values():
                    screen.become(who)
                    press(screen)
                shoot(found, name, TOPS.get(name, ""))
        company(browser, folder)


def at(game: Game, action: type) -> bool:
    """Whether the player to act can take such an action in their turn."""
    return game.view(None).step.kind == "main" and action in game.options(game.to_act[0])


def offer(screen: Screen) -> None:
    """Put an offer together from the lists, without making it."""
    screen.press("Offer a trade")
    screen.choose(0, -3)
    screen.choose(4, -2)


def a_city_wins(game: Game) -> bool:
    """Whether the player to act wins with a city."""
    if not at(game, BuildCity):
        return False
    seat = game.to_act[0]
    return game.view(seat).players[seat].all_points == game.config.target - 1


def build_city(screen: Screen) -> None:
    """Build the best city, unless another screen has built it."""
    if screen.button("Build").count():
        screen.press("Build")
        screen.choose()  # the last list is the one of cities


if __name__ == "__main__":
    main()
