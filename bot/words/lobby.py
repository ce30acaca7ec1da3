"""The lobby: who is in, what is chosen, what is missing to start, how the game's chance can be checked."""

from __future__ import annotations

from collections.abc import Sequence

from bot.plaintext import clip, length
from bot.words.language import _, n_
from bot.words.marks import listing, sign
from bot.words.options import rules
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
    more: Sequence[str] = (),
    open: bool = True,
    budget: int = 3800,
) -> str:
    """The lobby's text.

    `names` and `config.colors` are in the order of joining; `players` are the possible numbers of players;
    `phrases` is how many have added words of their own to the chance; `problem` is why the game can't begin
    although there are enough players; `more` is what is chosen beside the configuration. Once it isn't `open` any more
    nobody is told what is missing.
    """
    seats = [f"{sign(color)} {name} ({_(color)})" for name, color in zip(names, config.colors, strict=False)]
    rest = [
        "### " + _("At the table ({n} of {players})", n=len(names), players=_counts(players)),
        "\n".join(seats) or _("Nobody yet."),
    ]
    if open:
        rest += [f"⚠️ {problem}" if problem else missing(len(names), players, host, anyone_starts), _chance(phrases)]
    set_ = "\n".join(f"- {text}" for text in (*rules(config), *more))
    head = "## " + _("The island game, table {number}", number=number)
    room = budget - sum(length(part) + 1 for part in (head, *rest))
    return "\n".join([head, clip(set_, max(room, 100)), *rest])


def missing(here: int, players: Sequence[int], host: str, anyone_starts: bool) -> str:
    """What is missing to start, or who can start."""
    if here < min(players):
        return n_(
            "⏳ {n} more player needed: press **Join**, or use `/game join`.",
            "⏳ {n} more players needed: press **Join**, or use `/game join`.",
            min(players) - here,
        )
    if here not in players:
        possible = _counts(players)
        return _("⏳ This scenario is for {players} players, not for {here}.", players=possible, here=here)
    parts = [_("✅ Ready.")]
    if here == max(players):
        parts.append(_("The table is full."))
    if anyone_starts:
        parts.append(_("Anybody at the table can start: press **Start**, or use `/game start`."))
    else:
        parts.append(_("{name} can start: press **Start**, or use `/game start`.", name=host))
    return " ".join(parts)


def _chance(phrases: int) -> str:
    """What stands in the lobby itself; the commitment is in the message before it."""
    if not phrases:
        return "-# " + _("🎲 Fair dice: **Add a phrase** mixes your own words into the random seed.")
    return "-# " + n_(
        "🎲 Fair dice: **Add a phrase** mixes your own words into the random seed; {n} phrase so far.",
        "🎲 Fair dice: **Add a phrase** mixes your own words into the random seed; {n} phrases so far.",
        phrases,
    )


def commitment_text(commitment: str, number: str) -> str:
    """The commitment, and how chance is checked: a message that is never edited."""
    return "-# " + _(
        "🎲 **Fair dice:** the secret seed of table {number} is fixed already; its fingerprint is `{commitment}`. "
        "Whatever you add by joining is mixed in before anything is drawn. After the game the seed is public, and "
        "`/game verify` checks every draw.",
        commitment=commitment,
        number=number,
    )


def lesson(number: str, target: int, seats: Sequence[str]) -> str:
    """What is left of the lobby once a first game has begun."""
    head = "### " + _("The island game, table {number}", number=number)
    return f"{head}\n" + _("A first game to {target} points: {names}.", target=target, names=listing(seats))


def lesson_commitment(commitment: str) -> str:
    """The commitment of a first game, in a line that says no more than what it is for; never edited either. Its digits
    are covered until somebody wants to read them."""
    return "-# " + _("🎲 Fair dice, for `/game verify` after the end: ||{commitment}||", commitment=commitment)


def _counts(players: Sequence[int]) -> str:
    low, high = min(players), max(players)
    if high <= low + 1:
        return listing(map(str, sorted({low, high})), "or")
    return _("{low} to {high}", low=low, high=high)
