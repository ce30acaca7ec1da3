"""The decisions of the game, one file each: steps are data on the agenda, moves say what can be done in them."""
