"""What all stores in SQL databases share: statements, rows, checksums, migrations."""
