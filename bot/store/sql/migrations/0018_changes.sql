-- How many changes of a table and its game were stored. All count, whether or not anyone is shown something of them.
ALTER TABLE games ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
