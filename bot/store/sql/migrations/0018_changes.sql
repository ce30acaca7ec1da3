-- How many changes of a table and its game were stored: each counts, whether anybody is shown something of it or not.
ALTER TABLE games ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
