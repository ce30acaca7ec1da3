"""The languages' files: complete, sound, and as long as Discord allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from gettext import c2py
from typing import Any

import pytest
from babel.messages import Catalog

from bot import languages
from bot.languages import file_of, locale_of, translated
from bot.table.option import Sheet
from bot.table.options import SHEETS as TABLE_SHEETS
from bot.table.options import SWITCHES
from bot.table.options import TABLE as TABLE_OPTIONS
from bot.table.preferences import CONFIRMING, PERSONAL, SHARED
from bot.table.preferences import SHEETS as PERSONAL_SHEETS
from bot.words.language import _, speaking
from tests.bot.words.catalogues import problems
from tests.bot.words.marked import commands
from tools.texts import TEMPLATE, collected, content, read

LANGUAGES = languages.codes()


@cache
def catalog(code: str) -> Catalog:
    """A language's file."""
    return read(file_of(code))


def test_the_languages_are_those_that_are_promised() -> None:
    assert {"pt-BR", "de", "fr", "es", "it", "pl", "ja"} <= {*LANGUAGES}
    assert {one.code for one in languages.offered()} == {"en", *LANGUAGES}


def test_the_template_has_the_messages_of_the_source() -> None:
    assert content(read(TEMPLATE)) == content(collected()), "make texts"


@pytest.mark.parametrize("code", LANGUAGES)
class TestCatalogue:
    """Each language."""

    def test_it_has_all_messages(self, code: str) -> None:
        wanted = {(message.id, message.context) for message in read(TEMPLATE)}
        assert {(message.id, message.context) for message in catalog(code)} == wanted, "make texts"
        missing = [message.id for message in catalog(code) if message.id and (message.fuzzy or not message.string)]
        assert translated(catalog(code)) >= languages.ENOUGH, missing

    def test_it_keeps_what_a_translation_must_keep(self, code: str) -> None:
        assert list(problems(catalog(code))) == []

    def test_its_plural_forms_are_those_of_cldr(self, code: str) -> None:
        forms = c2py(catalog(code).plural_expr)
        rule, found = locale_of(code).plural_form, dict[str, int]()
        for n in (*range(1001), 10**6, 2 * 10**6):
            assert found.setdefault(rule(n), forms(n)) == forms(n), n
        assert len({*found.values()}) == len(found)

    def test_descriptions_and_titles_are_as_short_as_discord_wants_them(self, code: str) -> None:
        with speaking(languages.language(code)):
            long = [text for text in described(commands()) if len(_(text)) > 100]
            long += [title for title in form_titles() if len(_(title)) > 45]
        assert long == []


def form_titles() -> Iterator[str]:
    """The titles of forms and of their fields."""
    boxes = (SWITCHES, SHARED, CONFIRMING)
    fields = [one for one in (*TABLE_OPTIONS.values(), *PERSONAL.values()) if isinstance(one.sheet, Sheet)]
    titled: list[Any] = [*TABLE_SHEETS, *PERSONAL_SHEETS, *boxes, *fields]
    yield from (one.title for one in titled)


def described(commands: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The descriptions of commands, and of all that is in them, and the names of choices."""
    for one in commands:
        yield one.get("description") or ""
        yield from (choice["name"] for choice in one.get("choices", ()))
        yield from described(one.get("options", ()))
