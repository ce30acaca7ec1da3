-- What several processes divide among them: who shows a game, what must be done when, and which commands Discord has.
-- A process holds something until a time. After that, any other can take it.

ALTER TABLE runs ADD COLUMN commands TEXT;

ALTER TABLE games ADD COLUMN shown_by TEXT;
ALTER TABLE games ADD COLUMN shown_until DOUBLE PRECISION;
ALTER TABLE games ADD COLUMN rests_until DOUBLE PRECISION;
CREATE INDEX projections_due ON projections (game) WHERE shown < due;
CREATE INDEX games_of_a_user ON members ("user", game);

-- What must be done with a game at a certain time. The process that does it holds the job until another time. The job
-- is deleted in the transaction of the change that does it, or that makes it unnecessary.
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

-- The processes that are alive, and which of them connects which of Discord's shards. The next one resumes the session.
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

-- When the latest new session was begun with Discord, or will be, in each of the buckets that count separately.
CREATE TABLE identifies (
    run TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, bucket)
);
