-- The records of a game that is over, in one compressed row (`histories.py`) and no longer in a row each. `packed` says
-- how many of a game's records, from the first, are there; NULL: none.

ALTER TABLE games ADD COLUMN packed INTEGER;
CREATE TABLE histories (
    game BIGINT PRIMARY KEY REFERENCES games (number),
    body BYTEA NOT NULL,
    checksum BIGINT NOT NULL
);
CREATE INDEX games_to_pack ON games (number) WHERE status = 'over' AND packed IS NULL;

-- Games with a deadline are few. An index with the time of a game's last change would cost something in each action.
CREATE INDEX games_with_deadline ON games (run, number) WHERE deadline IS NOT NULL;
