"""The table around a game: what it is, who may do what at it, and what follows. Pure: no store, clock or Discord."""
