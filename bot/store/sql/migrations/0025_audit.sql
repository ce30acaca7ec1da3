-- What was done at a table is only an audit now: who did what, and when. The table no longer follows from it, so the
-- details of each act go. A bot that played in a person's seat counts as no one.
ALTER TABLE acts RENAME TO earlier_acts;
CREATE TABLE acts (
    game BIGINT NOT NULL REFERENCES games (number),
    number BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    actor BIGINT NOT NULL,
    kind TEXT NOT NULL,
    record BIGINT,
    records INTEGER NOT NULL,
    PRIMARY KEY (game, number)
);
INSERT INTO acts (game, number, at, actor, kind, record, records)
    SELECT game, number, at, CASE WHEN kind = 'play' AND body LIKE '%"how":"computer"%' THEN 0 ELSE actor END, kind,
        CASE WHEN records > earlier THEN earlier END, records - earlier
    FROM (SELECT *, lag(records, 1, records) OVER (PARTITION BY game ORDER BY number) AS earlier FROM earlier_acts)
        AS each_act
    WHERE kind <> 'snapshot';
DROP TABLE earlier_acts;
ALTER TABLE games DROP COLUMN logged;
