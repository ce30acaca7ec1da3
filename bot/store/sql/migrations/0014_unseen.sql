-- When people last couldn't see a game, or not act in it; in `runs` the same of all games. Of a shard: when its
-- connection last was one that brings people's clicks, as the process that has it says while it is.
ALTER TABLE runs ADD COLUMN unseen DOUBLE PRECISION;
ALTER TABLE games ADD COLUMN unseen DOUBLE PRECISION;
ALTER TABLE shards ADD COLUMN heard DOUBLE PRECISION;
