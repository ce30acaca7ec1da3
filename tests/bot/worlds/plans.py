"""Plans two games that differ only in what some players hide: same actions, but other cards stolen and bought."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

from bot.table.acts.orders import thrown
from bot.table.preferences import BUILDS
from engine.actions import Action, BankTrade, BuyCard, Discard, EndTurn, MoveRobber, PlayKnight, Roll
from engine.autoplay import seats_at
from engine.chance import DrawRecord
from engine.config import Config
from engine.domains import Cards
from engine.errors import IllegalAction
from engine.game import Game
from engine.resources import Hand
from tests.bot.playground import choose
from tests.engine.builder import places_of

HIDDEN = ("deck", "steal")
"""Kinds of draws whose outcome only some players learn."""
TRIES = 8
"""How many other hidden cards are tried for the second game."""
Step = tuple[int, Action]
"""A seat and its action."""
Goal = Callable[[Game, Game], bool]
"""Whether both games have reached the position that is looked for."""


class Told:
    """Chance with the outcomes of a plan. Draws that the plan doesn't name come out the same each time."""

    def __init__(self, outcomes: dict[tuple[str, int], int] | None = None) -> None:
        self.outcomes = outcomes or {}

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        result = self.outcomes.get((kind, ordinal))
        return random.Random(f"{kind}/{ordinal}").randrange(n) if result is None else result

    def note(self, draws: Iterable[DrawRecord]) -> None:
        """Add the outcomes of draws to the plan."""
        self.outcomes |= {(kind, ordinal): result for kind, ordinal, _, result in draws}


class _Trial:
    """A plan's chance, except that hidden cards are drawn by luck. `choices`: how many cards the draw chose from."""

    def __init__(self, plan: Told, luck: random.Random) -> None:
        self.plan, self.luck, self.choices = plan, luck, 1

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        if kind not in HIDDEN:
            return self.plan.draw(kind, ordinal, n)
        self.choices = n
        return self.luck.randrange(n)


class Twins:
    """Two games that look the same, at every step, to all but the seats in `hiding`."""

    def __init__(self, dealt: Game, hiding: Iterable[int], seed: int) -> None:
        self.hiding = frozenset(hiding)
        self.rng = random.Random(seed)
        self.chances = (Told(), Told())
        self.games = [dealt.copy(), dealt.copy()]
        self.steps: list[Step] = []
        self.marks: list[int] = []
        """How many steps come before each part of the plan but the first."""
        self.parting: int | None = None
        """Index of the step at which the games began to differ."""

    @property
    def outsiders(self) -> list[int | None]:
        """The viewers who must not notice: an onlooker (None), and all seats that hide nothing."""
        return [None, *(s for s in range(self.games[0].config.players) if s not in self.hiding)]

    def mark(self) -> None:
        """Begin another part of the plan."""
        self.marks.append(len(self.steps))

    def part(self, number: int) -> list[Step]:
        """The steps of a part, from 0."""
        since, *until = [0, *self.marks][number:]
        return self.steps[since : until[0] if until else None]

    def step(self, seat: int, action: Action) -> bool:
        """Do an action in both games. Does nothing and returns False if outsiders would notice or a game refuses it."""
        here, choices = self._after(0, seat, action)
        if here is None:
            return False
        there: Game | None = here
        if self.parting is not None or choices > 1:  # until then, both are the same game
            tries = (self._after(1, seat, action)[0] for _ in range(1 if choices == 1 else TRIES))
            there = next((game for game in tries if game is not None and self._alike(here, game)), None)
        if there is None:
            return False
        if self.parting is None and here is not there and here.hash() != there.hash():
            self.parting = len(self.steps)
        for chance, game in zip(self.chances, (here, there), strict=True):
            chance.note(game.records[-1].draws)
            game.chance = chance
        self.games = [here, there]
        self.steps.append((seat, action))
        return True

    def _after(self, world: int, seat: int, action: Action) -> tuple[Game | None, int]:
        """A game after an action with lucky draws, and how many cards it drew from; None if the action is refused."""
        game = self.games[world].copy()
        game.chance = trial = _Trial(self.chances[world], self.rng)
        try:
            game.play(seat, action)
        except IllegalAction:
            return None, 1
        return game, trial.choices

    def _alike(self, here: Game, there: Game) -> bool:
        same = here.to_act == there.to_act
        return same and all(here.view(viewer) == there.view(viewer) for viewer in self.outsiders)

    def play(self, until: Goal, policy: Callable[[Game, int, random.Random], Action], most: int) -> bool:
        """Play on until both games reach a position; returns whether they did within `most` steps."""
        for _ in range(most):
            if until(*self.games):
                return True
            first = self.games[0]
            if first.outcome is not None:
                return False
            seat = self.rng.choice(first.to_act)
            robbery = self._robbery(first, seat) if policy is choose else None
            self.step(seat, robbery or policy(first, seat, self.rng))
        return until(*self.games)

    def _robbery(self, game: Game, seat: int) -> Action | None:
        """A robber move of a seat that hides something against another such seat, if there is one."""
        places = places_of(game.options(seat), MoveRobber) if seat in self.hiding else ()
        moves = [MoveRobber(at) for at in places if set(seats_at(game.state, at)) & self.hiding - {seat}]
        return self.rng.choice(moves) if moves else None

    def longer(self, more: int) -> Goal:
        """A goal: so many more steps from now."""
        length = len(self.steps) + more
        return lambda here, there: len(self.steps) >= length


def hoard(game: Game, seat: int, rng: random.Random) -> Action:
    """The action of a player who wants development cards above all and keeps them."""
    options = game.options(seat)
    if BuyCard in options:
        return BuyCard()
    if BankTrade in options and rng.random() < 0.7:
        return options[BankTrade].sample(rng)
    for kind in (Roll, EndTurn):
        if kind in options:
            return kind()
    return choose(game, seat, rng)


def found(
    config: Config,
    hiding: Iterable[int],
    until: Goal,
    more: int = 0,
    cards: bool = False,
    lengths: Iterable[int] = (40, 160),
) -> Twins:
    """The first of many random plans that reaches a goal and then goes on for `more` steps.

    `cards`: players hoard development cards. Each of the `lengths` is tried in turn, so short plans come first.
    """
    policy = hoard if cards else choose
    seats, dealt = tuple(hiding), Game.new(config, Told())
    for most, seed in itertools.product(lengths, range(60)):
        twins = Twins(dealt, seats, seed)
        if twins.play(until, policy, most) and twins.play(twins.longer(more), policy, 20 * more + 1):
            return twins
    raise AssertionError("no plan gets there")


def differ(seats: Iterable[int], what: str = "hands") -> Goal:
    """A goal: the main part of a turn, where each of these seats holds different "hands" or "development_cards"."""
    hidden = tuple(seats)

    def reached(here: Game, there: Game) -> bool:
        cards = [getattr(game.state, what) for game in (here, there)]
        return here.view(None).step.kind == "main" and all(cards[0][s] != cards[1][s] for s in hidden)

    return reached


def main_of(seat: int) -> Goal:
    """A goal: the main part of a seat's turn."""
    return lambda here, there: here.view(None).step.kind == "main" and here.view(None).on_turn == seat


def in_window(here: Game, there: Game) -> bool:
    """Whether an interrupt asks at least three seats, among them 0, which has no knight here, and 1, which has one only
    there."""
    views = [game.view(None) for game in (here, there)]
    if any(v.step.kind != "interrupt" or v.awaited & 3 != 3 or v.awaited.bit_count() < 3 for v in views):
        return False
    knights = [[PlayKnight in game.options(seat) for seat in (0, 1)] for game in (here, there)]
    return not knights[0][0] and knights[1][0]


def before_discards(here: Game, there: Game) -> bool:
    """Whether the next roll makes seat 0 and another seat discard, and seat 0 has a choice."""
    if here.view(None).step.kind != "pre_roll":
        return False
    trial = here.copy()
    trial.play(trial.to_act[0], Roll())
    if trial.view(None).step.kind != "discard" or 0 not in trial.to_act or len(trial.to_act) < 2:
        return False
    return len(trial.options(0)[Discard]) > 1


def throws(game: Game, seat: int) -> Hand | None:
    """The cards that an autopilot that keeps ore discards for a seat; None if the seat has no choice."""
    cards = game.options(seat).get(Discard)
    return thrown(cards, (4,)) if isinstance(cards, Cards) and len(cards) > 1 else None


def can(game: Game, what: str) -> bool:
    """Whether seat 1 could build something."""
    return any(action in game.options(1) for action in BUILDS[what])


def only_there(here: Game, there: Game) -> str | None:
    """What seat 1, which is called to build, can build in the other world only; None if there is nothing."""
    step = here.view(None).step
    if step.kind != "special_building" or here.to_act != (1,):
        return None
    return next((what for what in BUILDS if can(there, what) and not can(here, what)), None)
