"""Ratings (docs/ratings.md): which games count, who is ranked where, and that all of it follows from the games."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.commands.people import rebuild
from bot.ratings import CAME, EXCUSED, LEFT, REPLACED, RESIGNED, STAYED, GameResult, PersonResult
from bot.service import Services
from bot.service.ratings import FIRST_RATING, folded, ranked, result_of
from bot.table.acts.coach import StopTips
from bot.table.acts.lobby import Join
from bot.table.acts.places import VoidGame
from bot.table.acts.play import Play
from bot.table.acts.seats import OfferSeat, TakeSeat
from bot.table.options import DAY
from bot.table.parts import SEATED, Absence, Member, News
from bot.table.table import Table
from bot.table.time import Stop
from engine.actions import AgreeToCallOff, Resign
from engine.errors import RefereeError
from engine.game import Game
from engine.outcome import Outcome
from engine.terms import EndReason
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, GUILD, NAMES, Playground, is_over
from tests.bot.store.sample import NEW

ROBOT, OTHER = -1, -2
HOUR = 3600.0
ORDER = (2, 0, 3, 1)
"""The place of each seat: seats have been shuffled."""


def table(
    *users: int, levels: dict[int, str] | None = None, left: tuple[tuple[int, int, str], ...] = (), **more: Any
) -> Table:
    """A table; `left` has place, user and name of players whose seats others have taken since."""
    more["news"] = tuple(News(SEATED, place=place, about=user, name=name) for place, user, name in left)
    found = {ROBOT: "hard", OTHER: "hard", **(levels or {})}
    members = (Member(u, NAMES.get(u, "Robot"), "", False, "", "", found.get(u, "")) for u in users)
    return replace(NEW, number=7, guild=GUILD, members=tuple(members), updated=5.0, **more)


def game(points: tuple[int, ...], winners: tuple[int, ...], resigned: tuple[int, ...] = ()) -> Game:
    """A finished game, with points by place at the table, and the places of winners and players who resigned."""
    order = tuple(place for place in ORDER if place < len(points))
    outcome = Outcome(
        EndReason.TARGET if winners else EndReason.CALLED_OFF,
        tuple(order.index(place) for place in winners),
        tuple(points[place] for place in order),
    )
    quitters = sum(1 << order.index(place) for place in resigned)
    return cast(Game, SimpleNamespace(outcome=outcome, state=SimpleNamespace(order=order, resigned=quitters)))


ALL = (ANN, BOB, CEM, DOT)
COUNTED = {
    "by points behind the winner": (table(*ALL), game((10, 4, 8, 6), (0,)), {ANN: 1, CEM: 2, DOT: 3, BOB: 4}),
    "the same points share a place": (table(*ALL), game((6, 10, 6, 3), (1,)), {BOB: 1, ANN: 2, CEM: 2, DOT: 4}),
    "a shared win": (table(*ALL), game((9, 9, 5, 5), (0, 1)), {ANN: 1, BOB: 1, CEM: 3, DOT: 3}),
    "a winner has fewer points": (table(ANN, BOB), game((3, 5), (0,)), {ANN: 1, BOB: 2}),
    "who resigned is last": (table(*ALL), game((10, 9, 3, 2), (0,), (1,)), {ANN: 1, CEM: 2, DOT: 3, BOB: 4}),
    "all left but one": (table(*ALL), game((2, 9, 3, 4), (0,), (1, 2, 3)), {ANN: 1, BOB: 2, CEM: 2, DOT: 2}),
    "a stand-in wins for nobody, and its owner isn't rated": (
        table(*ALL, levels={BOB: "hard"}),
        game((5, 10, 7, 6), (1,)),
        {CEM: 1, DOT: 2, ANN: 3},
    ),
    "who was replaced a day ago is last": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, 5.0 - DAY),)),
        game((10, 9, 7, 6), (0,)),
        {ANN: 1, CEM: 2, DOT: 3, BOB: 4},
    ),
    "who was replaced less than a day ago isn't rated": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, 6.0 - DAY),)),
        game((10, 9, 7, 6), (0,)),
        {ANN: 1, CEM: 2, DOT: 3},
    ),
    "a pause doesn't belong to that day": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, -DAY),), stops=(Stop(-HOUR, 0.0),)),
        game((10, 9, 7, 6), (0,)),
        {ANN: 1, CEM: 2, DOT: 3},
    ),
    "a vote since then doesn't begin that day again": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, 4.0, replaced=5.0 - DAY),)),
        game((10, 9, 7, 6), (0,)),
        {ANN: 1, CEM: 2, DOT: 3, BOB: 4},
    ),
    "who was replaced just before their seat wins has won": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, 4.0, replaced=4.0),)),
        game((5, 10, 7, 6), (1,)),
        {BOB: 1, CEM: 2, DOT: 3, ANN: 4},
    ),
    "who wanted to be replaced is last": (
        table(*ALL, levels={BOB: "hard"}, absences=(Absence(BOB, 5.0, wished=True, replaced=5.0),)),
        game((10, 9, 7, 6), (0,)),
        {ANN: 1, CEM: 2, DOT: 3, BOB: 4},
    ),
    "who is stood in for ties with who resigned": (
        table(*ALL, levels={BOB: "hard"}),
        game((10, 9, 7, 6), (0,), (2,)),
        {ANN: 1, DOT: 2, BOB: 3, CEM: 3},
    ),
    "who came back is rated as usual": (table(*ALL), game((5, 10, 7, 6), (1,)), {BOB: 1, CEM: 2, DOT: 3, ANN: 4}),
    "who gave up the seat is last, and who took it isn't rated": (
        table(ANN, EVE, CEM, left=((1, BOB, "Bob"),)),
        game((5, 9, 10), (2,)),
        {CEM: 1, ANN: 2, BOB: 3},
    ),
    "who got the seat back has left all the same": (
        table(ANN, BOB, CEM, left=((1, BOB, "Bob"), (1, EVE, "Eve"))),
        game((5, 9, 10), (2,)),
        {CEM: 1, ANN: 2, BOB: 3},
    ),
    "who gave up a seat that wins isn't rated": (
        table(ANN, EVE, CEM, left=((1, BOB, "Bob"),)),
        game((5, 10, 7), (1,)),
        {CEM: 1, ANN: 2},
    ),
    "who took a computer's seat isn't rated": (
        table(ANN, BOB, EVE, left=((2, ROBOT, "Robot"),)),
        game((5, 7, 10), (2,)),
        {BOB: 1, ANN: 2},
    ),
    "who left and took another seat has left": (
        table(EVE, BOB, ANN, left=((0, ANN, "Ann"), (2, ROBOT, "Robot"))),
        game((5, 7, 10), (2,)),
        {BOB: 1, ANN: 2},
    ),
    "a computer wins: the people among themselves": (
        table(ANN, ROBOT, BOB, OTHER),
        game((4, 10, 6, 9), (1,)),
        {BOB: 1, ANN: 2},
    ),
    "one stays with a stand-in": (table(ANN, BOB, levels={BOB: "hard"}), game((10, 4), (0,)), {ANN: 1, BOB: 2}),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_game_that_counts_places_and_rates_its_players(name: str) -> None:
    ended, played, places = COUNTED[name]
    result = result_of(ended, played)
    assert result is not None
    assert result.places == places
    profiles = folded([result])
    assert profiles.keys() == {person.user for person in result.people}
    first, *_ = ranked(profiles.values())
    assert first.profile.user == min(places, key=lambda u: (places[u], u))
    for user, profile in profiles.items():
        assert (profile.rating == FIRST_RATING) == (user not in places), "only those are rated"
        assert (places.get(user) is None) == (not profile.counted)
    last = {user for user, place in places.items() if place == max(places.values())}
    assert all(profiles[user].rating < FIRST_RATING for user in last if len(last) < len(places) / 2)


@pytest.mark.parametrize(
    ("ended", "played"),
    [
        (table(*ALL), game((5, 6, 7, 8), ())),  # voided
        (table(ANN, ROBOT, OTHER), game((10, 3, 3), (0,))),  # alone against bots
        (table(ANN, EVE, left=((1, ROBOT, "Robot"),)), game((10, 3), (0,))),  # with a player who came later
        (replace(table(*ALL), guild=None), game((10, 3, 3, 3), (0,))),
        (table(*ALL, coached=()), game((10, 3, 3, 3), (0,))),  # a first game with a coach
        (table(*ALL, lesson=True), game((10, 3, 3, 3), (0,))),  # whose coach was sent away
        (table(ANN, BOB, levels={ANN: "hard", BOB: "hard"}), game((10, 3), (0,))),  # no one stayed
        (table(ANN, BOB, levels={BOB: "hard"}), game((4, 10), (1,))),  # the bot won in the other player's seat
        (table(ANN, BOB, levels={BOB: "hard"}, absences=(Absence(BOB, 5.0),)), game((10, 4), (0,))),  # just replaced
    ],
)
def test_a_game_that_doesnt_count_has_no_result(ended: Table, played: Game) -> None:
    assert result_of(ended, played) is None


def test_a_result_says_how_each_player_took_part() -> None:
    ended = table(ANN, EVE, CEM, DOT, levels={DOT: "hard"}, left=((1, BOB, "Bob"),))
    result = result_of(ended, game((10, 4, 8, 6), (0,), (2,)))
    assert result is not None
    assert [(p.user, p.points, p.won, p.fate) for p in result.people] == [
        (ANN, 10, True, STAYED),
        (BOB, 4, False, LEFT),
        (EVE, 4, False, CAME),
        (CEM, 8, False, RESIGNED),
        (DOT, 6, False, REPLACED),
    ]


def test_leaving_a_lost_game_never_pays() -> None:
    """A player who is last by points loses no less by leaving, no matter how."""
    stayed = result_of(*_against(STAYED))
    for fate in (RESIGNED, REPLACED, LEFT):
        left = result_of(*_against(fate))
        assert stayed is not None
        assert left is not None
        assert folded([left])[DOT].rating <= folded([stayed])[DOT].rating < FIRST_RATING


def _against(fate: str) -> tuple[Table, Game]:
    """A game that Dot loses, by staying to its end or by leaving it."""
    users = (*ALL[:3], EVE) if fate == LEFT else ALL
    left = ((3, DOT, "Dot"),) if fate == LEFT else ()
    levels = {DOT: "hard"} if fate == REPLACED else {}
    return table(*users, levels=levels, left=left), game((10, 8, 7, 3), (0,), (3,) if fate == RESIGNED else ())


def test_ratings_are_the_same_when_games_are_folded_in_two_steps() -> None:
    rng = random.Random(1)
    results = []
    for number in range(30):
        users = rng.sample((*ALL, EVE), 3)
        people = tuple(PersonResult(user, NAMES[user], rng.randrange(3, 11), n == 0) for n, user in enumerate(users))
        results.append(GameResult(number, GUILD, float(number), "base", people))
    assert folded(results) == folded(results[20:], folded(results[:20]))
    lines = ranked(folded(results).values())
    assert [line.profile.rating for line in lines] == sorted((line.profile.rating for line in lines), reverse=True)
    assert sum(line.wins for line in lines) == 30


async def test_a_first_game_stays_a_lesson_without_its_coach(ground: Playground) -> None:
    first = await ground.services.lobby.new_table(GUILD, 50, ANN, Join("Ann"), ground.id(), learning=True)
    await ground.act(first.number, ANN, StopTips())
    table = await ground.table(first.number)
    assert (table.coached, table.lesson) == (None, True)


@pytest.mark.on_databases
async def test_results_are_stored_when_games_end_and_can_be_rebuilt_from_the_games(ground: Playground) -> None:
    services = ground.services
    await ground.advance((await ground.begun(ANN, BOB, CEM, target=3, channel=51)).number, is_over, seed=382)
    resigned = (await ground.begun(ANN, BOB, CEM, target=3, channel=52)).number
    await ground.play(resigned, BOB, Resign())
    await ground.advance(resigned, is_over)
    given_away = (await ground.begun(ANN, BOB, CEM, target=3, channel=53)).number
    await services.games.act(given_away, CEM, OfferSeat(EVE), ground.id())
    place = (await ground.table(given_away)).place_of(CEM)
    assert place is not None
    await services.games.act(given_away, EVE, TakeSeat("Eve", place), ground.id())
    await ground.advance(given_away, is_over)
    voided = (await ground.begun(ANN, BOB, channel=54)).number
    for user in (ANN, BOB):
        await ground.play(voided, user, AgreeToCallOff())
    results = await ground.store.results(GUILD)
    assert [result.game for result in results] == [1, 2, 3]
    assert {person.fate for person in results[2].people} == {STAYED, EXCUSED, CAME}
    assert await ground.store.results(GUILD + 1) == []
    live = await services.ratings.profiles(GUILD)
    board = await services.ratings.leaderboard(GUILD, EVE)
    assert {line.profile.user for line in board.lines} == {ANN, BOB, CEM}
    assert not board.own.counted

    with pytest.raises(RefereeError, match="over"):  # a game that is over stays as it is
        await services.games.act(1, ANN, VoidGame("Mod"), ground.id())
    await services.people.rename(1, ANN, "Anna")
    await ground.kill()
    assert await ground.store.results() == results
    assert await ground.services.ratings.profiles(GUILD) == live

    assert (await rebuild(ground.store)).changed == 0
    await ground.store.set_result(1, None)
    await ground.store.set_result(2, replace(results[1], people=results[1].people[:2]))
    assert await ground.services.ratings.profiles(GUILD) != live
    rebuilt = await rebuild(ground.store)
    assert (rebuilt.games, rebuilt.changed, rebuilt.damaged) == (4, 2, {})
    assert await ground.store.results() == results
    assert await ground.services.ratings.profiles(GUILD) == live


async def test_a_game_counts_once_everyone_has_had_a_turn_even_if_all_others_leave(ground: Playground) -> None:
    for number, turn in enumerate((0, 1, 3)):
        table = await ground.begun(ANN, BOB, channel=60 + number)
        await ground.advance(table.number, lambda game, turn=turn: game.turn == turn)  # type: ignore[misc]
        await ground.play(table.number, BOB, Resign())
    assert [result.game for result in await ground.store.results(GUILD)] == [3]


@pytest.mark.on_databases
async def test_a_game_ended_by_two_processes_has_one_result(ground: Playground, other: Services) -> None:
    number = (await ground.begun(ANN, BOB, target=10)).number
    await ground.advance(number, lambda game: game.turn > 4)
    await other.ratings.profiles(GUILD)
    ends = [
        s.games.act(number, u, Play(Resign()), "end")
        for s, u in ((ground.services, ANN), (other, ANN), (ground.services, BOB), (other, BOB))
    ]
    await asyncio.gather(*ends, return_exceptions=True)
    [result] = await ground.store.results(GUILD)
    assert sorted(result.places.values()) == [1, 2]
    assert await other.ratings.profiles(GUILD) == await ground.services.ratings.profiles(GUILD)


async def test_players_can_hide_their_rating_from_others(ground: Playground) -> None:
    ended = await ground.begun(ANN, BOB, CEM, target=3)
    await ground.advance(ended.number, is_over)
    before = await ground.services.ratings.profiles(GUILD)
    await ground.services.people.change_settings(BOB, choices={"listed": False})
    ratings = ground.services.ratings
    assert await ratings.profiles(GUILD) == before, "the game counts for the others as it did"
    assert {line.profile.user for line in (await ratings.leaderboard(GUILD, ANN)).lines} == {ANN, CEM}
    assert (await ratings.leaderboard(GUILD, BOB)).private
    assert set(await ratings.changes(await ground.table(ended.number))) == {ANN, CEM}
    assert await ratings.profile(GUILD, BOB, BOB) == (before[BOB], True)
    with pytest.raises(RefereeError, match="profile/private"):
        await ratings.profile(GUILD, BOB, ANN)
