"""Who is meant: suggestions that carry a person unmistakably, and typed texts that mean one person or are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable

import discord

from bot.front.sight import Sight
from bot.words.marks import listing, plain, quoted, safe_name
from engine.errors import RefereeError

NOBODY, LEAVE = "<nobody>", "<leave>"
"""Words of the program, as no name can be."""
_MENTION = re.compile(r"<@!?([0-9]{1,20})>")


def label(sight: Sight, seat: int) -> str:
    """Name and colour; the colour makes it unmistakable."""
    name, color = sight.names[seat], f"({sight.view.players[seat].color})"
    return name if name.endswith(color) else f"{name} {color}"


def suggested(sight: Sight, seats: Iterable[int]) -> list[tuple[str, str]]:
    """These people as suggestions."""
    return [(label(sight, seat), sight.mentions[seat]) for seat in seats]


def seat_of(sight: Sight, user: discord.abc.User) -> int:
    """The seat of a user. Code: "no-player"."""
    if user.id not in sight.users:
        raise RefereeError("no-player", f"{safe_name(user.display_name)} doesn't play in this game.")
    return sight.users.index(user.id)


def seat_named(sight: Sight, text: str) -> int:
    """The seat that a mention, a name, a colour or a user's id means.

    Codes: "no-player", "several-players" when it could mean more than one.
    """
    fitting = _fitting(sight, text)
    if len(fitting) == 1:
        return fitting[0]
    raise _unclear(sight, text, [label(sight, seat) for seat in fitting])


def seat_or_nobody(sight: Sight, text: str) -> int | None:
    """As `seat_named`, or None for nobody; somebody who is called that is never taken for it."""
    fitting = _fitting(sight, text)
    nobody = text.strip().casefold() in (NOBODY, "nobody")
    if len(fitting) + nobody == 1:
        return fitting[0] if fitting else None
    raise _unclear(sight, text, [label(sight, seat) for seat in fitting] + ["nobody at all"] * nobody)


def _fitting(sight: Sight, text: str) -> list[int]:
    """The seats that a text could mean; a mention means no more than one."""
    wanted = text.strip()
    if mention := _MENTION.fullmatch(wanted):
        return [seat for seat, user in enumerate(sight.users) if user == int(mention[1])]
    if wanted in (NOBODY, LEAVE):  # cleaned, it could be a name
        return []
    wanted = wanted.removeprefix("@").casefold()
    said = {wanted, plain(text, 32).casefold()} - {""}
    return [seat for seat in range(len(sight.users)) if said & _ways(sight, seat)]


def _ways(sight: Sight, seat: int) -> set[str]:
    """What a seat can be called. A raw name is cleaned as it is typed, so that it fits the clean one."""
    user, color = sight.users[seat], sight.view.players[seat].color
    names = {sight.names[seat], *(member.name for member in sight.table.members if member.user == user)}
    return {way.casefold() for way in (*names, *(f"{name} ({color})" for name in names), color, str(user))}


def _unclear(sight: Sight, text: str, choices: list[str]) -> RefereeError:
    if choices:
        sentence = f"{quoted(text, 32)} could mean {listing(choices, 'or')}: choose from the list."
        return RefereeError("several-players", sentence)
    everyone = listing(label(sight, seat) for seat in range(len(sight.users)))
    return RefereeError("no-player", f"{quoted(text, 32)} is nobody in this game; here play {everyone}.")
