-- Other choices of people and tables, as JSON by name. A missing one stands for what held before there was a choice.

ALTER TABLE people ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
ALTER TABLE games ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
