"""The result of a verification, in a few lines."""

from __future__ import annotations

from collections import Counter

from bot.export import Export
from bot.words.language import N_, _, enumeration, n_
from engine.chance import KINDS
from engine.game import Game

_DRAWS = {
    "seats": N_("{n} seats"),
    "board": N_("{n} board"),
    "first": N_("{n} first"),
    "dice": N_("{n} dice"),
    "deck": N_("{n} deck"),
    "steal": N_("{n} steal"),
    "discard": N_("{n} discard"),
}


def summary(export: Export, game: Game) -> str:
    """What was checked, and how the game ended."""
    kinds = Counter(draw[0] for record in export.records for draw in record.draws)
    draws = enumeration(_(_DRAWS[kind], n=kinds[kind]) for kind in KINDS if kinds[kind])
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
        _("Mixed in by the players: {n} entries", n=len(export.entropy)),
    ]
    if game.outcome is None:
        return "\n".join([*lines, _("The game did not end.")])
    ending = []
    for player, points in zip(game.view(None).players, game.outcome.points, strict=True):
        name = repr(export.players[player.player].name)
        won = player.seat in game.outcome.winners
        ending.append(_("{name} {points} (won)", name=name, points=points) if won else f"{name} {points}")
    return "\n".join([*lines, _("Points at the end: {players}", players=enumeration(ending))])
