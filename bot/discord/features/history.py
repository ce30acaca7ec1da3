"""A game's past: its story, its page, its film, and its file with the check of its chance; and *What did I miss?* for
anyone who asks, wherever the button is: in a ping, in a direct message, in an old message."""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot import export as verification
from bot.discord.talk.call import Call
from bot.discord.talk.commands import (
    BEGUN,
    GAME,
    WHICH,
    GameNumber,
    Interaction,
    answer_command,
    game_here,
    game_numbers,
)
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.export import dump, load
from bot.screens import catchup, orders
from bot.screens.controls import Button, Download, Link, Open, Picture, Reply, rows
from bot.screens.history import ANCHOR, latest_page, page_buttons, page_hint, page_reply
from bot.screens.history import log_page as log_of
from bot.table.reminders import seen_by
from bot.table.table import LOBBY, OVER
from bot.words.language import N_, _, current, n_
from bot.words.proof import promised, verification_lines
from bot.words.refusals import refusal_sentence


@GAME.command(name="log", description=N_("Read the story of the game, turn by turn"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(BEGUN))
async def log(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _log(call)

    await answer_command(interaction, run)


async def _log(call: Call) -> Reply:
    """A page of the story, by default the latest, and the full story as a file."""
    viewer = await call.viewer()
    anchor = call.address.arg
    page, full = await call.app.once.of(("log", anchor, *viewer.known, current()), lambda: log_of(viewer, anchor))
    reply = page_reply(viewer, page, "log")
    if viewer.table.status == OVER:
        reply.rows = [*reply.rows, *rows([Button(_("Replay"), Open("page"), emoji="📄")])]
    reply.downloads = [Download("\n".join(full).encode(), f"game-{viewer.table.number}.txt")]
    return reply


async def _page(call: Call) -> Reply:
    """The page of a finished game, and the way to its film."""
    viewer = await call.viewer()
    page = await call.app.pictures.page(viewer, call.app.services.games.export)
    title = f"{_title(viewer.table.number)}\n{page_hint()}"
    link = await call.app.services.web.link(viewer.table)
    return Reply(title, rows=page_buttons(link, film=call.app.display.films), downloads=[page])


async def _film(call: Call) -> Reply:
    """Where the film of a finished game is, or the film itself."""
    table = await call.app.services.repository.table(call.address.game)
    found = await call.app.films.of(table)
    if isinstance(found, Picture):
        return Reply(_title(table.number), found)
    text = _("The film of game {number} is in its channel.", number=table.number)
    return Reply(text, rows=[[Button(_("Go to the film"), Link(found), emoji="🎬")]])


def _title(number: int) -> str:
    return "### " + _("Game {number}", number=number)


async def _checked(call: Call, number: int | None) -> tuple[int, str]:
    """The number of the game to check; and if the game isn't over, what was promised about its chance."""
    channel = call.interaction.channel_id or 0
    begun = number is None and await call.app.services.repository.latest_in(channel, *BEGUN)
    table = await game_here(call, number, BEGUN if begun else (*BEGUN, LOBBY))
    return table.number, "" if table.status == OVER else promised(table.commitment)


@GAME.command(name="verify", description=N_("Check the dice of a game"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(BEGUN))
async def verify(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        number, promise = await _checked(call, game)
        if promise:
            return Reply(f"{_title(number)}\n{promise}")
        viewer = await call.viewer()
        key = ("verified", number, viewer.names, current())
        result, text, right = await call.app.once.of(key, lambda: _verified(call, number))
        lines = [_title(number), result]
        files = [Download(text.encode(), f"game-{number}.json")]
        if right:
            files.insert(0, await call.app.pictures.page(viewer, call.app.services.games.export))
            lines.append(page_hint())
        lines.append(_("-# The file has the seed and every move: anyone can check it with `harbormaster verify FILE`."))
        return Reply("\n".join(lines), downloads=files)

    await answer_command(interaction, run)


async def _verified(call: Call, number: int) -> tuple[str, str, bool]:
    """The result of checking a game that is over, as a text; its file; and whether all is right."""
    data = await call.app.services.games.export(number)

    def check() -> tuple[str, str, bool]:
        file = dump(data)
        export = load(file)
        try:
            return verification_lines(export, verification.verified(export)), file, True
        except verification.Wrong as wrong:
            return _("Not verified: {reason}", reason=refusal_sentence(wrong)), file, False

    return await asyncio.to_thread(check)


async def _missed(call: Call) -> Reply:
    """What the person missed, in a few lines, with the board then and now. A button can name the game it is about."""
    if call.address.arg:
        await game_here(call, int(call.address.arg), BEGUN)
    viewer = await call.viewer()
    key = ("missed", *viewer.known, call.user.id, seen_by(viewer.table, call.user.id), current())
    missed = await call.app.once.of(key, lambda: catchup.look_back(viewer))
    url = await call.app.panel_link(viewer.table.number)
    link = Button(_("Go to the game"), Link(url)) if url else None
    picture = None
    if missed.built:
        picture = await call.app.pictures.then_and_now(viewer, missed.then, await call.look(), own=missed.own)
    elif missed.events:
        picture = await call.app.pictures.board(viewer, look=await call.look())
    done = orders.done_for_owner(viewer, await call.app.services.orders.of(viewer.table.number, call.user.id))
    return Reply(catchup.text(missed, done), picture, catchup.controls(missed, link))


async def _missed_story(call: Call) -> Reply:
    """What the person missed, turn by turn: the latest ten turns at most."""
    since, *anchor = call.address.args
    viewer = await call.viewer()
    page, more = await call.app.once.of(
        ("story", *call.address.args, *viewer.known, current()),
        lambda: latest_page(viewer, int(since), "".join(anchor)),
    )
    before = n_("-# {n} earlier turn: `/game log`", "-# {n} earlier turns: `/game log`", more) if more else ""
    reply = page_reply(viewer, page, "story", since, lead=before)
    reply.rows = [*reply.rows, [Button(_("Back"), Open("catchup"), emoji="🗞️")]]
    return reply


@app_commands.command(name="catchup", description=N_("See what you missed"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(BEGUN))
@app_commands.guild_only()
async def catch_up(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _missed(call)

    await answer_command(interaction, run)


FEATURE = Feature(
    commands=[catch_up],
    buttons={
        "log": Verb(_log, shape=Shape(f"({ANCHOR})?")),
        "page": Verb(_page),
        "film": Verb(_film),
        "catchup": Verb(_missed, shape=Shape("([1-9][0-9]{0,14})?")),
        "story": Verb(_missed_story, shape=Shape(f"[0-9]{{1,6}}(:{ANCHOR})?")),
    },
)
