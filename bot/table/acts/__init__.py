"""The acts: what can be done at a table in addition to its game's own actions. A file for each subject."""
