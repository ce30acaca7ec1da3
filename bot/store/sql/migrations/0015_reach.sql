-- When people last couldn't see a game or act in it (`game`), or in any game (`all`, 0); and when a shard's connection
-- last brought people's clicks (`shard`), as reported by the process that has it. This is a separate table, since older
-- processes have prepared statements for the other tables, which a new column would break.
CREATE TABLE reach (
    run TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, kind, number)
);
