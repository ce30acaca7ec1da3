"""How a server's new tables begin: a page of /server with the same forms as the page of a table."""

from __future__ import annotations

from bot.discord.talk.call import Call
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import PASS_PATTERN, Feature, Verb, managed_server, pass_of, refused_page, settings_forms
from bot.screens import beginning as texts
from bot.screens.controls import Entry, Reply
from bot.screens.options import NewValues, Page
from bot.table.beginning import AS_USUAL
from bot.table.options import SCENARIO
from bot.words.language import _
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS


async def _page(call: Call, said: str = "") -> Reply:
    """The page with what new tables begin with. Code: "not-manager"."""
    services, guild = call.app.services, managed_server(call)
    settings, web = await services.servers.settings(guild), await services.web.allowed(guild)
    return texts.beginning_page(settings.begins, settings.computers, web, said, pass_of(call))


async def _load(call: Call) -> Page:
    services, guild = call.app.services, managed_server(call)
    settings = await services.servers.settings(guild)
    return texts.beginning_options(settings.begins, settings.computers, await services.web.allowed(guild))


async def _change(call: Call, changes: NewValues) -> Reply:
    await call.app.services.servers.begin_with(managed_server(call), changes)
    return await _saved(call)


async def _scenario(call: Call) -> Reply:
    try:
        return await _change(call, {SCENARIO.name: call.chosen[0]})
    except RefereeError as error:
        if error.code == "not-manager":
            raise
        return await refused_page(call, error, _page)


async def _as_usual(call: Call) -> Reply:
    """Have tables begin as on any server."""
    await call.app.services.servers.change(managed_server(call), begins=AS_USUAL)
    return await _saved(call)


async def _saved(call: Call) -> Reply:
    """The page after a change. The list of games is in the language in which tables begin."""
    await call.app.overviews.recheck([managed_server(call)])
    return await _page(call, _("Saved."))


_PASS = f"({PASS_PATTERN})?"

FEATURE = Feature(
    buttons={"begins": Verb(_page, Shape(_PASS)), "begin_usual": Verb(_as_usual, Shape(_PASS))},
    selects={"begin_scenario": Verb(_scenario, Shape(_PASS, {"": Entry("|".join(SCENARIOS))}))},
    **settings_forms(texts.BEGINNING_SCOPE, _load, _change, _page, f"(:{PASS_PATTERN})?"),
)
