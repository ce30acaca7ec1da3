"""Which choices a review judges: those that a person made themselves."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest

from bot.store.sql import upkeep
from bot.table.acts.orders import CarryOut
from bot.table.acts.places import VoidGame
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import Replace, ReturnToSeat
from engine.actions import AcceptOffer, CloseOffer, MakeOffer, Roll
from engine.autoplay import default_action
from engine.errors import RefereeError
from engine.game import Game
from engine.resources import single
from players.moments import Moment
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.store.behind import ask, tidy, tidy_only_when_asked


async def judged_of(ground: Playground, number: int, user: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the records that a user's review judges."""
    judged = list[int]()

    async def think(_judged: Any, _config: Any, _records: Any, _seat: int, numbers: list[int]) -> list[Moment]:
        judged.extend(numbers)
        return []

    monkeypatch.setattr(ground.services.reviews, "_think", think)
    await ground.services.reviews.of(number, user)
    return judged


@pytest.mark.on_databases
@pytest.mark.parametrize("packed", [False, True], ids=["as it ended", "packed"])
async def test_a_review_leaves_out_what_a_bot_or_an_autopilot_did_in_the_players_seat(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    tidy_only_when_asked(ground.store)
    table = await ground.begun(ANN, BOB)
    number, made = table.number, dict[bool, list[int]]()
    for by_bot in (False, True):
        for _ in range(4):
            game = await ground.game(number)
            seat = game.to_act[0]
            action, user = default_action(game.state, seat, game.options(seat)), table.user_at(game, seat)
            bot = by_bot and user == ANN
            await ground.act(number, user, Play(action, how=COMPUTER if bot else "person"))
            made.setdefault(bot, []).extend([game.revision] if user == ANN else [])
        if not by_bot:
            await ground.act(number, ANN, Replace(ANN))
    await ground.act(number, ANN, ReturnToSeat())
    await ground.services.orders.give(number, ANN, roll=True)
    _, game = await ground.advance(
        number, lambda game: Roll in game.options(game.to_act[0]) and table.user_at(game, game.to_act[0]) == ANN
    )
    await ground.act(number, 0, CarryOut(game.to_act[0]))
    await ground.act(number, BOB, VoidGame("Mod"))
    if packed:
        await tidy(ground.store)
        assert not await ground.store.acts(number)
    judged = await judged_of(ground, number, ANN, monkeypatch)
    assert {*made[False]} <= {*judged}
    assert made[True]
    assert not {*judged} & {*made[True], game.revision}


async def test_a_review_judges_a_trade_that_the_partner_closed(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await ground.begun(ANN, BOB)).number

    def can_trade(game: Game) -> bool:
        me, they = game.to_act[0], 1 - game.to_act[0]
        return game.view(None).step.kind == "main" and any(game.state.hands[me]) and any(game.state.hands[they])

    table, game = await ground.advance(number, can_trade)
    me, offer = game.to_act[0], game.state.next_offer
    give, want = (next(kind for kind, n in enumerate(game.state.hands[seat]) if n) for seat in (me, 1 - me))
    maker, partner = table.user_at(game, me), table.user_at(game, 1 - me)
    await ground.play(number, maker, MakeOffer(single(give), single(want)))
    await ground.play(number, partner, AcceptOffer(offer))
    closing = await ground.play(number, maker, CloseOffer(offer, 1 - me))
    await ground.act(number, BOB, VoidGame("Mod"))
    for user in (maker, partner):
        assert closing.game.records[-1].number in await judged_of(ground, number, user, monkeypatch)


async def test_without_knowing_who_made_the_moves_there_is_no_review(ground: Playground) -> None:
    """Earlier versions have packed games without that."""
    tidy_only_when_asked(ground.store)
    number = (await ground.begun(ANN, BOB)).number
    await ground.act(number, BOB, VoidGame("Mod"))
    await tidy(ground.store)
    [(body, packed)] = await ask(ground.store, "SELECT body, packed FROM histories JOIN games ON number = game")
    header, *records = zlib.decompress(body).decode().split("\n")
    earlier = {name: value for name, value in json.loads(header).items() if name != "made"}
    body = zlib.compress("\n".join([json.dumps(earlier), *records]).encode())
    checksum = upkeep._history_checksum(number, packed, body)
    await ask(ground.store, "UPDATE histories SET body = ?, checksum = ?", body, checksum)
    with pytest.raises(RefereeError, match=r"^review-unknown$"):
        await ground.services.reviews.of(number, ANN)


async def test_only_players_get_a_review_and_only_after_the_game(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    with pytest.raises(RefereeError, match=r"^not-over/moves$"):
        await ground.services.reviews.of(number, ANN)
    await ground.act(number, BOB, VoidGame("Mod"))
    with pytest.raises(RefereeError, match=r"^not-playing/onlooker$"):
        await ground.services.reviews.of(number, CEM)
