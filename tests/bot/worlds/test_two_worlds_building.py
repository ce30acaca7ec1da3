"""Two worlds in special building: calls to build reveal neither an autopilot nor what a player can pay for."""

from __future__ import annotations

import pytest

from engine.actions import BuildCity, PassOn
from engine.game import Game
from tests.bot.discord.hall import text
from tests.bot.worlds.compare import compare, probe
from tests.bot.worlds.ordering import done, ordered
from tests.bot.worlds.plans import Twins, found, only_there
from tests.bot.worlds.stage import Stage, Theatre

pytestmark = pytest.mark.usefixtures("in_time")


def _called(here: Game, there: Game) -> bool:
    """Whether seat 1 is called to build and can't build a city."""
    step = here.view(None).step
    return step.kind == "special_building" and here.to_act == (1,) and BuildCity not in here.options(1)


async def test_a_pass_by_autopilot_looks_like_one_by_hand(theatre: Theatre) -> None:
    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps[:-1])
        await ordered(stage, 1, "What to do for me", building=["city"])  # in the first world only
        await stage.does(*twins.steps[-1])
        await done(stage, 1, PassOn())
        return await probe(stage, twins, most=1)

    await compare(
        theatre, lambda config: found(config, (1,), _called, lengths=(160, 300)), act, players=5, scenario="extension"
    )


async def test_closed_direct_messages_dont_reveal_whether_a_player_can_pay(theatre: Theatre) -> None:
    """Only if the player can pay, a direct message is tried, and fails. That is said when no autopilot would act."""

    async def act(stage: Stage, twins: Twins) -> object:
        hall, what = stage.hall, only_there(*twins.games)
        assert what is not None
        await stage.past(twins.steps[:-1])
        person = await stage.person(1)
        await hall.services.people.change_settings(person.id, choices={"building": (what,)})
        for method, end in (("POST", ""), ("PATCH", "/*")):
            path = f"/channels/{person.user.dm_channel.id}/messages{end}"
            hall.env.inject_error(method, path, status=403, code=50007, message="no", times=50)
        await stage.does(*twins.steps[-1])
        await done(stage, 1, PassOn())
        return [text(m) for m in hall.channel.history() if "message you" in text(m)]

    await compare(
        theatre,
        lambda config: found(
            config, (0, 1), lambda here, there: only_there(here, there) is not None, lengths=(160, 300)
        ),
        act,
        players=5,
        scenario="extension",
    )
