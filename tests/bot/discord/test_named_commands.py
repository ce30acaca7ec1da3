"""Every command that a text or a page names exists, with the options that are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands

from bot.discord.features import FEATURES
from tests.bot.words.marked import messages
from tests.house import ROOT

PAGES = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "PRIVACY.md", "SECURITY.md", ".env.example"),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / ".github").rglob("*.*"))),
    *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
NAMED = re.compile(r"`/([a-z][^`\n]*)`")
OURS = re.compile(r"[a-z-]+")
NOT_COMMANDS = {"healthz", "readyz", "metrics", "data", "proc"}
"""Paths, which look like commands."""
EXAMPLES = {"gift", "reach", "rehearse"}
"""Commands that docs/extending.md builds, and one that a rehearsal makes for a while."""


def commands() -> dict[str, set[str]]:
    """The names of each command's options, by the command's full name. Groups have no options."""
    found: dict[str, set[str]] = {}

    def add(command: Any) -> None:
        group = isinstance(command, app_commands.Group)
        found[command.qualified_name] = set() if group else {option.display_name for option in command.parameters}
        for sub in command.commands if group else ():
            add(sub)

    for feature in FEATURES:
        for command in feature.commands:
            if not isinstance(command, app_commands.ContextMenu):  # no one types those
                add(command)
    return found


COMMANDS = commands()


def wrong(text: str) -> Iterator[str]:
    """Commands that a text names but that don't exist like that."""
    for named in NAMED.findall(text):
        first, *words = named.split()
        if first.split("/")[0].split("?")[0] in NOT_COMMANDS | EXAMPLES or not OURS.fullmatch(first):
            continue
        name = first
        while words and OURS.fullmatch(words[0]) and f"{name} {words[0]}" in COMMANDS:
            name += f" {words.pop(0)}"
        bare = bool(words) and OURS.fullmatch(words[0]) and any(other.startswith(f"{name} ") for other in COMMANDS)
        options = {word.partition(":")[0] for word in words if re.match(r"[a-z-]+:", word)}
        if name not in COMMANDS or bare or not options <= COMMANDS[name]:
            yield named


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_only_commands_that_exist(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert list(wrong(text.partition("\n## 0.")[0])) == []  # releases keep their old names


def test_texts_name_only_commands_that_exist() -> None:
    texts = {form for forms in messages() for form in forms}
    assert sum("`/" in text for text in texts) > 10
    assert [named for text in sorted(texts) for named in wrong(text)] == []


def test_wrong_commands_and_options_are_found() -> None:
    assert list(wrong("`/game unpause`, `/gam`, `/hand` and `/game move number:3`")) == [
        "game unpause",
        "gam",
        "game move number:3",
    ]
    assert list(wrong("`/game`, `/game move game:3`, `/trade offer give: 2 wool get: 1 ore`, `/healthz`")) == []
