-- What several processes share out among them: who shows a game, what has to be done when, and which commands Discord
-- has been told of. Who holds something holds it until a time, and whoever finds that time over may take it.

ALTER TABLE runs ADD COLUMN commands TEXT;

ALTER TABLE games ADD COLUMN shown_by TEXT;
ALTER TABLE games ADD COLUMN shown_until DOUBLE PRECISION;
ALTER TABLE games ADD COLUMN rests_until DOUBLE PRECISION;
CREATE INDEX projections_due ON projections (game) WHERE shown < due;
CREATE INDEX games_of_a_user ON members ("user", game);

-- What has to be done with a game at a time; whoever does it holds it until another. It goes in the transaction of the
-- change that does it, or that makes it needless.
CREATE TABLE jobs (
    game BIGINT NOT NULL REFERENCES games (number),
    name TEXT NOT NULL,
    run TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    held_until DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, name)
);
CREATE INDEX jobs_by_time ON jobs (run, at);
INSERT INTO jobs (game, name, run, at, held_until)
SELECT number, 'deadline', run, deadline, 0 FROM games WHERE deadline IS NOT NULL;

-- The processes that are alive, and which of them connects which of Discord's shards; the session is what the next
-- one goes on with.
CREATE TABLE processes (
    run TEXT NOT NULL,
    process TEXT NOT NULL,
    held_until DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, process)
);
CREATE TABLE shards (
    run TEXT NOT NULL,
    shard INTEGER NOT NULL,
    shards INTEGER NOT NULL,
    process TEXT NOT NULL,
    held_until DOUBLE PRECISION NOT NULL,
    session TEXT,
    sequence BIGINT,
    gateway TEXT,
    PRIMARY KEY (run, shard)
);

-- When Discord was last told of a new session, or will be, in each of the buckets that count one by one.
CREATE TABLE identifies (
    run TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, bucket)
);
