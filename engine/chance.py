"""Chance from outside: the engine asks a `Chance` for each draw by its name (kind and ordinal) and range.

`SeededChance` derives every draw from a secret seed and what the players mixed in, so that anyone can check
it once the seed is published. In bytes, for those who write another verifier like `tools/verify.py`:

- A *field* is a length as 4 bytes, big-endian, followed by that many bytes; text is UTF-8, as it is (no
  normalization). `+` joins bytes.
- commitment = SHA-256(field("harbormaster commitment 1") + field(seed) + field(game)), published before the last
  part of what is mixed in can be known. `seed` is 32 random bytes, `game` the game's number as text.
- master = HMAC-SHA-256(key: seed, message: field("harbormaster entropy 1") + field(game) + number of entries
  as 4 bytes, big-endian + field(entry) for each entry in order).
- key of a kind = HMAC-SHA-256(key: master, message: field("harbormaster kind 1") + field(kind)).
- draw(kind, ordinal, n): for counter = 0, 1, 2, …: digest = HMAC-SHA-256(key: key of the kind, message:
  field(game) + field(kind) + ordinal as 8 bytes + counter as 4 bytes, both big-endian); x = the first 8 bytes
  of the digest, big-endian. The result is x mod n for the first x below the largest multiple of n that is at
  most 2**64, so that all results are equally likely.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol

DRAW_KINDS = ("seats", "board", "first", "dice", "deck", "steal", "discard")
"""Kinds of draws; each has its own key, so that a hidden draw never shifts a public one (architecture: Chance)."""

DrawRecord = tuple[str, int, int, int]
"""A draw in the log: kind, ordinal within the kind, range, result."""

SEED_BYTES = 32
_RANGE = 1 << 64
_BLOCK = 64  # bytes that SHA-256 takes at a time: HMAC fills keys up to it
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Chance(Protocol):
    """A source of draws. The same (kind, ordinal, n) gives the same result forever."""

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        """A number from 0 to n - 1, uniform; `ordinal` counts the draws of a kind in a game from 0."""
        ...


def commitment(seed: bytes, game: str) -> str:
    """The commitment, in hexadecimal. It is published before the first draw: it fixes the seed without revealing it."""
    return sha256(_text("harbormaster commitment 1") + _field(seed) + _text(game)).hexdigest()


class SeededChance:
    """The provable chance of one game. It has no state: draws can be made in any order, and repeated.

    `entropy` is what was mixed in after the commitment, in order: ids of the join interactions, phrases, the
    id of the message that closed the table.
    """

    __slots__ = ("_pads",)

    def __init__(self, seed: bytes, game: str, entropy: Sequence[str]) -> None:
        entries = len(entropy).to_bytes(4, "big") + b"".join(map(_text, entropy))
        master = hmac.digest(seed, _text("harbormaster entropy 1") + _text(game) + entries, "sha256")
        self._pads: dict[str, tuple[bytes, bytes]] = {}
        for kind in DRAW_KINDS:
            key = hmac.digest(master, _text("harbormaster kind 1") + _text(kind), "sha256").ljust(_BLOCK, b"\0")
            # HMAC written out with the pads made once: twice as fast as hmac.digest for short messages.
            self._pads[kind] = key.translate(_INNER) + _text(game) + _text(kind), key.translate(_OUTER)

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        """A number from 0 to n - 1; raises `ValueError` for a kind not in `DRAW_KINDS` or an impossible number."""
        if kind not in self._pads or not 0 < n <= _RANGE or ordinal < 0:
            raise ValueError(f"no draw {kind!r} {ordinal} of {n}")
        inner, outer = self._pads[kind]
        counter = ordinal << 32
        while True:
            digest = sha256(outer + sha256(inner + counter.to_bytes(12, "big")).digest()).digest()
            x = int.from_bytes(digest[:8], "big")
            result = x % n
            if x - result <= _RANGE - n:  # all n results of this stretch are below 2**64
                return result
            counter += 1


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _text(text: str) -> bytes:
    return _field(text.encode())
