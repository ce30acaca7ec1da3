-- The newest format of the rules that a process can play: a game begins with one that all can play. Versions from
-- before this column played format 3.
ALTER TABLE processes ADD COLUMN format INTEGER;
