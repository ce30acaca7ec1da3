-- Results of the games that count for ratings; how each person did is JSON. `harbormaster ratings --rebuild` computes
-- them from the games again.

CREATE TABLE results (
    game BIGINT PRIMARY KEY REFERENCES games (number),
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    ended DOUBLE PRECISION NOT NULL,
    scenario TEXT NOT NULL,
    people TEXT NOT NULL
);
CREATE INDEX results_of_a_server ON results (run, guild, ended, game);
