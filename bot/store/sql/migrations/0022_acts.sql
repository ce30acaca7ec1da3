-- What was done at tables, one act per row, in order (`bot/table/log.py`). Only the program reads it.
CREATE TABLE acts (
    game BIGINT NOT NULL REFERENCES games (number),
    number BIGINT NOT NULL,
    records INTEGER NOT NULL,
    version BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    actor BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum BIGINT NOT NULL,
    PRIMARY KEY (game, number)
);

-- How far that log goes, so that a change by an earlier version, which doesn't write one, is noticed.
ALTER TABLE games ADD COLUMN logged TEXT NOT NULL DEFAULT '';
-- A log begins with the number of the game's records (`revision`), which the first version didn't count.
UPDATE games SET revision = (SELECT count(*) FROM records WHERE game = games.number)
    WHERE revision IS NULL AND packed IS NULL;
