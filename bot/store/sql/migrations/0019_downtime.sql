-- When a bot was away of late, as JSON of pairs of times, in which no time runs at any table.
ALTER TABLE runs ADD COLUMN downtime TEXT NOT NULL DEFAULT '[]';
