"""The table around the game: fronts, what people see, services and store."""
