"""Laying number tokens on an island (B5): in a spiral, scattered, or scattered evenly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from engine.board import pips
from engine.geometry import Grid, Hex, neighbour
from engine.refusals import config_refusal
from engine.resources import DESERT
from engine.scenarios.components import pick
from engine.scenarios.scenario import Draw

RED = (6, 8)
MOST_PIPS = 12
"""Most pips at an intersection of a balanced board."""
TRIES = 200
"""How many times tokens are scattered before the configuration is refused."""

Fits = Callable[[int, int, Sequence[int]], bool]
"""`fits(hex, token, tokens)`: whether a token can go to a hex, given the tokens laid by hex id (0: none yet)."""


@lru_cache(maxsize=16)
def spirals(outline: tuple[Hex, ...]) -> tuple[tuple[Hex, ...], ...]:
    """The orders of a hexagon's hexes, counterclockwise and inward, one from each of its corners in reading order."""
    inside = set(outline)
    corners = [h for h in sorted(inside) if sum(neighbour(h, s) in inside for s in range(6)) == 3]
    return tuple(_spiral(inside, corner) for corner in corners)


def _spiral(hexes: set[Hex], start: Hex) -> tuple[Hex, ...]:
    left, order = set(hexes), list[Hex]()
    while left:
        ring = [start]
        while (following := _along_the_rim(ring[-1], left)) not in (None, start):
            assert following is not None
            ring.append(following)
        order += ring
        left -= set(ring)
        start = next((beside for s in range(6) if (beside := neighbour(start, s)) in left), start)
    return tuple(order)


def _along_the_rim(place: Hex, hexes: set[Hex]) -> Hex | None:
    """The next hex counterclockwise along the rim: the outside stays on the right."""
    for side in range(6):
        if neighbour(place, side) in hexes and neighbour(place, side + 1) not in hexes:
            return neighbour(place, side)
    return None


NO_LAYOUT = config_refusal(
    "layout/impossible",
    "No layout of the number tokens fits these rules: please choose another layout.",
)


def lay_spiral(order: Sequence[int], terrain: Sequence[int], letters: Sequence[int], tokens: list[int]) -> None:
    """Lay tokens by letter along an order of hexes; a desert is skipped."""
    fertile = (h for h in order if terrain[h] != DESERT)
    for h, token in zip(fertile, letters, strict=True):
        tokens[h] = token


def scatter(
    parts: Sequence[tuple[Sequence[int], Sequence[int]]], terrain: Sequence[int], fits: Fits, draw: Draw
) -> list[int]:
    """Tokens by hex id. Each gets a random place among those where it fits, the likeliest numbers first.

    `parts` are (hexes, tokens), each laid on its own. Raises `ConfigError` after `TRIES` failures.
    """
    for _ in range(TRIES):
        tokens = _scatter_once(parts, terrain, fits, draw)
        if tokens is not None:
            return tokens
    raise NO_LAYOUT()


def _scatter_once(
    parts: Sequence[tuple[Sequence[int], Sequence[int]]], terrain: Sequence[int], fits: Fits, draw: Draw
) -> list[int] | None:
    tokens = [0] * len(terrain)
    for hexes, numbers in parts:
        free = [h for h in hexes if terrain[h] != DESERT]
        for token in sorted(numbers, key=pips, reverse=True):
            places = [h for h in free if fits(h, token, tokens)]
            if not places:
                return None
            place = pick(places, draw)
            tokens[place] = token
            free.remove(place)
    return tokens


def apart(grid: Grid) -> Fits:
    """The condition of `random`: no two red numbers side by side."""
    beside = _beside(grid)

    def fits(place: int, token: int, tokens: Sequence[int]) -> bool:
        return token not in RED or not any(tokens[h] in RED for h in beside[place])

    return fits


def even(grid: Grid, terrain: Sequence[int], numbers: Sequence[int]) -> Fits:
    """The conditions of `balanced`: also no equal numbers side by side, no rich intersection, the red shared out."""
    beside = _beside(grid)
    around = [
        [[h for h in grid.node_hexes[n] if h != place] for n in nodes if n >= 0]
        for place, nodes in enumerate(grid.hex_nodes)
    ]
    share = -(-sum(number in RED for number in numbers) // 5)

    def fits(place: int, token: int, tokens: Sequence[int]) -> bool:
        near = [tokens[h] for h in beside[place]]
        if token in near:
            return False
        if token in RED:
            if any(number in RED for number in near):
                return False
            kind = terrain[place]
            if sum(number in RED and terrain[h] == kind for h, number in enumerate(tokens)) >= share:
                return False
        room = MOST_PIPS - pips(token)
        return all(sum(pips(tokens[h]) for h in others) <= room for others in around[place])

    return fits


def _beside(grid: Grid) -> list[list[int]]:
    return [[h for h in row if h >= 0] for row in grid.neighbours]
