"""*What did I miss?* for anyone who asks, wherever the button is: in a ping, in a direct message, in an old message."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.discord.talk.which_game import BEGUN, WHICH, Number, game_here, numbers
from bot.screens import catchup, orders
from bot.screens.controls import Button, Link, Open, Reply
from bot.screens.history import ANCHOR, latest_page, page_reply
from bot.table.reminders import seen_by
from bot.words.language import N_, _, current, n_


async def _missed(call: Call) -> Reply:
    """What the person missed, in a few lines, with the board then and now. A button can name the game it is about."""
    if call.address.arg:
        await game_here(call, int(call.address.arg), BEGUN)
    viewer = await call.viewer()
    key = ("missed", *viewer.known, call.user.id, seen_by(viewer.table, call.user.id))
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


async def _story(call: Call) -> Reply:
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
@app_commands.autocomplete(game=numbers(BEGUN))
@app_commands.guild_only()
async def command(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await _missed(call)

    await answer(interaction, run)


FEATURE = Feature(
    commands=[command],
    buttons={
        "catchup": Verb(_missed, shape=Shape("([1-9][0-9]{0,14})?")),
        "story": Verb(_story, shape=Shape(f"[0-9]{{1,6}}(:{ANCHOR})?")),
    },
)
