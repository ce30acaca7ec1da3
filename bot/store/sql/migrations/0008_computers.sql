-- The level of the computer that plays at a place of the table; empty: a person does.

ALTER TABLE members ADD COLUMN level TEXT NOT NULL DEFAULT '';
