"""What remains of a game: its log, its export, and the check of its chance."""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot import verify as verification
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.discord.talk.which_game import BEGUN, FINISHED, WHICH, Number, game_here, numbers
from bot.export import dump, load
from bot.screens.controls import Download, Reply
from bot.screens.history import ANCHOR, turned
from bot.screens.history import log as log_of
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.refusals import sentence
from bot.words.verification import summary


@GAME.command(name="log", description=N_("The whole game so far as a story, turn by turn, and as a file"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
async def log(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _log(call)

    await answer(interaction, run)


async def _log(call: Call) -> Reply:
    """A page of the story, the latest if none is asked for, and all in full as a file."""
    viewer = await call.viewer()
    page, full = await log_of(viewer, call.address.arg)
    reply = turned(viewer, page, "log")
    reply.download = Download("\n".join(full).encode(), f"game-{viewer.table.number}.txt")
    return reply


@GAME.command(name="film", description=N_("The whole game so far as a short film, turn by turn"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
async def film(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await game_here(call, game, BEGUN)
        public = Viewer(table, await call.app.services.repository.game(table.number))
        title = _("Game {number}", number=table.number)
        return Reply(f"### {title}", await call.app.pictures.film(public))

    await answer(interaction, run)


@GAME.command(name="export", description=N_("A finished game as a file that can be checked and kept"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(FINISHED))
async def export(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        number = (await game_here(call, game, FINISHED)).number
        data = await asyncio.to_thread(dump, await call.app.services.games.export(number))
        text = _("Game {number} with its seed. Anyone can check it: `harbormaster verify FILE`.", number=number)
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
                return _("Not verified: {reason}", reason=sentence(wrong))

        title = _("Game {number}", number=number)
        return Reply(f"### {title}\n{await asyncio.to_thread(check)}")

    await answer(interaction, run)


FEATURE = Feature(buttons={"log": Verb(_log, shape=Shape(f"({ANCHOR})?"))})
