"""The lobby: who is in, what is chosen, what is missing to start, how the game's chance can be checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from bot.table.promptness import Promptness
from bot.words.language import _, n_, sentences
from bot.words.marks import listing, sign, with_color
from bot.words.promptness import in_words


def lobby_text(
    colors: Sequence[str],
    names: Sequence[str],
    *,
    players: Sequence[int],
    host: str,
    anyone_starts: bool,
    number: str,
    rematch_of: int = 0,
    options: str,
    kept: Sequence[str] = (),
    only_invited: bool = False,
    phrases: int = 0,
    problem: str = "",
    open: bool = True,
    promptness: Sequence[Promptness | None] = (),
) -> str:
    """The lobby's text: who is there, what is missing, and in one line what is played.

    `names` and `colors` are in the order of joining; `players` are the possible numbers of players; `kept` are the
    names of people for whom seats are kept, and `only_invited` says whether no one else can join; `phrases` is how many
    players have added lucky words; `problem` is why the game can't begin although there are enough players. If it isn't
    `open` anymore, the text says neither what is missing nor who could still join. `promptness` is how fast each player
    decides; None: there is nothing to say.
    """
    seats = [_seat(*one) for one in zip(names, colors, chain(promptness, repeat(None)), strict=False)]
    here = _("Players: {n} of {most}", n=len(names), most=max(players))
    title = _("Table {number}", number=number)
    if rematch_of:
        title = _("Table {number}, a rematch of game {before}", number=number, before=rematch_of)
    lines = [
        f"## {title}",
        f"**{here}**",
        *(seats or [_("No one yet.")]),
    ]
    if open:
        lines += [_("🪑 {name} (seat kept)", name=name) for name in kept]
        lines.append(f"⚠️ {problem}" if problem else missing_to_start(len(names), players, host, anyone_starts))
        if only_invited:
            lines.append(_("🔒 Only invited people can join."))
    lines.append(options)
    if open:
        lines.append(_chance(phrases))
    return "\n".join(lines)


def _seat(name: str, color: str, promptness: Promptness | None) -> str:
    """ "🔵 Ann (blue) · ⏳ usually within an hour"."""
    seat = f"{sign(color)} {with_color(name, color)}"
    return seat if promptness is None else f"{seat} · ⏳ {in_words(promptness)}"


def missing_to_start(here: int, players: Sequence[int], host: str, anyone_starts: bool) -> str:
    """What is missing to start, or who can start."""
    if here < min(players):
        return n_(
            "⏳ {n} more player needed: press **Join**.",
            "⏳ {n} more players needed: press **Join**.",
            min(players) - here,
        )
    if here not in players:
        possible = _counts(players)
        return _("⏳ Needs {players} players (now {here}).", players=possible, here=here)
    parts = [_("✅ Ready.")]
    if here == max(players):
        parts.append(_("The table is full."))
    if anyone_starts:
        parts.append(_("Anyone can press **Start**."))
    else:
        parts.append(_("{name} can press **Start**.", name=host))
    return sentences(parts)


def _chance(phrases: int) -> str:
    """The lobby's own line about chance; the commitment is in the message before it."""
    if not phrases:
        return "-# " + _("🎲 **Lucky words**: mix your own into the dice.")
    return "-# " + n_(
        "🎲 **Lucky words**: mix your own into the dice ({n} player has).",
        "🎲 **Lucky words**: mix your own into the dice ({n} players have).",
        phrases,
    )


def lesson_text(number: str, target: int, seats: Sequence[str]) -> str:
    """What is left of the lobby once a first game has begun."""
    head = "### " + _("Table {number}", number=number)
    return f"{head}\n" + _("A first game to {target} points: {names}.", target=target, names=listing(seats))


def _counts(players: Sequence[int]) -> str:
    low, high = min(players), max(players)
    if high <= low + 1:
        return listing(map(str, sorted({low, high})), "or")
    return _("{low} to {high}", low=low, high=high)
