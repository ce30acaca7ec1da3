"""Where people meet the game: Discord, and the offline table in a browser."""
