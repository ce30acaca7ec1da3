"""Whether a bot is well: checks, the addresses that tell, an end for a bot that hangs; logs as JSON, error reports."""
