"""What the stores share that keep games in an SQL database: statements, rows, checksums, migrations."""
