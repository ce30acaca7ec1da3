"""How a game has gone, from its log: points by turn, and what became of everybody's resource cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import events as ev
from engine.actions import Discard
from engine.codec import Secret
from engine.config import Config
from engine.data import Data
from engine.game import Game
from engine.record import Record
from engine.resources import NOTHING, Hand, hand, single
from engine.steps.discard import Discards
from engine.terms import Piece


class Account(NamedTuple):
    """A player's resource cards of all kinds: how many came, by which way, and where they went."""

    made: int = 0
    """By dice, and by the second settlement (C5, D2)."""
    plenty: int = 0
    """By year of plenty."""
    robbed: int = 0
    """Taken from others by the robber."""
    lost: int = 0
    """Taken by others with the robber."""
    won: int = 0
    """By monopolies of one's own."""
    ceded: int = 0
    """To monopolies of others."""
    got: int = 0
    """From others in trades."""
    gave: int = 0
    """To others in trades."""
    bought: int = 0
    """From the bank in trades."""
    paid: int = 0
    """To the bank in trades."""
    discarded: int = 0
    """On a seven, as soon as they are chosen (D4)."""
    spent: int = 0
    """On roads, buildings and development cards."""
    returned: int = 0
    """To the bank on leaving the game (I7)."""

    @property
    def held(self) -> int:
        """What is left in the hand."""
        came = self.made + self.plenty + self.robbed + self.won + self.got + self.bought
        return came - self.lost - self.ceded - self.gave - self.paid - self.discarded - self.spent - self.returned


GOING = ("lost", "ceded", "gave", "paid", "discarded", "spent", "returned")
"""The ways of an account by which cards go; by the others they come."""


class Flow(NamedTuple):
    """Cards that came to a seat, or went from it, by one of the ways of an `Account`."""

    seat: int
    way: str
    cards: Hand
    other: int = -1
    """From whom the robber took, or who took with it."""


class Story(NamedTuple):
    """A game in figures; they hold no secret, as kinds of cards and, while the game is on, hidden points are left out
    (M)."""

    points: tuple[tuple[int, ...], ...]
    """Points by seat at the end of setup, of each turn and now; with those of hidden cards once the game is over."""
    accounts: tuple[Account, ...]
    """By seat."""
    robberies: tuple[tuple[int, ...], ...]
    """Cards that each seat took with the robber, by the seat that lost them."""


def story_of(config: Config, records: Iterable[Record]) -> Story:
    """The figures of a game from its log; raises as `Game.replay`."""
    seats = range(config.players)
    seen: list[tuple[int, ...]] = []
    whole: list[tuple[int, ...]] = []
    done: _Done = []
    for game in _followed(config, records, done):
        state = game.state
        for told, points in ((seen, state.points), (whole, state.all_points)):
            del told[game.turn :]  # it is still this turn, or again
            told += [tuple(map(points, seats))] * (game.turn + 1 - len(told))
    totals = [dict.fromkeys(Account._fields, 0) for _ in seats]
    robberies = [[0] * config.players for _ in seats]
    for flow in _flows(done):
        totals[flow.seat][flow.way] += sum(flow.cards)
        if flow.way == "robbed":
            robberies[flow.seat][flow.other] += 1
    return Story(
        tuple(seen if game.outcome is None else whole),
        tuple(Account(**ways) for ways in totals),
        tuple(map(tuple, robberies)),
    )


def flows_of(config: Config, records: Iterable[Record]) -> list[Flow]:
    """All cards that moved and were not taken back, in order, with their kinds, which others may not know (M)."""
    done: _Done = []
    for _ in _followed(config, records, done):
        pass
    return _flows(done)


_Done = list[tuple[int, list[Flow]]]
"""What was done and not taken back: by whom, and what it moved."""


def _followed(config: Config, records: Iterable[Record], done: _Done) -> Iterator[Game]:
    """The game after each record, which is noted in `done`, or struck from it when taken back."""
    for game in Game.each(config, records):
        undone = next((event.seat for event in game.last_events if isinstance(event, ev.Undone)), None)
        if undone is not None:
            del done[max(at for at, (actor, _) in enumerate(done) if actor == undone)]
        elif game.last_events:
            record, flows = game.records[-1], list[Flow]()
            for event in game.last_events:
                if isinstance(event, ev.Resigned):
                    flows.append(Flow(event.seat, "returned", _held(_flows(done), event.seat)))
                elif isinstance(event, ev.DiscardChosen):
                    flows.append(Flow(event.seat, "discarded", _thrown(game, event.seat)))
                elif isinstance(event, ev.DiscardTakenBack):
                    latest = (f for f in reversed(_flows(done)) if (f.seat, f.way) == (event.seat, "discarded"))
                    flows.append(Flow(event.seat, "discarded", hand(-n for n in next(latest).cards)))
                else:
                    flows += _moved(event, game.rules.data)
            done.append((record.actor, flows))
        yield game


def _thrown(game: Game, seat: int) -> Hand:
    """What a seat has just chosen to discard, or what was chosen for it as its time was over."""
    action = game.records[-1].action
    if isinstance(action, Discard):
        return action.cards
    for event in game.last_events:
        if isinstance(event, ev.Discarded) and event.seat == seat:
            return event.cards
    step = next(step for step in game.state.agenda if isinstance(step, Discards))
    return step.chosen[seat] or NOTHING


def _flows(done: _Done) -> list[Flow]:
    return [flow for _, flows in done for flow in flows]


def _held(flows: Iterable[Flow], seat: int) -> Hand:
    """What a seat holds after all that."""
    counts = [0] * 5
    for flow in flows:
        if flow.seat == seat:
            for kind, n in enumerate(flow.cards):
                counts[kind] += -n if flow.way in GOING else n
    return hand(counts)


def _moved(event: ev.Event, data: Data) -> list[Flow]:
    """The cards that an event moved."""
    match event:
        case ev.Produced():
            return [Flow(event.seat, "made", event.cards)]
        case ev.PlentyTaken():
            return [Flow(event.seat, "plenty", event.cards)]
        case ev.CardTaken():
            card = single(event.card.value if isinstance(event.card, Secret) else event.card)
            return [
                Flow(event.seat, "robbed", card, event.victim),
                Flow(event.victim, "lost", card, event.seat),
            ]
        case ev.Monopolised():
            ceded = [Flow(seat, "ceded", single(event.resource, n)) for seat, n in event.taken]
            return [Flow(event.seat, "won", single(event.resource, sum(n for _, n in event.taken))), *ceded]
        case ev.Traded():
            return [
                Flow(event.seat, "gave", event.give),
                Flow(event.seat, "got", event.get),
                Flow(event.partner, "gave", event.get),
                Flow(event.partner, "got", event.give),
            ]
        case ev.BankTraded():
            return [Flow(event.seat, "paid", event.give), Flow(event.seat, "bought", event.get)]
        case ev.Built(free=False):
            costs = {
                Piece.ROAD: data.road_cost,
                Piece.BRIDGE: data.bridge_cost,
                Piece.SETTLEMENT: data.settlement_cost,
                Piece.CITY: data.city_cost,
            }
            return [Flow(event.seat, "spent", costs[event.piece])]
        case ev.CardBought():
            return [Flow(event.seat, "spent", data.card_cost)]
    return []
