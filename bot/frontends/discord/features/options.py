"""What is played: the options of a table, by forms and by a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discord import app_commands

from bot.frontends.discord.publish import rooms
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import GAME, LONG, Choices, Interaction, answer, suggest, table_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.models import RUNNING, Table
from bot.plaintext import cut
from bot.presentation import options as texts
from bot.presentation.controls import Entry, Reply
from bot.presentation.forms import filled
from bot.presentation.texts import option_names, rule_names
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS, asks_knights
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.refusals import known_code, sentence
from bot.service.lobby_options import LONGEST_PAUSE
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

SCENARIO_CHOICES = [app_commands.Choice(name=s.title[:100], value=s.id) for s in SCENARIOS.values()]
EDITION_CHOICES = [app_commands.Choice(name=cut(f"{e}: {what}", 100), value=e) for e, what in EDITIONS.items()]
LAYOUT_CHOICES = [app_commands.Choice(name=cut(f"{x}: {what}", 100), value=x) for x, what in LAYOUTS.items()]
ANSWER_CHOICES = [app_commands.Choice(name=text, value=seconds) for seconds, text in ANSWER_TIMES.items()]


async def _options(call: Call) -> Reply:
    return await _page(call, await call.app.services.repository.table(call.address.game))


async def _page(call: Call, table: Table, lead: str = "", again: str = "") -> Reply:
    """What is set, with the controls for whom they are."""
    host = table.host
    if table.status == RUNNING:
        host = table.host_in(await call.app.services.repository.game(table.number))
    return texts.page(table, call.user.id, host, lead, again)


async def _refused(call: Call, error: RefereeError, again: str = "") -> Reply:
    """Why something can't be chosen, with the controls for another choice, and the form that was sent."""
    call.app.metrics.refusals.labels(known_code(error)).inc()
    table = await call.app.services.repository.table(call.address.game)
    return await _page(call, table, f"⚠️ {sentence(error)}", again)


def _not_taken(call: Call, errors: Sequence[RefereeError], *, rest: bool) -> str:
    """What of a command could not be read, a line each; `rest`: something else of it has been set."""
    if not errors:
        return ""
    for error in errors:
        call.app.metrics.refusals.labels(known_code(error)).inc()
    lines = [f"⚠️ {sentence(error)}" for error in errors]
    return "\n".join((*lines, _("The rest of your command is set.") if rest else _("Nothing has changed.")))


async def _scenario(call: Call) -> Reply:
    """Another scenario was chosen."""
    try:
        table = await _change(call, {"scenario": call.chosen[0]}, {})
    except RefereeError as error:
        return await _refused(call, error)
    return await _page(call, table)


async def _ask(call: Call) -> None:
    """Open a form as the table is set, or as it was filled in and refused."""
    which = call.address.arg.removeprefix(texts.AGAIN)
    form = texts.form(await call.app.services.repository.table(call.address.game), which)
    if which != call.address.arg:
        form = filled(form, call.app.refused.get((call.user.id, call.address.game, (which,))) or {})
    await call.ask(form, "set", which)


async def _sent(call: Call) -> Reply:
    """A form was sent."""
    which, number = call.address.arg, call.address.game
    try:
        table = await call.app.services.repository.table(number)
        table = await _change(call, *texts.changes(table, which, call.values))
    except RefereeError as error:
        call.app.refused.note((call.user.id, number, (which,)), call.values)
        return await _refused(call, error, which)
    return await _page(call, table)


async def _change(call: Call, options: dict[str, Any], arranged: dict[str, Any]) -> Table:
    """Change options, and what is arranged beside them."""
    service, number, user = call.app.services.lobby, call.address.game, call.user.id
    if arranged.get("rooms"):
        await rooms.check(call.app.client, call.interaction)
    table = await call.app.services.repository.table(number)
    if options:
        table = await service.set_options(number, user, call.key, **options)
    if arranged:
        table = await service.arrange(number, user, f"{call.key}.arranged", **arranged)
    if options or arranged:
        call.app.publisher.refresh(number)
    return table


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


async def _variants(interaction: Interaction, current: str) -> Choices:
    """Suggests what has been typed with one more alternate rule at its end."""
    found = rule_names.suggested(current[:LONG])
    return [app_commands.Choice(name=name, value=value) for name, value in [*found][:25]]


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed of a command's options."""
    return {name: value for name, value in values.items() if value is not None}


@GAME.command(name="options", description=N_("See the options of the game; the host can change them"))
@app_commands.describe(
    scenario=N_("The island and how many can play"),
    edition=N_("Which printing of the rules"),
    target=N_("How many points win"),
    numbers=N_("How the numbers are laid"),
    rules=N_("Alternate rules, separated by commas, or none"),
    setting=N_("The scenario's own options"),
    answers=N_("Time to answer the robber, with the rule Knights interrupt"),
    shuffle=N_("Whether seats are shuffled"),
    anyone=N_("Whether anybody at the table may start"),
    rounds=N_("After how many rounds the game ends; 0 for no limit"),
    colorblind=N_("Whether the board has colours that colour-blind eyes tell apart"),
    dark=N_("Whether the board is dark"),
    large=N_("Whether the figures under the board are large"),
    hints=N_("Whether people may ask what a computer would do"),
    threads=N_("Whether each player gets a private thread for their hand"),
    pause=N_("How many seconds computers take for a turn"),
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
    colorblind: bool | None = None,
    dark: bool | None = None,
    large: bool | None = None,
    hints: bool | None = None,
    threads: bool | None = None,
    pause: app_commands.Range[int, 0, LONGEST_PAUSE] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        try:
            changed, wrong = await change(call, table)
        except RefereeError as error:
            return await _refused(call, error)
        lead = _not_taken(call, wrong, rest=changed is not table)
        table = changed
        if answers is not None and not asks_knights(table.config):
            late = _("⚠️ The time for answers matters only with the alternate rule *Knights interrupt*.")
            lead = "\n".join(filter(None, (lead, late)))
        return await _page(call, table, lead)

    async def change(call: Call, table: Table) -> tuple[Table, list[RefereeError]]:
        """What was typed and can be read is set; the errors say what can't be."""
        known, strange = (None, None) if rules is None else rule_names.read(rules)
        island = SCENARIOS.get(scenario or table.config.scenario)
        own, wrong = (None, []) if setting is None or island is None else option_names.read(setting, island)
        wrong = [*filter(None, [strange]), *wrong]
        given: dict[str, Any] = {
            "scenario": scenario,
            "edition": edition,
            "target": target,
            "layout": numbers,
            "variants": None if strange and not known else known,
            "options": own or None,
            "answer_time": answers,
            "shuffle_seats": shuffle,
            "anyone_starts": anyone,
            "round_limit": rounds,
        }
        look = _given({"colorblind": colorblind, "dark": dark, "large": large})
        arranged = _given({"look": look or None, "hints": hints, "rooms": threads, "pause": pause})
        changes = _given(given)
        return await _change(call, changes, arranged) if changes or arranged else table, wrong

    await answer(interaction, run)


FEATURE = Feature(
    buttons={"options": Verb(_options)},
    selects={"scenario": Verb(_scenario, shape=Shape("", {"": Entry("|".join(SCENARIOS))}))},
    modals={"set": Verb(_sent, shape=Shape("|".join(texts.TITLES), texts.entries))},
    openers=dict.fromkeys((*texts.TITLES, *(f"{texts.AGAIN}{which}" for which in texts.TITLES)), _ask),
)
