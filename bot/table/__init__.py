"""The table around a game: its data, who can do what at it, and what follows. Pure: no store, clock or Discord."""
