"""Provable chance: fixed byte layout, without state, and changed by every bit that goes in."""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import DRAW_KINDS, SeededChance, commitment
from tests.house import ROOT

SEED = bytes(range(32))
ENTROPY = ("1001", "1002", "a phrase", "closed 7")


def stream(seed: bytes = SEED, game: str = "17", entropy: tuple[str, ...] = ENTROPY, kind: str = "dice") -> list[int]:
    """Enough draws to tell two sources apart with certainty (128 bits)."""
    chance = SeededChance(seed, game, entropy)
    return [chance.draw(kind, i, 1 << 32) for i in range(4)]


def test_layout_never_changes() -> None:
    """Published games must stay verifiable, so these numbers must never change."""
    assert commitment(SEED, "17") == "7735a775116b3c17441d08a70693385ca4a7686bd7a3690766805362b42e9a60"
    chance = SeededChance(SEED, "17", ENTROPY)
    assert [[chance.draw(kind, i, 6) for i in range(6)] for kind in DRAW_KINDS] == [
        [2, 4, 1, 5, 1, 1],
        [3, 5, 3, 0, 2, 2],
        [4, 4, 3, 5, 2, 1],
        [5, 2, 3, 0, 3, 3],
        [1, 4, 5, 0, 1, 3],
        [5, 2, 4, 2, 4, 3],
        [3, 0, 5, 4, 2, 3],
    ]


def test_layout_is_as_documented() -> None:
    """Computed as the docstring describes, with the library's HMAC."""

    def field(data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + data

    entries = (4).to_bytes(4, "big") + b"".join(field(e.encode()) for e in ENTROPY)
    master = hmac.digest(SEED, field(b"harbormaster entropy 1") + field(b"17") + entries, "sha256")
    key = hmac.digest(master, field(b"harbormaster kind 1") + field(b"deck"), "sha256")
    message = field(b"17") + field(b"deck") + (3).to_bytes(8, "big") + (0).to_bytes(4, "big")
    x = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
    assert SeededChance(SEED, "17", ENTROPY).draw("deck", 3, 25) == x % 25
    text = field(b"harbormaster commitment 1") + field(SEED) + field(b"17")
    assert commitment(SEED, "17") == hashlib.sha256(text).hexdigest()


def test_draws_of_the_upper_tail_are_thrown_away() -> None:
    """With n just above half the range, about half of all digests are rejected; then the next counter decides."""
    chance, n = SeededChance(SEED, "17", ENTROPY), (1 << 63) + 1
    words = [chance.draw("board", i, 1 << 64) for i in range(40)]  # the first 8 bytes as they are
    tried = [(word, chance.draw("board", i, n)) for i, word in enumerate(words)]
    assert all(result == word for word, result in tried if word < n)
    rejected = [result for word, result in tried if word >= n]
    assert rejected
    assert all(0 <= result < n for result in rejected)


@given(
    st.binary(min_size=32, max_size=32),
    st.text(max_size=8),
    st.lists(st.text(max_size=8), max_size=6),
    st.sampled_from(DRAW_KINDS),
    st.integers(0, 2**40),
    st.integers(1, 2**64),
)
def test_draws_are_in_range_and_repeatable(
    seed: bytes, game: str, entropy: list[str], kind: str, ordinal: int, n: int
) -> None:
    first = SeededChance(seed, game, entropy).draw(kind, ordinal, n)
    assert 0 <= first < n
    assert SeededChance(seed, game, tuple(entropy)).draw(kind, ordinal, n) == first


@given(
    st.lists(st.text(max_size=6), min_size=1, max_size=5),
    st.lists(st.text(max_size=6), min_size=1, max_size=5),
)
def test_different_entropy_gives_different_draws(one: list[str], other: list[str]) -> None:
    assert (stream(entropy=tuple(one)) == stream(entropy=tuple(other))) == (one == other)


def test_moving_a_character_between_entries_changes_the_draws() -> None:
    ways = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("a", "b", "c"), ("c", "ab"), ()]
    assert len({tuple(stream(entropy=way)) for way in ways}) == len(ways)


def test_seed_game_and_kind_each_change_every_draw() -> None:
    streams = [
        stream(),
        stream(seed=bytes(31) + b"\1"),
        stream(game="18"),
        *(stream(kind=k) for k in DRAW_KINDS[:3]),
    ]
    assert len({tuple(s) for s in streams}) == len(streams)
    commitments = {commitment(SEED, "17"), commitment(bytes(32), "17"), commitment(SEED, "18")}
    assert len(commitments) == 3


@pytest.mark.parametrize(
    ("kind", "ordinal", "n"), [("dice", 0, 0), ("dice", -1, 6), ("die", 0, 6), ("dice", 0, 2**64 + 1)]
)
def test_impossible_draws_are_refused(kind: str, ordinal: int, n: int) -> None:
    with pytest.raises(ValueError, match="no draw"):
        SeededChance(SEED, "17", ENTROPY).draw(kind, ordinal, n)


def test_every_process_draws_the_same() -> None:
    program = (
        f"from engine.chance import SeededChance; chance = SeededChance({SEED!r}, '17', {ENTROPY!r});"
        "print([chance.draw('dice', i, 1 << 32) for i in range(4)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hashseed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hashseed in ("1", "2")
    }
    assert outputs == {f"{stream()}\n"}


def test_a_source_can_be_stored_with_a_game() -> None:
    chance = SeededChance(SEED, "17", ENTROPY)
    assert pickle.loads(pickle.dumps(chance)).draw("dice", 5, 1 << 60) == chance.draw("dice", 5, 1 << 60)
