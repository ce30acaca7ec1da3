"""Plans two games that differ only in what some players hide: the same actions, other cards taken and bought."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

from bot.table.ordering import thrown
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
"""Kinds of draws whose outcome not everybody learns."""
TRIES = 8
"""Other hidden cards that are tried for the second game."""
Step = tuple[int, Action]
"""A seat and what it does."""
Goal = Callable[[Game, Game], bool]
"""Whether both games have come to where they should."""


class Told:
    """Chance with the outcomes of a plan; whatever the plan doesn't tell is the same each time."""

    def __init__(self, outcomes: dict[tuple[str, int], int] | None = None) -> None:
        self.outcomes = outcomes or {}

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        result = self.outcomes.get((kind, ordinal))
        return random.Random(f"{kind}/{ordinal}").randrange(n) if result is None else result

    def note(self, draws: Iterable[DrawRecord]) -> None:
        """Keep outcomes for later."""
        self.outcomes |= {(kind, ordinal): result for kind, ordinal, _, result in draws}


class _Trial:
    """A plan's chance, but hidden cards come by another number; tells how many there were to draw from."""

    def __init__(self, plan: Told, luck: random.Random) -> None:
        self.plan, self.luck, self.choices = plan, luck, 1

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        if kind not in HIDDEN:
            return self.plan.draw(kind, ordinal, n)
        self.choices = n
        return self.luck.randrange(n)


class Twins:
    """Two games that everybody but the seats in `hiding` sees alike, now and always."""

    def __init__(self, dealt: Game, hiding: Iterable[int], seed: int) -> None:
        self.hiding = frozenset(hiding)
        self.rng = random.Random(seed)
        self.chances = (Told(), Told())
        self.games = [dealt.copy(), dealt.copy()]
        self.steps: list[Step] = []
        self.parting: int | None = None
        """Index of the step with which the games began to differ."""

    @property
    def outsiders(self) -> list[int | None]:
        """Who must not notice: an onlooker, and all seats that hide nothing."""
        return [None, *(s for s in range(self.games[0].config.players) if s not in self.hiding)]

    def step(self, seat: int, action: Action) -> bool:
        """Do the same in both; False, and nothing, where outsiders would notice or it is refused in one."""
        here, choices = self._after(0, seat, action)
        for _ in range(1 if choices == 1 else TRIES):
            there, _ = self._after(1, seat, action)
            if here is not None and there is not None and self._alike(here, there):
                break
        else:
            return False
        assert here is not None
        assert there is not None
        if self.parting is None and here.hash() != there.hash():
            self.parting = len(self.steps)
        for chance, game in zip(self.chances, (here, there), strict=True):
            chance.note(game.records[-1].draws)
            game.chance = chance
        self.games = [here, there]
        self.steps.append((seat, action))
        return True

    def _after(self, world: int, seat: int, action: Action) -> tuple[Game | None, int]:
        """A game after an action that draws by luck, and among how many; None where it is refused."""
        game = self.games[world].copy()
        game.chance = trial = _Trial(self.chances[world], self.rng)
        try:
            game.play(seat, action)
        except IllegalAction:
            return None, 1
        return game, trial.choices

    def _alike(self, here: Game, there: Game) -> bool:
        same = all(here.view(viewer) == there.view(viewer) for viewer in self.outsiders)
        return same and here.to_act == there.to_act

    def play(self, until: Goal, policy: Callable[[Game, int, random.Random], Action], most: int) -> bool:
        """Play on until both are in a position that is looked for; False when that doesn't come."""
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
        """Who hides something robs another one who does, where that is possible."""
        places = places_of(game.options(seat), MoveRobber) if seat in self.hiding else ()
        found = [MoveRobber(at) for at in places if set(seats_at(game.state, at)) & self.hiding - {seat}]
        return self.rng.choice(found) if found else None

    def longer(self, more: int) -> Goal:
        """So many more steps than now."""
        length = len(self.steps) + more
        return lambda here, there: len(self.steps) >= length


def hoard(game: Game, seat: int, rng: random.Random) -> Action:
    """What somebody does who wants development cards above all, and keeps them."""
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
    """The first of many random plans that gets there, and some steps further; `cards`: people hoard them.

    Plans of all these `lengths` are tried, so that short ones come first.
    """
    policy = hoard if cards else choose
    seats, dealt = tuple(hiding), Game.new(config, Told())
    for most, seed in itertools.product(lengths, range(60)):
        twins = Twins(dealt, seats, seed)
        if twins.play(until, policy, most) and twins.play(twins.longer(more), policy, 20 * more + 1):
            return twins
    raise AssertionError("no plan gets there")


def differ(seats: Iterable[int], what: str = "hands") -> Goal:
    """In the main part of a turn, all these seats hold other cards ("hands" or "development_cards") in each game."""
    wanted = tuple(seats)

    def reached(here: Game, there: Game) -> bool:
        held = [getattr(game.state, what) for game in (here, there)]
        return here.view(None).step.kind == "main" and all(held[0][s] != held[1][s] for s in wanted)

    return reached


def main_of(seat: int) -> Goal:
    """In the main part of a seat's turn."""
    return lambda here, there: here.view(None).step.kind == "main" and here.view(None).on_turn == seat


def in_window(here: Game, there: Game) -> bool:
    """An interrupt that asks three; seats 0 and 1 among them, and one of these holds a knight in one world only."""
    views = [game.view(None) for game in (here, there)]
    if any(v.step.kind != "interrupt" or v.awaited & 3 != 3 or v.awaited.bit_count() < 3 for v in views):
        return False
    knights = [[PlayKnight in game.options(seat) for seat in (0, 1)] for game in (here, there)]
    return not knights[0][0] and knights[1][0]


def before_discards(here: Game, there: Game) -> bool:
    """The next roll makes seat 0 and somebody else discard, and seat 0 could choose in different ways."""
    if here.view(None).step.kind != "pre_roll":
        return False
    trial = here.copy()
    trial.play(trial.to_act[0], Roll())
    if trial.view(None).step.kind != "discard" or 0 not in trial.to_act or len(trial.to_act) < 2:
        return False
    return len(trial.options(0)[Discard]) > 1


def throws(game: Game, seat: int) -> Hand | None:
    """What an order discards for a seat that has a choice."""
    cards = game.options(seat).get(Discard)
    return thrown(cards, (4,)) if isinstance(cards, Cards) and len(cards) > 1 else None


def can(game: Game, what: str) -> bool:
    """Whether seat 1 could build that."""
    return any(action in game.options(1) for action in BUILDS[what])


def only_there(here: Game, there: Game) -> str | None:
    """What seat 1, which is called to build, can have in the other world only."""
    step = here.view(None).step
    if step.kind != "special_building" or here.to_act != (1,):
        return None
    return next((what for what in BUILDS if can(there, what) and not can(here, what)), None)
