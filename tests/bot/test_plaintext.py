"""What people type has no effect where others read it, and can be seen."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.plaintext import TIE, is_seen, length, plain, quotable, safe_name, searchable

ADDRESSES = (
    "discord.gg/abc", "https://discord.gg/abc", "discord.com/invite/abc", "dsc.gg/abc", "t.me/abc", "www.evil.com/x",
    "evil.com", "127.0.0.1", "http://127.0.0.1:80", "ann@evil.com", "a.b.c", "discord。gg/abc", "discord．gg/abc",
    "discord｡gg/abc", "discord․gg/abc", "discord⒈gg/abc", "discord﹒gg/abc", "dis\u200bcord.gg/abc", "discord.\u2060gg",
    "discord.\u034fgg/abc", "discord.*gg/abc",
)  # fmt: skip
UNSEEN = "\u3164\uffa0\u115f\u1160\u2800\U0001d159\u034f\ufe0f\u180b\u17b5\ufffc\U000e0100\u200b\u2060\u00ad\u202e \t\n"
"""Characters that no one can see, of each kind."""


@pytest.mark.parametrize("typed", ADDRESSES)
def test_no_address_is_one_for_clients(typed: str) -> None:
    """Neither as it is nor as browsers normalize it: no dot touches what follows it, no colon comes before slashes."""
    for text in (safe_name(typed, 40), quotable(typed, 40)):
        assert "://" not in text
        assert not set(text) & set("@<>")
        as_browsers_do = unicodedata.normalize("NFKC", text).replace("\u3002", ".")
        assert "." in as_browsers_do
        assert not re.search(rf"\.(?!{TIE})\w", as_browsers_do)


@pytest.mark.parametrize("typed", [*UNSEEN, UNSEEN, "**\u3164**", "\u0301\u0301", "\ufdfd", "\U0001242b", "||"])
def test_a_name_that_nobody_can_see_is_player(typed: str) -> None:
    assert safe_name(typed) == "player"
    assert plain(typed, 32) == ""
    assert quotable(typed, 20) == "…"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("J. R. R. Tolkien", "J. R. R. Tolkien"),
        ("john.doe", f"john.{TIE}doe"),
        ("wait…", "wait…"),
        ("AC/DC", "AC/DC"),
        ("❤️ Ann", "❤️ Ann"),
        ("A\u3164n\u034fn\ufe0f", "Ann"),
        ("Z" + "\u0301" * 30 + "oe", "Ź\u0301\u0301oe"),
        ("﷽ Ann ⸻", "Ann"),
        ("日本 محمد", "日本 محمد"),
        ("Ann\n# Bob\t<@1> <:a:1> <t:1>", "Ann Bob 1 a1 t1"),
        ("- Ann", f"-{TIE} Ann"),
        ("1. Ann", f"1.{TIE} Ann"),
    ],
)
def test_what_is_harmless_stays_as_it_is(typed: str, shown: str) -> None:
    assert safe_name(typed) == shown


@given(st.text(st.characters() | st.sampled_from("..。⒈-1 …\u0301" + UNSEEN), max_size=60), st.integers(1, 32))
@example("a.bc", 3)
@example("1. a", 3)
def test_a_safe_name_stays_as_it_is(raw: str, limit: int) -> None:
    name = safe_name(raw, limit)
    assert is_seen(name)
    assert length(name) <= limit
    assert safe_name(name, limit) == name


def test_a_name_is_found_as_it_is_typed() -> None:
    assert "john.d" in searchable(safe_name("John.Doe"))
