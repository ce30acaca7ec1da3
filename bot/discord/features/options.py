"""A table's options, among them scenario and turn timer, on a page with forms."""

from __future__ import annotations

from discord import app_commands

from bot.discord.show import absent, private
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, Suggestions, as_button
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb, refused_page, settings_forms
from bot.plaintext import searchable
from bot.screens import motions
from bot.screens import options as texts
from bot.screens.controls import Entry, Reply
from bot.screens.options import NewValues, Page
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.beginning import AS_USUAL
from bot.table.options import PACES, TABLE
from bot.table.parts import PACE
from bot.table.seats import who_plays
from bot.table.table import LOBBY
from bot.words import times
from bot.words.language import N_
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS


async def _page(call: Call, said: str = "") -> Reply:
    """The page with the table's options, and the controls that this person can use."""
    services = call.app.services
    await absent.replaced_host(call.app.display, call.address.game, call.user.id)
    table = await services.repository.table(call.address.game)
    web = await services.web.allowed(table.guild)
    if not table.open:
        return texts.table_page(table, texts.Reader(), answer=said, web=web)
    host, plays, beginning = call.user.id == table.host, False, AS_USUAL
    if table.status != LOBBY:
        game = await services.repository.game(table.number)
        host, plays = call.user.id == table.host_in(game), call.user.id in who_plays(table, game)
    elif table.guild is not None:
        beginning = (await services.servers.settings(table.guild)).begins
    reader = texts.Reader(host, plays, call.manages(table))
    return texts.table_page(table, reader, beginning, said, web, await services.web.link(table))


async def _load(call: Call) -> Page:
    services = call.app.services
    table = await services.repository.table(call.address.game)
    web = await services.web.allowed(table.guild)
    return texts.table_options(table, manages=call.manages(table), web=web)


async def _scenario(call: Call) -> Reply:
    """Change the scenario."""
    try:
        return await _change(call, {"scenario": call.chosen[0]})
    except RefereeError as error:
        return await refused_page(call, error, _page)


async def _change(call: Call, changes: NewValues) -> Reply:
    """Change options as host. During a game, a new turn timer is proposed to the others."""
    table, said = await call.app.services.repository.table(call.address.game), ""
    if changes.get("rooms"):
        await private.check_rooms(call.app.client, call.interaction)
    if table.status != LOBBY and not changes.keys().isdisjoint(texts.PROPOSED):
        own_motion = next((m for m in table.motions if m.kind == PACE and m.ayes[:1] == (call.user.id,)), None)
        current = own_motion or table.options
        proposal = {"pace": current.pace, "expiry": current.expiry, **changes}
        if not proposal["pace"]:
            proposal["expiry"] = table.options.expiry
        act = Propose(PACE, **proposal)
        said = motions.proposal_answer(act, await call.act(act))
    elif changes:
        await call.act(SetOptions(changes))
    return await _page(call, said)


# --- commands


async def _times(interaction: Interaction, current: str) -> Suggestions:
    """Suggest the usual times, and the typed text if it is a time."""
    names = {seconds: times.pace(seconds) for seconds in PACES}
    try:
        seconds = times.typed_span(current)
        TABLE["pace"].check(None, seconds)
        names = {seconds: times.pace(seconds), **names}
    except RefereeError:
        needle = searchable(current.strip())
        names = {seconds: text for seconds, text in names.items() if needle in searchable(text)}
    return [app_commands.Choice(name=text, value=times.coded_span(seconds)) for seconds, text in names.items()]


@GAME.command(name="options", description=N_("See or change the game's options"))
async def options(interaction: Interaction) -> None:
    await as_button(interaction, _page, finished=True)


@GAME.command(name="timer", description=N_("Set how long a player has for each decision"))
@app_commands.describe(time=N_("2 minutes to 14 days, like “1 day”, or “none”"))
@app_commands.autocomplete(time=_times)
async def timer(interaction: Interaction, time: str | None = None) -> None:
    async def run(call: Call) -> Reply:
        return await (_page(call) if time is None else _change(call, {"pace": times.typed_span(time)}))

    await as_button(interaction, run, finished=True)


FEATURE = Feature(
    buttons={"options": Verb(_page), "pace": Verb(_page)},
    selects={"scenario": Verb(_scenario, shape=Shape("", {"": Entry("|".join(SCENARIOS))}))},
    **settings_forms(texts.TABLE_SCOPE, _load, _change, _page),
)
