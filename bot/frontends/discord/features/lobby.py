"""The lobby: opening a table, who is in, colours, options, phrases, and the start."""

from __future__ import annotations

import re
from typing import Any

from discord import app_commands

from bot.frontends.discord.features.game import GAME
from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish import lobby as closing
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Choices, Interaction, answer, simple, suggest, table_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Opens, Verb
from bot.models import LOBBY, Table
from bot.params import Typed
from bot.plaintext import cut
from bot.presentation import lobby
from bot.presentation.controls import Entry, Form, Reply, TextField
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS
from bot.presentation.texts.language import N_, _
from engine.config import COLORS
from engine.errors import RefereeError
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

# --- who is in


async def enter(call: Call, color: str | None = None, phrase: str = "") -> Table:
    """Join, or change one's colour or phrase."""
    table = await call.app.services.lobby.join(
        call.address.game, call.user.id, call.user.display_name, call.key, color=color, phrase=phrase
    )
    call.app.publisher.refresh(table.number)
    return table


def _with_colors(table: Table, user: int) -> Reply:
    return Reply(lobby.place_at(table, user), rows=[lobby.color_select(table, user)])


async def _join(call: Call) -> Reply:
    return _with_colors(await enter(call), call.user.id)


async def _color(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    if table.status != LOBBY or table.player(call.user.id) is None:
        raise RefereeError("not-member/color")
    return _with_colors(table, call.user.id)


async def _colored(call: Call) -> Reply:
    return _with_colors(await enter(call, color=call.chosen[0]), call.user.id)


async def _leave(call: Call) -> Reply:
    table = await call.app.services.lobby.leave(call.address.game, call.user.id, call.key)
    call.app.publisher.refresh(table.number)
    return Reply(_("You have left table {number}.", number=table.number))


async def cancel(call: Call) -> Reply:
    """Give the lobby up."""
    table = await call.app.services.lobby.cancel(call.address.game, call.user.id, call.key)
    call.app.publisher.refresh(table.number)
    return Reply(_("Table {number} is cancelled.", number=table.number))


async def _phrase(call: Call) -> None:
    """The form for words of one's own."""
    hint = _("Anything; it is mixed into the chance of this game and shown with it at the end.")
    form = Form(_("Your words for the dice"), [TextField("phrase", _("A phrase"), hint, longest=100)])
    await call.ask(form, "phrased")


async def _phrased(call: Call) -> Reply:
    table = await enter(call, phrase=call.entered("phrase"))
    return Reply(_("Noted. {place}", place=lobby.place_at(table, call.user.id)))


# --- options


async def _options(call: Call) -> Reply:
    return lobby.options(await call.app.services.repository.table(call.address.game), call.user.id)


async def _set(call: Call) -> Reply:
    """Something was chosen among the options."""
    name, *value = call.address.args
    services, number = call.app.services, call.address.game
    try:
        changes = lobby.change_of(name, value or call.chosen)
        table = await services.lobby.set_options(number, call.user.id, call.key, **changes)
    except RefereeError as error:
        return lobby.refused(await services.repository.table(number), call.user.id, error)
    call.app.publisher.refresh(table.number)
    return lobby.options(table, call.user.id)


# --- start


async def _start(call: Call) -> Reply | None:
    """Close the table with a message, whose id is the last part of the chance, and deal."""
    app, services, number = call.app, call.app.services, call.address.game
    channels.check_interaction(call.interaction)
    table = await services.lobby.may_start(number, call.user.id)
    message = await closing.close(app.display, table, call.user.id)
    try:
        table = await services.lobby.start(number, call.user.id, str(message), call.key)
    except RefereeError:
        if (await services.repository.table(number)).status == LOBBY:  # otherwise somebody else's start has used it
            await closing.reopen(app.display, table, message)
        raise
    app.publisher.played(number, await services.repository.game(number))
    return None


async def _rematch(call: Call) -> Reply | None:
    """The same people at a new table."""
    channels.check_interaction(call.interaction)
    table = await call.app.services.lobby.rematch(call.address.game, call.user.id, call.key)
    call.app.publisher.refresh(table.number)
    return None


# --- commands

COLOR_CHOICES = [app_commands.Choice(name=color.capitalize(), value=color) for color in COLORS]
SCENARIO_CHOICES = [app_commands.Choice(name=s.title[:100], value=s.id) for s in SCENARIOS.values()]
EDITION_CHOICES = [app_commands.Choice(name=cut(f"{e}: {what}", 100), value=e) for e, what in EDITIONS.items()]
LAYOUT_CHOICES = [app_commands.Choice(name=cut(f"{x}: {what}", 100), value=x) for x, what in LAYOUTS.items()]
ANSWER_CHOICES = [app_commands.Choice(name=text, value=seconds) for seconds, text in ANSWER_TIMES.items()]
COLOR, PHRASE = N_("Your colour"), N_("Any words of yours, mixed into the chance of the game")


@GAME.command(name="new", description=N_("Open a table in this channel and sit down at it"))
@app_commands.describe(color=COLOR, phrase=PHRASE)
@app_commands.choices(color=COLOR_CHOICES)
async def new(
    interaction: Interaction,
    color: str | None = None,
    phrase: app_commands.Range[str, 1, 100] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        channels.check_interaction(interaction)
        if interaction.channel_id is None:
            raise RefereeError("no-channel")
        table = await call.app.services.lobby.new_table(
            interaction.guild_id,
            interaction.channel_id,
            call.user.id,
            call.user.display_name,
            call.key,
            color=color,
            phrase=phrase or "",
        )
        call.app.publisher.refresh(table.number)
        return Reply(
            _(
                "Table {number} is open. {place} Others press **Join**; you can change the **Options** before the "
                "start.",
                number=table.number,
                place=lobby.place_at(table, call.user.id),
            )
        )

    await answer(interaction, run)


@GAME.command(name="join", description=N_("Sit down at the open table, or change your colour"))
@app_commands.describe(color=COLOR, phrase=PHRASE)
@app_commands.choices(color=COLOR_CHOICES)
async def join(
    interaction: Interaction,
    color: str | None = None,
    phrase: app_commands.Range[str, 1, 100] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        table = await enter(call, color, phrase or "")
        return Reply(lobby.place_at(table, call.user.id))

    await answer(interaction, run)


@GAME.command(name="leave", description=N_("Leave the open table before the game starts"))
async def leave(interaction: Interaction) -> None:
    await simple(interaction, _leave)


@GAME.command(name="start", description=N_("Close the table and deal the game"))
async def start(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        await _start(call)
        return Reply(_("The game begins."))

    await answer(interaction, run)


@GAME.command(name="rematch", description=N_("A new table with the same people and options"))
async def rematch(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        await _rematch(call)
        return Reply(_("The new table is open."))

    await answer(interaction, run)


async def _settings(interaction: Interaction, current: str) -> Choices:
    """Suggests the choices that the table's scenario offers."""
    table = await interaction.client.app.services.repository.in_channel(interaction.channel_id or 0)
    if table is None:
        return []
    offered = SCENARIOS[table.config.scenario].offered(table.config)
    found = [
        (f"{_(o.title)}: {_(phrase) if phrase else value}", f"{o.name}={value}")
        for o in offered
        for value, phrase in o.choices
    ]
    return suggest(found, current)


def _setting(text: str) -> dict[str, str]:
    """A scenario's own choices, typed as name=value, several with commas between."""
    found = {}
    for part in text.split(","):
        if not re.fullmatch(r"\s*[A-Za-z0-9_-]+\s*=\s*[A-Za-z0-9_-]+\s*", part):
            raise RefereeError("option/typed")
        name, _eq, value = part.partition("=")
        found[name.strip()] = value.strip()
    return found


async def _variants(interaction: Interaction, current: str) -> Choices:
    """Suggests what has been typed with one more alternate rule at its end."""
    done, _comma, last = current.rpartition(",")
    chosen = [word.strip() for word in done.split(",") if word.strip()]
    found = [
        (", ".join([*chosen, _(VARIANTS[v].title)]), ", ".join([*chosen, v]))
        for v in VARIANTS
        if v not in chosen and last.strip().casefold() in f"{v} {_(VARIANTS[v].title)}".casefold()
    ]
    return [app_commands.Choice(name=n[:100], value=v[:100]) for n, v in [*found, (_("none"), "none")][:25]]


def _names(text: str) -> tuple[str, ...]:
    """Alternate rules by id or title, separated by commas."""
    found = []
    for word in filter(None, (part.strip().casefold() for part in text.split(","))):
        if word == "none":
            continue
        titles = ((v, _(VARIANTS[v].title).casefold()) for v in VARIANTS)
        name = next((v for v, title in titles if word in (v, title)), None)
        if name is None:
            raise RefereeError("variant/typed", typed=Typed(word))
        found.append(name)
    return tuple(dict.fromkeys(found))


@GAME.command(name="options", description=N_("See, and as host change, what is played"))
@app_commands.describe(
    scenario=N_("The island and how many can play"),
    edition=N_("Which printing of the rules"),
    target=N_("How many points win"),
    numbers=N_("How the numbers are laid"),
    rules=N_("Alternate rules, separated by commas; none for none"),
    setting=N_("What the scenario lets you choose itself"),
    answers=N_("How much time others have to answer the robber, where knights interrupt"),
    shuffle=N_("Whether seats are shuffled"),
    anyone=N_("Whether anybody at the table may start"),
    rounds=N_("After how many rounds the game ends; 0 for no limit"),
)
@app_commands.choices(scenario=SCENARIO_CHOICES, edition=EDITION_CHOICES, numbers=LAYOUT_CHOICES)
@app_commands.choices(answers=ANSWER_CHOICES)
@app_commands.autocomplete(rules=_variants, setting=_settings)
async def options(
    interaction: Interaction,
    scenario: str | None = None,
    edition: str | None = None,
    target: app_commands.Range[int, 3, 20] | None = None,
    numbers: str | None = None,
    rules: str | None = None,
    setting: str | None = None,
    answers: int | None = None,
    shuffle: bool | None = None,
    anyone: bool | None = None,
    rounds: app_commands.Range[int, 0, 200] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        given: dict[str, Any] = {
            "scenario": scenario,
            "edition": edition,
            "target": target,
            "layout": numbers,
            "variants": None if rules is None else _names(rules),
            "options": None if setting is None else _setting(setting),
            "answer_time": answers,
            "shuffle_seats": shuffle,
            "anyone_starts": anyone,
            "round_limit": rounds,
        }
        changes: Any = {name: value for name, value in given.items() if value is not None}
        if changes:
            table = await call.app.services.lobby.set_options(table.number, call.user.id, call.key, **changes)
            call.app.publisher.refresh(table.number)
        lead = ""
        if answers is not None and not data_of(table.config).robber_interrupts:
            lead = _("⚠️ The time for answers matters only with the alternate rule *Knights interrupt*.")
        return lobby.options(table, call.user.id, lead)

    await answer(interaction, run)


FEATURE = Feature(
    commands=[GAME],
    buttons={
        "join": Verb(_join),
        "leave": Verb(_leave),
        "color": Verb(_color),
        "options": Verb(_options),
        "set": Verb(_set, shape=Shape(f"({'|'.join(lobby.SWITCHES)}):[01]")),
        "cancel": Verb(cancel),
        "start": Verb(_start, Opens.NOTHING),
        "rematch": Verb(_rematch, Opens.NOTHING),
    },
    selects={
        "colored": Verb(_colored, shape=Shape("", {"": Entry("|".join(COLORS))})),
        "set": Verb(_set, shape=Shape(lobby.OPTION_NAMES, lobby.option_entries)),
    },
    modals={"phrased": Verb(_phrased, Opens.NOTHING, Shape("", {"phrase": Entry("(?s).{1,100}")}))},
    openers={"phrase": _phrase},
)
