"""All open games of a server in one message: who plays, whom each game waits for, and where seats are free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from bot.plaintext import length
from bot.screens.controls import Button, Open, Section, Style
from bot.screens.panel import acting
from bot.screens.viewer import Viewer, marked
from bot.table.table import LOBBY, Table
from bot.table.waiting import decisions
from bot.words.language import _, enumeration, n_
from bot.words.marks import listing
from engine.scenarios import SCENARIOS

JOINABLE = 8
"""Most tables with a button of their own."""
BUDGET = 3600
"""Most characters for all games; the message also has a title and a last line."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An open game. `public`: what all see of it; None before it starts, or where it can't be read."""

    table: Table
    public: Viewer | None = None


def title() -> str:
    """The text above the games."""
    return "### " + _("📋 Games on this server")


def end() -> str:
    """The text below the games."""
    return "-# " + _("Updated at most once a minute.")


def lines(games: Sequence[Listed]) -> tuple[list[Section], list[str]]:
    """Tables with free seats and a button to join, and a line for each other game, as many as there is room for."""
    if not games:
        return [], [_("No open tables. Start one with `/game new`.")]
    ordered = sorted(games, key=lambda listed: (not _free(listed.table), listed.table.number))
    tables: list[Section] = []
    running: list[str] = []
    room = BUDGET
    for at, listed in enumerate(ordered):
        text = _line(listed)
        room -= length(text) + 1
        if room < 0:
            running.append(n_("… and {n} more game", "… and {n} more games", len(ordered) - at))
            break
        if _free(listed.table) and len(tables) < JOINABLE:
            tables.append(Section(text, _join(listed.table)))
        else:
            running.append(text)
    return tables, running


def _line(listed: Listed) -> str:
    number, free = listed.table.number, _free(listed.table)
    name = _("Table {number}", number=number) if listed.table.status == LOBBY else _("Game {number}", number=number)
    place = f"https://discord.com/channels/{listed.table.guild}/{listed.table.channel}"
    parts = [f"**[{name}]({place})** <#{listed.table.channel}>", _names(listed)]
    if listed.table.status == LOBBY:
        parts.append(_(SCENARIOS[listed.table.config.scenario].title))
        parts.append(n_("**{n} free seat**", "**{n} free seats**", free) if free else _("full"))
    elif told := _waiting(listed):
        parts.append(told)
    return " · ".join(parts)


def _join(table: Table) -> Button:
    return Button(_("Join"), Open("sit", (str(table.number),)), Style.SUCCESS, "🪑")


def _free(table: Table) -> int:
    """Number of seats for more people: bots make room for them."""
    people = sum(member.is_person for member in table.members)
    return max(SCENARIOS[table.config.scenario].players) - people if table.status == LOBBY else 0


def _names(listed: Listed) -> str:
    names: Iterable[str] = map(marked, listed.table.members) if listed.public is None else listed.public.marked
    return enumeration(names)


def _waiting(listed: Listed) -> str:
    """Whom the game waits for, and since when."""
    table, public = listed.table, listed.public
    if table.paused:
        return _("⏸️ paused {since}", since=f"<t:{ceil(table.paused)}:R>")
    if public is None:
        return ""
    seats = [seat for seat in range(len(public.marked)) if acting(public.view) >> seat & 1]
    names = listing(f"**{public.marked[seat]}**" for seat in seats)
    asked = [wait.since for wait in decisions(table) if wait.seat in seats]
    if asked:
        return _("waiting for {names} {since}", names=names, since=f"<t:{ceil(min(asked))}:R>")
    return _("waiting for {names}", names=names) if names else ""
