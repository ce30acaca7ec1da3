-- How often a job was set anew: who has done it drops it only if nobody wants it done once more.
ALTER TABLE jobs ADD COLUMN times INTEGER NOT NULL DEFAULT 0;
