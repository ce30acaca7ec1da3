"""The rules of the island game: a referee without Discord, database, pixels or clock (standard library only)."""
