"""Ratings of a server's people: a fold over the results of its games, in the order of their ends (docs/ratings.md).
Which games count, and what each person's result is, follows from table and game alone.

Nothing of the ratings is stored. The latest fold is kept in memory, and continued if the same results still come first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache
from openskill.models import PlackettLuce

from bot.ratings import CAME, EXCUSED, LEFT, REPLACED, RESIGNED, STAYED, GameResult, PersonResult
from bot.store import Store
from bot.table.parts import FORGOTTEN, Member
from bot.table.seats import was_unfair
from bot.table.table import Table, seatings
from engine.errors import RefereeError
from engine.game import Game
from engine.terms import EndReason

# --- results


def result_of(table: Table, game: Game) -> GameResult | None:
    """The result of a game that is over; None if it doesn't count.

    A game counts if it has a winner and was played in a server, between at least two people who played from the start
    and at least one of whom stayed. First games with a coach never count, nor does a game that all but one left before
    everyone had had a turn.
    """
    outcome, state = game.outcome, game.state
    if outcome is None or not outcome.winners or table.guild is None or table.lesson or table.coached is not None:
        return None
    if outcome.reason is EndReason.LAST and not state.rules.may_count_points(state):
        return None
    people = list[PersonResult]()
    for place, member in enumerate(table.members):
        seat = table.seat_at(game, place)
        points, wins = outcome.points[seat], seat in outcome.winners
        handed = seatings(table, place)
        user, name = (handed[0].about, handed[0].name) if handed else (member.user, member.name)
        if user > 0:
            fate = _fate(table, game, member, user, wins=wins, changed_hands=bool(handed))
            people.append(PersonResult(user, name, points, wins and fate == STAYED, fate))
        if member.is_person and member.user != user:
            people.append(PersonResult(member.user, member.name, points, wins and not member.level, CAME))
    result = GameResult(table.number, table.guild, table.updated, table.config.scenario, tuple(people))
    counts = sum(person.rated for person in people) > 1 and any(person.fate == STAYED for person in people)
    return result if counts else None


def _fate(table: Table, game: Game, member: Member, user: int, *, wins: bool, changed_hands: bool) -> str:
    """How the game went for the user who began it at a place; `member` sits there at the end, and `wins` or not."""
    if game.state.resigned >> table.seat_at(game, table.members.index(member)) & 1 and not changed_hands:
        return RESIGNED
    if not (changed_hands or member.level):
        return STAYED
    unfair = not changed_hands and was_unfair(table, user)
    if wins and unfair:
        return STAYED  # the others must not gain by having a bot play the winning turn
    if wins or unfair:
        return EXCUSED
    return LEFT if changed_hands else REPLACED  # even if they got the seat back: another player has played for them


# --- ratings

FIRST_RATING, RATING_POINT = 1000, 20
"""The rating that everyone starts with, and the number of rating points for a point of skill."""
SETTLED = 5
"""Games after which a rating is no longer provisional."""
SERVERS_KEPT = 50
"""Number of servers whose ratings are kept in memory."""

_MODEL = PlackettLuce()
_NEW = _MODEL.rating()


def displayed_rating(mu: float, sigma: float) -> int:
    """A rating as people read it: the skill that a person almost certainly has at least (mu - 3 sigma; at first 0)."""
    return round(FIRST_RATING + RATING_POINT * (mu - 3 * sigma))


@dataclass(frozen=True, slots=True)
class Rated:
    """What a game was for a person, and what it did to their rating."""

    result: GameResult
    person: PersonResult
    place: int | None
    """Their place among those for whom the game counts; None: it doesn't count for them."""
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's rating in a server, and the games that it follows from."""

    user: int
    name: str = ""
    """At the end of their latest game."""
    mu: float = _NEW.mu
    sigma: float = _NEW.sigma
    games: tuple[Rated, ...] = ()
    """In the order of their ends, including those that don't count for the person."""

    @property
    def rating(self) -> int:
        return displayed_rating(self.mu, self.sigma)

    @property
    def counted(self) -> tuple[Rated, ...]:
        """The games that count for the person."""
        return tuple(game for game in self.games if game.place is not None)

    @property
    def wins(self) -> int:
        return sum(game.person.won for game in self.counted)

    @property
    def settled(self) -> bool:
        """Whether there are enough games for the rating to say something."""
        return len(self.counted) >= SETTLED


Profiles = Mapping[int, Profile]
"""By user."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of a leaderboard."""

    rank: int
    profile: Profile
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard as one user sees it."""

    lines: Sequence[Ranked]
    """As all can see them."""
    own: Profile
    private: bool
    """Whether the user's profile is private, so that no line shows it."""


def folded(results: Iterable[GameResult], earlier: Profiles | None = None) -> Profiles:
    """The profiles after these results, in this order; `earlier` are the profiles before them."""
    profiles = dict(earlier or {})
    for result in results:
        profiles.update(_after(result, profiles))
    return profiles


def _after(result: GameResult, profiles: Profiles) -> Iterable[tuple[int, Profile]]:
    """The new profiles of those who were in a game."""
    places = result.places
    old = {user: profiles.get(user, Profile(user)) for user in {person.user for person in result.people}}
    teams = [[_MODEL.rating(old[user].mu, old[user].sigma)] for user in places]
    new = {user: team[0] for user, team in zip(places, _MODEL.rate(teams, ranks=[*places.values()]), strict=True)}
    for person in result.people:
        user, before = person.user, old[person.user]
        if person.rated:
            mu, sigma = new[user].mu, new[user].sigma
            game = Rated(result, person, places[user], before.rating, displayed_rating(mu, sigma))
            yield user, replace(before, name=person.name, mu=mu, sigma=sigma, games=(*before.games, game))
        elif user not in places:
            game = Rated(result, person, None, before.rating, before.rating)
            yield user, replace(before, name=person.name, games=(*before.games, game))


def ranked(profiles: Iterable[Profile]) -> list[Ranked]:
    """Those who have games that count, best first; equal ratings share a rank."""
    lines = [Ranked(0, profile, len(profile.counted), profile.wins) for profile in profiles]
    lines = sorted((line for line in lines if line.games), key=lambda r: (-r.profile.rating, -r.games, r.profile.user))
    ratings = [line.profile.rating for line in lines]
    return [replace(line, rank=1 + ratings.index(line.profile.rating)) for line in lines]


class RatingService:
    """Ratings, leaderboards and profiles. A private rating counts for others, but only its owner can see it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folded: LRUCache[int, tuple[Sequence[GameResult], Profiles]] = LRUCache(SERVERS_KEPT)

    async def profiles(self, guild: int) -> Profiles:
        """Profiles of all who were in a game that counts, by user."""
        results = await self._store.results(guild)
        before, known = self._folded.get(guild, ((), {}))
        if results[: len(before)] != list(before):
            before, known = (), {}
        profiles = await asyncio.to_thread(folded, results[len(before) :], known)  # a thousand games take 0.1 s
        self._folded[guild] = results, profiles
        return profiles

    async def leaderboard(self, guild: int, user: int) -> Leaderboard:
        """The leaderboard of a server, and where a user stands in it."""
        profiles = await self.profiles(guild)
        private = await self._private((*profiles, user))
        lines = ranked(p for other, p in profiles.items() if other not in private and other < FORGOTTEN)
        return Leaderboard(lines, profiles.get(user, Profile(user)), user in private)

    async def profile(self, guild: int, user: int, asker: int) -> tuple[Profile, bool]:
        """A user's profile for `asker`, and whether it is private. Code: "profile/private", if it is another user's."""
        private = bool(await self._private((user,)))
        if private and asker != user:
            raise RefereeError("profile/private")
        return (await self.profiles(guild)).get(user, Profile(user)), private

    async def changes(self, table: Table) -> dict[int, Rated]:
        """What a finished game did to the ratings that all can see, by user, best first."""
        profiles = {} if table.guild is None else await self.profiles(table.guild)
        games = {u: g for u, p in profiles.items() for g in p.counted if g.result.game == table.number}
        private = await self._private(games)
        return {user: game for user, game in sorted(games.items(), key=_by_place) if user not in private}

    async def _private(self, users: Iterable[int]) -> set[int]:
        settings_of = await self._store.settings_of({*users})
        return {user for user, settings in settings_of.items() if not settings.choices.listed}


def _by_place(found: tuple[int, Rated]) -> tuple[int, int]:
    user, game = found
    return game.place or 0, user
