"""Requests (wishes): players post what they are looking for during others' turns; others can offer it to them."""

from __future__ import annotations

from discord import app_commands

from bot.discord.features.trade import TRADE
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer, table_here, typing
from bot.discord.talk.dispatch import refusal_text
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import drafts, suggested, wishes
from bot.screens.controls import Entry, Reply, rows
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.words.language import N_, _
from bot.words.refusals import known_code
from bot.words.typed import parse_wish
from engine.errors import RefereeError
from engine.resources import Hand


async def _post(call: Call, want: Hand, give: Hand) -> Reply:
    """Tell everyone what the player is looking for."""
    await call.act(PostWish(want, give))
    return Reply(wishes.noted(want, give), rows=rows([wishes.stop_looking_button()]))


async def _withdraw(call: Call) -> Reply:
    await call.act(WithdrawWish())
    return Reply(_("Canceled: you're no longer looking for anything."))


async def _grant(call: Call) -> Reply:
    """A draft of an offer to a player, filled in with what they are looking for."""
    viewer, seat = await call.viewer(), int(call.address.arg)
    draft = drafts.draft_for_wish(viewer, seat)
    await call.drop(drafts.OFFER_DRAFT)  # one that was begun before
    return drafts.draft(viewer, draft)


async def _ask(call: Call) -> None:
    """Open the form."""
    await call.ask(wishes.wish_form(await call.viewer()), "wished")


async def _wished(call: Call) -> Reply:
    viewer = await call.viewer()
    try:
        return await _post(call, *wishes.entered_wish(viewer, call.address.shown, call.values))
    except RefereeError as error:
        call.app.metrics.refusals.labels(known_code(error)).inc()
        return Reply(f"⚠️ {await refusal_text(call, error)}", rows=rows([call.try_again("wish")]))


@TRADE.command(name="want", description=N_("Post what you're looking for"))
@app_commands.describe(
    get=N_("What you're looking for, like “brick”"),
    give=N_("What you'd give for it (optional)"),
    cancel=N_("Stop looking"),
)
@app_commands.autocomplete(get=typing(suggested.wish_want, "give"), give=typing(suggested.wish_give, "get"))
async def want(interaction: Interaction, get: str = "", give: str = "", cancel: bool = False) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        if cancel and (get or give):
            raise RefereeError("wish/both")
        return await (_withdraw(call) if cancel else _post(call, *parse_wish(get, give)))

    await answer(interaction, run)


_KINDS = "[0-4]"
FEATURE = Feature(
    buttons={"grant": Verb(_grant, shape=Shape("[0-7]")), "unwish": Verb(_withdraw)},
    modals={
        "wished": Verb(_wished, Shape("", {"want": Entry(_KINDS, most=5), "give": Entry(_KINDS, least=0, most=5)}))
    },
    openers={"wish": _ask},
)
