"""`harbormaster log`: lists all games, or prints one as text, of whichever namespace."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import datetime

from bot.commands.shared import UNREADABLE, add_database, opened, settings_of
from bot.program import command
from bot.screens.panel import headline
from bot.settings import Settings, SettingsError, place_of
from bot.store import Damaged, Store
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.words.narrator.history import full_log
from engine.game import Game, events_of
from engine.record import Record

DETAILS = """\
Harbormaster can run meanwhile. A running game is printed as an onlooker sees it. A finished game is printed with all
that was hidden.

exit status: 0 printed, 2 there is no such game or file, or it can't be read"""
STATUS = {
    LOBBY: "not begun",
    RUNNING: "running",
    ARCHIVED: "archived",
    OVER: "over",
    CANCELLED: "canceled",
}


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game's number; without it, all games are listed")


def run(arguments: Namespace) -> int:
    settings, game = settings_of(arguments), arguments.game
    if game is not None and not (game.isdecimal() and len(game) < 19):
        raise SettingsError(f"A game is named by its number, not by {game!r}; `{command('log')}` lists them.")
    lines = asyncio.run(_lines(settings, game))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # for terminals that can't show a player's name
    print("\n".join(lines))
    return 0


async def _lines(settings: Settings, game: str | None) -> list[str]:
    async with opened(settings) as store:
        if game is None:
            listed = [await _listed(store, number) for number in await store.numbers()]
            return listed or ["No game has been played yet."]
        try:
            table = await store.any_table(int(game))
            if table is None:
                raise SettingsError(f"There is no game {game}; `{command('log')}` lists them.")
            return list(log_lines(table, [Record.from_json(data) for data in await store.records(table.number)]))
        except UNREADABLE:
            place = place_of(settings.database)
            raise SettingsError(f"{place} holds it, but damaged; docs/hosting.md says what to do.") from None


async def _listed(store: Store, number: int) -> str:
    try:
        table = await store.any_table(number)
        assert table is not None
        return _summary(table)
    except Damaged:
        return f"{number} · damaged"


def log_lines(table: Table, records: list[Record]) -> Iterator[str]:
    """The whole game as an onlooker is allowed to know it: with its secrets only when it is over."""
    yield f"Game {_summary(table)}"
    if not records:
        return
    game = Game.replay(table.config, records)
    view = game.view(None)
    names = [table.members[player].name for player in game.state.order]
    yield f"Edition {table.config.edition}, {table.config.target} points win."
    yield ""
    over = game.outcome is not None
    events = ([event.redact(None, over) for event in group] for group in events_of(table.config, records))
    yield from full_log(events, view, names, table.news)
    yield ""
    yield headline(view, names).replace("**", "")


def _summary(table: Table) -> str:
    """ "12 · 2026-11-20 23:11 · base · Ann (red), Ben (blue) · running"."""
    began = datetime.fromtimestamp(table.created).strftime("%Y-%m-%d %H:%M")
    colored = zip(table.members, table.config.colors, strict=True)
    who = ", ".join(f"{member.name} ({color})" for member, color in colored) or "no one"
    return f"{table.number} · {began} · {table.config.scenario} · {who} · {STATUS[table.status]}"
