"""The engine's interface: create or replay a game, ask what is possible, play, look.

    game = Game.new(Config(colors=("red", "blue", "white")), SeededChance(seed, "1", ()))
    seat = game.to_act[0]
    game.play(seat, next(game.options(seat).actions()))

A game is its configuration and its records; folded, they give the position (architecture: The log is the truth).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from engine.actions import Action, Undo
from engine.board import Board
from engine.chance import Chance
from engine.changes import BoardSnapshot, Recent, TurnStory
from engine.codec import is_sound
from engine.config import Config
from engine.counting import Tally
from engine.domains import Options
from engine.errors import IllegalAction, ReplayError
from engine.events import Event, Undone
from engine.geometry import bits
from engine.outcome import Outcome
from engine.record import REFEREE, NoChance, Record, RecordedChance
from engine.refusals import refusal
from engine.resources import hand
from engine.rules import rules_of
from engine.start import begin
from engine.state import Rules, State, Tx, out_of_turn
from engine.steps.over import GAME_OVER, settle
from engine.steps.trade import offer_gone_error
from engine.undoing import NOTHING_YET, OTHERS_ACTED, TIME_RAN_OUT, Why, obstacle
from engine.views import View, build_view

UNSOUND = refusal("unsound", "There is no such action: one of its numbers is out of bounds.")
NOT_PLAYING = refusal("not-playing", "You are not playing in this game.")
NOT_DUE = refusal("not-due", "There is nothing to decide now.")


class Game:
    """A game in play or over. Not safe for use by several threads at the same time."""

    def __init__(self, rules: Rules, state: State, chance: Chance, recent: Recent) -> None:
        """A game without a log, for `new` and `copy`."""
        self.rules = rules
        self.config: Config = rules.config
        self.state = state
        self.chance = chance
        self.records: list[Record] = []
        self.last_events: tuple[Event, ...] = ()
        self.public_revision = 1
        """Number of records that anyone could notice; the revision of views."""
        self._recent = recent
        self._tally: Tally | None = None
        """None until it is asked for, because keeping it up to date takes time and memory."""
        self._undo: list[tuple[int, State, TurnStory, tuple[Event, ...]]] = []
        self._obstacle: tuple[int, Why] = (REFEREE, NOTHING_YET)
        """Why nothing further back can be undone, and the seat to which that applies; to all if it is the referee."""
        self._options: dict[int, Options] = {}

    @classmethod
    def new(cls, config: Config, chance: Chance) -> Game:
        """Deal a new game: seats, board and first player are drawn; raises `ConfigError`."""
        rules = rules_of(config)
        state, tx = begin(rules, chance)
        events = tuple(tx.events)
        recent = Recent.after_deal(state.turn, events, config.players, BoardSnapshot.of(state))
        game = cls(rules, state, chance, recent)
        game.records.append(Record(0, REFEREE, None, tuple(tx.draws)))
        game.last_events = events
        return game

    @classmethod
    def replay(cls, config: Config, records: Iterable[Record], chance: Chance | None = None) -> Game:
        """Rebuild a game from its log; later draws come from `chance`.

        Raises `ConfigError`, and `ReplayError` if an action or a draw isn't what the rules asked for.
        """
        for game in cls.each(config, records):  # noqa: B007 (the last one)
            pass
        game.chance = chance or NoChance()
        return game

    @classmethod
    def each(cls, config: Config, records: Iterable[Record]) -> Iterator[Game]:
        """Replay a log, and yield the game after each record: always the same object. Raises like `replay`."""
        log = iter(records)
        first = next(log, None)
        if first is None or (first.number, first.actor, first.action) != (0, REFEREE, None):
            raise ReplayError("a log begins with the deal")
        recorded = RecordedChance(first.draws)
        game = cls.new(config, recorded)
        recorded.finish(0)
        yield game
        yield from game.read(log)

    def followed_by(self, records: Iterable[Record]) -> Game:
        """A copy of the game after further records of its log, with the same `chance`; raises like `replay`."""
        game = self.copy()
        for _ in game.read(records):
            pass
        game.chance = self.chance
        return game

    def read(self, records: Iterable[Record]) -> Iterator[Game]:
        """Play further records of its log, and yield this game after each. Raises like `replay`."""
        for record in records:
            if record.number != self.revision or record.action is None:
                raise ReplayError(f"record {record.number} is out of order")
            self.chance = recorded = RecordedChance(record.draws)
            refused = None
            try:
                self.play(record.actor, record.action)
            except IllegalAction as error:
                refused = error.code
            if refused is not None:
                # The sentence can reveal a hand, and the host of a running game can see this error. So it has only the
                # code. It is raised out here, because native modules keep the context in spite of `from None`.
                raise ReplayError(f"record {record.number}: {record.action.name} is refused ({refused})")
            recorded.finish(record.number)
            yield self

    @property
    def board(self) -> Board:
        """The dealt board."""
        return self.state.board

    @property
    def revision(self) -> int:
        """Number of records."""
        return len(self.records)

    @property
    def turn(self) -> int:
        """Number of the current turn, as in views."""
        return self.state.turn

    @property
    def turn_records(self) -> Iterator[Record]:
        """The records of the current turn, the latest first."""
        return islice(reversed(self.records), self.revision - self._recent.told.first)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.state.outcome

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        awaited = self.state.agenda[-1].awaited(self.state)
        if awaited & (awaited - 1):
            return tuple(bits(awaited))
        return (awaited.bit_length() - 1,) if awaited else ()

    @property
    def awaited(self) -> int:
        """Mask of the seats that owe a decision, as everyone sees it."""
        return self.state.agenda[-1].view(self.state, None).awaited

    def options(self, seat: int) -> Options:
        """What a seat can do in the decision on top. Seats that aren't awaited can have options, too (E2).

        Not listed: resigning, agreeing to end or to call off, undoing, setting the standing number, and, except in the
        window for late requests, asking to build (J2).
        """
        options = self._options.get(seat)
        if options is None:
            resigned = self.state.resigned >> seat & 1
            options = self._options[seat] = Options() if resigned else self.rules.options(self.state, seat)
        return options

    def decision(self, seat: int) -> str:
        """Id of a seat's open decision. The seat's own actions and a new step change it; others' actions don't.

        A secret request or answer (J2, L8) doesn't change it either: the panel's buttons would reveal it.
        """
        return f"{self.state.agenda[-1].serial}.{self.state.counts[seat]}"

    def can_undo(self, seat: int) -> bool:
        """Whether the seat can undo its last action."""
        return bool(self._undo) and self._undo[-1][0] == seat

    def play(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Carry out an action. Returns its events, with their secrets (see `Event.redact`).

        Raises `IllegalAction`, and then nothing has changed.
        """
        state = self.state
        if state.outcome is not None:
            raise GAME_OVER()
        kind, step = type(action), state.agenda[-1]
        if type(seat) is not int:
            raise NOT_PLAYING()
        if not is_sound(action):
            raise UNSOUND()
        if seat == REFEREE:
            move = self.rules.referee.get(type(step), {}).get(kind) or self.rules.referee_anytime.get(kind)
            domain = move.domain(state, step, seat) if move else None
        elif not 0 <= seat < state.players or state.resigned >> seat & 1:
            raise NOT_PLAYING()
        elif kind is Undo:
            return self._take_back(seat)
        elif kind in self.rules.anytime:
            move = self.rules.anytime[kind]
            domain = move.domain(state, step, seat)
        else:
            move = self.rules.moves[type(step)].get(kind)
            options = self._options.get(seat)
            domain = self.rules.domain(state, seat, kind) if options is None else options.get(kind)
        if move is None or domain is None or action not in domain:
            raise self._refusal(seat, action)
        before = state.copy() if move.undoable else None
        tx = Tx(state, self.chance)
        move.do(state, step, seat, action, tx)
        settle(state, tx)
        if seat != REFEREE and not move.quiet:
            state.counts[seat] += 1
        if move.quiet and not tx.events:
            pass
        elif before is None or tx.draws or self.outcome is not None or any(event.binding for event in tx.events):
            self._undo.clear()
            if move.quiet:  # which seat's secret answer came last is no one's business
                self._obstacle = REFEREE, OTHERS_ACTED
            else:
                self._obstacle = seat, TIME_RAN_OUT if seat == REFEREE else obstacle(kind, tx.events)
        else:
            if self._undo and self._undo[-1][0] != seat:
                self._undo.clear()
                self._obstacle = REFEREE, OTHERS_ACTED
            self._undo.append((seat, before, self._recent.told, tuple(tx.events)))
        return self._note(seat, action, tx)

    def _take_back(self, seat: int) -> tuple[Event, ...]:
        """Undo the seat's last action (architecture: Undo)."""
        if not self.can_undo(seat):
            by, why = self._obstacle
            raise why() if by in (seat, REFEREE) and not self._undo else OTHERS_ACTED()
        _, before, told, events = self._undo.pop()
        if self._tally:
            self._tally.take_back(events)
        self.state = self.state.taken_back_to(before)  # a copy: copies of the game share the earlier positions
        self.state.counts[seat] += 1
        tx = Tx(self.state, self.chance)
        tx.emit(Undone(seat))
        return self._note(seat, Undo(), tx, told)

    def _note(self, seat: int, action: Action, tx: Tx, back_to: TurnStory | None = None) -> tuple[Event, ...]:
        """Add the record, and note for views what it did; `back_to` as in `Recent.note`."""
        self.records.append(Record(len(self.records), seat, action, tuple(tx.draws)))
        self._options.clear()
        self.last_events = tuple(tx.events)
        if self._tally:
            self._tally.note(self.last_events)
        if self.last_events:  # without events it is no visit: it may have been done on the player's behalf
            self.public_revision += 1
            board = BoardSnapshot.of(self.state)
            self._recent.note(seat, self.last_events, self.turn, board, self.revision, back_to)
        return self.last_events

    def _refusal(self, seat: int, action: Action) -> IllegalAction:
        """Why an action is refused, in one helpful sentence."""
        state, step = self.state, self.state.agenda[-1]
        kind = type(action)
        if seat == REFEREE:
            return NOT_DUE()
        move = self.rules.anytime.get(kind) or self.rules.moves[type(step)].get(kind)
        if move is not None and (by_rule := self.rules.refusal(state, step, seat, action)):
            return by_rule
        if offer_gone := offer_gone_error(state, action):  # saying whose turn it is, or what comes first, would mislead
            return offer_gone
        return out_of_turn(state, step, seat) if move is None else move.why(state, step, seat, action)

    def view(self, seat: int | None = None, *, counted: bool = False) -> View:
        """The game as a seat or an onlooker (None) can see it; `counted`: with what can be counted of hands."""
        recent, undo = self._recent, self._undo[-1][0] if self._undo else None
        story, last, changes = recent.told.events, recent.last, recent.changes(seat)
        tally = self._counting() if counted else None
        return build_view(self.state, seat, self.public_revision, story, last, changes, undo, tally)

    def _counting(self) -> Tally:
        """What can be counted of hands: read from the log when first asked for, and kept up to date from then on."""
        if self._tally is None:
            games = Game.each(self.config, self.records)
            twin = next(games)
            twin._tally = Tally(self.rules.data, tuple(map(hand, twin.state.hands)))
            for _ in games:
                pass
            self._tally = twin._tally
        return self._tally

    def hash(self) -> str:
        """SHA-256 of the canonical position, in hex."""
        return self.state.hash()

    def copy(self) -> Game:
        """An independent copy, log and undo included."""
        twin = Game(self.rules, self.state.copy(), self.chance, self._recent.copy())
        twin._tally = self._tally and self._tally.copy()
        twin.records = self.records[:]
        twin.last_events = self.last_events
        twin.public_revision = self.public_revision
        twin._undo = self._undo[:]
        twin._obstacle = self._obstacle
        return twin


def events_of(config: Config, records: Iterable[Record]) -> Iterator[tuple[Event, ...]]:
    """The events of each record of a log, with their secrets; raises like `Game.replay`."""
    return (game.last_events for game in Game.each(config, records))
