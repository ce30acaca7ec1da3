-- Channels in which another list of a server's games was perhaps posted, but isn't known: numbers, with spaces between.
ALTER TABLE overviews ADD COLUMN perhaps_in TEXT NOT NULL DEFAULT '';
UPDATE overviews SET perhaps_in = substr(shows, 9), shows = '' WHERE shows LIKE 'posting %';
