"""Whether Harbormaster is well: checks, HTTP addresses that report them, an end for a process that hangs; also logs as
JSON, and error reports."""
