"""Every text that a player reads, as pure functions of views, events and configurations: no Discord, no I/O.

`names` always has a name for each seat: with a mark for bots where Discord shows text, short in select labels,
pictures and alternative texts (`bot.plaintext.safe_name`).
"""
