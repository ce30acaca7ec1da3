"""Orders for a game: each does what its owner would, later, on the position as it is then; nobody else learns of it."""

from __future__ import annotations

import logging
import random
from dataclasses import replace

import pytest

from bot.service import Services, orders
from bot.service.orders import HASTE
from bot.store import Unavailable
from bot.table.acts.motions import Agree, AskForSeat, Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import OfferSeat, Replace, TakeSeat
from bot.table.ordering import thrown, too_little, wanted
from bot.table.orders import Orders
from bot.table.people import People
from bot.table.proposals import SUBSTITUTE
from bot.table.table import Table
from engine.actions import (
    DeclineOffer,
    Discard,
    MakeOffer,
    PlayRoadBuilding,
    Resign,
    Roll,
    TakeBackDiscard,
)
from engine.domains import Cards
from engine.errors import RefereeError
from engine.game import Game
from engine.offer import Offer
from engine.resources import hand, single
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground, do_due
from tests.bot.service.ordering import begun, carried_out
from tests.bot.service.tables import in_step, until

MINUTE, HOUR = 60.0, 3600.0


@pytest.mark.on_databases
async def test_the_dice_are_rolled_for_somebody_as_if_they_were_quick(ground: Playground) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(table.number, user, roll=True)
    await ground.kill()
    await do_due(ground.services)
    assert await ground.revision(table.number) == game.revision, "not at once"
    await carried_out(ground)
    record = (await ground.game(table.number)).records[game.revision]
    assert (record.actor, record.action) == (game.to_act[0], Roll())
    mine = await ground.services.orders.of(table.number, user)
    assert [(done.turn, done.order) for done in mine.done] == [(game.turn, "roll")]


@pytest.mark.on_databases
async def test_an_order_leaves_people_the_time_in_which_the_bot_was_down(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "HASTE", (MINUTE, MINUTE))
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    await ground.services.clock.start()
    await ground.services.orders.give(table.number, table.user_at(game, game.to_act[0]), roll=True)
    ground.clock += MINUTE - 5
    await ground.services.clock.close()
    ground.clock += HOUR
    await ground.kill()
    await ground.services.clock.start()
    ground.clock += 10
    await do_due(ground.services)
    assert await ground.revision(table.number) == game.revision, "nobody is so quick after a start"
    ground.clock += MINUTE
    await do_due(ground.services)
    assert await ground.revision(table.number) == game.revision + 1
    await ground.services.clock.close()


async def test_nobody_rolls_for_who_could_play_a_card_first(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB, CEM)
    await ground.act(table.number, ANN, SetOptions({"target": 20}))
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    rng = random.Random(4)

    async def reached() -> tuple[Table, Game]:
        for _ in range(5000):
            game = await ground.game(table.number)
            if in_step("pre_roll")(game) and len(game.options(game.to_act[0])) > 1:
                return await ground.table(table.number), game
            await ground.step(table.number, rng)
        raise AssertionError("nobody had a card to play")

    table, game = await reached()
    await ground.services.orders.give(table.number, table.user_at(game, game.to_act[0]), roll=True)
    await carried_out(ground)
    assert await ground.revision(table.number) == game.revision


async def test_a_discard_keeps_what_it_is_told_to_keep(ground: Playground) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("discard"))
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    cards = game.options(seat)[Discard]
    assert isinstance(cards, Cards)
    kept = max(range(5), key=lambda kind: cards.caps[kind])
    await ground.services.orders.give(table.number, user, keep=(kept,))
    await carried_out(ground)
    record = (await ground.game(table.number)).records[game.revision]
    assert isinstance(record.action, Discard)
    assert record.action.cards == thrown(cards, (kept,))


async def test_D4_who_takes_an_ordered_discard_back_chooses_alone(ground: Playground) -> None:
    """The order would do the same once more."""
    table = await begun(ground)

    def several(game: Game) -> bool:
        return in_step("discard")(game) and len(game.to_act) > 1

    table, game = await until(ground, table.number, several)
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    await ground.services.orders.give(table.number, user, keep=())
    await carried_out(ground)
    assert isinstance((await ground.game(table.number)).records[-1].action, Discard)
    played = await ground.play(table.number, user, TakeBackDiscard())
    await carried_out(ground)
    assert (await ground.game(table.number)).revision == played.revision
    chosen = list(played.game.options(seat)[Discard])[-1]
    assert (await ground.play(table.number, user, chosen)).game.records[-1].action == chosen


@pytest.mark.parametrize(
    ("caps", "total", "keep", "chosen"),
    [
        ((4, 4, 0, 0, 0), 4, (), (2, 2, 0, 0, 0)),
        ((4, 4, 0, 0, 0), 4, (0,), (0, 4, 0, 0, 0)),
        ((6, 2, 0, 0, 0), 4, (0,), (2, 2, 0, 0, 0)),
        ((3, 1, 2, 1, 1), 4, (3, 4), (2, 0, 1, 0, 0)),
    ],
)
def test_what_is_thrown(caps: tuple[int, ...], total: int, keep: tuple[int, ...], chosen: tuple[int, ...]) -> None:
    found = thrown(Cards(Discard, caps, total), keep)
    assert sum(found) == total
    assert all(n <= cap for n, cap in zip(found, caps, strict=True))
    spared = sum(cap for kind, cap in enumerate(caps) if kind not in keep)
    assert sum(found[kind] for kind in keep) == max(total - spared, 0)
    if sum(chosen) == total:
        assert found == hand(chosen)


@pytest.mark.parametrize("order", ["never", "refused", "least"])
async def test_offers_that_are_never_accepted_are_declined(ground: Playground, order: str) -> None:
    table = await begun(ground)
    rng = random.Random(9)
    for _ in range(4000):
        game = await ground.game(table.number)
        seat = game.to_act[0]
        held = game.view(seat).players[seat].hand or ()
        if in_step("main")(game) and any(held):
            break
        await ground.step(table.number, rng)
    table = await ground.table(table.number)
    give, want = [0] * 5, [0] * 5
    kind = next(i for i, n in enumerate(held) if n)
    give[kind], want[(kind + 1) % 5] = 1, 2
    other, maker = (seat + 1) % 3, table.user_at(game, seat)
    user = table.user_at(game, other)
    value = {"never": ((kind + 1) % 5,), "refused": (maker,), "least": 1}[order]
    await ground.services.orders.give(table.number, user, **{order: value})
    played = await ground.play(table.number, maker, MakeOffer(hand(give), hand(want)))
    [offer] = played.game.state.offers
    accepted = played.game.copy()
    accepted.state.offers[0].accepted |= 1 << other
    assert wanted(await ground.table(table.number), played.game, People(), other) == (DeclineOffer(offer.id), "decline")
    assert not wanted(await ground.table(table.number), accepted, People(), other), (
        "who has accepted it by hand wants it"
    )
    before = await ground.revision(table.number)
    await carried_out(ground)
    records = (await ground.game(table.number)).records[before:]
    assert [(r.actor, type(r.action)) for r in records] == [(other, DeclineOffer)]


async def test_the_log_tells_nothing_of_an_order_that_has_to_wait(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    """M: offers can't be declined while their maker places the roads of a card; then it is done."""
    table = await begun(ground)
    number, rng = table.number, random.Random(4)

    def reached(game: Game) -> bool:
        seat = game.to_act[0]
        return in_step("main")(game) and PlayRoadBuilding in game.options(seat) and any(game.state.hands[seat])

    while not reached(game := await ground.game(number)):
        await ground.step(number, rng)
    seat = game.to_act[0]
    other, maker = (seat + 1) % 3, table.user_at(game, seat)
    kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    await ground.services.orders.give(number, table.user_at(game, other), refused=(maker,))
    await ground.play(number, maker, MakeOffer(single(kind), single((kind + 1) % 5)))
    game = (await ground.play(number, maker, PlayRoadBuilding())).game
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    await carried_out(ground)
    ground.clock += 61
    await do_due(ground.services)
    assert await ground.revision(number) == game.revision
    assert not caplog.records
    while game.view(None).step.kind != "main":
        game = (await ground.play(number, maker, game.options(seat).sample(rng))).game
    await carried_out(ground)
    record = (await ground.game(number)).records[game.revision]
    assert (record.actor, type(record.action)) == (other, DeclineOffer)


async def test_the_log_does_not_say_whose_order_failed(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    await ground.services.orders.give(table.number, table.user_at(game, game.to_act[0]), roll=True)

    async def save(change: object) -> None:
        raise Unavailable("it is locked")

    with monkeypatch.context() as broken:
        broken.setattr(ground.store, "save", save)
        await carried_out(ground)
    assert "could not be done: it is locked" in caplog.text
    assert f"order:{game.to_act[0]}" not in caplog.text
    ground.clock += 61
    await do_due(ground.services)
    assert await ground.revision(table.number) > game.revision


@pytest.mark.parametrize(
    ("least", "give", "want", "declined"),
    [(0, 1, 3, False), (1, 1, 2, True), (1, 1, 1, False), (2, 3, 2, True), (2, 2, 1, False), (3, 2, 1, True)],
)
def test_what_an_offer_must_give(least: int, give: int, want: int, declined: bool) -> None:
    """Cards for each that it wants."""
    mine, offer = Orders(ANN, least=least), Offer(1, 1, single(0, give), single(1, want), 0b1)
    assert too_little(mine, offer) == declined


async def test_an_order_never_acts_on_what_it_knew_before(ground: Playground) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    await ground.services.orders.give(table.number, user, roll=True)
    await ground.play(table.number, user, Roll())
    revision = await ground.revision(table.number)
    await carried_out(ground)
    records = (await ground.game(table.number)).records[revision:]
    assert not [record for record in records if record.actor == seat]


async def test_nothing_is_done_in_a_pause(ground: Playground) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(table.number, user, roll=True)
    for person in (ANN, BOB):
        await ground.act(table.number, person, Propose("pause"))
    await carried_out(ground)
    assert await ground.revision(table.number) == game.revision
    for person in (ANN, BOB):
        await ground.act(table.number, person, Propose("resume"))
    await carried_out(ground)
    assert await ground.revision(table.number) > game.revision


@pytest.mark.on_databases
async def test_of_two_processes_one_carries_an_order_out(ground: Playground, other: Services) -> None:
    table = await begun(ground)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(table.number, user, roll=True)
    ground.clock += HASTE[1] + 1
    await do_due(other)
    await do_due(ground.services)
    ground.services.repository.drop_cache()
    records = (await ground.game(table.number)).records[game.revision :]
    assert [type(record.action) for record in records].count(Roll) == 1


async def test_who_does_not_play_gives_no_orders(ground: Playground) -> None:
    table = await begun(ground)
    with pytest.raises(RefereeError) as refused:
        await ground.services.orders.give(table.number, DOT, roll=True)
    assert refused.value.code == "not-playing"
    assert not (await ground.table(table.number)).orders


async def test_giving_orders_shows_nothing_to_anybody(ground: Playground) -> None:
    table = await begun(ground)
    for what in await ground.store.visible(table.number):
        await ground.store.shown(table.number, what, table.version)
    before = await ground.table(table.number)
    await ground.services.orders.give(table.number, ANN, roll=True, end=True, never=(1,))
    assert replace(await ground.table(table.number), orders=()) == before
    assert not [mark for mark in (await ground.store.visible(table.number)).values() if mark.pending]
    assert await ground.services.orders.of(table.number, ANN) == Orders(ANN, roll=True, end=True, never=(1,))
    await ground.services.orders.give(table.number, ANN, roll=False, end=False, never=())
    assert await ground.services.orders.of(table.number, ANN) == Orders(ANN)


@pytest.mark.on_databases
async def test_orders_go_with_the_seat(ground: Playground) -> None:
    """Also where it falls to somebody because another leaves; who gets a seat again begins anew."""
    table = await ground.lobby(ANN, BOB, CEM, DOT)
    number = ((await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())).table).number
    services = ground.services
    for user in (BOB, CEM):
        await services.orders.give(number, user, roll=True, end=True)
    await services.games.act(number, CEM, OfferSeat(EVE), ground.id())
    await services.games.act(number, EVE, TakeSeat("Eve", 2), ground.id())
    assert await services.orders.of(number, CEM) == Orders(CEM)
    await services.games.act(number, BOB, Replace(BOB), ground.id())
    assert (await services.orders.of(number, BOB)).roll, "a computer plays, and the seat is theirs"
    await services.games.act(number, CEM, AskForSeat("Cem", 1), ground.id())
    await services.games.act(number, ANN, Agree(SUBSTITUTE), ground.id())
    await ground.play(number, EVE, Resign())
    assert CEM not in (await ground.table(number)).users, "one of two is no majority"
    await ground.play(number, DOT, Resign())
    assert (await ground.table(number)).users == (ANN, CEM, EVE, DOT)
    for user in (BOB, CEM):
        assert await services.orders.of(number, user) == Orders(user)
    await ground.kill()
    assert not (await ground.table(number)).orders
