"""Rolls, shuffles, decks and steals, drawn as games draw them, are as likely as they must be, and tell nothing about
each other.

Each count is compared with what a fair source gives, by chi-squared. The seeds are fixed, so a test passes always or
never. A fair source would be outside of the bounds in one of 10,000 counts because they are too uneven, and in one of
10,000 because they are too even.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import factorial, sqrt
from statistics import NormalDist

import pytest

from engine.actions import Roll
from engine.chance import DRAW_KINDS, Chance, SeededChance
from engine.config import COLORS, Config
from engine.data import DECK_25, DECK_34
from engine.events import CardTaken
from engine.game import Game
from engine.scenarios.components import shuffled
from engine.state import Tx
from engine.steps.take_card import take_card
from engine.steps.turn import PreRoll, RollDice
from tests.engine.randomly import lively

RISK = 1e-4
"""How often a fair source fails on each side."""
Source = Callable[[int], Chance]
"""Makes the chance of the game with a number."""
Found = dict[str, tuple[float, int]]
"""Chi-squared and its degrees of freedom, by what was counted."""


# --- chi-squared


def bounds(freedom: int) -> tuple[float, float]:
    """What chi-squared is between, but for the risk on each side: Wilson and Hilferty's approximation."""
    part, width = 2 / (9 * freedom), NormalDist().inv_cdf(1 - RISK)
    low, high = (1 - part + sign * width * sqrt(part) for sign in (-1, 1))
    return freedom * low**3, freedom * high**3


def unfair(found: Found) -> dict[str, tuple[float, int]]:
    """What is outside of the bounds."""
    return {what: (square, n) for what, (square, n) in found.items() if not bounds(n)[0] < square < bounds(n)[1]}


def alike(counts: Mapping[object, int], cells: int) -> tuple[float, int]:
    """Whether all cells, some of which can be empty, are equally likely."""
    mean = sum(counts.values()) / cells
    square = sum((count - mean) ** 2 for count in counts.values()) + (cells - len(counts)) * mean**2
    return square / mean, cells - 1


def arranged(counts: Counter[tuple[int, int]], cards: Sequence[int]) -> tuple[float, int]:
    """Whether each card is equally likely at each place. `counts`: by place and kind of card; `cards`: how many there
    are of each kind.

    A shuffle puts one card at each place, and each card at one place. So the counts vary less than those of independent
    draws, by this factor, with so many degrees of freedom.
    """
    places = sum(cards)
    shuffles = counts.total() / places
    means = [shuffles * number / places for number in cards]
    square = sum((counts[p, c] - mean) ** 2 / mean for p in range(places) for c, mean in enumerate(means))
    return square * (places - 1) / places, (places - 1) * (len(cards) - 1)


def added(parts: Iterable[tuple[float, int]]) -> tuple[float, int]:
    """The sum of independent ones."""
    squares, freedoms = zip(*parts, strict=True)
    return sum(squares), sum(freedoms)


# --- what games draw


def seeded(number: int) -> Chance:
    """The chance of a game, with ids and lucky words as a table mixes them in."""
    words = sha256(b"words of %d" % number).hexdigest()
    return SeededChance(sha256(b"seed %d" % number).digest(), str(number), (str(10**18 + number), words, "7"))


def dealt(number: int, source: Source, *variants: str) -> tuple[Game, Tx]:
    """A game that was just dealt, and an action that draws in it from the source."""
    game = Game.new(Config(COLORS[:4], variants=variants), seeded(number))
    return game, Tx(game.state, source(number))


ROLLS = 1000
"""Rolls in each game."""


def rolls(games: int, source: Source = seeded) -> Found:
    """Both dice, two rolls in a row, the same roll in two games in a row, and early rolls without sevens (L4)."""
    one, row, across, early = Counter[object](), Counter[object](), Counter[object](), Counter[object]()
    last: list[tuple[int, int]] = []
    for number in range(games):
        game, tx = dealt(number, source, *["no-early-sevens"] * (number % 10 == 0))
        move = game.rules.moves[PreRoll][Roll]
        assert isinstance(move, RollDice)
        early.update([move.throw(game.state, 0, tx) for _ in range(ROLLS)] if number % 10 == 0 else ())
        game.state.turns[0] = 3
        rolled = [move.throw(game.state, 0, tx) for _ in range(ROLLS)]
        one.update(rolled)
        row.update(zip(rolled[::2], rolled[1::2], strict=True))
        across.update(zip(last, rolled, strict=True) if number % 2 else ())
        last = rolled
    return {
        "rolls": alike(one, 36),
        "rolls in a row": alike(row, 36**2),
        "rolls in games in a row": alike(across, 36**2),
        "rolls without sevens": alike(early, 30),
    }


SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 19, 30, 37, 61)
"""Of what games shuffle: two to eight seats, harbors, land, land with sea."""
DECKS = (DECK_25, DECK_34, tuple(2 * count for count in DECK_25))
SHUFFLES = 100
"""Shuffles of a size in each game."""


def shuffles(games: int, source: Source = seeded) -> Found:
    """Which card is at which place, in which order few cards are, and the first cards of two shuffles in a row."""
    found: Found = {}
    for size in SIZES:
        places, orders, row = Counter[tuple[int, int]](), Counter[object](), Counter[object]()
        for number in range(games):
            _, tx = dealt(number, source)
            made = [shuffled(range(size), tx.draw, "seats" if size <= 8 else "board") for _ in range(SHUFFLES)]
            for order in made:
                places.update(enumerate(order))
            orders.update(map(tuple, made) if size <= 5 else ())
            row.update((one[0], other[0]) for one, other in zip(made[::2], made[1::2], strict=True))
        found[f"shuffles of {size}"] = arranged(places, [1] * size)
        if size <= 5:
            found[f"orders of {size}"] = alike(orders, factorial(size))
        if size <= 9:
            found[f"shuffles of {size} in a row"] = alike(row, size**2)
    return found


def decks(games: int, source: Source = seeded) -> Found:
    """Which development card is bought first, second, … if all are bought: as if the deck had been shuffled (F6)."""
    found: Found = {}
    for deck in DECKS:
        places = Counter[tuple[int, int]]()
        for number in range(games):
            _, tx = dealt(number, source)
            for _ in range(SHUFFLES):
                left = list(deck)
                for place in range(sum(deck)):
                    card = tx.pick("deck", left)
                    left[card] -= 1
                    places[place, card] += 1
        found[f"decks of {sum(deck)}"] = arranged(places, deck)
    return found


def robbed_hands(games: int) -> Iterator[tuple[int, ...]]:
    """The hands from which cards are taken in random games, each once."""
    seen = set[tuple[int, ...]]()
    for number in range(games):
        game = lively(number)
        hands: list[tuple[int, ...]] = []
        for now in Game.each(game.config, game.records):
            found = {hands[event.victim] for event in now.last_events if isinstance(event, CardTaken)}
            yield from sorted(found - seen)
            seen |= found
            hands = [*map(tuple, now.state.hands)]


STEALS = 500
"""Steals from each hand in each game."""


def steals(hands: Iterable[tuple[int, ...]], games: int, source: Source = seeded) -> Found:
    """Which of a hand's cards is taken, and of which kind it is (G2)."""
    kinds, places = list[tuple[float, int]](), list[tuple[float, int]]()
    for number, held in enumerate(hands):
        size = sum(held)
        taken, drawn = Counter[int](), Counter[object]()
        for game_number in range(number * games, number * games + games):
            game, tx = dealt(game_number, source)
            thief, victim = game.state.hands[:2]
            for _ in range(STEALS):
                thief[:], victim[:] = [0] * 5, held
                take_card(game.state, 0, 1, tx)
                taken[thief.index(1)] += 1
            drawn.update(result for kind, _, n, result in tx.draws if (kind, n) == ("steal", size))
        assert taken.total() == drawn.total() == games * STEALS
        means = [taken.total() * count / size for count in held]
        square = sum((taken[kind] - mean) ** 2 / mean for kind, mean in enumerate(means) if mean)
        kinds += [(square, sum(map(bool, held)) - 1)] * (size > max(held))
        places += [alike(drawn, size)] * (size > 1)
    return {"stolen kinds": added(kinds), "stolen cards": added(places)}


MOST_CARDS = 95
"""The largest range: a hand with all cards of a bank."""


def ranges(draws: int, source: Source = seeded) -> Found:
    """All results of each range, of each kind of draw; and draws of two kinds with the same number.

    As in a game, no number comes twice: its results of two ranges could be the same.
    """
    found: Found = {}
    for number, kind in enumerate(DRAW_KINDS):
        other, chance = DRAW_KINDS[number - 1], source(number)
        numbers = [range(n * draws, n * draws + draws) for n in range(2, MOST_CARDS + 1)]
        counts = [Counter[object](chance.draw(kind, i, n) for i in some) for n, some in enumerate(numbers, 2)]
        found[f"ranges of {kind}"] = added(alike(results, n) for n, results in enumerate(counts, 2))
        pairs = Counter[object]((chance.draw(kind, i, 6), chance.draw(other, i, 6)) for i in range(draws))
        found[f"{kind} and {other}"] = alike(pairs, 36)
    return found


# --- the campaigns

LONG = pytest.mark.soak
Note = Callable[[str, object], None]
"""Notes how much was tried (pytest's `record_property`)."""


@pytest.mark.parametrize("games", [20, pytest.param(10_000, marks=LONG)])
def test_dice_are_fair(games: int, record_property: Note) -> None:
    record_property("dice rolls", games * ROLLS)
    assert unfair(rolls(games)) == {}


@pytest.mark.parametrize("games", [5, pytest.param(800, marks=LONG)])
def test_shuffles_are_fair(games: int, record_property: Note) -> None:
    record_property("shuffles", games * SHUFFLES * len(SIZES))
    assert unfair(shuffles(games)) == {}


@pytest.mark.parametrize("games", [2, pytest.param(400, marks=LONG)])
def test_development_cards_come_as_from_a_shuffled_deck(games: int, record_property: Note) -> None:
    record_property("decks of development cards", games * SHUFFLES * len(DECKS))
    assert unfair(decks(games)) == {}


@pytest.mark.parametrize(("played", "games"), [(2, 10), pytest.param(100, 17, marks=LONG)])
def test_each_card_of_a_hand_is_taken_equally_often(played: int, games: int, record_property: Note) -> None:
    hands = [*robbed_hands(played)]
    record_property("steals", len(hands) * games * STEALS)
    record_property("hands stolen from", len(hands))
    assert unfair(steals(hands, games)) == {}


@pytest.mark.parametrize("draws", [200, pytest.param(20_000, marks=LONG)])
def test_all_ranges_are_fair(draws: int, record_property: Note) -> None:
    record_property("draws of all kinds and ranges", draws * len(DRAW_KINDS) * (MOST_CARDS + 1))
    assert unfair(ranges(draws)) == {}


# --- that they would notice


class Bent:
    """A chance that isn't fair in one way."""

    def __init__(self, number: int, bend: str) -> None:
        self.chance = seeded(0 if bend == "the same in each game" else number)
        self.bend = bend

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        if self.bend == "the same in a row":
            return self.chance.draw(kind, ordinal // 4, n)
        if self.bend == "in turn":
            return ordinal % n
        result = self.chance.draw(kind, ordinal, n)
        return n - 1 if self.bend == "loaded" and ordinal % 5 == 0 else result


CAMPAIGNS: dict[str, Callable[[Source], Found]] = {
    "rolls": lambda source: rolls(4, source),
    "shuffles": lambda source: shuffles(2, source),
    "decks": lambda source: decks(1, source),
    "steals": lambda source: steals([(2, 3, 0, 4, 1)], 1, source),
    "ranges": lambda source: ranges(40, source),
}


@pytest.mark.parametrize(
    ("bend", "seen"),
    [
        ("loaded", [*CAMPAIGNS]),
        ("the same in a row", ["rolls", "shuffles"]),
        ("the same in each game", ["rolls"]),
        ("in turn", ["rolls", "steals"]),
    ],
)
def test_chance_that_is_not_fair_is_noticed(bend: str, seen: list[str]) -> None:
    noticed = {name for name, campaign in CAMPAIGNS.items() if unfair(campaign(lambda number: Bent(number, bend)))}
    assert noticed >= {*seen}
