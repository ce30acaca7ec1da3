"""Tries out what Discord does: step by step, in a server of the host's own, with one account (docs/first-day.md)."""
