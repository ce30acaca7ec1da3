"""The turn (section D): rolling, production, ending; and how one turn follows another."""

from __future__ import annotations

from engine.actions import EndTurn, MakeOffer, Roll
from engine.domains import Domain, Single
from engine.errors import IllegalAction
from engine.events import Produced, Rolled, Shortage, TurnBegan, TurnEnded
from engine.geometry import bits
from engine.moves import receive
from engine.refusals import Refusal, refusal
from engine.resources import hand
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.step import StepView
from engine.steps.over import end_by_rounds
from engine.steps.robber import start_robber
from engine.steps.special import call_builders, open_requests
from engine.terms import StepKind
from engine.values import value


class NextTurn(Step):
    """Begins the turn of `seat`, or of the next seat that is still in the game, when it comes to the top."""

    __slots__ = ("seat",)
    kind = StepKind.NEXT_TURN

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def data(self) -> tuple[int]:
        return (self.seat,)

    def awaited(self, state: State) -> int:
        return 0

    def begins(self, state: State) -> int:
        """The seat whose turn it will be, as things stand."""
        return state.following(self.seat)[0] if state.resigned >> self.seat & 1 else self.seat

    def settle(self, state: State, tx: Tx) -> bool:
        begin_turn(state, self.begins(state), tx)
        return True


def begins_round(state: State, seat: int) -> bool:
    """Whether a seat's turn, if it comes next, is the first of a round."""
    return state.turn == 0 or (seat - state.first) % state.players <= state.place


def begin_turn(state: State, seat: int, tx: Tx) -> None:
    """Begin a seat's turn. A round begins when the turn reaches or passes the first player's place."""
    if begins_round(state, seat):
        if state.round == state.rules.data.round_limit > 0:
            end_by_rounds(state, tx)
            return
        state.round += 1
    state.place = (seat - state.first) % state.players
    state.turn += 1
    state.turns[seat] += 1
    state.on_turn = seat
    state.dice = None
    state.card_played = False
    state.built = False
    state.asked = 0
    for fresh in state.fresh:
        if fresh != _NONE:
            fresh[:] = _NONE
    state.push(PreRoll(seat))
    tx.emit(TurnBegan(seat, state.turn))


_NONE = [0, 0, 0, 0, 0]

ROLL_FIRST = refusal("wrong-phase/pre_roll", "Roll the dice first.")
ROLLED_ALREADY = refusal("wrong-phase/main", "You have rolled already: trade, build or end your turn.")


class Turn(Step):
    """Base of the parts of a turn."""

    __slots__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def data(self) -> tuple[int]:
        return (self.seat,)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def settle(self, state: State, tx: Tx) -> bool:
        if not state.resigned >> self.seat & 1:
            return False
        end_turn(state, self, self.seat, tx)
        return True


@value
class PreRollView(StepView):
    """Before the roll; `may_play_card`: as far as everyone knows, a development card can come first (D3)."""

    may_play_card: bool


class PreRoll(Turn):
    """Before the roll: only a development card can come first (D3)."""

    __slots__ = ()
    kind = StepKind.PRE_ROLL

    def view(self, state: State, seat: int | None) -> PreRollView:
        allowed = state.rules.data.cards_before_roll and not state.card_played
        may_play = allowed and any(state.development_cards[self.seat])
        return PreRollView(self.kind, self.shown(state, seat), may_play)

    def prompt(self) -> Refusal[IllegalAction]:
        return ROLL_FIRST


@value
class MainView(StepView):
    """The main part of a turn; `may_trade`: whether the rules still allow trade in it (L6)."""

    may_trade: bool


class Main(Turn):
    """After the roll: trade, build, one development card, end (D1)."""

    __slots__ = ()
    kind = StepKind.MAIN

    def view(self, state: State, seat: int | None) -> MainView:
        may_trade = state.rules.open_to(state, self, self.seat, MakeOffer)
        return MainView(self.kind, self.shown(state, seat), may_trade)

    def prompt(self) -> Refusal[IllegalAction]:
        return ROLLED_ALREADY


class RollDice(Move):
    """Roll two dice: production, or on a seven discards and the robber (D2, D4)."""

    action = Roll

    def domain(self, state: State, step: PreRoll, seat: int) -> Domain | None:
        return _ROLL if seat == step.seat else None

    def do(self, state: State, step: PreRoll, seat: int, action: Roll, tx: Tx) -> None:
        dice = self.throw(state, seat, tx)
        total = dice[0] + dice[1]
        state.dice = dice
        state.rolls[total] += 1
        state.remove(step)
        state.push(state.rules.after_roll(seat))
        tx.emit(Rolled(seat, dice))
        if total == 7:
            start_robber(state, seat, tx)
        else:
            produce(state, total, tx)

    def throw(self, state: State, seat: int, tx: Tx) -> tuple[int, int]:
        """Roll the dice that count."""
        return (tx.draw("dice", 6) + 1, tx.draw("dice", 6) + 1)


_ROLL = Single(Roll())


def produce(state: State, number: int, tx: Tx) -> None:
    """Give all players their cards for a number (D2). A shortage of the bank is decided for each resource (A2)."""
    due: dict[int, list[int]] = {}
    demand = [0] * 5
    settlements, cities = state.settlements, state.cities
    seats = list(bits(state.active())) if state.resigned else range(state.players)  # players who left get nothing (I7)
    for h, resource, nodes in state.board.produce[number]:
        if h == state.robber or not state.buildings & nodes:
            continue
        for seat in seats:
            n = (settlements[seat] & nodes).bit_count() + 2 * (cities[seat] & nodes).bit_count()
            if n:
                demand[resource] += n
                if seat not in due:
                    due[seat] = [0] * 5
                due[seat][resource] += n
    for resource in range(5):
        if demand[resource] > state.bank[resource]:
            claimants = sorted(s for s, cards in due.items() if cards[resource])
            alone = len(claimants) == 1 and state.rules.data.lone_claim_paid
            for s in claimants:
                due[s][resource] = state.bank[resource] if alone else 0
            tx.emit(Shortage(resource, tuple(claimants)))
    for seat in sorted(due):
        if due[seat] != _NONE:
            got = hand(due[seat])
            receive(state, seat, got)
            tx.emit(Produced(seat, got))


class FinishTurn(Move):
    """End the turn: it passes clockwise (D5), and offers end (E3)."""

    action = EndTurn
    undoable = True

    def domain(self, state: State, step: Turn, seat: int) -> Domain | None:
        return _END if seat == step.seat else None

    def do(self, state: State, step: Turn, seat: int, action: EndTurn, tx: Tx) -> None:
        end_turn(state, step, seat, tx)

    def why(self, state: State, step: Turn, seat: int, action: EndTurn) -> IllegalAction:
        return out_of_turn(state, step, seat)


_END = Single(EndTurn())


def end_turn(state: State, step: Step, seat: int, tx: Tx) -> None:
    """Replace the turn's step with the next turn, preceded by the special building phase if there is one."""
    state.offers.clear()
    state.on_turn = -1
    tx.emit(TurnEnded(seat))
    after: list[Step] = [NextTurn((seat + 1) % state.players)]
    if state.rules.data.special_building:
        after += open_requests(seat, tx) if state.rules.data.late_requests else call_builders(state, seat, tx)
    state.replace(step, after)
