"""Games advanced to where the front's tests begin, and what people do in many of them."""

from __future__ import annotations

import random
from typing import Any

import discord

from bot.table.options import DECIDE
from bot.table.waiting import decisions
from engine.actions import DecideFor, EndTurn, Expire, MakeOffer, MoveRobber
from engine.game import Game
from engine.geometry import bits
from engine.resources import Hand, single
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall
from tests.bot.discord.moments import at, before_window, can_offer, ends_plainly
from tests.bot.playground import choose

HOUR = 3600

INTERRUPT = ("knight-interrupt",)


def stranger(hall: Hall, name: str = "zoe") -> Any:
    """A member of the server who isn't at the table yet."""
    return hall.guild.add_member(hall.env.create_user(name, global_name=name.title()))


async def private_channel(hall: Hall, *people: Any) -> Any:
    """A channel that only these people see, and the bot."""
    channel = hall.guild.create_text_channel("private")
    assert hall.bot.user is not None
    view = discord.Permissions(view_channel=True).value
    for person in (*people, hall.bot.user):
        await hall.bot.http.edit_channel_permissions(channel.id, person.id, str(view), "0", 1)
    await hall.bot.http.edit_channel_permissions(channel.id, hall.guild.id, "0", str(view), 0)
    await hall.env.settle()
    return channel


async def paced(hall: Hall, pace: int, over: str = DECIDE) -> tuple[Any, Game]:
    """Start a game with a turn timer. Returns the player whom it waits for to roll, and the game."""
    await hall.lobby()
    host = hall.people[0]
    await hall.options(pace=pace, expiry=over)
    await host.click(await hall.panel(), label="Start")
    game = await hall.advance(lambda game: at("pre_roll")(game) and game.turn > 4 and game.to_act[0] != 0)
    return await hall.person(game.to_act[0]), game


async def decided(hall: Hall) -> int:
    """How often the referee has decided for a player."""
    return sum(isinstance(record.action, DecideFor | Expire) for record in (await hall.game()).records)


async def left(hall: Hall) -> float:
    """Seconds until the awaited player's time is over."""
    [wait] = decisions(await hall.table())
    assert wait.until is not None
    return wait.until - hall.env.now().timestamp()


async def over(hall: Hall, people: list[Any], seed: int = 3) -> None:
    """Play a short game of these people to its end."""
    await hall.begin(people, target=3)
    await hall.advance(lambda game: game.outcome is not None, seed=seed)


async def a_turn(hall: Hall) -> Any:
    """End a player's turn. Returns the next player."""
    game = await hall.advance(at("main"), seed=(await hall.game()).revision)
    await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
    return await hall.person((await hall.game()).to_act[0])


def sides(game: Game, seat: int) -> tuple[Hand, Hand]:
    """The sides of an offer: a card that a seat holds, for one of another resource."""
    give = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    return single(give), single((give + 1) % 5)


async def offered(hall: Hall) -> tuple[Game, Any, list[Any], int]:
    """Make an offer to all. Returns the game, the maker, the others, and the offer's number."""
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
    """The seed whose random moves lead to `before_window` soonest."""
    best, soonest = 0, 120
    for seed in range(40):
        game, rng = start.copy(), random.Random(seed)
        while not before_window(game) and game.revision < soonest and game.outcome is None:
            seat = rng.choice(game.to_act)
            game.play(seat, choose(game, seat, rng))
        if game.revision < soonest:
            best, soonest = seed, game.revision
    return best


async def interrupted(hall: Hall, seconds: int = 300) -> tuple[Game, int, list[int]]:
    """Start a game and open a window for knights. Returns the game, the seat that opened it, and the seats asked."""
    await hall.begin(variants=INTERRUPT, answer_time=seconds, target=20)
    game = await hall.advance(before_window, seed=shortest(await hall.game()), most=6000)
    mover = game.to_act[0]
    await by_components(hall, await hall.person(mover), game.options(mover)[MoveRobber].sample(random.Random(1)))
    game = await hall.game()
    assert game.view(None).step.kind == "interrupt"
    return game, mover, list(bits(game.awaited))


async def begin(hall: Hall, scenario: str, standing: int | None = None, **options: int) -> None:
    """Start a game of a scenario with all people; `standing`: from how many cards on they are called to build."""
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
    """Start a game of six and play to the main part of a turn. By default, only players who ask are called to build."""
    await begin(hall, "extension", standing, target=20)
    return await hall.advance(ends_plainly)
