-- Autopilots are now stored with their table. Earlier versions can still be running: what they read stays for now.
ALTER TABLE games ADD COLUMN orders TEXT NOT NULL DEFAULT '[]';
UPDATE games SET orders = (SELECT '[' || string_agg(body, ',') || ']' FROM orders WHERE game = number)
    WHERE EXISTS (SELECT 1 FROM orders WHERE game = number);
