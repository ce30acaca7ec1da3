-- Snapshots of tables are written otherwise now, so logs begin anew: each with the next change of its table.
DELETE FROM acts;
