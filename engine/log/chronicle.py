"""How a game went, from its log: points by turn, and what became of each player's resource cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine import events as ev
from engine.codec import Secret
from engine.config import Config
from engine.data import Data
from engine.game import Game
from engine.log.lasting import lasting
from engine.record import Record
from engine.resources import NOTHING, Hand, hand, single
from engine.terms import Piece


class Account(NamedTuple):
    """A player's resource cards, all kinds together: how many came and went in which way."""

    made: int = 0
    """From the dice and the second settlement (C5, D2)."""
    plenty: int = 0
    """From year of plenty."""
    robbed: int = 0
    """Taken from others by the robber."""
    lost: int = 0
    """Taken by others with the robber."""
    won: int = 0
    """From the player's own monopolies."""
    ceded: int = 0
    """To others' monopolies."""
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
    """To the bank when resigning (I7)."""

    @property
    def held(self) -> int:
        """What is left in the hand."""
        came = self.made + self.plenty + self.robbed + self.won + self.got + self.bought
        return came - self.lost - self.ceded - self.gave - self.paid - self.discarded - self.spent - self.returned


OUTGOING = ("lost", "ceded", "gave", "paid", "discarded", "spent", "returned")
"""The fields of `Account` in which cards leave the hand; in the others they come."""


class Flow(NamedTuple):
    """Cards that came to a seat or left it in one way; `way` is a field of `Account`."""

    seat: int
    way: str
    cards: Hand
    other: int = -1
    """The other seat of a robbery: the victim of a thief, or the thief of a victim; otherwise -1."""


class Story(NamedTuple):
    """A game in numbers. They reveal no secret: no kinds of cards, and no hidden points during the game (M)."""

    points: tuple[tuple[int, ...], ...]
    """Points by seat at the end of setup, at the end of each turn and now; with hidden cards once the game is over."""
    accounts: tuple[Account, ...]
    """By seat."""
    robberies: tuple[tuple[int, ...], ...]
    """How many cards each seat took with the robber, by the seat that lost them."""


def story_of(config: Config, records: Iterable[Record]) -> Story:
    """The numbers of a game from its log; raises like `Game.replay`."""
    seats = range(config.players)
    visible_points: list[tuple[int, ...]] = []
    full_points: list[tuple[int, ...]] = []
    over = False

    def count_points(game: Game) -> None:
        nonlocal over
        over = game.outcome is not None
        for by_turn, points in ((visible_points, game.state.points), (full_points, game.state.all_points)):
            del by_turn[game.turn :]  # the turn still goes on, or goes on again after an undo
            by_turn += [tuple(map(points, seats))] * (game.turn + 1 - len(by_turn))

    totals = [dict.fromkeys(Account._fields, 0) for _ in seats]
    robberies = [[0] * config.players for _ in seats]
    for flow in _flows(config, records, count_points):
        totals[flow.seat][flow.way] += sum(flow.cards)
        if flow.way == "robbed":
            robberies[flow.seat][flow.other] += 1
    return Story(
        tuple(full_points if over else visible_points),
        tuple(Account(**ways) for ways in totals),
        tuple(map(tuple, robberies)),
    )


def flows_of(config: Config, records: Iterable[Record]) -> list[Flow]:
    """All moves of cards that weren't undone, in order, with the kinds of cards, which others must not know (M)."""
    return _flows(config, records, lambda game: None)


def _flows(config: Config, records: Iterable[Record], watch: Callable[[Game], None]) -> list[Flow]:
    """The same as `flows_of`; `watch` is called with the game after each record."""
    log: list[Sequence[ev.Event]] = []
    found: list[list[Flow]] = []
    before = [NOTHING] * config.players
    for game in Game.each(config, records):
        hands = [hand(counts) for counts in game.state.hands]
        log.append(game.last_events)
        found.append([flow for event in game.last_events for flow in moved(event, game.rules.data, before, hands)])
        before = hands
        watch(game)
    return [flow for number in lasting(log) for flow in found[number]]


def moved(event: ev.Event, data: Data, before: list[Hand], after: list[Hand]) -> list[Flow]:
    """The cards that an event moved. If it doesn't say which, the hands before and after its record do."""
    match event:
        case ev.Resigned():
            return [Flow(event.seat, "returned", event.cards)]
        case ev.DiscardChosen() | ev.DiscardTakenBack():
            cards = hand(a - b for a, b in zip(before[event.seat], after[event.seat], strict=True))
            return [Flow(event.seat, "discarded", cards)]
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
