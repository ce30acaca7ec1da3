-- When Harbormaster was recently down, as JSON of pairs of times. Meanwhile no time runs at any table.
ALTER TABLE runs ADD COLUMN downtime TEXT NOT NULL DEFAULT '[]';
