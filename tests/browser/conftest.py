"""A real browser for the tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.screen import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RESOLVE = "--host-resolver-rules=MAP *.test 127.0.0.1"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium of this machine. Hosts that end in `.test` are this machine, too."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: run `make test-browser`")
    executable = chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine: install the package chromium")
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=executable, args=["--no-sandbox", RESOLVE])
        yield found
        found.close()
