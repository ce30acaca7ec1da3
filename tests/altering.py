"""Exported files of random games, and files with one thing altered."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from bot.export import Player, dump, export
from bot.table.acts.lobby import phrase_digest
from engine.game import Game
from engine.scenarios import SCENARIOS
from tests.engine.randomly import lively

Data = dict[str, Any]
Path_ = tuple[str | int, ...]
"""The way to a value in a file."""


def exported(number: int) -> Data:
    """The file of a random game of any scenario, whatever way it ends. One of ten is abandoned in the middle."""
    seed, scenario = number.to_bytes(32, "big"), [*SCENARIOS][number % len(SCENARIOS)]
    words = (str(10**18 + number), phrase_digest("good luck"), str(10**18 + number + 1))
    game = lively(number, words=words, scenarios=(scenario,), variants=0.3 * (number % 3 == 0))
    if number % 10 == 9:
        game = Game.replay(game.config, game.records[: game.revision // 2 + 1])
    players = [Player(color.title(), color) for color in game.config.colors]
    data: Data = json.loads(dump(export(game, str(number), seed, words, players)))
    return data


def leaves(value: Any, path: Path_ = ()) -> list[Path_]:
    """Paths of all values in the data except lists and objects that aren't empty."""
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for index, inner in enumerate(value) for leaf in leaves(inner, (*path, index))]
    return [path]


def opened(data: Data, path: Path_) -> tuple[Data, Any]:
    """A copy of the data, and in it the container of the value at the path. A change there leaves the original as it
    is."""
    twin = copy.copy(data)
    place: Any = twin
    for key in path[:-1]:
        place[key] = copy.copy(place[key])
        place = place[key]
    return twin, place


def altered(data: Data, path: Path_, change: int = 1) -> Data:
    """A copy with another value at the path, of the same type if it is a boolean, number or text."""
    twin, place = opened(data, path)
    old, key = place[path[-1]], path[-1]
    if isinstance(old, bool):
        place[key] = not old
    elif isinstance(old, int):
        place[key] = old + change
    elif isinstance(old, str):
        at = change % (len(old) or 1)
        place[key] = old[:at] + ("1" if old[at : at + 1] != "1" else "0") + old[at + 1 :]
    else:
        place[key] = "else" if old is None else None
    return twin


def provable(data: Data) -> list[Path_]:
    """Paths of all values but the players' names: those can change, so they prove nothing."""
    return [path for path in leaves(data) if path[0] != "players" or path[-1] != "name"]


def of_each_kind(data: Data, rng: random.Random) -> list[Path_]:
    """Paths of one value of each kind: each field, each part of a draw, each part of each type of action."""
    kinds: dict[Path_, list[Path_]] = {}
    for path in provable(data):
        kind: Path_ = tuple("" if isinstance(part, int) else part for part in path)
        if path[0] == "records" and path[2] == "do":
            kind = (*data["records"][path[1]]["do"][:1], *path[3:4])
        elif path[0] == "records" and path[2] == "draws":
            kind = (*kind, path[-1])
        kinds.setdefault(kind, []).append(path)
    return [rng.choice(paths) for paths in kinds.values()]


def forgeries(data: Data, paths: list[Path_], rng: random.Random) -> Iterator[tuple[Path_, Data]]:
    """For each path a copy with another value there, and one without it."""
    for path in paths:
        yield path, altered(data, path, rng.choice((1, -1, rng.randrange(2, 10**6))))
        twin, place = opened(data, path)
        del place[path[-1]]
        yield path, twin
