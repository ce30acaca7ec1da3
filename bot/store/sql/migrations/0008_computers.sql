-- The level of the bot that plays at a place of the table; empty: a person plays.

ALTER TABLE members ADD COLUMN level TEXT NOT NULL DEFAULT '';
