"""The lobby as plain data: its text, its buttons, its bots, and the choice of a color."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from bot.screens.controls import Button, ListOption, Open, Reply, Row, Select, Style, rows
from bot.screens.viewer import guest_name, marked, mention, named
from bot.table.guests import most_members, unkept_seats
from bot.table.promptness import Promptness
from bot.table.table import CANCELLED, LOBBY, Table
from bot.words import lobby as texts
from bot.words.language import N_, _
from bot.words.marks import color_title, sign
from bot.words.options import summary
from bot.words.refusals import refusal_sentence
from engine.config import COLORS
from engine.errors import ConfigError
from engine.scenarios import SCENARIOS, check
from players import OFFERED

LEVEL_NAMES = {"easy": N_("easy"), "hard": N_("hard"), "expert": N_("expert")}
HOW_LEVELS_PLAY = {
    "easy": N_("Plays well, but misses things"),
    "hard": N_("Plans its turn and weighs everyone's chances"),
    "expert": N_("Learned from thousands of games, and looks further ahead"),
}
"""How bots play, by level."""


def text(
    table: Table, notified: Collection[int] = (), promptness: Mapping[int, Promptness] = MappingProxyType({})
) -> str:
    """The lobby's text. It mentions the users whom its message notifies; they are among those who are invited.
    `promptness`: how fast people decide, by user, as far as there is something to say."""
    if table.lesson and table.status not in (LOBBY, CANCELLED):
        seats = [f"{sign(member.color)} {marked(member)}" for member in table.members]
        return texts.lesson_text(str(table.number), table.config.target, seats)
    problem = ""
    try:
        check(table.config)
    except ConfigError as error:
        problem = "" if error.code == "players" else refusal_sentence(error)
    return texts.lobby_text(
        table.config.colors,
        [marked(member) for member in table.members],
        players=SCENARIOS[table.config.scenario].players,
        host=named(table, table.host),
        anyone_starts=table.anyone_starts,
        number=str(table.number),
        rematch_of=table.rematch_of,
        options=summary(table),
        kept=[mention(guest.user) if guest.user in notified else guest_name(guest) for guest in table.invited],
        only_invited=table.options.only_invited,
        phrases=sum(bool(member.phrase) for member in table.members),
        problem=problem,
        open=table.status == LOBBY,
        promptness=[promptness.get(user) for user in table.users],
    )


def controls(table: Table, computers: bool = True) -> list[Row]:
    """The buttons of a lobby, without those that a full table refuses. `computers`: whether bots are allowed on this
    server."""
    if len(table.members) < most_members(table):
        join = [Button(_("Join"), Open("join"), Style.SUCCESS, "🪑")]
    elif any(not member.is_person for member in table.members):
        join = [Button(_("Take a bot's place"), Open("join"), emoji="🪑")]
    else:
        join = []
    seated = [
        Button(_("Add a bot"), Open("computer"), emoji="🤖"),
        Button(_("Fill with bots"), Open("fill"), emoji="🤖"),
    ]
    return rows(
        [
            *join,
            Button(_("Leave"), Open("leave"), emoji="🚪"),
            *([Button(_("Decline"), Open("decline"), emoji="👎")] if table.invited else []),
            Button(_("Color"), Open("color"), emoji="🎨"),
            Button(_("Options"), Open("options"), emoji="⚙️"),
            Button(_("Lucky words"), Open("form", ("phrase",)), emoji="🎲"),
            Button(_("Rules"), Open("rules"), emoji="📖"),
            *(seated if computers and unkept_seats(table) > 0 else ()),
            Button(_("Start"), Open("start"), Style.PRIMARY, "▶️"),
        ]
    )


def computers(table: Table) -> Reply:
    """The bots of a lobby, for its host: how well they play, and a button to remove one."""
    seated = [member for member in table.members if not member.is_person]
    if not seated:
        return Reply(_("There are no bots at this table."))
    lines = [f"{sign(member.color)} {marked(member)} · {_(LEVEL_NAMES[member.level])}" for member in seated]
    hint = _("New players replace bots when the table is full.")
    levels = [
        ListOption(level, _(LEVEL_NAMES[level]), _(HOW_LEVELS_PLAY[level]), level == seated[-1].level)
        for level in OFFERED
    ]
    controls: list[Row] = [
        Select(_("How well they play"), Open("level"), levels),
        [Button(_("Remove {name}", name=seated[-1].name), Open("uncomputer"), emoji="🚪")],
    ]
    return Reply("\n".join((*lines, f"-# {hint}")), rows=controls)


def place_at(table: Table, user: int) -> str:
    """ "You're 🔵 blue." """
    color = next(member.color for member in table.members if member.user == user)
    return _("You're {color}.", color=f"{sign(color)} {_(color)}")


def color_select(table: Table, user: int) -> Select:
    """The list of colors that are free for a user."""
    taken = {m.color for m in table.members if m.asked and m.user != user}
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    options = [ListOption(color, color_title(color), emoji=sign(color)) for color in possible if color not in taken]
    return Select(_("Choose a color"), Open("colored"), options)
