"""The acts: what can be done at a table beside its game's own actions, a file for each subject."""
