"""Pages of settings: the forms that they open, what comes back from them, and the page with a refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.discord.talk.call import Call
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Verb
from bot.screens.controls import Reply
from bot.screens.options import NewValues, Page, Scope
from bot.words.refusals import known_code, refusal_sentence
from engine.errors import RefereeError

Show = Callable[[Call, str], Awaitable[Reply]]
"""Makes the whole page, with what came of the last click."""


def forms(
    scope: Scope,
    load: Callable[[Call], Awaitable[Page]],
    change: Callable[[Call, NewValues], Awaitable[Reply]],
    show: Show | None = None,
) -> dict[str, Any]:
    """What opens a scope's forms and takes what was entered in them, as arguments of its `Feature`.

    `load` finds what is set, `change` makes the changes. With `show`, the page says why a form was refused, and has a
    button that opens it again.
    """

    async def ask(call: Call) -> None:
        sheet = call.address.arg.removeprefix(AGAIN)
        await call.ask((await load(call)).form(sheet), scope.verb, sheet)

    async def sent(call: Call) -> Reply:
        sheet = call.address.arg
        try:
            return await change(call, (await load(call)).entered(sheet, call.address.shown, call.values))
        except RefereeError as error:
            if show is None:
                raise
            return await refused(call, error, show, sheet)

    names = [sheet.name for sheet in scope.sheets]
    openers = dict.fromkeys((*names, *(f"{AGAIN}{name}" for name in names)), ask)
    return {"modals": {scope.verb: Verb(sent, shape=Shape("|".join(names), scope.entries))}, "openers": openers}


AGAIN = "again_"
"""Prefix of the name of a form in buttons of 0.2.0 that open it again."""


async def refused(call: Call, error: RefereeError, show: Show, *form: str) -> Reply:
    """The page with the reason for a refusal; `form`: the refused form, to be opened again."""
    call.app.metrics.refusals.labels(known_code(error)).inc()
    page = await show(call, f"⚠️ {refusal_sentence(error)}")
    page.rows = [*([[call.try_again(*form)]] if form else []), *page.rows]
    return page
