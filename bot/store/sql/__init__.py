"""The store's statements, which all databases understand: subject by subject, with rows, checksums and migrations."""
