-- What those who manage a server have chosen for it, as JSON, of which each version reads what it knows.
CREATE TABLE servers (
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    settings TEXT NOT NULL,
    PRIMARY KEY (run, guild)
);
CREATE INDEX games_of_a_server ON games (run, guild, status);
