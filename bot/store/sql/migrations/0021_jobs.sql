-- How often a job was set again: the process that did it deletes it only if it wasn't set again meanwhile.
ALTER TABLE jobs ADD COLUMN times INTEGER NOT NULL DEFAULT 0;
