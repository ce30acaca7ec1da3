"""Wishes: what people look for between their turns, stored with the table; the engine knows nothing of them."""

from __future__ import annotations

import random
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.projections import PANEL
from bot.table.acts.motions import Propose
from bot.table.acts.places import CallItOff
from bot.table.acts.seats import PlayAgain, Replace
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.proposals import PAUSE, Wish
from bot.table.table import Table, TableChoices
from bot.table.wishes import fulfilled, open_wishes
from engine.actions import AcceptOffer, CallOff, CloseOffer, EndTurn, MakeOffer, Resign, Undo
from engine.errors import RefereeError
from engine.events import Traded
from engine.game import Game
from engine.record import REFEREE
from engine.resources import NOTHING, Hand, hand_of, single
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground
from tests.bot.presentation.played import viewer

BRICK, SHEEP = hand_of(brick=1), hand_of(wool=2)


async def on_turn(ground: Playground, number: int) -> tuple[Table, Game, int]:
    """A moment in the main part of a turn: table, game, and the user on turn."""
    rng = random.Random(3)
    while True:
        game = await ground.game(number)
        if game.turn > 4 and game.view(None).step.kind == "main":
            table = await ground.table(number)
            return table, game, table.user_at(game, game.state.on_turn)
        await ground.step(number, rng)


async def begun(ground: Playground) -> tuple[Table, Game, int, int]:
    """The same of a new game, with a user who isn't on turn."""
    table = await ground.begun(ANN, BOB, CEM, DOT, target=20)
    table, game, turn = await on_turn(ground, table.number)
    return table, game, turn, next(user for user in table.users if user != turn)


async def post(
    ground: Playground, number: int, user: int, want: Hand = BRICK, give: Hand = NOTHING, id: str = ""
) -> Table:
    return (await ground.services.games.act(number, user, PostWish(want, give), id or ground.id())).table


async def refused(key: str, doing: Awaitable[object]) -> None:
    """It is refused by this key."""
    with pytest.raises(RefereeError) as caught:
        await doing
    assert caught.value.key == key


async def held(ground: Playground, number: int) -> dict[int, tuple[Hand, Hand]]:
    """The wishes that hold, by user."""
    table, game = await ground.table(number), await ground.game(number)
    return {wish.user: (wish.want, wish.give) for wish in open_wishes(table, game).values()}


@pytest.mark.on_databases
async def test_a_wish_is_stored_and_shown_and_replaced_by_another(ground: Playground) -> None:
    table, _game, _turn, user = await begun(ground)
    posted = await post(ground, table.number, user)
    assert posted.version == table.version + 1
    assert (await ground.services.projections.visible(table.number))[PANEL].due == posted.version
    await ground.close()
    await ground.open()
    assert await held(ground, table.number) == {user: (BRICK, NOTHING)}
    await post(ground, table.number, user, SHEEP, BRICK)
    assert await held(ground, table.number) == {user: (SHEEP, BRICK)}
    again = await ground.table(table.number)
    assert await post(ground, table.number, user, SHEEP, BRICK) == again, "the same once more is no change"
    gone = (await ground.act(table.number, user, WithdrawWish())).table
    assert (gone.version, gone.choices.wishes) == (again.version + 1, ())


@pytest.mark.on_databases
async def test_an_interaction_posts_or_withdraws_once(ground: Playground) -> None:
    table, _game, _turn, user = await begun(ground)
    first = await post(ground, table.number, user, id="77")
    await post(ground, table.number, user, SHEEP)
    assert (await post(ground, table.number, user, id="77")).version == first.version + 1
    assert await held(ground, table.number) == {user: (SHEEP, NOTHING)}
    gone = (await ground.services.games.act(table.number, user, WithdrawWish(), "78")).table
    assert (await ground.services.games.act(table.number, user, WithdrawWish(), "78")).table == gone


async def test_what_makes_no_sense_is_refused_and_changes_nothing(ground: Playground) -> None:
    lobby = await ground.lobby(ANN, BOB, CEM, channel=51)
    table, game, turn, user = await begun(ground)
    for key, doing in (
        ("not-started", post(ground, lobby.number, ANN)),
        ("no-table", post(ground, 99, ANN)),
        ("not-playing", post(ground, table.number, 999)),
        ("wish/own-turn", post(ground, table.number, turn)),
        ("unreadable/no-cards", post(ground, table.number, user, NOTHING)),
        ("wish/same-resource", post(ground, table.number, user, BRICK, BRICK)),
        ("no-wish", ground.act(table.number, user, WithdrawWish())),
        ("no-wish", ground.act(table.number, turn, WithdrawWish())),
    ):
        await refused(key, doing)
    assert await ground.table(table.number) == table
    await ground.play(table.number, user, Resign())
    await refused("not-playing", post(ground, table.number, user))
    assert game.outcome is None


async def test_not_in_setup_and_not_after_the_end(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game = await ground.game(table.number)
    other = table.user_at(game, (game.to_act[0] + 1) % 3)
    await refused("wish/setup", post(ground, table.number, other))
    await ground.act(table.number, ANN, CallItOff("Mod"))
    await refused("over", post(ground, table.number, other))


async def test_it_ends_with_the_makers_own_next_turn_and_comes_back_by_an_undo(ground: Playground) -> None:
    table, game, turn, _user = await begun(ground)
    following = table.user_at(game, (game.state.on_turn + 1) % 4)
    await post(ground, table.number, following)
    await ground.play(table.number, turn, EndTurn())
    assert await held(ground, table.number) == {}
    await ground.play(table.number, turn, Undo())
    assert await held(ground, table.number) == {following: (BRICK, NOTHING)}
    await ground.play(table.number, turn, EndTurn())
    await post(ground, table.number, turn)  # whose turn can still be taken back
    await ground.play(table.number, turn, Undo())
    assert turn not in await held(ground, table.number), "nobody looks for something in their own turn"


async def test_a_paused_game_keeps_its_wishes_and_takes_no_new_ones(ground: Playground) -> None:
    table, _game, _turn, user = await begun(ground)
    await post(ground, table.number, user)
    for agreeing in table.users[:3]:
        await ground.act(table.number, agreeing, Propose(PAUSE))
    assert (await ground.table(table.number)).choices.paused
    await refused("paused", post(ground, table.number, user, SHEEP))
    assert await held(ground, table.number) == {user: (BRICK, NOTHING)}
    await ground.act(table.number, user, WithdrawWish())
    assert await held(ground, table.number) == {}


async def test_it_ends_when_a_computer_takes_over_or_its_maker_leaves(ground: Playground) -> None:
    table, _game, _turn, user = await begun(ground)
    await post(ground, table.number, user)
    await ground.act(table.number, user, Replace(user))
    assert await held(ground, table.number) == {}
    await refused("replaced", post(ground, table.number, user))
    await ground.act(table.number, user, PlayAgain())
    assert await held(ground, table.number) == {user: (BRICK, NOTHING)}
    await ground.play(table.number, user, Resign())
    assert await held(ground, table.number) == {}


async def test_it_ends_by_a_trade_that_gives_some_of_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT, target=20)
    number, rng = table.number, random.Random(3)
    while True:
        table, game, turn = await on_turn(ground, number)
        mine = game.state.hands[game.state.on_turn]
        pairs = [
            (seat, give, want)
            for seat in range(4)
            for give in range(5)
            for want in range(5)
            if seat != game.state.on_turn and mine[give] and game.state.hands[seat][want] and give != want
        ]
        if pairs:
            break
        await ground.step(number, rng)
    seat, give, want = pairs[0]
    partner = table.user_at(game, seat)
    others = [user for user in table.users if user not in (turn, partner)]
    await post(ground, number, partner, single(give, 3), single(want))
    await post(ground, number, others[0], single(give))
    await post(ground, number, others[1], single(want))
    offer = game.state.next_offer
    await ground.play(number, turn, MakeOffer(single(give), single(want)))
    await ground.play(number, partner, AcceptOffer(offer))
    assert len(await held(ground, number)) == 3, "an answer is no deal yet"
    await ground.play(number, turn, CloseOffer(offer, seat))
    assert set(await held(ground, number)) == set(others)


def test_a_trade_of_something_else_fulfils_nothing() -> None:
    """Whichever side of the trade the maker is on."""
    seen = viewer("Ann", "Bob", "Cem")
    maker = seen.users[1]
    table = replace(seen.table, choices=TableChoices(wishes=(Wish(maker, BRICK, NOTHING, 1),)))
    game = seen.game.copy()
    for seat, partner, give, get, left in (
        (1, 0, SHEEP, BRICK, 0),
        (1, 0, BRICK, SHEEP, 1),
        (0, 1, BRICK, SHEEP, 0),
        (0, 1, SHEEP, BRICK, 1),
        (0, 2, BRICK, SHEEP, 1),
    ):
        game.last_events = (Traded(seat, partner, give, get),)
        assert len(fulfilled(table, game).choices.wishes) == left


async def test_a_rematch_begins_without_wishes(ground: Playground) -> None:
    table, _game, _turn, user = await begun(ground)
    await post(ground, table.number, user)
    over = (await ground.act(table.number, ANN, CallItOff("Mod"))).table
    assert over.choices.wishes
    assert (await held(ground, table.number)) == {}
    again = await ground.services.lobby.rematch(table.number, ANN, ground.id())
    assert again.choices.wishes == ()
    assert (await ground.game(table.number)).records[-1].actor == REFEREE
    assert isinstance((await ground.game(table.number)).records[-1].action, CallOff)
