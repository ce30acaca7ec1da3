"""The store in one SQLite file: all SQL is in this package."""
