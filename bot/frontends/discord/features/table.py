"""The table: how it stands, its board, dice and rules; ending a game and what remains of it."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import verify as verification
from bot.export import dump, load
from bot.frontends.discord.features import lobby
from bot.frontends.discord.features.game import GAME
from bot.frontends.discord.publish import channels
from bot.frontends.discord.talk.acting import submit_and_describe
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Choices, Interaction, answer, simple, suggest, table_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.frontends.discord.talk.finding import BEGUN, FINISHED, PUT_AWAY, WHICH, Number, game_here, numbers
from bot.models import ARCHIVED, CANCELLED, LOBBY, RUNNING, Table
from bot.presentation.controls import Button, Do, Download, Entry, Open, Option, Reply, Select, Style, rows
from bot.presentation.history import log as log_of
from bot.presentation.lobby import text as lobby_text
from bot.presentation.panel import footer, headline, newest, player_line
from bot.presentation.texts import rules as rulebook
from bot.presentation.texts import stats as texts
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.refusals import sentence
from bot.presentation.texts.verification import summary
from bot.presentation.viewer import Viewer
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.config import Config
from engine.errors import RefereeError

ENDS = [
    app_commands.Choice(name=N_("Count the points: most points win"), value="count"),
    app_commands.Choice(name=N_("Call it off: nobody wins, nothing counts"), value="off"),
]
SHOWN = 1500
"""Characters of the log that are shown; the file has all of it."""

# --- looking


async def _board(call: Call) -> Reply:
    """The board as it stands, with a line for each player."""
    viewer = await call.viewer()
    view = viewer.game.view(None)
    lines = [headline(view, viewer.mentions), *(player_line(view, p, viewer.mentions) for p in view.players)]
    picture = await call.app.pictures.board(Viewer(viewer.table, viewer.game))
    return Reply("\n".join([*lines, footer(view)]), picture)


async def _dice(call: Call) -> Reply:
    """The dice so far."""
    viewer = await call.viewer()
    return Reply(texts.dice(viewer.view), await call.app.pictures.dice(viewer))


def _agreeing(viewer: Viewer) -> list[Button]:
    """The two ends that all who play can agree on (I6)."""
    view, buttons = viewer.view, []
    if view.may_count_points:
        agreed = bool(view.end_votes >> viewer.player & 1)
        label = _("No longer agree to end") if agreed else _("Agree to end, count the points")
        buttons.append(Button(label, Do(AgreeToEnd(not agreed), bound=False), emoji="🏁"))
    agreed = bool(view.call_off_votes >> viewer.player & 1)
    label = _("No longer agree to call off") if agreed else _("Agree to call the game off")
    buttons.append(Button(label, Do(AgreeToCallOff(not agreed), bound=False), emoji="🛑"))
    return buttons


def _topic_reply(config: Config, key: str) -> Reply:
    """A topic of a game's rules, with a list of all topics."""
    topics = rulebook.topics(config)
    if key not in dict(topics):
        raise RefereeError("topic")
    options = [Option(k, title, default=k == key) for k, title in topics]
    return Reply(rulebook.topic(config, key), rows=[Select(_("Topic"), Open("topic"), options)])


async def _rules(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    return _topic_reply(table.config, "goal")


async def _topic(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    return _topic_reply(table.config, call.chosen[0])


async def _more(call: Call) -> Reply:
    """Everything that isn't done in every turn."""
    viewer = await call.viewer()
    buttons = [
        Button(_("Board"), Open("board"), emoji="🗺️"),
        Button(_("Dice so far"), Open("dice"), emoji="📊"),
        Button(_("Offers"), Open("offers"), emoji="📨"),
        Button(_("Rules"), Open("rules"), emoji="📖"),
    ]
    if viewer.seat is not None and viewer.game.outcome is None:
        buttons += _agreeing(viewer)
        buttons.append(Button(_("Resign"), Open("resign"), Style.DANGER, "🏳️"))
    if viewer.game.outcome is None and _may_manage(call):
        buttons.append(_call_off_button())
    return Reply(_("What else?"), rows=rows(buttons))


@app_commands.command(name="board", description=N_("The board as it stands, with a line for each player"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
@app_commands.guild_only()
async def board(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _board(call)

    await answer(interaction, run)


@app_commands.command(name="stats", description=N_("The dice so far, beside what was to be expected"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
@app_commands.guild_only()
async def stats(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _dice(call)

    await answer(interaction, run)


@GAME.command(name="status", description=N_("What the game waits for, and how everybody stands"))
async def status(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        text = (await _board(call)).text if table.entropy else lobby_text(table)
        reply = await call.with_panel(text)
        if table.status != CANCELLED:
            await call.app.publisher.again(table.number)
        return reply

    await answer(interaction, run)


async def _topics(interaction: Interaction, current: str) -> Choices:
    table = await interaction.client.app.services.repository.latest(interaction.channel_id or 0)
    if table is None:
        return []
    return suggest([(title, key) for key, title in rulebook.topics(table.config)], current)


@GAME.command(name="rules", description=N_("The rules of this game, a topic each"))
@app_commands.describe(topic=N_("What you want to read about"))
@app_commands.autocomplete(topic=_topics)
async def rules(interaction: Interaction, topic: str = "goal") -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        return _topic_reply(table.config, topic)

    await answer(interaction, run)


# --- ending


async def _resign(call: Call) -> Reply:
    """Ask once more before somebody leaves for good."""
    (await call.viewer()).check_playing()
    leave = Button(_("Yes, leave the game for good"), Do(Resign(), bound=False), Style.DANGER, "🏳️")
    question = _("Your pieces stay and block, your cards go to the bank, and you can't come back. Really resign?")
    return Reply(question, rows=rows([leave]))


async def _resume(call: Call) -> Reply:
    """Take an archived game up again."""
    channels.check_interaction(call.interaction)
    table = await call.app.services.games.resume(call.address.game, call.user.id, call.key)
    call.app.publisher.refresh(table.number)
    return Reply(_("Game {number} goes on.", number=table.number))


@GAME.command(name="resign", description=N_("Leave the running game for good; you are asked once more"))
async def resign(interaction: Interaction) -> None:
    await simple(interaction, _resign)


@GAME.command(name="resume", description=N_("Take up an archived game of this channel again"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(PUT_AWAY))
async def resume(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, PUT_AWAY)
        return await _resume(call)

    await answer(interaction, run)


@GAME.command(
    name="cancel", description=N_("Cancel the open table; in a running game: agree to end it, or call it off")
)
@app_commands.describe(
    agree=N_("In a running game: False takes your agreement back"),
    end=N_("In a running game: to which end you agree; counting the points, once everybody has had a turn"),
)
@app_commands.choices(end=ENDS)
async def cancel(interaction: Interaction, agree: bool = True, end: str | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call)
        if call.user.id != table.host and table.status == LOBBY and _may_manage(call):
            return _manager_question(table)
        if table.status == LOBBY:
            return await lobby.cancel(call)
        if table.player(call.user.id) is None and _may_manage(call):
            return _manager_question(table)
        counts = (await call.viewer()).view.may_count_points if end is None else end == "count"
        reply = await submit_and_describe(call, AgreeToEnd(agree) if counts else AgreeToCallOff(agree))
        after = await call.app.services.repository.table(table.number)
        if _may_manage(call) and after.status == RUNNING:
            reply.rows = rows([_call_off_button()])
        return reply

    await answer(interaction, run)


# --- ending from outside: who manages the channel


def _may_manage(call: Call) -> bool:
    """Whether the person may manage the channel, or thread, where the interaction happened."""
    allowed = call.interaction.permissions
    thread = isinstance(call.interaction.channel, discord.Thread)
    return allowed.administrator or allowed.manage_channels or (thread and allowed.manage_threads)


def _check_manager(call: Call, table: Table) -> None:
    """Refuse those who don't manage the channel of the table. Code: "not-manager"."""
    if call.interaction.channel_id != table.channel or not _may_manage(call):
        raise RefereeError("not-manager")


def _call_off_button() -> Button:
    """Leads to the question."""
    return Button(_("Call the game off"), Open("ask_call_off"), Style.DANGER, "🛑")


def _manager_question(table: Table) -> Reply:
    """Ask once more, saying what it means."""
    number = table.number
    if table.status == LOBBY:
        text = _(
            "**Cancel table {number} of {host}?** It closes for everybody, and all are told that you did it.",
            number=number,
            host=f"<@{table.host}>",
        )
        label = _("Cancel table {number}", number=number)
        return Reply(text, rows=rows([Button(label, Open("close_lobby"), Style.DANGER, "✖️")]))
    text = _(
        "**Call game {number} off?** It ends at once for everybody: nobody wins, nothing counts, and all hands are "
        "shown. All are told that you did it, and it can't be taken back.",
        number=number,
    )
    label = _("Call game {number} off", number=number)
    return Reply(text, rows=rows([Button(label, Open("call_off"), Style.DANGER, "🛑")]))


async def _ask_call_off(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    _check_manager(call, table)
    if table.status not in (LOBBY, RUNNING, ARCHIVED):
        raise RefereeError("over")
    return _manager_question(table)


async def _close_lobby(call: Call) -> Reply:
    services = call.app.services
    _check_manager(call, await services.repository.table(call.address.game))
    table = await services.lobby.close(call.address.game, call.user.id, call.key)
    call.app.publisher.refresh(table.number)
    return Reply(_("Table {number} is cancelled.", number=table.number))


async def _call_off(call: Call) -> Reply:
    services = call.app.services
    _check_manager(call, await services.repository.table(call.address.game))
    table = await services.games.call_off(call.address.game, call.user.id, call.key)
    call.app.publisher.played(table.number, await services.repository.game(table.number))
    return Reply(_("Game {number} is called off.", number=table.number))


# --- what remains: log, export, verification


@GAME.command(name="log", description=N_("The whole game so far as text"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
async def log(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await game_here(call, game, BEGUN)
        short, full = await log_of(await call.viewer())
        download = Download("\n".join(full).encode(), f"game-{table.number}.txt")
        title = _("Game {number}", number=table.number)
        return Reply(f"### {title}\n{newest(short, SHOWN)}", download=download)

    await answer(interaction, run)


@GAME.command(name="export", description=N_("A finished game as a file that can be checked and kept"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(FINISHED))
async def export(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        number = (await game_here(call, game, FINISHED)).number
        data = await asyncio.to_thread(dump, await call.app.services.games.export(number))
        text = _("Game {number}, with its seed: check it with `harbormaster verify FILE`.", number=number)
        return Reply(text, download=Download(data.encode(), f"game-{number}.json"))

    await answer(interaction, run)


@GAME.command(name="verify", description=N_("Recompute every die and card of the finished game from its seed"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(FINISHED))
async def verify(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        number = (await game_here(call, game, FINISHED)).number
        data = await call.app.services.games.export(number)

        def check() -> str:
            found = load(dump(data))
            try:
                return summary(found, verification.check(found))
            except verification.Wrong as wrong:
                return _("WRONG: {reason}", reason=sentence(wrong))

        title = _("Game {number}", number=number)
        return Reply(f"### {title}\n{await asyncio.to_thread(check)}")

    await answer(interaction, run)


FEATURE = Feature(
    commands=[board, stats],
    buttons={
        "more": Verb(_more),
        "board": Verb(_board),
        "dice": Verb(_dice),
        "rules": Verb(_rules),
        "resign": Verb(_resign),
        "resume": Verb(_resume),
        "ask_call_off": Verb(_ask_call_off),
        "call_off": Verb(_call_off),
        "close_lobby": Verb(_close_lobby),
    },
    selects={"topic": Verb(_topic, shape=Shape("", {"": Entry("[a-z_-]{1,40}")}))},
    actions=[AgreeToEnd, AgreeToCallOff, Resign],
)
