"""Readers of a game's log. They retell games and know no rules; the game itself doesn't need them."""
