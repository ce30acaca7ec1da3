"""Games as far as the tests of the front begin with them, and what people do there again and again."""

from __future__ import annotations

import random
from typing import Any

from bot.table.options import DECIDE
from engine.actions import EndTurn, MakeOffer, MoveRobber
from engine.game import Game
from engine.geometry import bits
from engine.resources import Hand, single
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall
from tests.bot.discord.moments import at, before_window, can_offer, ends_plainly
from tests.bot.playground import choose

HOUR = 3600

INTERRUPT = ("knight-interrupt",)


async def paced(hall: Hall, pace: int, over: str = DECIDE) -> tuple[Any, Game]:
    """A game at a pace that waits for somebody to roll; who that is."""
    await hall.lobby()
    host = hall.people[0]
    await hall.options(pace=pace, expiry=over)
    await host.click(await hall.panel(), label="Start")
    game = await hall.advance(lambda game: at("pre_roll")(game) and game.turn > 4 and game.to_act[0] != 0)
    return await hall.person(game.to_act[0]), game


async def a_turn(hall: Hall) -> Any:
    """Somebody ends their turn; who is next."""
    game = await hall.advance(at("main"), seed=(await hall.game()).revision)
    await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
    return await hall.person((await hall.game()).to_act[0])


def sides(game: Game, seat: int) -> tuple[Hand, Hand]:
    """A card that a seat holds for one that it wants."""
    give = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    return single(give), single((give + 1) % 5)


async def offered(hall: Hall) -> tuple[Game, Any, list[Any], int]:
    """An offer to all: the game, who made it, the others, and its number."""
    game = await hall.advance(can_offer)
    me = game.to_act[0]
    hands = game.state.hands
    give = next(kind for kind, n in enumerate(hands[me]) if n)
    others = [seat for seat in range(game.config.players) if seat != me]
    want = next(kind for kind in range(5) if all(hands[s][kind] for s in others) and not hands[me][kind])
    number = game.state.next_offer
    await by_components(hall, await hall.person(me), MakeOffer(single(give), single(want)))
    return await hall.game(), await hall.person(me), [await hall.person(seat) for seat in others], number


def shortest(start: Game) -> int:
    """The seed of random moves that soon lead there."""
    reached = {}
    for seed in range(40):
        game, rng = start.copy(), random.Random(seed)
        while not before_window(game) and game.revision < 120 and game.outcome is None:
            seat = rng.choice(game.to_act)
            game.play(seat, choose(game, seat, rng))
        reached[seed] = game.revision
    return min(reached, key=reached.__getitem__)


async def interrupted(hall: Hall, seconds: int = 300) -> tuple[Game, int, list[int]]:
    """A game with an open window: the game, who moved, who is asked."""
    await hall.begin(variants=INTERRUPT, answer_time=seconds, target=20)
    game = await hall.advance(before_window, seed=shortest(await hall.game()), most=6000)
    mover = game.to_act[0]
    await by_components(hall, await hall.person(mover), game.options(mover)[MoveRobber].sample(random.Random(1)))
    game = await hall.game()
    assert game.view(None).step.kind == "interrupt"
    return game, mover, list(bits(game.awaited))


async def begin(hall: Hall, scenario: str, standing: int | None = None, **options: int) -> None:
    """A game of a scenario with all people; `standing`: for how many cards each wants to be called to build."""
    host, *others = hall.people
    await host.slash(hall.channel, "game new")
    await hall.options(scenario=scenario, **options)
    for person in others:
        await person.click(await hall.panel(), label="Join")
    if standing is not None:
        for person in hall.people:
            await hall.standing(person, standing)
    await host.click(await hall.panel(), label="Start")


async def begin_extension(hall: Hall, standing: int | None = 0) -> Game:
    """A game of six, somebody in the main part of the turn, nobody called without asking."""
    await begin(hall, "extension", standing, target=20)
    return await hall.advance(ends_plainly)
