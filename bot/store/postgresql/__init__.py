"""All games in a PostgreSQL database, for any number of processes."""
