"""The group /game: the table from lobby to end."""

from __future__ import annotations

import re
from typing import Any

from discord import app_commands

from bot.frontends.discord import archive, control, lobby, menus, options, records
from bot.frontends.discord.call import Call
from bot.frontends.discord.commands.common import Choices as Suggested
from bot.frontends.discord.commands.common import Interaction, answer, suggest, table_here
from bot.frontends.discord.commands.finding import BEGUN, FINISHED, PUT_AWAY, WHICH, Number, game_here, numbers
from bot.frontends.discord.parts import Reply
from bot.models import CANCELLED, LOBBY, RUNNING
from bot.presentation.texts import rules as rulebook
from bot.presentation.texts.choices import ANSWER_TIMES, EDITIONS, LAYOUTS, asks_knights
from bot.presentation.texts.marks import quoted
from engine.actions import AgreeToEnd
from engine.config import COLORS
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

COLOR_CHOICES = [app_commands.Choice(name=color.capitalize(), value=color) for color in COLORS]
SCENARIO_CHOICES = [app_commands.Choice(name=s.title[:100], value=s.id) for s in SCENARIOS.values()]
EDITION_CHOICES = [app_commands.Choice(name=f"{e}: {what}"[:100], value=e) for e, what in EDITIONS.items()]
LAYOUT_CHOICES = [app_commands.Choice(name=f"{x}: {what}"[:100], value=x) for x, what in LAYOUTS.items()]


ANSWER_CHOICES = [app_commands.Choice(name=text, value=seconds) for seconds, text in ANSWER_TIMES.items()]


async def _settings(interaction: Interaction, current: str) -> Suggested:
    """Suggests the choices that the table's scenario offers."""
    table = await interaction.client.app.services.repository.in_channel(interaction.channel_id or 0)
    if table is None:
        return []
    offered = SCENARIOS[table.config.scenario].options
    found = [(f"{o.title}: {phrase}", f"{o.name}={value}") for o in offered for value, phrase in o.choices]
    return suggest(found, current)


def _setting(text: str) -> dict[str, str]:
    """A scenario's own choice, typed as name=value."""
    name, _, value = text.partition("=")
    if not re.fullmatch(r"\s*[A-Za-z0-9_-]+\s*=\s*[A-Za-z0-9_-]+\s*", text):
        raise RefereeError("option", "Choose one of the scenario's own options from the list.")
    return {name.strip(): value.strip()}


async def _topics(interaction: Interaction, current: str) -> Suggested:
    app = interaction.client.app
    table = await app.services.repository.latest(interaction.channel_id or 0)
    if table is None:
        return []
    return suggest([(title, key) for key, title in rulebook.topics(table.config)], current)


async def _variants(interaction: Interaction, current: str) -> Suggested:
    """Suggests what has been typed with one more alternate rule at its end."""
    done, _, last = current.rpartition(",")
    chosen = [word.strip() for word in done.split(",") if word.strip()]
    found = [
        (", ".join([*chosen, VARIANTS[v].title]), ", ".join([*chosen, v]))
        for v in VARIANTS
        if v not in chosen and last.strip().casefold() in f"{v} {VARIANTS[v].title}".casefold()
    ]
    return [app_commands.Choice(name=n[:100], value=v[:100]) for n, v in [*found, ("none", "none")][:25]]


def _names(text: str) -> tuple[str, ...]:
    """Alternate rules by id or title, separated by commas."""
    found = []
    for word in filter(None, (part.strip().casefold() for part in text.split(","))):
        if word == "none":
            continue
        name = next((v for v in VARIANTS if word in (v, VARIANTS[v].title.casefold())), None)
        if name is None:
            raise RefereeError("variant", f"{quoted(word)} is not an alternate rule; the options list them all.")
        found.append(name)
    return tuple(dict.fromkeys(found))


def make() -> app_commands.Group:
    """The group."""
    group = app_commands.Group(name="game", description="A table of the island game in this channel", guild_only=True)

    @group.command(name="new", description="Open a table in this channel and sit down at it")
    @app_commands.describe(color="Your colour", phrase="Any words of yours, mixed into the chance of the game")
    @app_commands.choices(color=COLOR_CHOICES)
    async def new(
        interaction: Interaction,
        color: str | None = None,
        phrase: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        async def run(call: Call) -> Reply:
            table = await lobby.open_table(call.app, interaction, color, phrase or "")
            return Reply(
                f"Table {table.number} is open. {lobby.place_at(table, call.user.id)} "
                "Others press **Join**; you can change the **Options** before the start."
            )

        await answer(interaction, run)

    @group.command(name="join", description="Sit down at the open table, or change your colour")
    @app_commands.describe(color="Your colour", phrase="Any words of yours, mixed into the chance of the game")
    @app_commands.choices(color=COLOR_CHOICES)
    async def join(
        interaction: Interaction,
        color: str | None = None,
        phrase: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        async def run(call: Call) -> Reply:
            await table_here(call)
            table = await lobby.enter(call, color, phrase or "")
            return Reply(lobby.place_at(table, call.user.id))

        await answer(interaction, run)

    @group.command(name="leave", description="Leave the open table before the game starts")
    async def leave(interaction: Interaction) -> None:
        await _simple(interaction, lobby.leave)

    @group.command(name="start", description="Close the table and deal the game")
    async def start(interaction: Interaction) -> None:
        async def run(call: Call) -> Reply:
            await table_here(call)
            await lobby.start(call)
            return Reply("The game begins.")

        await answer(interaction, run)

    @group.command(
        name="cancel", description="Cancel the open table; in a running game: agree to end it, or call it off"
    )
    @app_commands.describe(agree="In a running game: False takes your agreement back")
    async def cancel(interaction: Interaction, agree: bool = True) -> None:
        async def run(call: Call) -> Reply:
            table = await table_here(call)
            if call.user.id != table.host and table.status == LOBBY and control.may_manage(call):
                return control.question(table)
            if table.status == LOBBY:
                return await lobby.cancel(call)
            if table.player(call.user.id) is None and control.may_manage(call):
                return control.question(table)
            reply = await records.play_and_tell(call, AgreeToEnd(agree))
            if control.may_manage(call) and (await call.app.services.repository.table(table.number)).status == RUNNING:
                reply.rows = control.way(table)
            return reply

        await answer(interaction, run)

    @group.command(name="resume", description="Take up an archived game of this channel again")
    @app_commands.describe(game=WHICH)
    @app_commands.autocomplete(game=numbers(PUT_AWAY))
    async def resume(interaction: Interaction, game: Number | None = None) -> None:
        async def run(call: Call) -> Reply:
            await game_here(call, game, PUT_AWAY)
            return await archive.resume(call)

        await answer(interaction, run)

    @group.command(name="options", description="See, and as host change, what is played")
    @app_commands.describe(
        scenario="The island and how many can play",
        edition="Which printing of the rules",
        target="How many points win",
        numbers="How the numbers are laid",
        rules="Alternate rules, separated by commas; none for none",
        setting="What the scenario lets you choose itself",
        answers="How much time others have to answer the robber, where knights interrupt",
        shuffle="Whether seats are shuffled",
        anyone="Whether anybody at the table may start",
        rounds="After how many rounds the game ends; 0 for no limit",
    )
    @app_commands.choices(scenario=SCENARIO_CHOICES, edition=EDITION_CHOICES, numbers=LAYOUT_CHOICES)
    @app_commands.choices(answers=ANSWER_CHOICES)
    @app_commands.autocomplete(rules=_variants, setting=_settings)
    async def options_(
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
            changes = {name: value for name, value in given.items() if value is not None}
            if changes:
                services = call.app.services
                table = await services.lobby.set_options(table.number, call.user.id, call.key, **changes)
                call.app.screens.refresh(table.number)
            lead = ""
            if answers is not None and not asks_knights(table.config):
                lead = "⚠️ The time for answers matters only with the alternate rule *Knights interrupt*."
            return options.reply(table, call.user.id, lead)

        await answer(interaction, run)

    @group.command(name="status", description="What the game waits for, and how everybody stands")
    async def status(interaction: Interaction) -> None:
        async def run(call: Call) -> Reply:
            table = await table_here(call, finished=True)
            if table.entropy:
                reply = await call.with_panel((await menus.board(call)).text)
            else:
                reply = await call.with_panel(lobby.text(table))
            if table.status != CANCELLED:
                await call.app.screens.again(table.number)
            return reply

        await answer(interaction, run)

    @group.command(name="resign", description="Leave the running game for good; you are asked once more")
    async def resign(interaction: Interaction) -> None:
        await _simple(interaction, menus.resign)

    @group.command(name="rematch", description="A new table with the same people and options")
    async def rematch(interaction: Interaction) -> None:
        async def run(call: Call) -> Reply:
            await table_here(call, finished=True)
            await lobby.rematch(call)
            return Reply("The new table is open.")

        await answer(interaction, run)

    @group.command(name="log", description="The whole game so far as text")
    @app_commands.describe(game=WHICH)
    @app_commands.autocomplete(game=numbers(BEGUN))
    async def log(interaction: Interaction, game: Number | None = None) -> None:
        async def run(call: Call) -> Reply:
            await game_here(call, game, BEGUN)
            return await records.log(await call.viewer())

        await answer(interaction, run)

    @group.command(name="export", description="A finished game as a file that can be checked and kept")
    @app_commands.describe(game=WHICH)
    @app_commands.autocomplete(game=numbers(FINISHED))
    async def export(interaction: Interaction, game: Number | None = None) -> None:
        async def run(call: Call) -> Reply:
            table = await game_here(call, game, FINISHED)
            return await records.export(call.app.services.games, table.number)

        await answer(interaction, run)

    @group.command(name="verify", description="Recompute every die and card of the finished game from its seed")
    @app_commands.describe(game=WHICH)
    @app_commands.autocomplete(game=numbers(FINISHED))
    async def verify(interaction: Interaction, game: Number | None = None) -> None:
        async def run(call: Call) -> Reply:
            table = await game_here(call, game, FINISHED)
            return await records.verify(call.app.services.games, table.number)

        await answer(interaction, run)

    @group.command(name="rules", description="The rules of this game, a topic each")
    @app_commands.describe(topic="What you want to read about")
    @app_commands.autocomplete(topic=_topics)
    async def rules(interaction: Interaction, topic: str = "goal") -> None:
        async def run(call: Call) -> Reply:
            table = await table_here(call, finished=True)
            return menus.rules_reply(table.config, table.number, topic)

        await answer(interaction, run)

    return group


async def _simple(interaction: Interaction, handler: Any) -> None:
    async def run(call: Call) -> Reply | None:
        await table_here(call)
        return await handler(call)

    await answer(interaction, run)
