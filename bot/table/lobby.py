"""Who sits at a table before the start, in which colours; and what they add to the chance."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from hashlib import sha256

from bot.table.member import Member
from bot.table.table import Table
from engine.config import COLORS
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

MOST_PHRASE = 100
"""Characters of a phrase."""
NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that are no text of one line."""


def seated(table: Table, members: tuple[Member, ...]) -> Table:
    """With these members; who asked for no colour keeps the one there was, or gets the first free one that can be
    played."""
    allowed = SCENARIOS[table.config.scenario].colors_for(len(members))
    taken = {member.color for member in members if member.asked}
    kept = []
    for member in members:
        if not member.asked and (member.color in taken or member.color not in allowed):
            member = replace(member, color="")
        taken.add(member.color)
        kept.append(member)
    free = iter([color for color in dict.fromkeys((*allowed, *COLORS)) if color not in taken])
    members = tuple(member if member.color else replace(member, color=next(free)) for member in kept)
    return replace(table, members=members, config=replace(table.config, colors=tuple(m.color for m in members)))


def entropy(table: Table, closing: str) -> tuple[str, ...]:
    """What the players mix into the chance: join interactions with the digests of phrases, then the closing message.

    The digest proves the same as the phrase, and stays when somebody wants their words forgotten.
    """
    parts = [part for m in table.members for part in (m.interaction, digest(m.phrase)) if part]
    return (*parts, closing)


def digest(phrase: str) -> str:
    """SHA-256 of a phrase as hex; of none, none."""
    return sha256(phrase.encode()).hexdigest() if phrase else ""


def check_phrase(phrase: str) -> None:
    """Refuse what is no line of text, or too long. Code: "phrase"."""
    if len(phrase) > MOST_PHRASE or any(unicodedata.category(c) in NO_TEXT for c in phrase):
        raise RefereeError("phrase", most=MOST_PHRASE)
