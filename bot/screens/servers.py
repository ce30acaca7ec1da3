"""A server's settings, for its managers, and the message that lists its open games: who plays, whom each game waits
for, and where seats are free."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from bot.plaintext import length
from bot.screens.beginning import beginning_line
from bot.screens.controls import Button, Open, Reply, Row, Section, Style
from bot.screens.options import NewValues, Page
from bot.screens.panel import acting
from bot.screens.viewer import Viewer, marked
from bot.servers import EVERYBODY, ROLE, SERVER, Overview, ServerSettings
from bot.table.beginning import AS_USUAL, Beginning
from bot.table.guests import seats_for_anyone
from bot.table.table import LOBBY, Table
from bot.table.waiting import decisions
from bot.words.language import _, enumeration, n_
from bot.words.marks import listing
from engine.scenarios import SCENARIOS

LISTS = {
    "openers": "openers",
    "role": "opener_role",
    "channels": "opened_in",
    "forum": "forum",
    "called": "called_role",
}
"""What the lists of these options are called in custom ids."""
SERVER_SWITCHES = [option for option in SERVER.values() if isinstance(getattr(ServerSettings(), option.name), bool)]
NAMED = [name for name, option in SERVER.items() if name not in LISTS and option not in SERVER_SWITCHES]
"""The options whose lists are all called "server_set", and have their names in custom ids."""


def server_options(chosen: ServerSettings, gone: Collection[int] = (), *, web: bool = True) -> Page:
    """A server's settings. `gone`: chosen roles and channels that were deleted; `web`: whether games are on the web."""

    def stored(changed: NewValues, _chosen: NewValues) -> NewValues:
        if "role" in changed:  # a role is for those who can open tables; without one, everyone can
            return {"openers": ROLE if changed["role"] else EVERYBODY, **changed}
        return {"role": 0, **changed} if "openers" in changed else changed

    options = tuple(option for name, option in SERVER.items() if web or name != "web")
    return Page(options, lambda option: gone, lambda option: getattr(chosen, option.name), stored)


def server_page(
    settings: Page,
    listed: Overview | None,
    answer: str,
    key: str,
    beginning: Beginning = AS_USUAL,
    muted: bool = False,
) -> Reply:
    """All settings of a server; `listed`: its list of games, if it has one; `answer`: what came of the last choice;
    `beginning`: how its tables begin; `muted`: whether Harbormaster may not mention the role of new tables. `key`: what
    the controls carry for a person who doesn't manage the server."""
    title = _("Settings for this server")
    lines = [*settings.lines(), beginning_line(beginning), _list_line(listed)]
    if muted:
        lines.append("⚠️ " + _("Discord doesn't let me mention the role of new tables: it notifies no one."))
    said = "\n".join(filter(None, (f"### {title}", *(f"- {line}" for line in lines), answer)))
    return Reply(said, rows=_server_controls(settings, listed is not None, (key,) if key else ()))


def without_tags(forum: int, names: Sequence[str]) -> str:
    """Ask for the forum tags that Harbormaster couldn't create."""
    tags = listing(f"**{name}**" for name in names)
    text = _("Add the tags {tags} to {forum}, and I'll keep them up to date.", tags=tags, forum=f"<#{forum}>")
    return text


def _list_line(listed: Overview | None) -> str:
    if listed is None:
        return _("List of all games: **none**. It names games and players that all its readers can see anyway.")
    return _("List of all games: in {channel}", channel=f"<#{listed.channel}>")


def _server_controls(settings: Page, listed: bool, key: tuple[str, ...]) -> list[Row]:
    lists = [one for one in settings.options if one not in SERVER_SWITCHES]
    called = [(LISTS[one.name],) if one.name in LISTS else ("server_set", one.name) for one in lists]
    buttons = [settings.switch(one, f"server_{one.name}", *key) for one in SERVER_SWITCHES]
    buttons.append(Button(_("New tables begin with…"), Open("begins", key), emoji="⚙️"))
    buttons.append(Button(_("List all games in this channel"), Open("server_list", ("1", *key)), emoji="📋"))
    if listed:
        buttons.append(Button(_("Remove the list"), Open("server_list", ("0", *key)), emoji="🗑️"))
    return [*(settings.list_of(one, *call, *key) for one, call in zip(lists, called, strict=True)), buttons]


# --- the list of games

MOST_JOINABLE = 8
"""Most tables with a button of their own."""
LIST_BUDGET = 3600
"""Most characters for all games; the message also has a title and a last line."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """An open game. `public`: what everyone sees of it; None before it starts, or where it can't be read."""

    table: Table
    public: Viewer | None = None


def list_title() -> str:
    """The text above the games."""
    return "### " + _("📋 Games on this server")


def list_end() -> str:
    """The text below the games."""
    return "-# " + _("Updated at most once a minute.")


def list_lines(games: Sequence[ListedGame]) -> tuple[list[Section], list[str]]:
    """Tables with free seats and a button to join, and a line for each other game, as many as there is room for."""
    if not games:
        return [], [_("No open tables. Start one with `/game new`.")]
    ordered = sorted(games, key=lambda listed: (not seats_for_anyone(listed.table), listed.table.number))
    tables: list[Section] = []
    running: list[str] = []
    room = LIST_BUDGET
    for at, listed in enumerate(ordered):
        text = _game_line(listed)
        room -= length(text) + 1
        if room < 0:
            running.append(n_("… and {n} more game", "… and {n} more games", len(ordered) - at))
            break
        if seats_for_anyone(listed.table) and len(tables) < MOST_JOINABLE:
            tables.append(Section(text, _join(listed.table)))
        else:
            running.append(text)
    return tables, running


def _game_line(listed: ListedGame) -> str:
    number, free = listed.table.number, seats_for_anyone(listed.table)
    name = _("Table {number}", number=number) if listed.table.status == LOBBY else _("Game {number}", number=number)
    place = f"https://discord.com/channels/{listed.table.guild}/{listed.table.channel}"
    parts = [f"**[{name}]({place})** <#{listed.table.channel}>", _names(listed)]
    if listed.table.status == LOBBY:
        parts.append(_(SCENARIOS[listed.table.config.scenario].title))
        closed = _("only invited") if listed.table.options.only_invited else _("full")
        parts.append(n_("**{n} free seat**", "**{n} free seats**", free) if free else closed)
    elif told := _whom_it_waits_for(listed):
        parts.append(told)
    return " · ".join(parts)


def _join(table: Table) -> Button:
    return Button(_("Join"), Open("sit", (str(table.number),)), Style.SUCCESS, "🪑")


def _names(listed: ListedGame) -> str:
    names: Iterable[str] = map(marked, listed.table.members) if listed.public is None else listed.public.marked
    return enumeration(names)


def _whom_it_waits_for(listed: ListedGame) -> str:
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
        return _("waiting for {names}, {since}", names=names, since=f"<t:{ceil(min(asked))}:R>")
    return _("waiting for {names}", names=names) if names else ""
