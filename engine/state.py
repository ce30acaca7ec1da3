"""A position, its steps, the rules with their moves, and an action in progress. They share a file, as each knows the
others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, ClassVar

from engine.actions import Action
from engine.board import Board
from engine.chance import DRAW_KINDS, Chance, DrawRecord
from engine.config import Config
from engine.data import Data
from engine.domains import ANYTHING, Domain, Options
from engine.errors import IllegalAction
from engine.events import Event
from engine.facts import Facts
from engine.refusals import Hex, Player, Players, Refusal, refusal
from engine.resources import VICTORY_POINT
from engine.step import StepView
from engine.terms import StepKind

_KIND_INDEX = {kind: i for i, kind in enumerate(DRAW_KINDS)}
_NONE = [0] * 5
SOMETHING_ELSE = refusal("wrong-phase", "Finish the current step first.")
WRONG_TURN = refusal("wrong-turn", "It isn't your turn: the game is waiting for {players}.")


class Step:
    """A decision on the agenda. It is only data: what can be done in it is in the rules' table of moves."""

    __slots__ = ("serial",)
    kind: ClassVar[StepKind]

    serial: int

    def awaited(self, state: State) -> int:
        """Mask of the seats that owe a decision."""
        raise TypeError("a step must say whom it awaits")

    def shown(self, state: State, seat: int | None) -> int:
        """Mask of the awaited seats, as it looks to a seat or an onlooker (None)."""
        return self.awaited(state)

    def view(self, state: State, seat: int | None) -> StepView:
        """What a seat or an onlooker (None) can know of the decision (section M)."""
        return StepView(self.kind, self.shown(state, seat))

    def prompt(self) -> Refusal[IllegalAction]:
        """The refusal for players who try something else: it says what to do first."""
        return SOMETHING_ELSE

    def settle(self, state: State, tx: Tx) -> bool:
        """Whether the step is done. Called when it comes to the top, and after each action while it is there."""
        return False

    def drop(self, state: State, tx: Tx) -> None:
        """Called when the game ends before the step is done. Puts what the step holds where it belongs."""

    def data(self) -> tuple[Any, ...]:
        """The step's own fields, immutable, in the order of the constructor."""
        return ()

    def known(self, seat: int | None) -> tuple[Any, ...]:
        """The same fields as far as a seat or an onlooker (None) can know them. What is hidden looks undecided."""
        return self.data()

    def copy(self) -> Step:
        """An independent copy with the same serial."""
        twin = type(self)(*self.data())
        twin.serial = self.serial
        return twin


class State(Facts):
    """A position: the facts, the decisions to come, and the rules."""

    __slots__ = ("agenda", "rules")
    rules: Rules
    agenda: list[Step]
    """Decisions to come; the one on top is last."""

    def __init__(self, rules: Rules, board: Board, order: tuple[int, ...]) -> None:
        self.rules = rules
        self.board = board
        self.players = len(order)
        self.order = order

    @classmethod
    def new(cls, rules: Rules, board: Board, order: tuple[int, ...]) -> State:
        """The position before anything has been done."""
        state = cls(rules, board, order)
        state.lay_out(rules.data)
        state.agenda = []
        return state

    def copy(self) -> State:
        """An independent copy."""
        twin = State(self.rules, self.board, self.order)
        twin.take_over(self)
        twin.agenda = [step.copy() for step in self.agenda]
        return twin

    def taken_back_to(self, before: State) -> State:
        """A copy of an earlier position, but ids of decisions go on counting, and secret requests stay (J2)."""
        state = before.copy()
        state.next_serial = self.next_serial
        state.counts, state.standing, state.asked = self.counts[:], self.standing[:], self.asked
        return state

    def push(self, step: Step) -> None:
        """Put a decision on top of the agenda."""
        step.serial = self.next_serial
        self.next_serial += 1
        self.agenda.append(step)

    def replace(self, step: Step, others: list[Step]) -> None:
        """Replace a decision on the agenda by others; the last of them is on top."""
        for other in others:
            other.serial = self.next_serial
            self.next_serial += 1
        at = self.agenda.index(step)
        self.agenda[at : at + 1] = others

    def remove(self, step: Step) -> None:
        """Remove a decision from the agenda, wherever it is."""
        self.agenda = [s for s in self.agenda if s is not step]

    def color(self, seat: int) -> str:
        """The color of a seat."""
        return self.rules.config.colors[self.order[seat]]

    def player(self, seat: int) -> Player:
        """A seat's player, for a sentence."""
        return Player(seat, self.color(seat))

    def players_in(self, seats: int, choice: bool = False) -> Players:
        """The players of several seats (a mask), for a sentence; `choice`: joined by "or"."""
        return Players([self.player(s) for s in range(self.players) if seats >> s & 1], choice)

    def hex(self, at: int) -> Hex:
        """A hex, for a sentence."""
        return Hex(at, self.board.grid.hex_names[at])

    def points(self, seat: int) -> int:
        """Points that everyone sees (I4)."""
        points = (
            self.settlements[seat].bit_count() + 2 * self.cities[seat].bit_count() + self.played[seat][VICTORY_POINT]
        )
        if self.longest == seat:
            points += 2
        if self.army == seat:
            points += 2
        return points

    def all_points(self, seat: int) -> int:
        """Points, including hidden victory point cards (H7)."""
        return self.points(seat) + (self.development_cards[seat][VICTORY_POINT] if self.rules.data.hidden_points else 0)

    def position(self) -> list[Any]:
        """The canonical position, version 1: plain data with everything that matters for the rest of the game."""
        b = self.board
        return [
            1,
            [b.terrain, b.tokens, [(h.hex, h.side, h.kind) for h in b.harbors]],
            [self.order, self.hands, self.bank, self.development_cards, self.fresh, self.played, self.deck],
            [self.roads, self.settlements, self.cities, self.robber, self.longest, self.army],
            [self.first, self.on_turn, self.place, self.turn, self.turns, self.round, self.dice, self.rolls],
            [self.card_played, self.built, [o.values() for o in self.offers], self.next_offer],
            [self.asked, self.standing, self.votes, self.resigned, self.counts, self.ordinals],
            [self.next_serial, [(s.kind, s.serial, s.data()) for s in self.agenda]],
            sorted(self.extra.items()),
            None if self.outcome is None else [self.outcome.reason, self.outcome.winners, self.outcome.points],
        ]

    def hash(self) -> str:
        """SHA-256 of the canonical position, in hex."""
        text = json.dumps(self.position(), separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


class Tx:
    """An action in progress: the only access to chance and events."""

    __slots__ = ("chance", "draws", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.draws: list[DrawRecord] = []
        self.events: list[Event] = []

    def draw(self, kind: str, n: int) -> int:
        """Draw a number from 0 to n - 1 from the game's chance. The draw goes into the record."""
        index = _KIND_INDEX[kind]
        ordinals = self.state.ordinals
        ordinal = ordinals[index]
        result = self.chance.draw(kind, ordinal, n)
        ordinals[index] = ordinal + 1
        self.draws.append((kind, ordinal, n, result))
        return result

    def count(self, draws: list[DrawRecord]) -> None:
        """Add draws that were made before there was a position."""
        for kind, ordinal, _, _ in draws:
            self.state.ordinals[_KIND_INDEX[kind]] = ordinal + 1
        self.draws.extend(draws)

    def pick(self, kind: str, counts: list[int]) -> int:
        """Draw one of the cards counted in `counts`, each equally likely. Returns its kind."""
        n = self.draw(kind, sum(counts))
        for index, count in enumerate(counts):
            if n < count:
                return index
            n -= count
        raise ValueError("no card to draw")

    def emit(self, event: Event) -> None:
        """Report an event after it has happened. The rules' reactions follow immediately."""
        self.events.append(event)
        for react in self.state.rules.reactions.get(type(event), ()):
            react(self.state, self, event)


class Move:
    """One type of action in one kind of step. It has no state: one instance serves all games."""

    action: ClassVar[type[Action]]
    undoable: ClassVar[bool] = False
    """Whether the action can be undone, as long as it drew nothing (see `Game.play`)."""

    quiet: ClassVar[bool] = False
    """Whether others must not notice the action: it doesn't prevent another seat's undo."""

    needs_card: ClassVar[bool] = False
    """Whether it takes a development card from the hand. Without any in hand, its domain isn't computed."""

    def domain(self, state: State, step: Any, seat: int) -> Domain | None:
        """What the seat can do, made from what it can know; None if nothing."""
        raise TypeError("a move must say what is possible")

    def do(self, state: State, step: Any, seat: int, action: Any, tx: Tx) -> None:
        """Carry out an action of the domain. Can still raise `IllegalAction`, before any change (E2)."""
        raise TypeError("a move must do something")

    def why(self, state: State, step: Any, seat: int, action: Any) -> IllegalAction:
        """Why the action is refused; called only when it is."""
        return out_of_turn(state, step, seat)


def out_of_turn(state: State, step: Step, seat: int) -> IllegalAction:
    """The refusal when it is another player's turn, or when something else must be done first."""
    if step.awaited(state) >> seat & 1 or state.on_turn == seat:
        return step.prompt()()
    return WRONG_TURN(players=state.players_in(step.shown(state, seat)))


Narrow = Callable[[State, Any, int, Domain], Domain | None]
"""Narrows a domain: (state, step, seat, domain) -> domain or None. Narrowings commute."""
Reaction = Callable[[State, Tx, Any], None]
"""Follows an event immediately: (state, tx, event)."""
Why = Callable[[State, Any, int, Any], IllegalAction | None]
"""Why a narrowing refuses an action, or None: (state, step, seat, action)."""
Row = tuple[type[Action], Callable[[State, Any, int], Domain | None], bool, bool]
"""An action, its move's `domain`, whether it needs a development card, and whether alternate rules narrow it."""


class Rules:
    """The rules of a game, shared by all games with the same configuration.

    `engine.rules` puts them together. Alternate rules change them then; afterwards nothing does.
    """

    config: Config
    data: Data
    moves: dict[type[Step], dict[type[Action], Move]]
    """What a seat can do in a step."""
    anytime: dict[type[Action], Move]
    """What a seat can do in any step."""
    referee: dict[type[Step], dict[type[Action], Move]]
    """What the referee can do in a step when its time is over."""
    referee_anytime: dict[type[Action], Move]
    """What the referee can do in any step."""
    narrow: dict[type[Action], list[tuple[Narrow, Why]]]
    reactions: dict[type[Event], list[Reaction]]
    robber_hexes: Callable[[State], int]
    """Mask of the hexes where the robber can stand (G1)."""
    harbor_shut: Callable[[State, int], bool]
    """Whether the harbor of a hex gives no rate now."""
    may_count_points: Callable[[State], bool]
    """Whether the players can agree to end the game and count the points (I6)."""
    after_roll: Callable[[int], Step]
    """Makes the step that follows a seat's roll."""
    rows: dict[type[Step], list[Row]]
    """The table of moves in the form that `options` reads."""

    def options(self, state: State, seat: int) -> Options:
        """What a seat can do now, in the step on top."""
        step, found = state.agenda[-1], Options()
        cardless = state.development_cards[seat] == _NONE
        for action, domain_of, needs_card, is_narrowed in self.rows[type(step)]:
            if needs_card and cardless:
                continue
            domain = domain_of(state, step, seat)
            if is_narrowed:
                domain = self._narrowed(action, domain, state, step, seat)
            if domain is not None:
                found[action] = domain
        return found

    def domain(self, state: State, seat: int, action: type[Action]) -> Domain | None:
        """The domain of one type of action for a seat now: the same as in `options`, without computing the others."""
        step = state.agenda[-1]
        move = self.moves[type(step)].get(action)
        return None if move is None else self._narrowed(action, move.domain(state, step, seat), state, step, seat)

    def _narrowed(
        self, action: type[Action], domain: Domain | None, state: State, step: Step, seat: int
    ) -> Domain | None:
        """What alternate rules leave of a domain."""
        for narrow, _ in self.narrow.get(action, ()):
            if domain is None:
                break
            domain = narrow(state, step, seat, domain)
        return domain

    def open_to(self, state: State, step: Step, seat: int, action: type[Action]) -> bool:
        """Whether alternate rules leave a type of action possible in a step, regardless of what the seat holds."""
        return all(narrow(state, step, seat, ANYTHING) is not None for narrow, _ in self.narrow.get(action, ()))

    def is_quiet(self, step: Step, action: type[Action]) -> bool:
        """Whether others must not learn who does this in a step, because it is a secret request or answer (J2, L8)."""
        move = self.anytime.get(action) or self.moves[type(step)].get(action)
        return move is not None and move.quiet

    def refusal(self, state: State, step: Step, seat: int, action: Action) -> IllegalAction | None:
        """Why an alternate rule refuses an action that would be possible without it, or None."""
        for _, why in self.narrow.get(type(action), ()):
            if reason := why(state, step, seat, action):
                return reason
        return None
