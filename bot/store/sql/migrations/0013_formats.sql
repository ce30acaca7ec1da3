-- The newest format of the rules that a process can play: a game begins with one that all can play. NULL: a version
-- from before this column, which plays format 3.
ALTER TABLE processes ADD COLUMN format INTEGER;
