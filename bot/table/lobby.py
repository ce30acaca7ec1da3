"""Who is at a table before the start, in which colors, and what they add to the chance."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from hashlib import sha256

from bot.plaintext import is_seen
from bot.table.member import Member
from bot.table.table import Table
from engine.config import COLORS
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

MOST_PHRASE = 100
"""Most characters of lucky words."""
NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of characters that a line of text can't have."""


def seated(table: Table, members: tuple[Member, ...]) -> Table:
    """The table with these members. A member who asked for no color keeps theirs, or gets the first free color that the
    game can be played with."""
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
    """What the players mix into the chance: each member's joining interaction and digest of lucky words, then the
    closing message.

    The digest proves the same as the words, and can stay when a person wants to be forgotten.
    """
    parts = [part for m in table.members for part in (m.interaction, digest(m.phrase)) if part]
    return (*parts, closing)


def digest(phrase: str) -> str:
    """SHA-256 of lucky words, in hex; empty if there are none."""
    return sha256(phrase.encode()).hexdigest() if phrase else ""


def check_phrase(phrase: str) -> None:
    """Refuse lucky words that are too long, more than a line of text, or nothing to see. Code: "phrase"."""
    if len(phrase) > MOST_PHRASE or any(unicodedata.category(c) in NO_TEXT for c in phrase):
        raise RefereeError("phrase", most=MOST_PHRASE)
    if phrase and not is_seen(phrase):
        raise RefereeError("phrase/unseen")
