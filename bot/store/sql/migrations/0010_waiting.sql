-- Awaited players are reminded: each running game has a job that looks after this. The first look sets the next.

INSERT INTO jobs (game, name, run, at, held_until)
SELECT number, 'waiting', run, updated, 0 FROM games WHERE status = 'running';
