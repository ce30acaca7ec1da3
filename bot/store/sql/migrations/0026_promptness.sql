-- How many decisions of each class (`bot/table/promptness.py`) a person made in a server's game.
CREATE TABLE promptness (
    game BIGINT NOT NULL REFERENCES games (number),
    "user" BIGINT NOT NULL,
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    in_hour INTEGER NOT NULL DEFAULT 0,
    in_hours INTEGER NOT NULL DEFAULT 0,
    in_day INTEGER NOT NULL DEFAULT 0,
    longer INTEGER NOT NULL DEFAULT 0,
    late INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (game, "user")
);
CREATE INDEX promptness_of_people ON promptness (run, guild, "user");
