"""What is said about roads and buildings, and about players who build between the turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.words.language import N_, NN_, _, n_
from bot.words.marks import cards, corner_signs, listing
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.resources import total
from engine.scenarios import SCENARIOS
from engine.terms import Piece

NAMED_PIECES = {
    Piece.ROAD: N_("a road at {place}"),
    Piece.BRIDGE: N_("a bridge at {place}"),
    Piece.SETTLEMENT: N_("a settlement at {place}"),
    Piece.CITY: N_("a city at {place}"),
}
"""With the names of places, as in a file."""
_SEEN = {
    Piece.SETTLEMENT: (N_("a settlement"), N_("a settlement on {signs}")),
    Piece.CITY: (N_("a city"), N_("a city on {signs}")),
}
"""As everyone sees them on the board: next to no number, and next to some."""
_WAYS = {
    Piece.ROAD: (N_("a road"), NN_("{n} road", "{n} roads")),
    Piece.BRIDGE: (N_("a bridge"), NN_("{n} bridge", "{n} bridges")),
}
"""One and several of them: the newest are marked in the picture."""
_NEWEST = {
    Piece.ROAD: N_("Newest: road {place}."),
    Piece.BRIDGE: N_("Newest: bridge {place}."),
    Piece.SETTLEMENT: N_("Newest: settlement {place}."),
    Piece.CITY: N_("Newest: city {place}."),
}

_built = either("free", N_("{name} placed {pieces}."), N_("{name} built {pieces}."))


def pieces(built: Sequence[ev.Built], reader: Reader) -> list[str]:
    """Pieces in words: "a settlement on 🌾9 🪨8 🐑3", "2 roads"; with names of places "a road at c4"."""
    if reader.named:
        return [_(NAMED_PIECES[e.piece], place=_place(e, reader)) for e in built]
    found = []
    for piece, same in groupby(built, key=lambda e: e.piece):
        if piece in _WAYS:
            (one, many), n = _WAYS[piece], len([*same])
            found.append(_(one) if n == 1 else n_(*many, n))
        else:
            found += [_building(e, reader) for e in same]
    return found


def _building(event: ev.Built, reader: Reader) -> str:
    signs = corner_signs(reader.view.board, event.place)
    return _(_SEEN[event.piece][bool(signs)], signs=signs)


def _place(event: ev.Built, reader: Reader) -> str:
    grid = reader.view.board.grid
    return (grid.edge_names if event.piece.on_edge else grid.node_names)[event.place]


def _built_in_a_row(event: ev.Built, reader: Reader, values: Values) -> str:
    if event.free and event.piece is Piece.SETTLEMENT and SCENARIOS[reader.view.config.scenario].start:
        return _all_first_pieces(reader)
    return _built(event, reader, values | {"pieces": in_a_row(event, reader)})


def in_a_row(first: ev.Built, reader: Reader) -> str:
    """Pieces that one seat placed in a row, with the cards that a second settlement gives."""
    parts, built = list[str](), [first]
    while next_ := (
        reader.take(ev.Built, lambda e: (e.seat, e.free) == (first.seat, first.free))
        or reader.take(ev.Produced, lambda e: e.setup and e.seat == first.seat)
    ):
        if isinstance(next_, ev.Built):
            built.append(next_)
        elif any(next_.cards):
            *others, last = pieces(built, reader)
            parts += [*others, f"{last} (+{cards(next_.cards)})"]
            built = []
    return listing(parts + pieces(built, reader))


def _all_first_pieces(reader: Reader) -> str:
    """A line for all pieces that stand from the beginning, so no one places any (B7), and the cards that they yield."""
    has_cards = False
    while next_ := reader.take(ev.Built) or reader.take(ev.Produced, lambda e: e.setup):
        has_cards |= isinstance(next_, ev.Produced)
    if has_cards:
        return _("🏠 The first settlements and roads are placed, and everyone has their first cards.")
    return _("🏠 The first settlements and roads are placed.")


def first_pieces(events: Sequence[ev.Built | ev.Produced], reader: Reader) -> str:
    """All that one seat placed and got in setup, for the log."""
    built = pieces([e for e in events if isinstance(e, ev.Built)], reader)
    got = [e.cards for e in events if isinstance(e, ev.Produced)]
    values = {"name": reader.names[events[0].seat], "pieces": listing(built), "cards": cards(total(got))}
    if not got:
        return _("**{name}** placed {pieces}.", **values)
    if not built:
        return _("**{name}** started with {cards}.", **values)
    return _("**{name}** placed {pieces}. Started with {cards}.", **values)


EVENTS: Tellings = {
    ev.Built: Telling(
        _built,
        story=_built_in_a_row,
        alt=lambda e, reader, values: _(_NEWEST[e.piece], place=_place(e, reader)),
        more=lambda e, reader: {"pieces": listing(pieces([e], reader))},
        decided=N_("placed your pieces"),
    ),
    ev.BuildersCalled: Telling(
        N_("Building between turns: {names}."),
        story="",  # the headline says it
        more=lambda e, reader: {"names": listing((reader.names[seat] for seat in e.seats), "then")},
    ),
    ev.RequestsOpened: Telling(N_("Last call: ask now to build before the next turn."), story=""),
    ev.Passed: Telling(N_("{name} passed."), log="", decided=N_("passed")),
}
