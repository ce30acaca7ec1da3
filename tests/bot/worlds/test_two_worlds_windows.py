"""Two worlds with a window that closes: nothing reveals whose answer came last (J2, L8)."""

from __future__ import annotations

from bot.table.acts.seats import Replace
from engine.actions import PassOn
from tests.bot.worlds.compare import INTERRUPT, compare
from tests.bot.worlds.plans import Twins, found, in_window
from tests.bot.worlds.stage import Stage, Theatre


async def test_others_cant_tell_which_answer_closes_a_window(theatre: Theatre) -> None:
    """In both worlds, votes to replace the two players stay, and so do their old names."""

    async def act(stage: Stage, twins: Twins) -> None:
        hall = stage.hall
        await stage.past(twins.steps[:-1])
        await stage.does(*twins.steps[-1])
        game, table = await hall.game(), await hall.table()
        for absent in (0, 1):
            voter = next(seat for seat in (2, 3) if seat in game.to_act)
            await hall.services.games.act(
                table.number, table.user_at(game, voter), Replace(table.user_at(game, absent)), f"vote-{absent}"
            )
        await hall.bot.app.publisher.idle()
        for seat in game.to_act:
            if seat > 1:
                await stage.does(seat, PassOn())
        for seat in (0, 1):
            (await stage.person(seat)).user._user.global_name = f"New {seat}"
        for seat in (0, 1) if stage.world else (1, 0):
            await stage.does(seat, PassOn())
        assert (await hall.game()).view(None).step.kind != "interrupt"

    await compare(
        theatre, lambda config: found(config, (0, 1), in_window, cards=True, lengths=(160,)), act, **INTERRUPT
    )
