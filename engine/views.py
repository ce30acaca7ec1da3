"""What one seat, or an onlooker, may know of a game (section M): built up from nothing, never cut down.

Pictures, panels and hands are made from views alone. Masks have a bit per id of the board's grid.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    """An open offer (E2): `seat` gives `give` for `want`; masks of seats asked, and of those who answered."""

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
    """One player as the viewer sees them; None stands for what the viewer may not know."""

    seat: int
    player: int
    """Number in the order of joining."""
    color: str
    roads: int
    settlements: int
    cities: int
    """Masks of edges (roads and bridges) and intersections."""
    hand_size: int
    """Number of resource cards."""
    hand: Hand | None
    development_count: int
    """Number of unplayed development cards."""
    development_cards: Hand | None
    """Unplayed development cards by kind, new ones included."""
    fresh_cards: Hand | None
    """Those of them that are too new to play."""
    played: Hand
    """Development cards played, by kind."""
    points: int
    """Points that everybody sees."""
    all_points: int | None
    """Points with hidden cards."""
    road_length: int
    pieces_left: tuple[int, int, int]
    """Roads, settlements, cities in the supply."""
    rates: Hand
    """Best maritime rate by resource (public: it follows from the board)."""
    resigned: bool = False


@value
class View:
    """A game as `seat` (None: an onlooker) may see it."""

    seat: int | None
    config: Config
    board: Board
    revision: int
    """Grows with every record that anybody could notice; not with secret requests and answers."""
    step: StepView
    """The decision on top, as its own file describes it."""
    agenda: tuple[tuple[StepKind, tuple[Any, ...]], ...]
    """All decisions that wait, the one on top last: their kinds, and their fields as far as the viewer may know them
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
    """Who began."""
    free_intersections: int
    """Mask of where land and distance rule allow a settlement, wherever roads are (B1, F3)."""
    players: tuple[PlayerView, ...]
    bank: Hand
    deck: int
    """Development cards left to buy."""
    robber: int
    """Hex of the robber; -1 off the board."""
    longest_road: int | None
    largest_army: int | None
    dice: tuple[int, int] | None
    """The roll of this turn, once made."""
    rolls: tuple[int, ...]
    """How often each sum 0 to 12 was rolled."""
    offers: tuple[OfferView, ...]
    events: tuple[Event, ...]
    """What has happened since the turn began (in setup: since the start), redacted for the viewer."""
    last: tuple[Event, ...]
    """What the latest record did, redacted for the viewer."""
    changes: Changes
    """What is new on the board: to a player since they last acted, to an onlooker by the latest turn that built."""
    built: bool
    """Whether something was built or bought this turn."""
    card_played: bool
    """Whether the one development card of this turn has been played (H2)."""
    may_count_points: bool
    """Whether the game can be ended by agreement with the points counted; calling it off is always possible (I6)."""
    end_votes: int
    """Mask of the seats that agree to that."""
    call_off_votes: int
    """Mask of the seats that agree to call the game off (I6)."""
    asked_to_build: bool
    """Whether the viewer has asked for the special building phase (J2)."""
    counts: Counts | None = None
    """What the viewer can count of hands, where the view was made with it."""
    undo: int | None = None
    """Seat that may take its last action back: everybody can tell, since no die or hidden card lies behind it."""
    outcome: Outcome | None = None

    def counted(self, seat: int) -> Counted:
        """A hand as far as the viewer can count it; raises `ValueError` for a view without counts."""
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
    """The view of a seat, or of an onlooker; with what it can count by a `tally`."""
    rules, over = state.rules, state.outcome is not None
    players = tuple(_player(state, s, seat) for s in range(state.players))
    open_hands = [player.hand for player in players] if over or rules.data.open_hands else []
    hidden = any(step.kind is StepKind.DISCARD for step in state.agenda)
    returned = hand(state.bank) if state.resigned and not hidden else None  # what who has left held all can see there
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
        counts=tally.counts(seat, open_hands, returned) if tally else None,
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
