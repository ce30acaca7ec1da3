"""The languages' files as they are read: what is missing or spoiled is said in English alone."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from babel.messages import Catalog

from bot import languages
from bot.languages import ENGLISH, Language, language, resolve
from bot.words.language import _, n_, speaking


def german() -> Language:
    """A language with a message that is translated, a spoiled one, and an unclear one."""
    catalog = Catalog("de")
    catalog.add("Roll", "Würfeln")
    catalog.add("{name} passed.", "{nmae} passt.")
    catalog.add("Build", "Bauen", flags=["fuzzy"])
    catalog.add(("{n} card", "{n} cards"), ("{n} Karte", "{n} Karten"))
    return Language("de", catalog)


def test_what_is_missing_or_spoiled_is_said_in_english_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with speaking(german()):
        for _time in range(2):
            said = [_("Roll"), _("Build"), _("Bridge"), _("{name} passed.", name="Ann"), n_("{n} card", "{n} cards", 2)]
            assert said == ["Würfeln", "Build", "Bridge", "Ann passed.", "2 Karten"]
            assert n_("{n} road", "{n} roads", 2) == "2 roads"
    assert sorted(record.getMessage() for record in caplog.records) == [
        "de: not translated: 'Bridge'",
        "de: not translated: 'Build'",
        "de: not translated: '{n} road'",
        "de: placeholders don't fit: '{nmae} passt.'",
    ]


def test_a_language_is_offered_from_95_percent_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert german().share == 0.75
    assert not german().is_offered
    shared = german()
    monkeypatch.setattr(shared, "share", 0.95)
    assert shared.is_offered


def test_a_file_that_cant_be_read_leaves_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "xx.po").write_bytes(b'msgid "Roll"\nmsgstr "\xff"\n')
    monkeypatch.setattr(languages, "LOCALE", tmp_path)
    language.cache_clear()
    try:
        assert language("xx") is ENGLISH
        assert language("never") is ENGLISH
    finally:
        language.cache_clear()
    assert "xx.po can't be read" in caplog.text


def test_a_locale_leads_to_the_nearest_language() -> None:
    for locales, code in (
        (["es-419"], "es"),
        (["es-ES"], "es"),
        (["pt-BR"], "pt-BR"),
        (["en-GB", "de"], "en"),
        (["zh-CN", "fr"], "fr"),
        ([None, "", "auto"], "en"),
    ):
        assert resolve(*locales).code == code


def test_another_process_reads_a_language_from_its_file() -> None:
    assert pickle.loads(pickle.dumps(language("pl"))) is language("pl")
