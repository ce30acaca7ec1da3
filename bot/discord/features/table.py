"""The table: its current state, board, stats and rules."""

from __future__ import annotations

from discord import app_commands

from bot.discord.interaction import Address
from bot.discord.show import permissions
from bot.discord.show.readers import all_see
from bot.discord.talk.call import Call
from bot.discord.talk.commands import (
    BEGUN,
    GAME,
    WHICH,
    GameNumber,
    Interaction,
    Suggestions,
    answer_command,
    game_here,
    game_numbers,
    suggest,
    table_here,
)
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import hints, play
from bot.screens.controls import Entry, ListOption, Open, Reply, Row, Select
from bot.screens.lobby import text as lobby_text
from bot.screens.options import watch_button
from bot.screens.panel import headline, standing
from bot.screens.viewer import Viewer
from bot.screens.waiting import deadlines
from bot.table.table import CANCELLED, Table
from bot.words import pictures as texts
from bot.words import rules as rulebook
from bot.words.language import N_, _, speaking
from bot.words.places import useless_harbors
from engine.config import Config
from engine.errors import RefereeError


async def _board(call: Call) -> Reply:
    """The board as it stands, with a line for each player."""
    viewer = await call.viewer()
    view = viewer.game.view(None)
    ends = deadlines(viewer) if view.outcome is None else ""
    lines = [headline(view, viewer.marked, viewer.computers), ends, standing(view, viewer.marked)]
    picture = await call.app.pictures.board(viewer, look=await call.look())
    link = await call.app.services.web.link(viewer.table) if view.outcome is None else None
    rows: list[Row] = [[watch_button(link)]] if link else []
    return Reply("\n".join(filter(None, (*lines, useless_harbors(view)))), picture, rows)


async def _stats(call: Call) -> Reply:
    """The game's stats."""
    viewer = await call.viewer()
    figures = await call.app.pictures.figures(viewer, await call.look())
    return Reply(texts.dice_line(viewer.view), figures, hints.review_buttons(viewer))


async def _moments(call: Call) -> Reply:
    """What the person's own choices were worth."""
    return await _reviewed(call, await call.viewer(), 0)


async def _moment(call: Call) -> Reply:
    """The same with the board of another choice."""
    return await _reviewed(call, await call.viewer(), int(call.chosen[0]))


async def _reviewed(call: Call, viewer: Viewer, shown: int) -> Reply:
    key = (viewer.table.number, call.user.id)
    review = await call.app.reviews.of(*key)
    reply = hints.review(viewer, review, shared=call.app.reviews.shared(*key), shown=shown)
    if board := hints.moment_board(viewer, review, shown):
        reply.picture = await call.app.pictures.board(*board, await call.look())
    return reply


async def _share(call: Call) -> Reply:
    """Show everyone what the person's own choices were worth."""
    permissions.check_asker(call.interaction)
    viewer, reviews = await call.viewer(), call.app.reviews
    key, channel = (viewer.table.number, call.user.id), call.interaction.channel_id or 0
    if not await all_see(call.app.client, viewer.table.guild, channel, viewer.table.channel):
        raise RefereeError("unseen-game")
    review = await reviews.of(*key)
    if not reviews.shared(*key):
        reviews.share(*key)
        with speaking(viewer.table.language):
            shared = hints.shared_review(viewer, review)
        try:
            await call.post(shared)
        except Exception:
            reviews.share(*key, done=False)
            raise
    return await _reviewed(call, await call.viewer(), 0)  # with names in the person's own language


def _topic_reply(config: Config, key: str) -> Reply:
    """A topic of a game's rules, with a list of all topics."""
    topics = rulebook.topics(config)
    if key not in dict(topics):
        raise RefereeError("topic")
    options = [ListOption(k, title, default=k == key) for k, title in topics]
    return Reply(rulebook.topic(config, key), rows=[Select(_("Topic"), Open("topic"), options)])


def _config(table: Table | None) -> Config:
    """The configuration whose rules are read; without a table, that of the base game."""
    return Config(colors=()) if table is None else table.config


async def _asked(call: Call) -> Config:
    """The configuration whose rules a control is about."""
    number = call.address.game
    return _config(await call.app.services.repository.table(number) if number else None)


async def _rules(call: Call) -> Reply:
    return _topic_reply(await _asked(call), "goal")


async def _topic(call: Call) -> Reply:
    return _topic_reply(await _asked(call), call.chosen[0])


async def _more(call: Call) -> Reply:
    """The menu of everything that isn't done in every turn."""
    viewer = await call.viewer()
    return play.more_menu(viewer, manages=call.manages(viewer.table))


async def _change(call: Call) -> Reply:
    """The menu of what the player can change about the game itself."""
    viewer = await call.viewer()
    return play.change_menu(viewer, manages=call.manages(viewer.table))


@app_commands.command(name="board", description=N_("See the board, or the open table"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(BEGUN))
@app_commands.guild_only()
async def board(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        if game is not None:
            await game_here(call, game, BEGUN)
            return await _board(call)
        table = await table_here(call, finished=True)
        content = await _board(call) if table.entropy else Reply(lobby_text(table))
        reply = await call.with_panel(content.text)
        if table.status != CANCELLED:
            await call.app.publisher.again(table.number)
        reply.picture, reply.rows = content.picture, [*reply.rows, *content.rows]
        return reply

    await answer_command(interaction, run)


@app_commands.command(name="stats", description=N_("See the game's stats"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(BEGUN))
@app_commands.guild_only()
async def stats(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _stats(call)

    await answer_command(interaction, run)


async def _here(interaction: Interaction) -> Table | None:
    """The channel's lobby or running game, or else its latest table, if there is one."""
    repository, channel = interaction.client.app.services.repository, interaction.channel_id or 0
    table: Table | None = await repository.in_channel(channel) or await repository.latest(channel)
    return table


async def _topics(interaction: Interaction, current: str) -> Suggestions:
    topics = rulebook.topics(_config(await _here(interaction)))
    return suggest([(title, key) for key, title in topics], current)


@GAME.command(name="rules", description=N_("Read the rules of this game"))
@app_commands.describe(topic=N_("Topic"))
@app_commands.autocomplete(topic=_topics)
async def rules(interaction: Interaction, topic: str = "goal") -> None:
    async def run(call: Call) -> Reply:
        table = await _here(interaction)
        call.address = Address("", table.number if table is not None else 0)
        return _topic_reply(_config(table), topic)

    await answer_command(interaction, run)


FEATURE = Feature(
    commands=[board, stats],
    buttons={
        "more": Verb(_more),
        "change": Verb(_change),
        "board": Verb(_board),
        "stats": Verb(_stats),
        "moments": Verb(_moments),
        "share": Verb(_share),
        "dice": Verb(_stats),  # in messages of 0.1.0
        "rules": Verb(_rules),
    },
    selects={
        "topic": Verb(_topic, shape=Shape("", {"": Entry("[a-z_-]{1,40}")})),
        "moment": Verb(_moment, shape=Shape("", {"": Entry("[0-9]")})),
    },
)
