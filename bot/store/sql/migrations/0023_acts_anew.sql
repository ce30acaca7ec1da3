-- Snapshots of tables have another form now, so logs begin again, each with the next change of its table.
DELETE FROM acts;
