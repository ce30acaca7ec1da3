"""People in the simulated Discord who read different languages, and languages that are made up for a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from simcord import interactions

from bot import languages
from tests.bot.words.pseudo import Language


def read_locales(monkeypatch: pytest.MonkeyPatch, locales: Mapping[int, str], community: str = "") -> None:
    """From now on the Discord of users is in these languages, by user. `community`: the language of a server that is a
    community."""
    made = interactions.base_payload

    def spoken(backend: Any, **given: Any) -> Any:
        record, payload = made(backend, **given)
        payload["locale"] = locales.get(given["user_id"], "en-US")
        if community:
            payload |= {"guild": {"id": payload["guild_id"], "features": ["COMMUNITY"]}, "guild_locale": community}
        return record, payload

    monkeypatch.setattr(interactions, "base_payload", spoken)


def make_up(monkeypatch: pytest.MonkeyPatch, **made_up: Language) -> None:
    """From now on there are these languages as well, by code."""
    known = languages.language
    offered = [one for one in languages.offered() if one.code not in made_up]
    for code, language in made_up.items():
        language.code = code

    def all_of_them() -> tuple[Any, ...]:
        return (*offered, *made_up.values())

    def find(code: str) -> Any:
        return made_up.get(code) or known(code)

    monkeypatch.setattr(languages, "language", find)
    monkeypatch.setattr(languages, "offered", all_of_them)


def all_read(monkeypatch: pytest.MonkeyPatch, language: Language) -> None:
    """From now on everything is in one language."""
    monkeypatch.setattr(languages, "offered", lambda: (languages.ENGLISH,))
    monkeypatch.setattr(languages, "language", lambda code: language)
    monkeypatch.setattr(languages, "resolve", lambda *locales: language)


SHOWN = ("content", "label", "placeholder", "description", "title", "text")
"""Keys of the texts in a request that people read."""


def texts(data: Any) -> Iterator[str]:
    """All texts in a request that people read."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in SHOWN and isinstance(value, str):
                yield value
            else:
                yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)
