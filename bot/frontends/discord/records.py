"""The record of a game for people: which game is meant, its log, export, verification."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot import verify as checker
from bot.export import dump, load
from bot.frontends.discord import play
from bot.frontends.discord.call import Call
from bot.frontends.discord.parts import Download, Reply
from bot.presentation.texts import log as write
from bot.presentation.texts.panel import newest
from bot.presentation.viewer import Viewer
from bot.service.games import GameService
from engine.actions import Action
from engine.events import Event
from engine.game import Game

SHOWN = 1500
"""Characters of the log that are shown; the file has all of it."""


async def play_and_tell(call: Call, action: Action) -> Reply:
    """Play an action and say what it did."""
    return Reply(play.told(await play.do(call, action)))


class _Log:
    """Gives the draws of a log again."""

    def __init__(self, game: Game) -> None:
        self.draws = {(d[0], d[1]): d[3] for record in game.records for d in record.draws}

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        """The recorded result."""
        return self.draws[kind, ordinal]


def all_events(game: Game) -> list[tuple[Event, ...]]:
    """What each record of a game did, with its secrets."""
    again = Game.new(game.config, _Log(game))
    out = [again.last_events]
    for record in game.records[1:]:
        if record.action is not None:
            out.append(again.play(record.actor, record.action))
    return out


async def log(viewer: Viewer) -> Reply:
    """The newest part of the log, and all of it as a file."""
    over = viewer.game.outcome is not None

    def tell() -> tuple[list[str], list[str]]:
        events: Sequence[Sequence[Event]] = [
            write.opened(found, over, viewer.seat) for found in all_events(viewer.game)
        ]
        return (
            write.short(events, viewer.view, viewer.mentions),
            write.full(events, viewer.view, viewer.names),
        )

    short, full = await asyncio.to_thread(tell)
    number = viewer.table.number
    download = Download("\n".join(full).encode(), f"game-{number}.txt")
    return Reply(f"### Game {number}\n{newest(short, SHOWN)}", download=download)


async def export(games: GameService, number: int) -> Reply:
    """The finished game as a file."""
    data = await games.export(number)
    text = await asyncio.to_thread(dump, data)
    download = Download(text.encode(), f"game-{number}.json")
    return Reply(f"Game {number}, with its seed: check it with `harbormaster verify FILE`.", download=download)


async def verify(games: GameService, number: int) -> Reply:
    """Whether every draw follows from the seed, and every action from the rules."""
    data = await games.export(number)

    def check() -> str:
        found = load(dump(data))
        try:
            return checker.summary(found, checker.check(found))
        except checker.Wrong as wrong:
            return f"WRONG: {wrong}"

    return Reply(f"### Game {number}\n{await asyncio.to_thread(check)}")
