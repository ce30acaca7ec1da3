"""Readers of a game's log. They tell stories and know no rules: nothing of the game itself needs them."""
