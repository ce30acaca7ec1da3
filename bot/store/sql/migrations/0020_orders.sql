-- What people have ordered in a game stands with its table. Earlier versions may still run: what they read stays for now.
ALTER TABLE games ADD COLUMN orders TEXT NOT NULL DEFAULT '[]';
UPDATE games SET orders = (SELECT '[' || string_agg(body, ',') || ']' FROM orders WHERE game = number)
    WHERE EXISTS (SELECT 1 FROM orders WHERE game = number);
