"""Two worlds with a player who chose direct messages but has closed them: the autopilot decides when that comes out."""

from __future__ import annotations

import pytest

from bot.table.preferences import DM
from engine.actions import Discard, Roll
from engine.autoplay import default_action
from tests.bot.worlds.compare import compare
from tests.bot.worlds.ordering import done, ordered
from tests.bot.worlds.plans import Twins, before_discards, found, throws
from tests.bot.worlds.stage import Stage, Theatre

pytestmark = pytest.mark.usefixtures("in_time")


async def test_with_closed_direct_messages_a_discard_by_autopilot_looks_like_one_by_hand(theatre: Theatre) -> None:
    """Only without an autopilot, a message calls them, and is refused. Their next turn calls them in both worlds."""

    async def act(stage: Stage, twins: Twins) -> None:
        hall = stage.hall
        await stage.past(twins.steps)
        person = await stage.person(0)
        await hall.remind(person, DM)
        for method, end in (("POST", ""), ("PATCH", "/*")):
            path = f"/channels/{person.user.dm_channel.id}/messages{end}"
            hall.env.inject_error(method, path, status=403, code=50007, message="no", times=50)
        await ordered(stage, 0, "What to do for me", does={"discards": True}, keep=["4"])
        await stage.does(twins.games[0].to_act[0], Roll())
        cards = throws(await hall.game(), 0)
        assert cards is not None
        await done(stage, 0, Discard(cards))
        while (game := await hall.game()).view(None).on_turn != 0:
            seat = game.to_act[0]
            await stage.past([(seat, default_action(game.state, seat, game.options(seat)))])

    await compare(theatre, lambda config: found(config, (0,), before_discards, lengths=(160,)), act)
