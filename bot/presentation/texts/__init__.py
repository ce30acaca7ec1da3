"""Every text that a player reads, as pure functions of views, events and configurations: no Discord, no I/O.

`names` is always a name per seat: mentions where Discord shows text, plain short names in select labels,
pictures and alternative texts (`bot.plaintext.safe_name`).
"""
