-- The message of a server that lists its open games: where it is, when it was last edited, and what of the games it
-- shows.
CREATE TABLE overviews (
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    message BIGINT NOT NULL,
    edited DOUBLE PRECISION NOT NULL,
    shows TEXT NOT NULL,
    PRIMARY KEY (run, guild)
);
