"""Checks an exported game: the commitment, every draw, and by a replay every action and every range."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from bot.export import Export, ExportError, load
from engine.chance import KINDS, SeededChance, commitment
from engine.errors import ConfigError, ReplayError
from engine.game import Game

PROVES = """\
This shows: the seed is the one that was committed to, every draw follows from it and from what the players
mixed in, every range is the one of the rules, and every action was legal and led to the position at the end.
Compare the commitment with the message that the bot posted before the first player joined, and the seal with
the one it posted at the end: the file itself can't know them. `tools/verify.py` checks the draws without any
code of this program. Nothing can show that the host of the bot didn't look: the host can read the database,
and with it the seed and every hand, while a game runs."""


class Wrong(ValueError):
    """The first thing that isn't as it should be, in one sentence."""


def check(export: Export) -> Game:
    """The game, replayed to its end; raises `Wrong`. It takes as long as a replay: a thread's work."""
    due = commitment(export.seed, export.game)
    _need(export.commitment == due, f"The commitment is not that of the seed and the game, which is {due}.")
    _check_draws(export)
    _need(
        tuple(player.color for player in export.players) == export.config.colors,
        "The players aren't those of the configuration.",
    )
    try:
        game = Game.replay(export.config, export.records)
    except ConfigError as error:
        raise Wrong(f"The configuration can't be played: {error}") from None
    except ReplayError as error:
        raise Wrong(f"The log doesn't fit the rules: {str(error).rstrip('.')}.") from None
    due = game.hash()
    _need(export.hash == due, f"The game ends in another position than the file says: {due}.")
    _need(
        export.seal == export.due_seal,
        f"The seal is not that of the contents, which is {export.due_seal}: something was altered.",
    )
    return game


def main(path: str) -> int:
    """Check a file and tell about it; 0 when all is right, 1 when something is wrong."""
    try:
        export = load(Path(path).read_text("utf-8"))
        game = check(export)
    except OSError as error:
        print(f"WRONG: The file can't be read: {error.strerror}.")
        return 1
    except UnicodeDecodeError:
        print("WRONG: The file is no text.")
        return 1
    except (ExportError, Wrong) as error:
        print(f"WRONG: {error}")
        return 1
    if callable(reconfigure := getattr(sys.stdout, "reconfigure", None)):
        reconfigure(errors="backslashreplace")  # names in any script
    print(summary(export, game))
    print(f"\n{PROVES}")
    return 0


def summary(export: Export, game: Game) -> str:
    """What was checked and how the game ended, in a few lines."""
    kinds = Counter(draw[0] for record in export.records for draw in record.draws)
    lines = [
        f"RIGHT: game {export.game!r}, {len(export.records)} records, {kinds.total()} draws as they must be.",
        "Draws: " + ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind]),
        f"Commitment: {export.commitment}",
        f"Seal: {export.seal}",
        f"Mixed in by the players: {len(export.entropy)} entries",
    ]
    if game.outcome is None:
        return "\n".join([*lines, "The game did not end."])
    players = game.view(None).players
    ending = ", ".join(
        f"{export.players[player.player].name!r} {points}" + (" (won)" if player.seat in game.outcome.winners else "")
        for player, points in zip(players, game.outcome.points, strict=True)
    )
    return "\n".join([*lines, f"Points at the end: {ending}"])


def _check_draws(export: Export) -> None:
    """Every draw, from its kind, number and range; numbers of records and draws have no gaps."""
    chance = SeededChance(export.seed, export.game, export.entropy)
    drawn = Counter[str]()
    for number, record in enumerate(export.records):
        _need(
            record.number == number,
            f"Record {number} has the number {record.number}: one is missing.",
        )
        for kind, ordinal, n, result in record.draws:
            name = f"Draw {ordinal} of {kind} in record {number}"
            _need(
                ordinal == drawn[kind],
                f"{name} should be draw {drawn[kind]}: one is missing or out of order.",
            )
            drawn[kind] += 1
            try:
                due = chance.draw(kind, ordinal, n)
            except ValueError as error:
                raise Wrong(f"Record {number} has an impossible draw: {error}.") from None
            _need(result == due, f"{name} says {result} of {n}; seed and entropy give {due}.")


def _need(condition: bool, sentence: str) -> None:
    if not condition:
        raise Wrong(sentence)
