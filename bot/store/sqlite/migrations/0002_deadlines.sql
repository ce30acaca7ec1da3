-- Until when the decision with that serial number may be made (L8), and when a run was last seen alive:
-- time in which the bot was down doesn't count.

ALTER TABLE games ADD COLUMN deadline REAL;
ALTER TABLE games ADD COLUMN deadline_serial INTEGER;

CREATE TABLE runs (
    run TEXT PRIMARY KEY,
    seen REAL NOT NULL
) STRICT, WITHOUT ROWID;
