"""The lobby: who is in, what is chosen, what is missing to start, how the game's chance can be checked."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.choices import chosen
from bot.presentation.texts.marks import clip, count, length, sign
from engine.config import Config


def lobby(
    config: Config,
    names: Sequence[str],
    *,
    players: Sequence[int],
    host: str,
    anyone_starts: bool,
    number: str,
    phrases: int = 0,
    problem: str = "",
    budget: int = 3800,
) -> str:
    """The lobby's text.

    `names` and `config.colors` are in the order of joining; `players` are the possible numbers of players;
    `phrases` is how many have added words of their own to the chance; `problem` is why the game can't begin
    although there are enough players.
    """
    seats = [f"{sign(color)} {name} ({color})" for name, color in zip(names, config.colors, strict=False)]
    rest = [
        f"### At the table ({len(names)} of {_counts(players)})\n" + ("\n".join(seats) or "Nobody yet."),
        f"⚠️ {problem}" if problem else missing(len(names), players, host, anyone_starts),
        _chance(phrases),
    ]
    rules = "\n".join(f"- {text}" for text in chosen(config))
    head = f"## The island game, table {number}"
    room = budget - sum(length(part) + 1 for part in (head, *rest))
    return "\n".join([head, clip(rules, max(room, 100)), *rest])


def missing(here: int, players: Sequence[int], host: str, anyone_starts: bool) -> str:
    """What is missing to start, or who can start."""
    if here < min(players):
        return f"⏳ {count(min(players) - here, 'more player')} needed: press **Join**, or use `/game join`."
    if here not in players:
        return f"⏳ This scenario is for {_counts(players)} players, not for {here}."
    who = "Anybody at the table" if anyone_starts else host
    full = "" if here < max(players) else " The table is full."
    return f"✅ Ready.{full} {who} can start: press **Start**, or use `/game start`."


def _chance(phrases: int) -> str:
    """What stands in the lobby itself; the commitment is in the message before it."""
    added = f"; {count(phrases, 'phrase')} so far" if phrases else ""
    return f"-# 🎲 Add a phrase of your own to the chance of the game, if you like{added}."


def promise(commitment: str, number: str) -> str:
    """The commitment, and how chance is checked: a message that is never edited."""
    return (
        f"🎲 **Fair dice:** this table's secret seed is fixed already; its fingerprint is `{commitment}`. "
        f"What you add by joining is mixed in before anything is drawn. After the game the seed is "
        f"published, and `/game verify` recomputes every draw of game {number}."
    )


def _counts(players: Sequence[int]) -> str:
    low, high = min(players), max(players)
    if low == high:
        return str(low)
    return f"{low} or {high}" if high == low + 1 else f"{low} to {high}"
