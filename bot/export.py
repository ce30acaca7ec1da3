"""The file of an exported game: everything that a verifier needs, as JSON that a person can read.

It contains the seed and with it every secret, so players get it only when a game is over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import SEED_BYTES, commitment
from engine.codec import decode, encode
from engine.config import Config
from engine.errors import MalformedInput
from engine.game import Game
from engine.record import Record

FORMAT = 1
_FIELDS = (
    "harbormaster", "game", "config", "seed", "commitment", "entropy", "players", "records", "hash", "seal",
)  # fmt: skip
_UNSEALED = ("players", "seal")  # names change, and prove nothing


class ExportError(ValueError):
    """A file isn't an exported game. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the file names them."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class Export:
    """A file's contents, decoded but not verified; `bot.verify` checks them."""

    game: str
    config: Config
    seed: bytes
    commitment: str
    entropy: tuple[str, ...]
    players: tuple[Player, ...]
    """In order of joining."""
    records: tuple[Record, ...]
    hash: str
    """Hash of the canonical position after the last record."""
    seal: str
    """The seal in the file."""
    due_seal: str
    """The seal that fits the file's contents."""


def export(game: Game, number: str, seed: bytes, entropy: Sequence[str], players: Sequence[Player]) -> dict[str, Any]:
    """The file's data; `number`: the game's number; `players`: in order of joining."""
    data = {
        "harbormaster": FORMAT,
        "game": number,
        "config": encode(game.config),
        "seed": seed.hex(),
        "commitment": commitment(seed, number),
        "entropy": list(entropy),
        "players": encode(players),
        "records": [record.to_json() for record in game.records],
        "hash": game.hash(),
    }
    return data | {"seal": seal(data)}


def dump(data: Mapping[str, Any]) -> str:
    """The file's text, with a line for each field and each record."""
    lines = []
    for name, value in data.items():
        text = json.dumps(value)
        if name == "records":
            text = "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        lines.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def seal(data: Mapping[str, Any]) -> str:
    """SHA-256 of everything that is proven, in hex. An altered file doesn't fit it.

    A person who alters a file can calculate a new seal, but can't change the message in which Harbormaster published
    the seal at the end.
    """
    sealed = {name: value for name, value in data.items() if name not in _UNSEALED}
    return hashlib.sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def load(text: str) -> Export:
    """Read a file's contents; raises `ExportError` if it isn't an exported game at all."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ExportError("The file isn't JSON.") from None
    if not isinstance(data, dict) or "harbormaster" not in data:
        raise ExportError("The file isn't an exported game.")
    if type(data["harbormaster"]) is not int or data["harbormaster"] != FORMAT:
        raise ExportError(f"The file has format {data['harbormaster']!r}; this program knows format {FORMAT}.")
    if missing := [name for name in _FIELDS if name not in data]:
        raise ExportError(f'The file has no "{missing[0]}".')
    if unknown := sorted(set(data) - set(_FIELDS)):
        raise ExportError(f"The file has an unknown field {unknown[0]!r}.")
    seed = _field(str, data, "seed")
    try:
        seed_bytes = bytes.fromhex(seed)
    except ValueError:
        raise ExportError("The seed is no hexadecimal number.") from None
    if len(seed_bytes) != SEED_BYTES:
        raise ExportError(f"The seed has {len(seed_bytes)} bytes instead of {SEED_BYTES}.")
    entropy: tuple[str, ...] = _field(tuple[str, ...], data, "entropy")
    game: str = _field(str, data, "game")
    try:
        "".join([game, *entropy]).encode()
    except UnicodeEncodeError:
        raise ExportError("The game's number or what was mixed in is no valid text.") from None
    return Export(
        game=game,
        config=_field(Config, data, "config"),
        seed=seed_bytes,
        commitment=_field(str, data, "commitment"),
        entropy=entropy,
        players=_field(tuple[Player, ...], data, "players"),
        records=_records(data["records"]),
        hash=_field(str, data, "hash"),
        seal=_field(str, data, "seal"),
        due_seal=seal(data),
    )


def _field(kind: Any, data: Mapping[str, Any], name: str) -> Any:
    try:
        return decode(kind, data[name])
    except MalformedInput as error:
        raise ExportError(f'"{name}" is malformed: {error}.') from None


def _records(data: Any) -> tuple[Record, ...]:
    if not isinstance(data, list) or not data:
        raise ExportError("The game has no records.")
    records = []
    for number, item in enumerate(data):
        try:
            records.append(Record.from_json(item))
        except MalformedInput as error:
            raise ExportError(f"Record {number} is malformed: {error}.") from None
    return tuple(records)
