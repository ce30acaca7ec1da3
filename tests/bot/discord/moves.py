"""Plans whole games: fair moves are chosen ahead, then done through what people see."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from bot.table.acts.play import Play
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    DeclineOffer,
    EndTrade,
    EndTurn,
    MakeOffer,
    PassOn,
    PlayKnight,
    PlayRoadBuilding,
    PlayVictoryPoint,
    Roll,
)
from engine.game import Game
from engine.resources import NOTHING
from players.places import rank_edges, rank_intersections
from tests.bot.batch import at_once
from tests.bot.discord.hall import Hall
from tests.engine.builder import places_of


def well(game: Game, seat: int, rng: random.Random, offers: bool = False) -> Action:
    """A fair move, so that games end: first what gives points, then what leads there; now and then any legal action.

    With `offers`, the player on turn also offers trades and closes accepted offers.
    """
    options, view = game.options(seat), game.view(seat)
    if offers and CloseOffer in options:
        return options[CloseOffer].sample(rng)
    if offers and MakeOffer in options and not view.offers and rng.random() < 0.1:
        return options[MakeOffer].sample(rng)
    if rng.random() < 0.1:
        return options[rng.choice(list(options))].sample(rng)
    for kind in (BuildCity, BuildSettlement, PlayVictoryPoint, PlayKnight, PlayRoadBuilding, BuyCard):
        if kind is BuildSettlement and kind in options:
            return BuildSettlement(rank_intersections(view, places_of(options, kind))[0])
        if kind in options:
            return options[kind].sample(rng)
    if EndTrade in options and rng.random() < 0.7:
        return EndTrade()
    if BuildRoad in options and (view.step.kind not in ("main", "building_phase") or rng.random() < 0.3):
        return BuildRoad(rank_edges(view, places_of(options, BuildRoad))[0])
    hand = view.players[seat].hand or NOTHING
    if BankTrade in options and rng.random() < 0.8 and 0 in hand[2:]:
        return options[BankTrade].sample(rng)
    simple = [kind for kind in (Roll, EndTurn, PassOn, AcceptOffer, DeclineOffer) if kind in options]
    return options[rng.choice(simple or list(options))].sample(rng)


def plan(start: Game, seed: int, offers: bool = False) -> list[tuple[int, Action]]:
    """Plan a game to its end. Returns seats and their actions, in order."""
    game, rng, moves = start.copy(), random.Random(seed), []
    while game.outcome is None:
        seat = rng.choice(game.to_act)
        if offers and game.view(None).offers:  # a player who can pay accepts
            seat = next((s for s in range(game.config.players) if AcceptOffer in game.options(s)), seat)
            if AcceptOffer in game.options(seat):
                moves.append((seat, game.options(seat)[AcceptOffer].sample(rng)))
                game.play(*moves[-1])
                continue
        action = well(game, seat, rng, offers)
        game.play(seat, action)
        moves.append((seat, action))
    return moves


async def play(hall: Hall, way: Any, moves: list[tuple[int, Action]]) -> None:
    """Carry out a plan, and check that every action is the planned one."""
    people = [await hall.person(seat) for seat in range(len(hall.people))]
    for seat, action in moves:
        before = await hall.game()
        await way(hall, people[seat], action)
        after = await hall.game()
        assert after.revision == before.revision + 1, f"{action} was not played"
        assert after.records[-1].action == action


async def play_each(hall: Hall, way: Any, moves: list[tuple[int, Action]], times: int = 3) -> None:
    """Carry out a plan: each kind of action `times` times and the last action through what people see, and the others
    without Discord."""
    counted, skipped, last = Counter[type[Action]](), list[tuple[int, Action]](), moves[-1:]
    for move in moves:
        counted[type(move[1])] += 1
        if counted[type(move[1])] > times and [move] != last:
            skipped.append(move)
            continue
        await pass_over(hall, skipped)
        skipped.clear()
        await play(hall, way, [move])


async def pass_over(hall: Hall, moves: list[tuple[int, Action]]) -> None:
    """Carry out a plan without Discord, then have the result shown."""
    table, game = await hall.table(), await hall.game()
    async with at_once(hall.services):
        for number, (seat, action) in enumerate(moves):
            user, interaction = table.user_at(game, seat), f"passed-{game.revision}-{number}"
            await hall.services.games.act(table.number, user, Play(action), interaction)
    await hall.bot.app.publisher.idle()
