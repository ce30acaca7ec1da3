"""Checks the draws of an exported game: `python verify.py FILE`. It needs only Python 3.9 or newer.

It recomputes the fingerprint (`commitment` in the file), the keys and every draw, and names the first thing that
is wrong. It shares no code with the program that it checks. `engine/chance.py` says how draws are derived.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections import Counter
from typing import Any

FORMAT = 1
KINDS = ("seats", "board", "first", "dice", "deck", "steal", "discard")

PROVES = """\
This shows that the seed is the one that was fixed before the start. Every draw follows from it, from what the
players mixed in, and from the draw's kind, number and range. No draw is left out.

Compare the fingerprint with the message that was posted before the start. Compare the seal with
the one at the end. The file itself can't know them.

This doesn't show that each range is the one of the rules, nor that every action was legal. `harbormaster verify`
replays the game for that.

Nothing can show that the host didn't look. While a game runs, the host can read the database, and with it the
seed and every hand."""


class Wrong(Exception):
    """One sentence about the first thing that is wrong."""


def field(data: bytes) -> bytes:
    """Bytes with their length in front, so that no two lists of fields look the same."""
    return len(data).to_bytes(4, "big") + data


def text(value: str) -> bytes:
    """Text as a field."""
    try:
        return field(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise Wrong(f"{value!r} isn't valid text.") from None


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def commitment(seed: bytes, game: str) -> str:
    """The fingerprint, which was published before the last part of what is mixed in could be known."""
    return hashlib.sha256(text("harbormaster commitment 1") + field(seed) + text(game)).hexdigest()


def keys(seed: bytes, game: str, entropy: list[str]) -> dict[str, bytes]:
    """The key of each kind of draw."""
    message = text("harbormaster entropy 1") + text(game) + len(entropy).to_bytes(4, "big")
    for entry in entropy:
        message += text(entry)
    master = mac(seed, message)
    return {kind: mac(master, text("harbormaster kind 1") + text(kind)) for kind in KINDS}


def draw(key: bytes, game: str, kind: str, ordinal: int, n: int) -> int:
    """The result of a draw, which its kind and ordinal identify: 0 to n - 1."""
    counter = 0
    while True:
        name = text(game) + text(kind) + ordinal.to_bytes(8, "big") + counter.to_bytes(4, "big")
        x = int.from_bytes(mac(key, name)[:8], "big")
        if x < 2**64 // n * n:
            return x % n
        counter += 1


def seal(data: dict[str, Any]) -> str:
    """SHA-256 of all that is proved: the file without the seal, and without the players' names, which can change."""
    sealed = {name: value for name, value in data.items() if name not in ("players", "seal")}
    return hashlib.sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def need(condition: object, sentence: str) -> None:
    """Raise `Wrong` unless the condition holds."""
    if not condition:
        raise Wrong(sentence)


def is_number(value: object) -> bool:
    """Whether a value is a whole number that a draw can have."""
    return type(value) is int and 0 <= value <= 2**64


def read(path: str) -> Any:
    """The file's JSON data, which can have any shape."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Wrong(f"The file can't be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise Wrong("The file isn't JSON.") from None


def check_shape(data: Any) -> None:
    """Check the types of the fields."""
    need(isinstance(data, dict) and "harbormaster" in data, "The file isn't an exported game.")
    need(
        type(data["harbormaster"]) is int and data["harbormaster"] == FORMAT,
        f"The file has format {data['harbormaster']!r}. This program knows format {FORMAT}.",
    )
    for name, kind in {
        "game": str,
        "config": dict,
        "seed": str,
        "commitment": str,
        "entropy": list,
        "players": list,
        "records": list,
        "hash": str,
        "seal": str,
    }.items():
        need(isinstance(data.get(name), kind), f'"{name}" is missing, or is not of type {kind.__name__}.')
    need(all(isinstance(entry, str) for entry in data["entropy"]), '"entropy" holds something that isn\'t text.')
    need(data["records"], "The game has no records.")


def check_players(data: dict[str, Any]) -> None:
    """Check that there is one player for each color of the configuration, in order."""
    colors = [player.get("color") if isinstance(player, dict) else None for player in data["players"]]
    need(colors == data["config"].get("colors"), "The players aren't those of the configuration.")


def check_draws(data: dict[str, Any], seed: bytes) -> Counter[str]:
    """Check every draw of every record. Returns the number of draws by kind."""
    key = keys(seed, data["game"], data["entropy"])
    drawn: Counter[str] = Counter()
    for number, record in enumerate(data["records"]):
        need(isinstance(record, dict), f"Record {number} is malformed.")
        stated, draws = record.get("n"), record.get("draws", [])
        need(type(stated) is int and stated == number, f"Record {number} has the number {stated!r}: one is missing.")
        need(isinstance(draws, list), f"Record {number} has no list of draws.")
        for entry in draws:
            need(isinstance(entry, list) and len(entry) == 4, f"Record {number} has a malformed draw.")
            kind, ordinal, n, result = entry
            need(kind in KINDS, f"Record {number} has a draw of the unknown kind {kind!r}.")
            name = f"Draw {ordinal!r} of {kind} in record {number}"
            need(is_number(ordinal) and is_number(n) and is_number(result) and n > 0, f"{name} is malformed.")
            need(
                ordinal == drawn[kind],
                f"{name} should be draw {drawn[kind]}: one is missing or out of order.",
            )
            drawn[kind] += 1
            expected = draw(key[kind], data["game"], kind, ordinal, n)
            need(result == expected, f"{name} says {result} of {n}: seed and lucky words give {expected}.")
    return drawn


def check(data: Any) -> Counter[str]:
    """Do all checks. Returns the number of draws by kind. Raises `Wrong`."""
    check_shape(data)
    try:
        seed = bytes.fromhex(data["seed"])
    except ValueError:
        raise Wrong("The seed isn't a hexadecimal number.") from None
    need(len(seed) == 32, f"The seed has {len(seed)} bytes instead of 32.")
    expected = commitment(seed, data["game"])
    need(data["commitment"] == expected, f"The fingerprint isn't that of the seed and the game, which is {expected}.")
    drawn = check_draws(data, seed)
    check_players(data)
    expected = seal(data)
    need(data["seal"] == expected, f"The seal isn't that of the contents, which is {expected}: something was altered.")
    return drawn


def main(arguments: list[str]) -> int:
    """Check a file and print the result. Returns 0: all is right, 1: something is wrong, 2: wrong arguments."""
    if len(arguments) != 1:
        print("usage: python verify.py FILE", file=sys.stderr)
        return 2
    try:
        data = read(arguments[0])
        drawn = check(data)
    except Wrong as wrong:
        print(f"Not verified: {wrong}")
        return 1
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # lucky words in any script
    total = sum(drawn.values())
    print(f"Verified: all {total} draws of game {data['game']} match the seed ({len(data['records'])} records).")
    for kind in KINDS:
        print(f"  {kind:8} {drawn[kind]:5}")
    print(f"Fingerprint {data['commitment']}")
    print(f"Seal        {data['seal']}")
    print(f"Mixed in by the players: {len(data['entropy'])} entries")
    for entry in data["entropy"]:
        print(f"  {entry!r}")
    print(f"\n{PROVES}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
