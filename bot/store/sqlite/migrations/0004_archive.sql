-- Archived games: a status of their own. Who ended a table from outside, and since when its people are warned that it
-- will be put away. SQLite can't change a CHECK, so the table is made anew; foreign keys are off meanwhile.

CREATE TABLE games_new (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    guild INTEGER,
    channel INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'archived', 'over', 'cancelled')),
    host INTEGER NOT NULL,
    anyone_starts INTEGER NOT NULL,
    config TEXT NOT NULL,
    seed BLOB NOT NULL,
    commitment TEXT NOT NULL,
    entropy TEXT NOT NULL,
    version INTEGER NOT NULL,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    deadline REAL,
    deadline_serial INTEGER,
    checksum INTEGER,
    revision INTEGER,
    ended_by INTEGER,
    warned REAL
) STRICT;

INSERT INTO games_new
SELECT number, run, guild, channel, status, host, anyone_starts, config, seed, commitment, entropy, version, created,
    updated, deadline, deadline_serial, checksum, revision, NULL, NULL
FROM games;

DROP TABLE games;
ALTER TABLE games_new RENAME TO games;

CREATE UNIQUE INDEX one_open_game_a_channel ON games (run, channel) WHERE status IN ('lobby', 'running');
CREATE INDEX games_of_a_channel ON games (run, channel, number);
