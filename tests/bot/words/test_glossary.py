"""One name for each thing: nothing that players read contains a word that `docs/glossary.md` refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.bot.words.marked import commands, messages
from tests.house import ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text("utf-8")
ROW = re.compile(r"^\|[^|]*\|[^|]*\| *([^|]+?) *\|$", re.MULTILINE)
MORE = re.compile(r"<!-- not: (.+?) -->")
REFUSED = sorted(
    {word.strip() for found in (*ROW.findall(PAGE), *MORE.findall(PAGE)) for word in found.split(",")}
    - {"", "not", "---"}
)
SENTENCE = re.compile(r"(?<=[.!?:,])\s+|\n")
LONG = 20
"""The most words in a sentence, or between two commas of a list."""
README = (ROOT / "README.md").read_text("utf-8").partition("## How a game goes")[2].partition("```")[0]
"""The part of README.md that players read."""


def named(command: dict[str, Any]) -> Iterator[str]:
    """The names of a command, its options and their choices, as words."""
    yield command["name"].replace("-", " ")
    yield from (choice["name"] for choice in command.get("choices") or ())
    for option in command.get("options", ()):
        yield from named(option)


def said() -> list[str]:
    """The texts of all messages, in each form, without the lists of what people can type."""
    lists = "bot/words/vocabulary.py"
    return sorted({form for forms, files in messages().items() if lists not in files for form in forms})


def bare(text: str) -> str:
    """The text without what isn't read as words: placeholders, commands, options."""
    return re.sub(r"\{[^{}]*\}|`[^`]*`", "…", text)


def test_no_text_contains_a_word_that_the_glossary_refuses() -> None:
    refused = re.compile(rf"\b(?:{'|'.join(map(re.escape, REFUSED))})\b", re.IGNORECASE)
    names = {name for command in commands() for name in named(command)}
    texts = [*said(), *sorted(names), README]
    assert [(match[0], text) for text in texts if (match := refused.search(bare(text)))] == []


def test_the_forms_for_reports_call_things_as_the_game_does() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert [path.name for path in forms if re.search(r"\bpanel\b", path.read_text("utf-8"))] == []
    assert "panel" in REFUSED


def test_no_sentence_is_long() -> None:
    assert [text for text in said() if any(len(part.split()) > LONG for part in SENTENCE.split(text))] == []
