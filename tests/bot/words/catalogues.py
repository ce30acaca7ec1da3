"""What can be wrong with a translation: each problem in a sentence, for the tests of the languages' files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from babel.messages import Catalog
from babel.messages.catalog import Message

CODE = re.compile(r"`[^`]*`|<[^<>]*>")
"""Commands, and Discord's tags."""
_BULLETS = re.compile(r"^(?:-# |#+ |- )?(?:[^\w\s{}*`\"'(<\[#“”„‚‘’«»‹›「」『』（【¿¡-]\ufe0f?\u200d?)*", re.MULTILINE)
"""How a line begins: small print, a heading or a bullet; and the emoji after it."""
_ITALIC = re.compile(r"(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)")
"""A button or list that a sentence names."""


def problems(catalog: Catalog) -> Iterator[str]:
    """All that is wrong with the translated messages of a catalog."""
    labels = {message.id: message.string for message in catalog if isinstance(message.id, str) and not message.context}
    for message in catalog:
        if not message.id or message.fuzzy or not any(message.string or ()):
            continue
        for problem in problems_of(message, catalog.num_plurals, labels):
            yield f"{message.id!r}: {problem}: {message.string!r}"


def problems_of(message: Message, plurals: int, labels: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with one translated message. `plurals`: how many forms its language has; `labels`: translations of
    the messages that are named in italics."""
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
    if len(english) == 2 and len(forms) != plurals:
        yield f"{len(forms)} forms instead of {plurals}"
    wanted = _fields(english[-1])
    for form in forms:
        if not form:
            yield "a form is empty"
            continue
        try:
            found = _fields(form)
        except ValueError:
            yield "its braces don't match"
            continue
        if found != wanted and not (len(english) == 2 and found == wanted - {"n"} and len(forms) > 1):
            yield f"placeholders {sorted(found)} instead of {sorted(wanted)}"
        if _code(form) != _code(english[-1]) and _code(form) != _code(english[0]):
            yield "commands and tags differ"
        if form.count("**") != english[-1].count("**"):
            yield "bold differs"
        if _beginnings(form) != _beginnings(english[-1]):
            yield "a line begins otherwise: emoji, bullet, or number of lines"
        if (form[:1].isspace(), form[-1:].isspace()) != (english[-1][:1].isspace(), english[-1][-1:].isspace()):
            yield "blanks at an end differ"
        yield from _named(english[-1], form, labels)


def _named(english: str, form: str, labels: Mapping[str, Any]) -> Iterator[str]:
    names, said = _ITALIC.findall(english), _ITALIC.findall(form)
    if len(names) != len(said):
        yield "italics differ"
    for name in names:
        if (label := labels.get(name)) and label not in said:
            yield f"*{name}* is called *{label}*"


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def _code(text: str) -> Counter[str]:
    return Counter(CODE.findall(text))


def _beginnings(text: str) -> list[str]:
    return [found[0] for line in text.split("\n") if (found := _BULLETS.match(line))]
