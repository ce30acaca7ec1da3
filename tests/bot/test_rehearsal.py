"""A rehearsal tries what the bot uses, and its page explains each step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.rehearsal import stage
from bot.rehearsal.findings import DOCS_PAGE, AnyOf, Between, Given, faults
from bot.rehearsal.steps import AWAY, STEPS
from tests.house import ROOT, anchors


def words(folder: Path) -> Iterator[str]:
    """All string constants in a folder's modules except docstrings."""
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield node.value


def test_the_rehearsals_text_has_every_sign_that_harbormaster_writes() -> None:
    used = {sign for text in words(ROOT / "bot/screens") for sign in text if not sign.isascii()}
    assert len(used) > 80
    assert not (new := "".join(sorted(used - set(stage.WORDS)))), f"add {new} to SIGNS"
    assert len(stage.WORDS) < 2000


def test_the_rehearsals_page_explains_each_step_in_order() -> None:
    page = (ROOT / DOCS_PAGE).read_text("utf-8")
    steps = [step.name for step in (*STEPS, AWAY)]
    assert set(steps) <= anchors(page)
    headings = [line.removeprefix("### ") for line in page.splitlines() if line.startswith("### ")]
    assert headings == steps


def test_each_step_needs_only_earlier_steps() -> None:
    earlier: set[str] = set()
    for step in STEPS:
        assert set(step.needs) <= earlier, step.name
        earlier.add(step.name)


@pytest.mark.parametrize(
    ("seen", "expected", "wrong"),
    [
        ({"status": 200}, {"status": AnyOf((200, 201))}, []),
        ({"status": "403 50013 (no)"}, {"status": AnyOf((200, 201))}, ["status: 403 50013 (no) instead of 200 or 201"]),
        ({"after": 3.0}, {"after": Between(-2.0, 2.0)}, ["after: 3 instead of -2 to 2"]),
        ({"id": ""}, {"id": Given()}, ["id: nothing instead of something"]),
        ({"lacks": []}, {"lacks": [], "size": Given()}, ["size: nothing instead of something"]),
        ({"lacks": ["x"]}, {"lacks": [], "size": Given()}, ["lacks: x instead of none"]),
    ],
)
def test_differences_from_what_is_expected_are_described_briefly(
    seen: dict[str, object], expected: dict[str, object], wrong: list[str]
) -> None:
    assert faults(seen, expected) == wrong
