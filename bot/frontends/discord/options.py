"""The options of a lobby: one private message with a select for each thing that can be chosen."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.frontends.discord.call import Call
from bot.frontends.discord.door import Field, Fields
from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Option, Reply, Style, button, rows, select
from bot.models import LOBBY, Table
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS, asks_knights, chosen
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

ROUNDS = (0, 10, 15, 20, 25, 30, 40, 50)
"""Round limits to choose from; 0 is none."""
TARGETS = range(3, 21)

NAMES = "scenario|edition|target|variants|answer_time|layout|round_limit|option\\.[a-z_]{1,40}"
"""Pattern of the name of a select, as it stands in its id."""
NUMBERS = ("target", "round_limit", "answer_time")


def fields(address: Address) -> Fields:
    """What may be chosen in the select of that name, as far as it is not for the service to say."""
    if address.arg in NUMBERS:
        return {"": Field("[0-9]{1,6}")}
    many = address.arg == "variants"
    return {"": Field("[A-Za-z0-9_-]{1,40}", least=0 if many else 1, most=25 if many else 1)}


def reply(table: Table, user: int, lead: str = "") -> Reply:
    """What is set; with the controls to change it for the host of a lobby."""
    text = "\n".join(filter(None, (lead, f"### Options of table {table.number}", *chosen(table.config))))
    if table.status != LOBBY or user != table.host:
        return Reply(f"{text}\n-# The host can change them before the start.")
    return Reply(text, rows=_controls(table))


def _controls(table: Table) -> list[ui.ActionRow]:
    config, number = table.config, table.number
    scenario = SCENARIOS[config.scenario]

    def pick(name: str, placeholder: str, options: list[Option], **limits: Any) -> ui.ActionRow:
        return select(placeholder, Address("set", number, "", (name,)), options, **limits)

    out = [
        pick(
            "scenario",
            "Scenario",
            [
                Option(s.id, f"{s.title} ({_span(s.players)} players)", s.summary, s.id == config.scenario)
                for s in SCENARIOS.values()
            ],
        ),
        pick(
            "edition",
            "Edition",
            [Option(e, f"Edition {e}", what, e == config.edition) for e, what in EDITIONS.items()],
        ),
        pick("target", "Points", [Option(str(n), f"{n} points win", None, n == config.target) for n in TARGETS]),
    ]
    if VARIANTS:
        rules = [Option(v.id, v.title, v.summary, v.id in config.variants) for v in VARIANTS.values()]
        out.append(pick("variants", "Alternate rules: none", rules[:25], least=0, most=min(len(rules), 25)))
    if asks_knights(config):
        times = [
            Option(str(n), f"Answers to the robber: within {text}", None, n == config.answer_time)
            for n, text in ANSWER_TIMES.items()
        ]
        out.append(pick("answer_time", "Time for answers to the robber", times))
    if len(scenario.layouts) > 1:
        names = [Option(x, f"Numbers {x}", LAYOUTS[x], x == config.layout) for x in scenario.layouts]
        out.append(pick("layout", "Numbers", names))
    for option in scenario.options:
        values = [
            Option(value, f"{option.title}: {value}", phrase, value == option.of(config))
            for value, phrase in option.choices
        ]
        out.append(pick(f"option.{option.name}", option.title, values))
    limits = [
        Option(str(n), f"At most {n} rounds" if n else "No limit of rounds", None, n == config.round_limit)
        for n in ROUNDS
    ]
    out.append(pick("round_limit", "Limit of rounds", limits))
    seats = "Seats: shuffled" if config.shuffle_seats else "Seats: order of joining"
    starts = "Who may start: anybody" if table.anyone_starts else "Who may start: the host"
    toggles = [
        button(seats, Address("set", number, "", ("shuffle_seats", str(int(not config.shuffle_seats)))), emoji="🔀"),
        button(starts, Address("set", number, "", ("anyone_starts", str(int(not table.anyone_starts)))), emoji="🔑"),
        button("Cancel this table", Address("cancel", number), Style.danger, "✖️"),
    ]
    return [*out, *rows(toggles)]


def _span(players: tuple[int, ...]) -> str:
    return str(players[0]) if len(players) == 1 else f"{min(players)} to {max(players)}"


async def open_(call: Call) -> Reply:
    """The button Options."""
    return reply(await call.app.services.repository.table(call.address.game), call.user.id)


async def set_(call: Call) -> Reply:
    """Something was chosen."""
    name, *value = call.address.args
    values = value or call.chosen
    changes: dict[str, Any]
    if name == "variants":
        changes = {"variants": tuple(values)}
    elif name in NUMBERS:
        changes = {name: int(values[0])}
    elif name in ("shuffle_seats", "anyone_starts"):
        changes = {name: values[0] == "1"}
    elif name.startswith("option."):
        changes = {"options": {name.removeprefix("option."): values[0]}}
    else:
        changes = {name: values[0]}
    services = call.app.services
    try:
        table = await services.lobby.set_options(call.address.game, call.user.id, call.key, **changes)
    except RefereeError as error:
        return reply(await services.repository.table(call.address.game), call.user.id, f"⚠️ {error.message}")
    call.app.screens.refresh(table.number)
    return reply(table, call.user.id)
