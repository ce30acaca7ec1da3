-- When people last couldn't see a game, or not act in it (`game`), or in any (`all`, 0); when the connection of a shard
-- last was one that brings people's clicks (`shard`), as the process that has it says while it is. A table of its own:
-- older processes have statements ready for the other tables, which a new column would spoil.
CREATE TABLE reach (
    run TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, kind, number)
);
