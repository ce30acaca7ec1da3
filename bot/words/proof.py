"""What is said about a game's chance: the promise before it, how to check it after the end, and the result of that."""

from __future__ import annotations

import re
from collections import Counter

from bot.export import Export
from bot.plaintext import safe_name
from bot.words.language import N_, _, enumeration, n_
from engine.chance import DRAW_KINDS
from engine.game import Game


def promise(commitment: str) -> str:
    """The shortened commitment, for a message that is never edited."""
    return "-# " + _("🎲 Provably fair · fingerprint `{short}` · `/game verify`", short=shortened(commitment))


def promised(commitment: str) -> str:
    """The whole commitment, while the seed is secret."""
    return _(
        "The dice were fixed before the start. Their fingerprint:\n`{digest}`\n"
        "After the game, `/game verify` checks every die and card.",
        digest=commitment,
    )


def revealed(commitment: str, seal: str) -> str:
    """That the seed is public, and the seal of the game's file, which no one can change anymore."""
    return "-# " + _(
        "🎲 Check every die and card: `/game verify` · fingerprint `{short}` · seal `{seal}`",
        short=shortened(commitment),
        seal=shortened(seal),
    )


def shortened(digest: str) -> str:
    """The beginning and the end of a digest, 128 bits of it: enough that not even those who make the seeds can find two
    that look alike, to choose between them later."""
    return f"{digest[:16]}…{digest[-16:]}"


# --- the result of a verification

_DRAWS = {
    "seats": N_("{n} seats"),
    "board": N_("{n} board"),
    "first": N_("{n} first"),
    "dice": N_("{n} dice"),
    "deck": N_("{n} deck"),
    "steal": N_("{n} steal"),
    "discard": N_("{n} discard"),
}

_DIGEST = re.compile("[0-9a-f]{64}")


def verification_lines(export: Export, game: Game) -> str:
    """What was checked, and how the game ended."""
    kinds = Counter(draw[0] for record in export.records for draw in record.draws)
    draws = enumeration(_(_DRAWS[kind], n=kinds[kind]) for kind in DRAW_KINDS if kinds[kind])
    lines = [
        n_(
            "Verified: the {n} draw of game {game} matches the seed, and all {records} records replay.",
            "Verified: all {n} dice and card draws of game {game} match the seed, and all {records} records replay.",
            kinds.total(),
            game=export.game,
            records=len(export.records),
        ),
        _("Draws: {kinds}", kinds=draws),
        _("Fingerprint: {digest}", digest=export.commitment),
        _("Seed: {digest}", digest=export.seed.hex()),
        _("Seal: {digest}", digest=export.seal),
        _mixed_in(export),
    ]
    if game.outcome is None:
        return "\n".join([*lines, _("The game did not end.")])
    ending = []
    for player, points in zip(game.view(None).players, game.outcome.points, strict=True):
        name = safe_name(export.players[player.player].name)  # anyone can write a file
        won = player.seat in game.outcome.winners
        ending.append(_("{name} {points} (won)", name=name, points=points) if won else f"{name} {points}")
    return "\n".join([*lines, _("Points at the end: {players}", players=enumeration(ending))])


def _mixed_in(export: Export) -> str:
    """What the players have mixed into the chance: besides lucky words, or their digests, these are ids."""
    words = sum(bool(_DIGEST.fullmatch(entry)) or not entry[-1:].isdigit() for entry in export.entropy)
    if not words:
        return _("Mixed in: the ids of joining and starting. No one gave lucky words.")
    return n_(
        "Mixed in: the lucky words of {n} player, and the ids of joining and starting.",
        "Mixed in: the lucky words of {n} players, and the ids of joining and starting.",
        words,
    )
