-- Games with their members and logs, interactions that have been carried out, what is shown, personal settings.
-- A run names the world that ids belong to ("discord", or one offline table).

CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    guild INTEGER,
    channel INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'over', 'cancelled')),
    host INTEGER NOT NULL,
    anyone_starts INTEGER NOT NULL,
    config TEXT NOT NULL,
    seed BLOB NOT NULL,
    commitment TEXT NOT NULL,
    entropy TEXT NOT NULL,
    version INTEGER NOT NULL,
    created REAL NOT NULL,
    updated REAL NOT NULL
) STRICT;

CREATE UNIQUE INDEX one_open_game_a_channel ON games (run, channel) WHERE status IN ('lobby', 'running');
CREATE INDEX games_of_a_channel ON games (run, channel, number);

CREATE TABLE members (
    game INTEGER NOT NULL REFERENCES games (number),
    position INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    color TEXT NOT NULL,
    asked INTEGER NOT NULL,
    phrase TEXT NOT NULL,
    interaction TEXT NOT NULL,
    PRIMARY KEY (game, position),
    UNIQUE (game, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
    game INTEGER NOT NULL REFERENCES games (number),
    number INTEGER NOT NULL,
    actor INTEGER NOT NULL,
    body TEXT NOT NULL,
    created REAL NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

-- `record` is the number of the record that the interaction made; NULL in the lobby.
CREATE TABLE interactions (
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    game INTEGER NOT NULL REFERENCES games (number),
    record INTEGER,
    created REAL NOT NULL,
    PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;

-- Versions of the game: the one that must be shown, and the one that is.
CREATE TABLE projections (
    game INTEGER NOT NULL REFERENCES games (number),
    what TEXT NOT NULL,
    due INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    channel INTEGER,
    message INTEGER,
    PRIMARY KEY (game, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
    run TEXT NOT NULL,
    user INTEGER NOT NULL,
    dms INTEGER NOT NULL,
    dms_closed INTEGER NOT NULL,
    standing INTEGER NOT NULL,
    PRIMARY KEY (run, user)
) STRICT, WITHOUT ROWID;
