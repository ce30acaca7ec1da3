"""Talking with one person: what an interaction says, who handles it, and how it is answered."""
