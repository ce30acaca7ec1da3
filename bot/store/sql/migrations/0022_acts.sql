-- What was done at tables, an act a row, in the order in which it was done: `bot/table/log.py`. Nobody but the bot reads it.
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

-- How far that goes, so that a change by an earlier version, which knows nothing of it, is noticed.
ALTER TABLE games ADD COLUMN logged TEXT NOT NULL DEFAULT '';
-- It begins with how many records there are: those of the first version were never counted.
UPDATE games SET revision = (SELECT count(*) FROM records WHERE game = games.number)
    WHERE revision IS NULL AND packed IS NULL;
