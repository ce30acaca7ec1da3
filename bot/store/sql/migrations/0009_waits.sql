-- Since when a game has waited for whom: JSON, a list of seat, number of the decision and seconds since the epoch.

ALTER TABLE games ADD COLUMN waits TEXT NOT NULL DEFAULT '[]';
