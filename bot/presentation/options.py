"""The options of a table as plain data: what is set, and the forms by which its host changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.models import LOBBY, Table
from bot.presentation.controls import (
    Button,
    ChoiceField,
    Entries,
    Entry,
    Form,
    Open,
    Option,
    Reply,
    Row,
    Select,
    Style,
    TextField,
    Values,
)
from bot.presentation.lobby import pauses, seconds
from bot.presentation.looks import LOOKS, looks
from bot.presentation.texts import times
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS, asks_knights, chosen
from bot.presentation.texts.language import N_, _, n_
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS
from engine.scenarios import Option as Own
from engine.variants import VARIANTS

ROUNDS = (0, 10, 15, 20, 25, 30, 40, 50)
"""Round limits to choose from; 0 is none."""
TARGETS = range(3, 21)
NUMBERS = ("target", "round_limit", "answer_time", "pause")
"""Options that are numbers."""
RULES, BOARD, LAND, TABLE = "set_rules", "set_board", "set_land", "set_table"
TITLES = {
    RULES: N_("Rules and points"),
    BOARD: N_("Board"),
    LAND: N_("Land"),
    TABLE: N_("Table and pictures"),
}
"""Of the forms: rules, the scenario's board and what goes with one choice there, and all that isn't in the rules."""
AGAIN = "again_"
"""Before the name of a form that opens as it was filled in and refused."""
SWITCHES = {"shuffle_seats": N_("Shuffle the seats"), "anyone_starts": N_("Anybody at the table may start")}
"""Options that are on or off."""
ARRANGED = {"hints": N_("Hints"), "rooms": N_("Private threads for hands")}
"""The same beside the configuration."""
OWN = "option."
"""Before the name of a scenario's own option."""


def page(table: Table, user: int, host: int, lead: str = "", again: str = "") -> Reply:
    """What is set, with the controls to change it for who decides as `host` now; of a game, how it is drawn.

    `again`: a form that was refused and can be opened once more as it was filled in.
    """
    title = _("Options of table {number}", number=table.number)
    said = "\n".join(filter(None, (lead, f"### {title}", *chosen(table.config), *_arranged(table))))
    if user != host or not table.open:
        hint = _("The host can change them before the start.")
        return Reply(f"{said}\n-# {hint}")
    retry = [[Button(_("Try again"), Open("form", (f"{AGAIN}{again}",)), Style.PRIMARY, "✏️")]] if again else []
    return Reply(said, rows=[*retry, *_controls(table)])


def _arranged(table: Table) -> list[str]:
    """What is set beside the configuration."""
    lines = times.chosen(table.choices)
    if not table.choices.hints:
        lines.append(_("**No hints**: nobody can ask what a computer would do."))
    if table.choices.rooms:
        lines.append(_("**Private threads**: each player's hand is in one. Who may manage threads can read it."))
    if _with_computers(table):
        lines.append(_("**Computers** take {time} for a turn.", time=seconds(table.choices.pause)))
    return lines


def _with_computers(table: Table) -> bool:
    return any(member.level for member in table.members)


def _controls(table: Table) -> list[Row]:
    if table.status != LOBBY:
        return [[_opening(TABLE, _("Pictures and computers") if _with_computers(table) else _("Pictures"), "🎨")]]
    islands = [
        Option(
            s.id,
            _("{title} ({span} players)", title=_(s.title), span=_span(s.players)),
            _(s.summary),
            s.id == table.config.scenario,
        )
        for s in SCENARIOS.values()
    ]
    signs = {RULES: "📖", BOARD: "🗺️", LAND: "🌾", TABLE: "🎨"}
    forms = [_opening(which, _(title), signs[which]) for which, title in TITLES.items() if _fields(table, which)]
    forms.append(Button(_("Pace"), Open("pace"), emoji="⏳"))
    ending = Button(_("Cancel this table"), Open("cancel"), Style.DANGER, "✖️")
    return [Select(_("Scenario"), Open("scenario"), islands), forms, [ending]]


def _opening(which: str, label: str, emoji: str) -> Button:
    return Button(label, Open("form", (which,)), emoji=emoji)


def _span(players: tuple[int, ...]) -> str:
    if len(players) == 1:
        return str(players[0])
    return _("{least} to {most}", least=min(players), most=max(players))


# --- forms


def form(table: Table, which: str) -> Form:
    """A form as the table is set. Code: "nothing-to-set"."""
    found: list[TextField | ChoiceField] = [*_fields(table, which)]
    if not found:  # an earlier choice offered something there
        raise RefereeError("nothing-to-set")
    return Form(_(TITLES[which]), found)


def _fields(table: Table, which: str) -> list[ChoiceField]:
    return {RULES: _rules, BOARD: _board, LAND: _land, TABLE: _table}[which](table)


def _rules(table: Table) -> list[ChoiceField]:
    config = table.config
    editions = [Option(e, _("Edition {name}", name=e), _(what), e == config.edition) for e, what in EDITIONS.items()]
    targets = [Option(str(n), n_("{n} point wins", "{n} points win", n), None, n == config.target) for n in TARGETS]
    rules = [Option(v.id, _(v.title), _(v.summary), v.id in config.variants) for v in VARIANTS.values()]
    limits = [
        Option(
            str(n),
            n_("At most {n} round", "At most {n} rounds", n) if n else _("No limit of rounds"),
            None,
            n == config.round_limit,
        )
        for n in sorted({*ROUNDS, config.round_limit})
    ]
    fields = [
        ChoiceField("edition", _("Edition"), editions),
        ChoiceField("target", _("Points"), targets, listed=True),
        ChoiceField("variants", _("Alternate rules"), rules, required=False, most=len(rules)),
        ChoiceField("round_limit", _("Limit of rounds"), limits, listed=True),
    ]
    if asks_knights(config):
        answers = [
            Option(str(n), _("Within {time}", time=_(time)), None, n == config.answer_time)
            for n, time in ANSWER_TIMES.items()
        ]
        fields.append(ChoiceField("answer_time", _("Time for answers to the robber"), answers))
    return fields


def _board(table: Table) -> list[ChoiceField]:
    """How the numbers are laid, and the scenario's own options."""
    config, scenario = table.config, SCENARIOS[table.config.scenario]
    fields = []
    if len(scenario.layouts) > 1:
        names = [Option(x, _(x).capitalize(), _(LAYOUTS[x]), x == config.layout) for x in scenario.layouts]
        fields.append(ChoiceField("layout", _("Numbers"), names))
    return fields + _own(table, (option for option in scenario.options if option.only_with is None))


def _land(table: Table) -> list[ChoiceField]:
    """The scenario's options that go with what was chosen for another."""
    return _own(table, (o for o in SCENARIOS[table.config.scenario].offered(table.config) if o.only_with is not None))


def _own(table: Table, options: Iterable[Own]) -> list[ChoiceField]:
    fields = []
    for option in options:
        values = [
            Option(value, _(value).capitalize(), _(phrase) if phrase else None, value == option.of(table.config))
            for value, phrase in option.choices
        ]
        fields.append(ChoiceField(f"{OWN}{option.name}", _(option.title), values))
    return fields


def _table(table: Table) -> list[ChoiceField]:
    """Who sits where and may start, what people get beside the rules, how pictures are drawn."""
    fields = []
    if table.status == LOBBY:
        on = {"shuffle_seats": table.config.shuffle_seats, "anyone_starts": table.anyone_starts}
        on |= {name: getattr(table.choices, name) for name in ARRANGED}
        switches = [Option(name, _(label), default=on[name]) for name, label in {**SWITCHES, **ARRANGED}.items()]
        fields.append(ChoiceField("table", _("At this table"), switches, required=False, most=len(switches)))
    drawn = [Option(name, label, None, chosen, emoji) for name, label, emoji, chosen in looks(table.choices.look)]
    fields.append(ChoiceField("look", _("Pictures that all see"), drawn, required=False, most=len(drawn)))
    if _with_computers(table):
        fields.append(ChoiceField("pause", _("How long computers take"), pauses(table), listed=True))
    return fields


_CHOICE, _NUMBER = Entry("[A-Za-z0-9_-]{1,40}", least=0), Entry("[0-9]{1,6}", least=0)
_ENTRIES: dict[str, Entries] = {
    RULES: {
        **dict.fromkeys(("target", "round_limit", "answer_time"), _NUMBER),
        "edition": _CHOICE,
        "variants": Entry("|".join(VARIANTS), 0, len(VARIANTS)),
    },
    BOARD: {
        "layout": _CHOICE,
        **{f"{OWN}{o.name}": _CHOICE for s in SCENARIOS.values() for o in s.options if o.only_with is None},
    },
    LAND: {f"{OWN}{o.name}": _CHOICE for s in SCENARIOS.values() for o in s.options if o.only_with is not None},
    TABLE: {
        "table": Entry("|".join((*SWITCHES, *ARRANGED)), 0, len(SWITCHES) + len(ARRANGED)),
        "look": Entry("|".join(LOOKS), 0, len(LOOKS)),
        "pause": _NUMBER,
    },
}


def entries(args: tuple[str, ...]) -> Entries:
    """What may come back in a form, as far as it is not for the service to say."""
    return _ENTRIES[args[0]]


def changes(table: Table, which: str, values: Values) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a form changes: of the options, and of what is arranged beside them, as the lobby's service takes it."""
    options: dict[str, Any] = {}
    arranged: dict[str, Any] = {}
    for field in _fields(table, which):
        before, entered = {option.value for option in field.options if option.default}, values.get(field.name, ())
        turned = before ^ set(entered)
        if not turned or (field.required and not entered):
            continue
        if field.name == "table":
            options |= {name: name in entered for name in SWITCHES if name in turned}
            arranged |= {name: name in entered for name in ARRANGED if name in turned}
        elif field.name == "look":
            arranged["look"] = {name: name in entered for name in LOOKS if name in turned}
        elif field.name == "pause":
            arranged["pause"] = int(entered[0])
        else:
            options |= _option(field.name, entered, options)
    return options, arranged


def _option(name: str, entered: Sequence[str], before: dict[str, Any]) -> dict[str, Any]:
    if name == "variants":
        return {name: tuple(rule for rule in VARIANTS if rule in entered)}
    if name.startswith(OWN):
        return {"options": {**before.get("options", {}), name.removeprefix(OWN): entered[0]}}
    return {name: int(entered[0]) if name in NUMBERS else entered[0]}
