"""All games in a PostgreSQL database, for as many processes as there are."""
