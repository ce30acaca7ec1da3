-- The newest format of the rules that a process plays: a game begins with one that all can go on with. Unknown are
-- those of versions before this column, which played format 3.
ALTER TABLE processes ADD COLUMN format INTEGER;
