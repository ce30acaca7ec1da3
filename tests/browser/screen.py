"""A person's hands and eyes at the offline table: a page in Chromium, and what people do there."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

DESKTOP = (1280, 900)
PHONE = (390, 844)
PATIENCE = 10_000
"""Milliseconds after which something on the page counts as missing."""


def chromium() -> str | None:
    """The path of a Chromium on this machine, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def offline_table(database: Path, seats: int = 4) -> Iterator[str]:
    """Run `harbormaster play` as a process of its own. Yields its address. At the end Ctrl-C must stop it cleanly."""
    environment = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN" and not k.startswith("HARBORMASTER_")}
    program = "import sys; from bot.cli import main; sys.exit(main())"
    # The command line can't ask for a free port, so take one that was free a moment ago.
    command = [sys.executable, "-u", "-c", program, "play", "--port", str(_free_port()), "--seats", str(seats)]
    process = subprocess.Popen(
        [*command, "--database", str(database)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, cwd=database.parent,
    )  # fmt: skip
    lines: queue.Queue[str | None] = queue.Queue()
    output: list[str] = []

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=listen, daemon=True).start()
    try:
        while True:
            line = lines.get(timeout=30)
            assert line is not None, "the table didn't open:\n" + "".join(output)
            output.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/#\S+", line):
                break
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=20)
    while (line := lines.get(timeout=5)) is not None:
        output.append(line)
    text = "".join(output)
    assert status == 0, text
    assert "Traceback" not in text, text
    assert "WARNING" not in text, text
    assert "ERROR" not in text, text


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Screen:
    """One tab of the offline table."""

    def __init__(self, browser: Browser, address: str, size: tuple[int, int] = DESKTOP) -> None:
        width, height = size
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=1)
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address)
        self.page.wait_for_selector("#channel-layout:not([hidden])")

    @property
    def messages(self) -> Locator:
        """The channel as it is shown."""
        return self.page.locator("#channel-message-list")

    def become(self, name: str) -> None:
        """Take the place of a person."""
        picker = self.page.locator("#viewer-picker")
        if picker.locator("option:checked").inner_text() != name:
            picker.select_option(label=name)
            self.page.wait_for_timeout(700)

    def command(self, text: str) -> None:
        """Type a command without options and send it."""
        self.page.locator("#channel-composer-input").click()
        self.page.keyboard.type(text)
        self.page.locator("[role=option]:visible").first.wait_for()
        self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(300)
        self.page.locator("#send-message").click()
        self.settle()

    def wait(self, text: str) -> None:
        """Wait for a text in the channel."""
        self.messages.get_by_text(text).last.wait_for()

    def button(self, label: str) -> Locator:
        """The newest button with this label. A number at the end of the label can be left out."""
        name = re.compile(rf"(^|\s){re.escape(label)}( \d+)?$")
        return self.messages.get_by_role("button", name=name).last

    def press(self, label: str) -> None:
        """Press the newest button with this label."""
        self.button(label).click()
        self.settle()

    def choose(self, n: int = 0, select: int = -1) -> str:
        """Open a select (by default the newest) by mouse, and choose option `n`. Returns the option's text."""
        trigger = self.messages.locator(".select-trigger").nth(select)
        trigger.scroll_into_view_if_needed()
        self.settle()
        trigger.click()
        option = self.page.locator("[role=option]:visible").nth(n)
        option.wait_for()
        text: str = option.inner_text()
        option.click()
        self.settle()
        return text

    def settle(self) -> None:
        """Wait until the page's own action is done, and other people's actions are shown."""
        self.page.wait_for_timeout(100)
        self.page.locator("#action-status", has_text="…").wait_for(state="detached")
        self.page.wait_for_timeout(800)

    def picture(self, path: Path) -> None:
        """Save a screenshot."""
        self.page.screenshot(path=path)
