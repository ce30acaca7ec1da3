"""The store in one SQLite file: its connections, lock, checks, copies and migrations."""
