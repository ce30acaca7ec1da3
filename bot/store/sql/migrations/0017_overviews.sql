-- A server's message that lists its open games: where it is, when it was last edited, and what it shows of the games.
CREATE TABLE overviews (
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    message BIGINT NOT NULL,
    edited DOUBLE PRECISION NOT NULL,
    shows TEXT NOT NULL,
    PRIMARY KEY (run, guild)
);
