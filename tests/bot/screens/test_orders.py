"""What an autopilot has done is shown to its player until they act themselves, however long they are away."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from bot.screens.catchup import look_back, text
from bot.screens.orders import done_for_owner
from bot.screens.viewer import Viewer
from bot.table.act import By, GameAct
from bot.table.acts.orders import DECLINE, DISCARD, END, PASS, ROLL
from bot.table.orders import DoneByOrder, Orders
from bot.table.table import Table
from engine.actions import DecideFor
from engine.game import Game
from engine.record import REFEREE
from tests.bot.playground import Playground
from tests.bot.service.ordering import begun, carried_out, rolls
from tests.bot.service.tables import until


@dataclass(frozen=True, slots=True)
class Decide(GameAct):
    """The referee decides for a seat."""

    seat: int

    def during(self, table: Table, game: Game, by: By) -> Table:
        while self.seat in game.to_act:
            game.play(REFEREE, DecideFor(self.seat))
        return table


async def absent(ground: Playground) -> tuple[int, int]:
    """Play three rounds in which an autopilot rolls a player's dice and they do nothing. Returns game and user."""
    number = (await begun(ground)).number
    table, game = await until(ground, number, rolls)
    seat, first = game.to_act[0], game.turn
    user = table.user_at(game, seat)
    await ground.services.orders.give(number, user, roll=True)

    while (game := await ground.game(number)).turn < first + 9:
        if seat in game.to_act:
            await carried_out(ground)
            if await ground.revision(number) == game.revision:
                await ground.act(number, user, Decide(seat))
        else:
            await until(ground, number, lambda game: seat in game.to_act)
    return number, user


async def test_a_player_reads_all_that_autopilot_did_since_their_own_last_action(ground: Playground) -> None:
    number, user = await absent(ground)
    mine = await ground.services.orders.of(number, user)
    viewer = Viewer.of(await ground.table(number), await ground.game(number), user)
    mine = replace(mine, done=mine.done[:1])
    assert viewer.game.turn > mine.done[0].turn + 2 * len(viewer.users)
    line = "📋 Done for you: rolled the dice."
    assert done_for_owner(viewer, mine) == line
    lines = text(await look_back(viewer), line).splitlines()
    assert len(lines) <= 5
    assert lines[1].startswith(line)

    def mine_again(game: Game) -> bool:
        return viewer.seat in game.to_act

    _, game = await until(ground, number, mine_again)
    await ground.services.orders.give(number, user, roll=False)
    await ground.play(number, user, game.options(viewer.my_seat).sample(random.Random(1)))
    viewer = Viewer.of(await ground.table(number), await ground.game(number), user)
    assert not done_for_owner(viewer, await ground.services.orders.of(number, user))


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ((ROLL, END), "rolled the dice and ended your turn"),
        ((ROLL, END, ROLL, END), "rolled the dice and ended your turn"),
        ((DECLINE,), "declined offer 4"),
        ((DECLINE, DISCARD, DECLINE), "declined offers 4 and 6 and discarded"),
        ((PASS, PASS, DISCARD, DISCARD), "passed on building between turns and discarded"),
    ],
)
async def test_one_sentence_sums_up_what_autopilot_did(ground: Playground, orders: tuple[str, ...], told: str) -> None:
    table = await begun(ground)
    game = await ground.game(table.number)
    table = replace(table, acted=((table.users[0], 10, 0.0),))
    before = DoneByOrder(2, ROLL, revision=9)
    of_old = DoneByOrder(1, PASS)
    mine = Orders(
        table.users[0], done=(of_old, before, *(DoneByOrder(3, o, 4 + n, 10 + n) for n, o in enumerate(orders)))
    )
    assert done_for_owner(Viewer.of(table, game, table.users[0]), mine) == f"📋 Done for you: {told}."
