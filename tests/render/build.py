"""Boards and views built by hand, for the tests of the pictures."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine.board import Board, Harbor
from engine.changes import Changes
from engine.config import COLORS, Config
from engine.events import Event
from engine.geometry import Hex, mask_of, neighbour, ring, rows
from engine.log.chronicle import Account, Story
from engine.outcome import Outcome
from engine.resources import DESERT, GENERIC, SEA, Hand
from engine.step import StepView
from engine.terms import EndReason, StepKind
from engine.views import PlayerView, View

ROLLS = (0, 0, 1, 4, 6, 8, 11, 15, 9, 7, 5, 2, 1)
NUMBERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)


def ringed(land: Sequence[Hex], seed: int = 1, deserts: int = 1) -> Board:
    """An island with a ring of sea. Hexes of the ring have a harbor unless one next to them has."""
    rng = random.Random(seed)
    sea = ring(land)
    hexes = sorted({*land, *sea})
    kinds = [t % 5 for t in range(len(land) - deserts)] + [DESERT] * deserts
    rng.shuffle(kinds)
    by_hex = dict(zip(sorted(land), kinds, strict=True))
    terrain = tuple(by_hex.get(h, SEA) for h in hexes)
    numbers = iter(NUMBERS * 4)
    tokens = tuple(next(numbers) if t < DESERT else 0 for t in terrain)
    harbors, taken = list[Harbor](), set[Hex]()
    for h in around(sea):
        if any(neighbour(h, s) in taken for s in range(6)):
            continue
        sides = [s for s in range(6) if neighbour(h, s) in by_hex]
        taken.add(h)
        harbors.append(Harbor(hexes.index(h), sides[0], (GENERIC, 0, GENERIC, 1, 2, GENERIC, 3, 4)[len(harbors) % 8]))
    return Board(tuple(sorted(land)), sea, terrain, tokens, tuple(harbors), terrain.index(DESERT))


def around(sea: Sequence[Hex]) -> list[Hex]:
    """The hexes of a ring of sea, in the order of sailing around it."""
    left, path = set(sea), [min(sea)]
    left.discard(path[0])
    while left:
        near = [n for s in range(6) if (n := neighbour(path[-1], s)) in left]
        if not near:
            break
        path.append(near[0])
        left.discard(near[0])
    return path


def islands(side: int = 4, seed: int = 1) -> Board:
    """Land and sea shuffled in a hexagon, with bridges and harbors inside the board."""
    rng = random.Random(seed)
    outline = rows(*(2 * side - 1 - abs(k) for k in range(1 - side, side)))
    kinds = [t % 5 for t in range(len(outline) // 2)] + [SEA] * (len(outline) - len(outline) // 2)
    rng.shuffle(kinds)
    hexes = sorted(outline)
    land = tuple(h for h, t in zip(hexes, kinds, strict=True) if t != SEA)
    sea = tuple(h for h, t in zip(hexes, kinds, strict=True) if t == SEA)
    numbers = iter(NUMBERS * 4)
    tokens = tuple(next(numbers) if t < DESERT else 0 for t in kinds)
    harbors = []
    for k, h in enumerate(sea[::2]):
        sides = [s for s in range(6) if neighbour(h, s) in land]
        harbors.append(Harbor(hexes.index(h), sides[0] if sides else None, k % 6))
    return Board(land, sea, tuple(kinds), tokens, tuple(harbors), -1, bridges=True, whole=True)


BASE = ringed(rows(3, 4, 5, 4, 3))
EXTENSION = ringed(rows(3, 4, 5, 6, 5, 4, 3), deserts=2)
BIG = ringed(rows(4, 5, 6, 7, 6, 5, 4))
ISLANDS = islands()
HUGE = islands(5)
_LEFT = rows(3, 4, 5, 4, 3)
PEANUT = ringed(tuple(sorted({*_LEFT, *((r + 1, x + 9) for r, x in _LEFT)})), deserts=2)
BOARDS = {
    "base": BASE, "extension": EXTENSION, "big": BIG, "islands": ISLANDS, "huge": HUGE, "peanut": PEANUT,
}  # fmt: skip


def player(seat: int, color: str, roads: Sequence[int] = (), settlements: Sequence[int] = (),
           cities: Sequence[int] = (), hand: Hand | None = None, development: Hand | None = None,
           fresh: Hand | None = None) -> PlayerView:  # fmt: skip
    """A player with pieces at the given places."""
    return PlayerView(
        seat=seat, player=seat, color=color, roads=mask_of(roads), settlements=mask_of(settlements),
        cities=mask_of(cities), hand_size=sum(hand) if hand else 3, hand=hand,
        development_count=sum(development) if development else 1, development_cards=development, fresh_cards=fresh,
        played=(seat % 4, 0, 0, 0, 0), points=len(settlements) + 2 * len(cities), all_points=None,
        road_length=len(roads), pieces_left=(15, 5, 4), rates=(4, 4, 4, 4, 4),
    )  # fmt: skip


def view(board: Board = BASE, players: Sequence[PlayerView] = (), *, last: tuple[Event, ...] = (),
         robber: int | None = None, dice: tuple[int, int] | None = None, seat: int | None = None,
         rolls: tuple[int, ...] = (0,) * 13,
         changes: Changes | None = None) -> View:  # fmt: skip
    """A view of a game in play."""
    seats = tuple(players) or tuple(player(s, COLORS[s]) for s in range(4))
    return View(
        seat=seat, config=Config(tuple(p.color for p in seats)), board=board, revision=9,
        step=StepView(StepKind.MAIN, 1), agenda=(), on_turn=0, turn=9, round=3, turns=(3, 2, 2, 2), first=0,
        free_intersections=0, players=seats,
        bank=(19, 19, 19, 19, 19), deck=20, robber=board.robber if robber is None else robber, longest_road=0,
        largest_army=min(3, len(seats) - 1), dice=dice, rolls=rolls, offers=(), events=(), last=last,
        changes=Changes.of(last) if changes is None else changes, built=False, card_played=False,
        may_count_points=True, end_votes=0, call_off_votes=0, asked_to_build=False,
    )  # fmt: skip


def busy(board: Board, count: int = 4, seed: int = 3) -> View:
    """A late position, with pieces scattered at random, without regard to the rules of building."""
    rng = random.Random(seed)
    grid = board.grid
    nodes = [n for n in range(len(grid.nodes)) if board.settle_mask >> n & 1]
    edges = [e for e in range(len(grid.edges)) if (board.road_mask | board.bridge_mask) >> e & 1]
    rng.shuffle(nodes)
    free: list[int] = []
    for n in nodes:
        if not any(board.blocks[m] >> n & 1 for m in free):
            free.append(n)
    rng.shuffle(edges)
    players = []
    for s in range(count):
        mine, free = free[:5], free[5:]
        own = [e for n in mine for e in grid.node_edges[n] if e in edges][:9]
        for e in own:
            edges.remove(e)
        more = [edges.pop() for _ in range(min(2, len(edges)))]
        players.append(player(s, COLORS[s], own + more, mine[:3], mine[3:]))
    robber = next(h for h, t in enumerate(board.tokens) if t == 8)
    return view(board, players, robber=robber, dice=(4, 2))


def game(players: int = 4, turns: int = 60, over: bool = True) -> tuple[View, Story]:
    """A game in which the first seat gains points, from 2 up to 10, and all others stay at 2."""
    seats = [player(seat, COLORS[seat], settlements=[seat], cities=[20 + seat]) for seat in range(players)]
    points = tuple(tuple(2 + 8 * turn // turns * (seat == 0) for seat in range(players)) for turn in range(turns + 1))
    account = Account(made=118, robbed=players - 1, lost=players - 1, discarded=22, spent=76)
    robberies = tuple(tuple(int(thief != victim) for victim in range(players)) for thief in range(players))
    shown = replace(view(players=seats, rolls=ROLLS), turn=turns, on_turn=None if over else 0)
    if over:
        outcome = Outcome(EndReason.TARGET, (0,), points[-1])
        shown = replace(shown, step=StepView(StepKind.OVER, 0), outcome=outcome)
    return shown, Story(points, (account,) * players, robberies)
