"""Orders: what somebody decides before it comes to that, for one game; only they see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Interaction, answer, suggestions, viewer_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.preferences import BUILDS
from bot.presentation import orders
from bot.presentation.controls import Reply
from bot.presentation.people import seat_named, suggested
from bot.presentation.texts.language import N_, _
from bot.presentation.viewer import Viewer


async def _page(call: Call, lead: str = "") -> Reply:
    mine = await call.app.services.orders.of(call.address.game, call.user.id)
    return orders.page(await call.viewer(), mine, lead)


async def _shown(call: Call) -> Reply:
    return await _page(call)


async def _given(call: Call, changes: Mapping[str, Any]) -> Reply:
    (await call.viewer()).check_not_resigned()
    await call.app.services.orders.give(call.address.game, call.user.id, **changes)
    return await _page(call, _("Noted."))


async def _ask(call: Call) -> None:
    mine = await call.app.services.orders.of(call.address.game, call.user.id)
    which = call.address.arg
    await call.ask(orders.form(await call.viewer(), mine, which), "ordered", which)


async def _ordered(call: Call) -> Reply:
    return await _given(call, orders.entered(await call.viewer(), call.address.arg, call.values))


async def _unorder(call: Call) -> Reply:
    return await _given(call, orders.DROPPED)


def _others(viewer: Viewer) -> list[tuple[str, str]]:
    return suggested(viewer, [seat for seat in range(len(viewer.users)) if seat != viewer.seat])


ANYTHING = "anything"
"""What is typed to drop the order to pass."""
THINGS = [app_commands.Choice(name=what, value=what) for what in (*BUILDS, N_(ANYTHING))]


@app_commands.command(name="orders", description=N_("What I do for you in this game when it comes up; only you see it"))
@app_commands.describe(
    roll=N_("Roll for me, unless I could play a card first"),
    end=N_("End my turn when I can't build, buy, play a card or trade with the bank"),
    discard=N_("Discard for me what I have most of"),
    keep=N_("What to keep when I must discard, like “ore and grain”, or none"),
    never=N_("Decline offers that want these of me, like “ore”, or none"),
    nothing_to=N_("Decline all offers from somebody; use it again to hear them again"),
    under=N_("Decline offers that give fewer cards than that for each of mine"),
    pass_unless=N_("Pass in the special building phase unless I can get that"),
    drop=N_("Drop all orders"),
)
@app_commands.choices(pass_unless=THINGS)
@app_commands.autocomplete(nothing_to=suggestions(_others))
@app_commands.guild_only()
async def command(
    interaction: Interaction,
    roll: bool | None = None,
    end: bool | None = None,
    discard: bool | None = None,
    keep: str | None = None,
    never: str | None = None,
    nothing_to: str | None = None,
    under: app_commands.Range[int, 0, orders.HIGHEST] | None = None,
    pass_unless: str | None = None,
    drop: bool = False,
) -> None:
    async def run(call: Call) -> Reply:
        viewer = await viewer_here(call)
        changes: dict[str, Any] = dict(orders.DROPPED) if drop else {}
        mine = replace(await call.app.services.orders.of(call.address.game, call.user.id), **changes)
        for name, on in (("roll", roll), ("end", end), ("discards", discard)):
            changes.update({} if on is None or (name == "discards" and on and mine.keep) else orders.switched(name, on))
        if under is not None:
            changes["least"] = under
        if pass_unless is not None:
            changes["building"] = orders.passing([pass_unless])
        if keep is not None:
            changes["keep"] = orders.kinds(keep)
        if never is not None:
            changes["never"] = orders.kinds(never)
        if nothing_to is not None:
            viewer.check_not_resigned()
            changes.update(orders.refused(viewer, mine, seat_named(viewer, nothing_to)))
        return await _given(call, changes) if changes else await _page(call)

    await answer(interaction, run)


FEATURE = Feature(
    commands=[command],
    buttons={
        "orders": Verb(_shown),
        "unorder": Verb(_unorder),
    },
    modals={"ordered": Verb(_ordered, shape=Shape(f"{orders.OWN}|{orders.OFFERS}", orders.entries))},
    openers=dict.fromkeys((orders.OWN, orders.OFFERS), _ask),
)
