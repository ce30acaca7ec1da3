-- What a player has decided in advance, in one game: JSON, their secret.

CREATE TABLE orders (
    game BIGINT NOT NULL REFERENCES games (number),
    "user" BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, "user")
);
