"""The lobby as plain data: its text, its buttons, and the options with the controls to change them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.models import CANCELLED, LOBBY, Table
from bot.presentation.controls import Button, Entries, Entry, Open, Option, Reply, Row, Select, Style, rows
from bot.presentation.looks import LOOKS, looks, switch
from bot.presentation.texts import lobby as texts
from bot.presentation.texts import times
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS, asks_knights, chosen
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import sign
from bot.presentation.texts.refusals import sentence
from bot.presentation.viewer import marked, named
from engine.config import COLORS
from engine.errors import ConfigError
from engine.scenarios import SCENARIOS, check
from engine.variants import VARIANTS
from players import OFFERED

LEVELS = {"easy": N_("easy"), "hard": N_("hard")}
PLAYS = {
    "easy": N_("Plays sensibly, and now and then overlooks something"),
    "hard": N_("Weighs everybody's chances and plans its turn"),
}
"""What computers are like, by level."""
ROUNDS = (0, 10, 15, 20, 25, 30, 40, 50)
"""Round limits to choose from; 0 is none."""
TARGETS = range(3, 21)
NUMBERS = ("target", "round_limit", "answer_time", "pause")
PAUSES = (0, 1, 3, 5, 10, 20, 60)
"""Seconds that a computer takes for its turn, to choose from."""
SWITCHES = ("shuffle_seats", "anyone_starts")
LOOK = "look."
"""Before the name of a choice about the pictures that all see."""
ARRANGED = ("hints", "rooms", "pause")
"""Names of other choices that are no part of the configuration."""

OPTION_NAMES = "scenario|edition|target|variants|answer_time|layout|round_limit|pause|option\\.[a-z_]{1,40}"
"""Pattern of the name of a list of options, as its button carries it."""
SWITCH_NAMES = "|".join((*SWITCHES, "hints", "rooms", *(re.escape(LOOK + name) for name in LOOKS)))
"""Pattern of the name of what is on or off."""


def text(table: Table) -> str:
    """What the lobby says."""
    if table.choices.lesson and table.status not in (LOBBY, CANCELLED):
        seats = [f"{sign(member.color)} {marked(member)}" for member in table.members]
        return texts.lesson(str(table.number), table.config.target, seats)
    problem = ""
    try:
        check(table.config)
    except ConfigError as error:
        problem = "" if error.code == "players" else sentence(error)
    return texts.lobby(
        table.config,
        [marked(member) for member in table.members],
        players=SCENARIOS[table.config.scenario].players,
        host=named(table, table.host),
        anyone_starts=table.anyone_starts,
        number=str(table.number),
        phrases=sum(bool(member.phrase) for member in table.members),
        problem=problem,
        more=times.chosen(table.choices),
        open=table.status == LOBBY,
    )


def controls(computers: bool = True) -> list[Row]:
    """The buttons of a lobby; `computers`: whether those may play on this server."""
    seated = [
        Button(_("Add a computer"), Open("computer"), emoji="🤖"),
        Button(_("Fill with computers"), Open("fill"), emoji="🤖"),
    ]
    return rows(
        [
            Button(_("Join"), Open("join"), Style.SUCCESS, "🪑"),
            Button(_("Leave"), Open("leave"), emoji="🚪"),
            Button(_("Colour"), Open("color"), emoji="🎨"),
            Button(_("Options"), Open("options"), emoji="⚙️"),
            Button(_("Add a phrase"), Open("form", ("phrase",)), emoji="🎲"),
            Button(_("Rules"), Open("rules"), emoji="📖"),
            *(seated if computers else ()),
            Button(_("Start"), Open("start"), Style.PRIMARY, "▶️"),
        ]
    )


def computers(table: Table) -> Reply:
    """The computers of a lobby, for its host: how well they play, and the way to be rid of one."""
    seated = [member for member in table.members if not member.is_person]
    if not seated:
        return Reply(_("No computer sits at this table."))
    lines = [f"{sign(member.color)} {marked(member)} · {_(LEVELS[member.level])}" for member in seated]
    hint = _("People who join take a computer's place when the table is full.")
    levels = [Option(level, _(LEVELS[level]), _(PLAYS[level]), level == seated[-1].level) for level in OFFERED]
    controls: list[Row] = [
        Select(_("How well they play"), Open("level"), levels),
        _pause(table, Open("pause")),
        [Button(_("Remove {name}", name=seated[-1].name), Open("uncomputer"), emoji="🚪")],
    ]
    return Reply("\n".join((*lines, f"-# {hint}")), rows=controls)


def place_at(table: Table, user: int) -> str:
    """ "You are at table 3 as 🔵 blue." """
    color = next(member.color for member in table.members if member.user == user)
    return _("You are at table {number} as {color}.", number=table.number, color=f"{sign(color)} {_(color)}")


def color_select(table: Table, user: int) -> Select:
    """The colours that are free for a user."""
    taken = {m.color for m in table.members if m.asked and m.user != user}
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    options = [Option(color, _(color).capitalize(), emoji=sign(color)) for color in possible if color not in taken]
    return Select(_("Choose a colour"), Open("colored"), options)


# --- options


def options(table: Table, user: int, host: int, lead: str = "") -> Reply:
    """What is set, with the controls to change it for who decides as `host` now; of a game, how it is drawn."""
    title = _("Options of table {number}", number=table.number)
    said = "\n".join(filter(None, (lead, f"### {title}", *chosen(table.config), *_arranged(table))))
    if user != host or not table.open:
        hint = _("The host can change them before the start.")
        return Reply(f"{said}\n-# {hint}")
    pause = [_pause(table, Open("set", ("pause",)))] if _with_computers(table) else []
    return Reply(said, rows=[*(_option_controls(table) if table.status == LOBBY else [_look_buttons(table)]), *pause])


def _with_computers(table: Table) -> bool:
    return any(member.level for member in table.members)


def _arranged(table: Table) -> list[str]:
    """What is set beside the configuration."""
    lines = times.chosen(table.choices)
    if not table.choices.hints:
        lines.append(_("**No hints**: nobody can ask what a computer would do."))
    if table.choices.rooms:
        lines.append(_("**Private threads**: each player's hand is in one. Who may manage threads can read it."))
    if _with_computers(table):
        lines.append(_("**Computers** take {time} for a turn.", time=_seconds(table.choices.pause)))
    return lines


def _seconds(n: int) -> str:
    return n_("{n} second", "{n} seconds", n)


def _pause(table: Table, target: Open) -> Select:
    """How long computers take for their turns."""
    known = sorted({*PAUSES, table.choices.pause})
    times = [
        Option(str(n), _("Computers take {time} for a turn", time=_seconds(n)), None, n == table.choices.pause)
        for n in known
    ]
    return Select(_("How long computers take"), target, times)


def _option_controls(table: Table) -> list[Row]:
    config = table.config
    scenario = SCENARIOS[config.scenario]
    out: list[Row] = [
        _pick(
            "scenario",
            _("Scenario"),
            [
                Option(
                    s.id,
                    _("{title} ({span} players)", title=_(s.title), span=_span(s.players)),
                    _(s.summary),
                    s.id == config.scenario,
                )
                for s in SCENARIOS.values()
            ],
        ),
        _pick(
            "edition",
            _("Edition"),
            [Option(e, _("Edition {name}", name=e), _(what), e == config.edition) for e, what in EDITIONS.items()],
        ),
        _pick(
            "target",
            _("Points"),
            [Option(str(n), n_("{n} point wins", "{n} points win", n), None, n == config.target) for n in TARGETS],
        ),
    ]
    rules = [Option(v.id, _(v.title), _(v.summary), v.id in config.variants) for v in VARIANTS.values()]
    out.append(_pick("variants", _("Alternate rules: none"), rules[:25], least=0, most=min(len(rules), 25)))
    if asks_knights(config):
        times = [
            Option(str(n), _("Answers to the robber: within {time}", time=_(time)), None, n == config.answer_time)
            for n, time in ANSWER_TIMES.items()
        ]
        out.append(_pick("answer_time", _("Time for answers to the robber"), times))
    if len(scenario.layouts) > 1:
        names = [
            Option(x, _("Numbers {layout}", layout=_(x)), _(LAYOUTS[x]), x == config.layout) for x in scenario.layouts
        ]
        out.append(_pick("layout", _("Numbers"), names))
    for option in scenario.offered(config):
        values = [
            Option(value, f"{_(option.title)}: {_(value)}", _(phrase) if phrase else None, value == option.of(config))
            for value, phrase in option.choices
        ]
        out.append(_pick(f"option.{option.name}", _(option.title), values))
    limits = [
        Option(
            str(n),
            n_("At most {n} round", "At most {n} rounds", n) if n else _("No limit of rounds"),
            None,
            n == config.round_limit,
        )
        for n in ROUNDS
    ]
    out.append(_pick("round_limit", _("Limit of rounds"), limits))
    rooms = table.choices.rooms
    seats = _("Seats: shuffled") if config.shuffle_seats else _("Seats: order of joining")
    starts = _("Who can start: anyone") if table.anyone_starts else _("Who can start: the host")
    return [
        *out,
        [
            Button(seats, Open("set", ("shuffle_seats", str(int(not config.shuffle_seats)))), emoji="🔀"),
            Button(starts, Open("set", ("anyone_starts", str(int(not table.anyone_starts)))), emoji="🔑"),
            switch(Open("set", ("hints", str(int(not table.choices.hints)))), table.choices.hints, _("Hints"), "🧭"),
            Button(_("Pace"), Open("pace"), emoji="⏳"),
            Button(_("Cancel this table"), Open("cancel"), Style.DANGER, "✖️"),
        ],
        [*_look_buttons(table), switch(Open("set", ("rooms", str(int(not rooms)))), rooms, _("Private threads"), "🧵")],
    ]


def _look_buttons(table: Table) -> list[Button]:
    """How the pictures that all see are drawn."""
    look = table.choices.look
    return [
        switch(Open("set", (f"{LOOK}{name}", str(int(not on)))), on, _(label), emoji)
        for name, label, emoji, on in looks(look)
    ]


def _pick(name: str, placeholder: str, choices: list[Option], *, least: int = 1, most: int = 1) -> Select:
    return Select(placeholder, Open("set", (name,)), choices, least, most)


def _span(players: tuple[int, ...]) -> str:
    if len(players) == 1:
        return str(players[0])
    return _("{least} to {most}", least=min(players), most=max(players))


def option_entries(args: tuple[str, ...]) -> Entries:
    """What may be chosen in a list of options, as far as it is not for the service to say."""
    if args[0] in NUMBERS:
        return {"": Entry("[0-9]{1,6}")}
    many = args[0] == "variants"
    return {"": Entry("[A-Za-z0-9_-]{1,40}", least=0 if many else 1, most=25 if many else 1)}


def change_of(name: str, values: list[str]) -> Mapping[str, Any]:
    """What is changed by a choice among the options, as the lobby's service takes it."""
    if name == "variants":
        return {name: tuple(values)}
    if name in NUMBERS:
        return {name: int(values[0])}
    if name in (*SWITCHES, "hints", "rooms"):
        return {name: values[0] == "1"}
    if name.startswith(LOOK):
        return {"look": {name.removeprefix(LOOK): values[0] == "1"}}
    if name.startswith("option."):
        return {"options": {name.removeprefix("option."): values[0]}}
    return {name: values[0]}
