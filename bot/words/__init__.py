"""Every text that a player reads, as pure functions of views, events and configurations: no Discord, no I/O.

`names` is always a name per seat: with a mark for computers where Discord shows text, short in select labels,
pictures and alternative texts (`bot.plaintext.safe_name`).
"""
