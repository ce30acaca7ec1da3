"""Files as earlier versions of Harbormaster made them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def undo_steps(path: Path) -> None:
    """Set a file back to the second step of its schema."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP INDEX games_to_pack; DROP INDEX games_with_deadline; DROP TABLE histories;"
            "DROP TABLE acts; DROP TABLE orders; DROP TABLE results; DROP TABLE promptness;"
            "ALTER TABLE games DROP COLUMN packed;"
            "DROP TABLE jobs; DROP TABLE processes; DROP TABLE shards; DROP TABLE identifies;"
            "DROP TABLE shown; CREATE TABLE projections (game INTEGER NOT NULL, what TEXT NOT NULL,"
            " due INTEGER NOT NULL, shown INTEGER NOT NULL, channel INTEGER, message INTEGER);"
            "DROP INDEX games_of_a_user;"
            "ALTER TABLE runs DROP COLUMN commands; ALTER TABLE runs DROP COLUMN downtime; DROP TABLE reach;"
            "DROP TABLE servers; DROP TABLE overviews; DROP INDEX games_of_a_server; DROP TABLE subscriptions;"
            "ALTER TABLE members DROP COLUMN level;"
            "ALTER TABLE people DROP COLUMN choices; ALTER TABLE games DROP COLUMN choices;"
            "ALTER TABLE games DROP COLUMN shown_by; ALTER TABLE games DROP COLUMN shown_until;"
            "ALTER TABLE games DROP COLUMN rests_until;"
            "ALTER TABLE records DROP COLUMN checksum; ALTER TABLE games DROP COLUMN checksum;"
            "ALTER TABLE games DROP COLUMN revision; PRAGMA user_version = 2;"
        )
