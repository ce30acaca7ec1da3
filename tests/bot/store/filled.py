"""Databases with many games: rows as games on Discord have them, inserted in bulk and not action by action."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import asyncpg

from bot.projections import CLOSING, COMMITMENT, PANEL, SEED, Kind, Name
from bot.settings import StoreAddress
from bot.store import Change, open_store
from bot.store.postgresql.database import numbered
from bot.store.sql.rows import changes_of
from bot.store.sql.tables import Statement
from bot.table.parts import Member
from bot.table.table import OVER, RUNNING, Table
from engine.chance import SeededChance, commitment
from engine.config import Config
from engine.game import Game
from tests.bot.playground import choose

COLORS = ("red", "blue", "white", "orange")
LOGS = 6
"""The number of different games; all others are copies of these."""
LENGTHS = range(250, 451)
"""The usual numbers of records of a game that people play to its end."""
BEGAN = 1_700_000_000.0
SNOWFLAKE = 1_174_000_000_000_000_000
BATCH = 200


@lru_cache
def log(number: int, most: int = LENGTHS.stop) -> Game:
    """A finished random game of usual length; if `most` is less than that, a game with up to `most` records."""
    if most < LENGTHS.start:
        return _played(number, most)
    games = map(_played, range(number, 10_000, LOGS))
    return next(game for game in games if game.revision in LENGTHS)


def _played(seed: int, most: int = LENGTHS.stop) -> Game:
    rng = random.Random(seed)
    game = Game.new(Config(COLORS), SeededChance(rng.randbytes(32), str(seed), ()))
    while game.outcome is None and game.revision < most:
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    return game


def fill(database: Path, running: int, over: int, most: int) -> None:
    """Add games to a file whose schema is up to date, the finished ones first."""
    with closing(sqlite3.connect(database)) as connection:
        for batch in _batches(running, over, most):
            for sql, rows in batch.items():
                connection.executemany(sql, rows)
            connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def fill_server(address: str, running: int, over: int, most: int) -> None:
    """Do the same as `fill` on PostgreSQL."""
    connection = await asyncpg.connect(address)
    for batch in _batches(running, over, most):
        async with connection.transaction():
            for sql, rows in batch.items():
                await connection.executemany(numbered(sql), rows)
    await connection.execute("SELECT setval(pg_get_serial_sequence('games', 'number'), max(number)) FROM games")
    await connection.execute("ANALYZE")
    await connection.close()


async def filled(database: StoreAddress, running: int, over: int, most: int = 1000) -> None:
    """Make a database with that many running and finished games, with up to `most` records each."""
    await (await open_store(database)).close()
    if isinstance(database, Path):
        fill(database, running, over, most)
    else:
        await fill_server(database, running, over, most)


def _batches(running: int, over: int, most: int) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
    """Batches of statements, each with the values of its rows, in the order in which they must run."""
    games = iter([(number, number <= over) for number in range(1, over + running + 1)])
    while batch := list(islice(games, BATCH)):
        rows_of: dict[str, list[tuple[Any, ...]]] = {}
        for number, is_over in batch:
            for sql, values in _game(number, is_over, most):
                rows_of.setdefault(sql, []).append(values)
        yield rows_of


def _game(number: int, over: bool, most: int) -> Iterable[Statement]:
    game = log(number % LOGS, min(most, LENGTHS.stop))
    records = game.records[: min(game.revision if over else game.revision // 2, most)]
    rng = random.Random(number)
    seed, last, ids = rng.randbytes(32), len(records), SNOWFLAKE + number * 10**7
    began = BEGAN + number * 60
    channel, users = SNOWFLAKE - 10**15 + number, [SNOWFLAKE - 10**16 + rng.randrange(5000) * 7 + k for k in range(4)]
    table = Table(
        *(number, 5, channel, OVER if over else RUNNING, users[0], False, game.config),
        members=tuple(
            Member(user, f"Player {user % 977}", color, False, "", str(ids + k))
            for k, (user, color) in enumerate(zip(users, COLORS, strict=True))
        ),
        commitment=commitment(seed, str(number)),
        entropy=tuple(str(ids + k) for k in range(6)),
        version=last + 5,
        created=began,
        updated=began + 30.123 * last,
    )
    insert = (
        "INSERT INTO games (number, run, guild, channel, status, host, anyone_starts, config, seed, commitment,"
        " entropy, version, created, updated) VALUES (?, 'discord', ?, ?, ?, ?, 0, '', ?, '', '', 0, ?, ?)"
    )
    yield insert, (number, 5, channel, table.status, users[0], seed, began, began)
    for n, record in reversed([*enumerate(records)]):
        at = began + 30.123 * n + rng.random()
        data = [(n, record.actor, record.to_json())]
        change = Change(table, str(ids + 9 * n), (), since=0, at=at, members=n == last - 1, records=data)
        update, *more = changes_of("discord", change)
        if change.members:
            yield update
        yield from (statement for statement in more if not statement[0].startswith("DELETE"))
    shown = (
        'INSERT INTO shown (game, kind, key, "user", state, due, version, channel, message)'
        " VALUES (?, ?, ?, ?, 'posted', ?, ?, ?, ?)"
    )
    visible = [PANEL, COMMITMENT, CLOSING, Name(Kind.TURN, "end" if over else "17")]
    visible += [Name(Kind.HAND, user=user) for user in users]
    for k, name in enumerate([*visible, SEED] if over else visible):
        yield shown, (number, *name, table.version, table.version, channel, ids + k)
