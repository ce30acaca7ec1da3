"""The file of an exported game: everything that a verifier needs, as JSON that a person can read. And the check of such
a file: the commitment, every draw and, by a replay, every action and range.

It contains the seed and with it every secret, so players get it only when a game is over.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import SEED_BYTES, SeededChance, commitment
from engine.codec import decode, encode
from engine.config import Config
from engine.errors import ConfigError, MalformedInput, RefereeError, ReplayError
from engine.game import Game
from engine.record import Record

FILE_FORMAT = 1
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
    """A file's contents, decoded but not verified; `bot.export` checks them."""

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
        "harbormaster": FILE_FORMAT,
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
    return read(data)


def read(data: Any) -> Export:
    """Decode a file's data; raises like `load`."""
    if not isinstance(data, dict) or "harbormaster" not in data:
        raise ExportError("The file isn't an exported game.")
    if type(data["harbormaster"]) is not int or data["harbormaster"] != FILE_FORMAT:
        raise ExportError(f"The file has format {data['harbormaster']!r}; this program knows format {FILE_FORMAT}.")
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


# --- its check


class Wrong(RefereeError):
    """The first thing that is wrong; code "wrong"."""


def verified(export: Export) -> Game:
    """Check an export and return the game, replayed to its end; raises `Wrong`. Takes as long as a replay, so run it in
    a thread."""
    due = commitment(export.seed, export.game)
    _need(export.commitment == due, "commitment", due=due)
    _check_draws(export)
    _need(tuple(player.color for player in export.players) == export.config.colors, "players")
    try:
        game = Game.replay(export.config, export.records)
    except ConfigError as error:
        raise Wrong("wrong/config", reason=error) from None
    except ReplayError as error:
        raise Wrong("wrong/log", reason=str(error).rstrip(".")) from None
    due = game.hash()
    _need(export.hash == due, "position", due=due)
    _need(export.seal == export.due_seal, "seal", due=export.due_seal)
    return game


def _check_draws(export: Export) -> None:
    """Check every draw, given its kind, number and range, and that the numbers of records and draws have no gaps."""
    chance = SeededChance(export.seed, export.game, export.entropy)
    drawn = Counter[str]()
    for number, record in enumerate(export.records):
        _need(record.number == number, "record", number=number, found=record.number)
        for kind, ordinal, n, result in record.draws:
            place: dict[str, object] = {"kind": kind, "ordinal": ordinal, "number": number}
            _need(ordinal == drawn[kind], "order", due=drawn[kind], **place)
            drawn[kind] += 1
            try:
                due = chance.draw(kind, ordinal, n)
            except ValueError as error:
                raise Wrong("wrong/impossible", number=number, reason=error) from None
            _need(result == due, "draw", result=result, n=n, due=due, **place)


def _need(condition: bool, what: str, **params: object) -> None:
    if not condition:
        raise Wrong(f"wrong/{what}", **params)
