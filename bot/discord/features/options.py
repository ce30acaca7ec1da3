"""A table's options, among them scenario and turn timer, on a page with forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from bot.discord.show import rooms
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Choices, Interaction, answer, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import agreement
from bot.screens import options as texts
from bot.screens.controls import Button, Entry, Reply
from bot.screens.shown import merged
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.motion import PACE
from bot.table.options import PACES, TABLE
from bot.table.seats import who_plays
from bot.table.table import LOBBY, Table
from bot.words import times
from bot.words.language import N_
from bot.words.refusals import known_code, sentence
from engine.errors import RefereeError

AGAIN = "again_"
"""Prefix of the name of a form in buttons of 0.2.0 that open it again."""


async def _options(call: Call) -> Reply:
    return await _page(call, await call.app.services.repository.table(call.address.game))


async def _page(call: Call, table: Table, said: str = "") -> Reply:
    """The page with the table's options, and the controls that this person can use."""
    host, plays = call.user.id == table.host, False
    if table.open and table.status != LOBBY:
        game = await call.app.services.repository.game(table.number)
        host, plays = call.user.id == table.host_in(game), call.user.id in who_plays(table, game)
    return texts.page(table, host=host and table.open, plays=plays, answer=said)


async def _ask(call: Call) -> None:
    """Open a form with the table's present options."""
    which = call.address.arg.removeprefix(AGAIN)
    await call.ask(texts.form(await call.app.services.repository.table(call.address.game), which), "set", which)


async def _submit_form(call: Call) -> Reply:
    """Change the options as a sent form says."""
    which, number = call.address.arg, call.address.game
    try:
        table = await call.app.services.repository.table(number)
        values = merged(texts.form(table, which), call.address.shown, call.values)
        return await _change(call, table, texts.entered(table, which, values))
    except RefereeError as error:
        return await _refused(call, error, call.try_again(which))


async def _scenario(call: Call) -> Reply:
    """Change the scenario."""
    try:
        table = await call.app.services.repository.table(call.address.game)
        return await _change(call, table, {"scenario": call.chosen[0]})
    except RefereeError as error:
        return await _refused(call, error)


async def _refused(call: Call, error: RefereeError, *again: Button) -> Reply:
    """The page with the reason for a refusal; `again` opens the refused form again."""
    call.app.metrics.refusals.labels(known_code(error)).inc()
    table = await call.app.services.repository.table(call.address.game)
    page = await _page(call, table, f"⚠️ {sentence(error)}")
    page.rows = [*([again] if again else []), *page.rows]
    return page


async def _change(call: Call, table: Table, changes: Mapping[str, Any]) -> Reply:
    """Change options as host. During a game, a new turn timer is proposed to the others."""
    said = ""
    if changes.get("rooms"):
        await rooms.check(call.app.client, call.interaction)
    if table.status != LOBBY and not changes.keys().isdisjoint(("pace", "expiry")):
        own_motion = next((m for m in table.motions if m.kind == PACE and m.ayes[:1] == (call.user.id,)), None)
        current = own_motion or table.options
        proposal = {"pace": current.pace, "expiry": current.expiry, **changes}
        if not proposal["pace"]:
            proposal["expiry"] = table.options.expiry
        act = Propose(PACE, **proposal)
        done = await call.act(act)
        table, said = done.table, agreement.answer(act, done)
    elif changes:
        table = (await call.act(SetOptions(changes))).table
    return await _page(call, table, said)


# --- commands


async def _times(interaction: Interaction, current: str) -> Choices:
    """Suggest the usual times, and the typed text if it is a time."""
    names = {seconds: times.pace(seconds) for seconds in PACES}
    try:
        seconds = times.typed(current)
        TABLE["pace"].check(None, seconds)
        names = {seconds: times.pace(seconds), **names}
    except RefereeError:
        needle = current.strip().casefold()
        names = {seconds: text for seconds, text in names.items() if needle in text.casefold()}
    return [app_commands.Choice(name=text, value=times.coded(seconds)) for seconds, text in names.items()]


@GAME.command(name="options", description=N_("See or change the game's options"))
async def options(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        return await _page(call, await table_here(call, finished=True))

    await answer(interaction, run)


@GAME.command(name="timer", description=N_("Set how long a player has for each decision"))
@app_commands.describe(time=N_("2 minutes to 14 days, like “1 day”, or “none”"))
@app_commands.autocomplete(time=_times)
async def timer(interaction: Interaction, time: str | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        if time is None:
            return await _page(call, table)
        return await _change(call, table, {"pace": times.typed(time)})

    await answer(interaction, run)


FEATURE = Feature(
    buttons={"options": Verb(_options), "pace": Verb(_options)},
    selects={"scenario": Verb(_scenario, shape=Shape("", {"": Entry("|".join(texts.scenarios()))}))},
    modals={"set": Verb(_submit_form, shape=Shape("|".join(texts.SHEETS), lambda args: texts.SHEETS[args[0]].entries))},
    openers=dict.fromkeys((*texts.SHEETS, *(f"{AGAIN}{which}" for which in texts.SHEETS)), _ask),
)
