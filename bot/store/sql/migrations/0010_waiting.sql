-- Whoever is awaited is reminded: each running game has a job of looking after that; the first look sets the next.

INSERT INTO jobs (game, name, run, at, held_until)
SELECT number, 'waiting', run, updated, 0 FROM games WHERE status = 'running';
