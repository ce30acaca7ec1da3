-- What people and tables have chosen besides, as JSON by name; what isn't there is as it was before there was a choice.

ALTER TABLE people ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
ALTER TABLE games ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
