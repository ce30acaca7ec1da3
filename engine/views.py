"""What a seat or an onlooker can know of a game (section M). Views are built up from nothing, never cut down.

Pictures, panels and hands are made from views alone. Masks of places have a bit for each id of the board's grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.board import Board
from engine.changes import Changes
from engine.config import Config
from engine.counting import Counted, Counts, Tally
from engine.events import Event
from engine.outcome import Outcome
from engine.pieces import cities_left, roads_left, settlements_left
from engine.resources import Hand, hand
from engine.state import State
from engine.step import StepView
from engine.steps.table import call_off_votes
from engine.terms import StepKind
from engine.values import value


@value
class OfferView:
    """An open offer (E2): `seat` gives `give` for `want`. `to`, `accepted` and `declined` are masks of the seats asked,
    and of those that have answered; `answers` is the id of the offer that it counters, or -1."""

    id: int
    seat: int
    give: Hand
    want: Hand
    to: int
    accepted: int
    declined: int
    answers: int = -1


@value
class PlayerView:
    """One player as the viewer sees them; None stands for what the viewer can't know."""

    seat: int
    player: int
    """Number in the order of joining."""
    color: str
    roads: int
    settlements: int
    cities: int
    """Masks: `roads` of edges (with roads or bridges), `settlements` and `cities` of intersections."""
    hand_size: int
    """Number of resource cards."""
    hand: Hand | None
    development_count: int
    """Number of unplayed development cards."""
    development_cards: Hand | None
    """Unplayed development cards by kind, new ones included."""
    fresh_cards: Hand | None
    """Unplayed development cards that are too new to play, by kind."""
    played: Hand
    """Development cards played, by kind."""
    points: int
    """Points that everyone sees."""
    all_points: int | None
    """Points, including hidden cards."""
    road_length: int
    pieces_left: tuple[int, int, int]
    """Roads, settlements, cities in the supply."""
    rates: Hand
    """Best rate with the bank, by resource; public, because it follows from the board."""
    resigned: bool = False


@value
class View:
    """A game as `seat` (None: an onlooker) can see it."""

    seat: int | None
    config: Config
    board: Board
    revision: int
    """Grows with each record that anyone could notice, not with secret requests and answers."""
    step: StepView
    """The step view of the decision on top."""
    agenda: tuple[tuple[StepKind, tuple[Any, ...]], ...]
    """All decisions to come, the one on top last: their kinds, and their fields as far as the viewer can know them
    (`Step.known`)."""
    on_turn: int | None
    """Whose turn it is; None in setup and after the end."""
    turn: int
    """Turns begun so far; 0 in setup."""
    round: int
    """Rounds begun so far; 0 in setup."""
    turns: tuple[int, ...]
    """Turns begun so far, by seat."""
    first: int
    """The seat that began."""
    free_intersections: int
    """Mask of the intersections where land and distance rule allow a settlement, regardless of roads (B1, F3)."""
    players: tuple[PlayerView, ...]
    bank: Hand
    deck: int
    """Development cards left to buy."""
    robber: int
    """Hex of the robber; -1 off the board."""
    longest_road: int | None
    largest_army: int | None
    dice: tuple[int, int] | None
    """This turn's roll; None before it."""
    rolls: tuple[int, ...]
    """How often each sum 0 to 12 was rolled."""
    offers: tuple[OfferView, ...]
    events: tuple[Event, ...]
    """The events since the turn began (in setup: since the start), redacted for the viewer."""
    last: tuple[Event, ...]
    """The events of the latest record that anyone could notice, redacted for the viewer."""
    changes: Changes
    """What is new on the board: for a player since they last acted, for an onlooker in the latest turn that built."""
    built: bool
    """Whether something was built or bought this turn."""
    card_played: bool
    """Whether the one development card of this turn has been played (H2)."""
    may_count_points: bool
    """Whether players can agree to end the game and count the points. Calling it off is always possible (I6)."""
    end_votes: int
    """Mask of the seats that agree to end the game and count the points (I6)."""
    call_off_votes: int
    """Mask of the seats that agree to call the game off (I6)."""
    asked_to_build: bool
    """Whether the viewer has asked for the special building phase (J2)."""
    counts: Counts | None = None
    """What the viewer can count of hands, if the view was made with `counted`."""
    undo: int | None = None
    """Seat that can undo its last action. That is public, because such an action draws no die or hidden card."""
    outcome: Outcome | None = None

    def counted(self, seat: int) -> Counted:
        """A seat's hand as far as the viewer can count it; raises `ValueError` for a view without counts."""
        player = self.players[seat]
        if player.hand is not None:
            return Counted(player.hand, player.hand, player.hand)
        if self.counts is None:
            raise ValueError("the view was made without counts")
        return self.counts.of(seat, player.hand_size)

    @property
    def awaited(self) -> int:
        """Mask of the seats that owe a decision."""
        return self.step.awaited


def ranked(view: View, points: Sequence[int]) -> list[PlayerView]:
    """The players as they stand, by these points of the seats: who has won comes first, and who left last."""
    won = view.outcome.winners if view.outcome else ()
    return sorted(view.players, key=lambda p: (p.seat not in won, p.resigned, -points[p.seat], p.seat))


def build_view(
    state: State,
    seat: int | None,
    revision: int,
    story: Iterable[Event],
    last: Iterable[Event],
    changes: Changes,
    undo: int | None,
    tally: Tally | None,
) -> View:
    """Build the view of a seat or an onlooker (None); with a `tally` it has what they can count of hands."""
    rules, over = state.rules, state.outcome is not None
    players = tuple(_player(state, s, seat) for s in range(state.players))
    return View(
        seat=seat,
        config=rules.config,
        board=state.board,
        revision=revision,
        step=state.agenda[-1].view(state, seat),
        agenda=tuple((step.kind, step.known(seat)) for step in state.agenda),
        on_turn=state.on_turn if state.on_turn >= 0 and not over else None,
        turn=state.turn,
        round=state.round,
        turns=tuple(state.turns),
        first=state.first,
        free_intersections=state.board.settle_mask & ~state.closed,
        players=players,
        counts=tally.counts(seat) if tally else None,
        bank=hand(state.bank),
        deck=sum(state.deck),
        robber=state.robber,
        longest_road=state.longest if state.longest >= 0 else None,
        largest_army=state.army if state.army >= 0 else None,
        dice=state.dice,
        rolls=tuple(state.rolls),
        offers=tuple(
            OfferView(o.id, o.seat, o.give, o.want, o.to, o.accepted, o.declined, o.answers) for o in state.offers
        ),
        events=tuple(e.redact(seat, over) for e in story),
        last=tuple(e.redact(seat, over) for e in last),
        changes=changes,
        built=state.built,
        card_played=state.card_played,
        may_count_points=rules.may_count_points(state),
        end_votes=state.votes,
        call_off_votes=call_off_votes(state),
        asked_to_build=seat is not None and bool(state.asked >> seat & 1),
        undo=undo,
        outcome=state.outcome,
    )


def _player(state: State, seat: int, viewer: int | None) -> PlayerView:
    data, over = state.rules.data, state.outcome is not None
    own = seat == viewer or over
    return PlayerView(
        seat=seat,
        player=state.order[seat],
        color=state.color(seat),
        roads=state.roads[seat],
        settlements=state.settlements[seat],
        cities=state.cities[seat],
        hand_size=sum(state.hands[seat]),
        hand=hand(state.hands[seat]) if own or data.open_hands else None,
        development_count=sum(state.development_cards[seat]),
        development_cards=hand(state.development_cards[seat]) if own else None,
        fresh_cards=hand(state.fresh[seat]) if own else None,
        played=hand(state.played[seat]),
        points=state.points(seat),
        all_points=state.all_points(seat) if own else None,
        road_length=state.road_length[seat],
        pieces_left=(roads_left(state, seat), settlements_left(state, seat), cities_left(state, seat)),
        rates=hand(state.rates[seat]),
        resigned=bool(state.resigned >> seat & 1),
    )
