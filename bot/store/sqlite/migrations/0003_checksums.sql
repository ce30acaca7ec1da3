-- CRC-32 of what a row holds (`rows.py`), and how many records a game has, so that damage is noticed; NULL in
-- rows of earlier versions, which aren't checked.

ALTER TABLE records ADD COLUMN checksum INTEGER;
ALTER TABLE games ADD COLUMN checksum INTEGER;
ALTER TABLE games ADD COLUMN revision INTEGER;
