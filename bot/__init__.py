"""The table: Discord front, game service and store."""
