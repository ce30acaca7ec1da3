-- What a server's managers have chosen for it, as JSON. Each version reads what it knows.
CREATE TABLE servers (
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    settings TEXT NOT NULL,
    PRIMARY KEY (run, guild)
);
CREATE INDEX games_of_a_server ON games (run, guild, status);
