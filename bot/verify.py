"""Checks an exported game: the commitment, every draw and, by a replay, every action and range."""

from __future__ import annotations

from collections import Counter

from bot.export import Export
from engine.chance import SeededChance, commitment
from engine.errors import ConfigError, RefereeError, ReplayError
from engine.game import Game


class Wrong(RefereeError):
    """The first thing that is wrong; code "wrong"."""


def check(export: Export) -> Game:
    """Check an export and return the game, replayed to its end; raises `Wrong`. Takes as long as a replay, so run it in
    a thread."""
    due = commitment(export.seed, export.game)
    _need(export.commitment == due, "commitment", due=due)
    _check_draws(export)
    _need(tuple(player.color for player in export.players) == export.config.colors, "players")
    try:
        game = Game.replay(export.config, export.records)
    except ConfigError as error:
        raise Wrong("wrong/config", reason=error) from None
    except ReplayError as error:
        raise Wrong("wrong/log", reason=str(error).rstrip(".")) from None
    due = game.hash()
    _need(export.hash == due, "position", due=due)
    _need(export.seal == export.due_seal, "seal", due=export.due_seal)
    return game


def _check_draws(export: Export) -> None:
    """Check every draw, given its kind, number and range, and that the numbers of records and draws have no gaps."""
    chance = SeededChance(export.seed, export.game, export.entropy)
    drawn = Counter[str]()
    for number, record in enumerate(export.records):
        _need(record.number == number, "record", number=number, found=record.number)
        for kind, ordinal, n, result in record.draws:
            place: dict[str, object] = {"kind": kind, "ordinal": ordinal, "number": number}
            _need(ordinal == drawn[kind], "order", due=drawn[kind], **place)
            drawn[kind] += 1
            try:
                due = chance.draw(kind, ordinal, n)
            except ValueError as error:
                raise Wrong("wrong/impossible", number=number, reason=error) from None
            _need(result == due, "draw", result=result, n=n, due=due, **place)


def _need(condition: bool, what: str, **params: object) -> None:
    if not condition:
        raise Wrong(f"wrong/{what}", **params)
