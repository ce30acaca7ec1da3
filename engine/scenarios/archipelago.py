"""Boards with land, harbors and sea shuffled together (K2-K4): how tokens are laid and harbors turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.board import Board, Harbor
from engine.geometry import Grid, Hex, grid
from engine.refusals import config_refusal
from engine.resources import DESERT, SEA
from engine.scenarios.components import pick, robber_start, shuffled
from engine.scenarios.laying import RED, spirals
from engine.scenarios.scenario import Draw

LAYINGS = 100
"""How often tokens are laid before the board is dealt again (K2)."""
DEALS = 20


NO_TOKEN_LAYOUT = config_refusal("board/tokens", "No layout of the number tokens was found: please try again.")


@dataclass(frozen=True)
class Archipelago:
    """An outline with its components; `Archipelago.deal` makes a board from it.

    `terrain` are the land hexes, `harbors` the kinds of the harbor hexes; the rest of the outline is sea.
    There are at least as many `tokens` as land hexes that take one.
    """

    outline: tuple[Hex, ...]
    terrain: tuple[int, ...]
    harbors: tuple[int, ...]
    tokens: tuple[int, ...]

    @cached_property
    def grid(self) -> Grid:
        """The tables of the outline."""
        return grid(self.outline, (), whole=True)

    @cached_property
    def spirals(self) -> tuple[tuple[int, ...], ...]:
        """The orders in which hex ids get tokens, one order from each corner."""
        index = {h: i for i, h in enumerate(self.grid.hexes)}
        return tuple(tuple(index[h] for h in order) for order in spirals(self.outline))

    def deal(self, draw: Draw) -> Board:
        """Deal a board: hexes, tokens, facings and the robber's desert are drawn, in this order."""
        for _ in range(DEALS):
            terrain, kinds = self._shuffle(draw)
            for _ in range(LAYINGS):
                tokens = lay_by_redraw(self.grid, pick(self.spirals, draw), terrain, self.tokens, draw)
                if tokens is not None:
                    return Board(
                        land=self.outline,
                        sea=(),
                        terrain=terrain,
                        tokens=tokens,
                        harbors=tuple(turned(self.grid, terrain, kinds, draw)),
                        robber=robber_start(terrain, draw),
                        bridges=True,
                        whole=True,
                    )
        raise NO_TOKEN_LAYOUT()

    def _shuffle(self, draw: Draw) -> tuple[tuple[int, ...], dict[int, int]]:
        """Shuffle the hexes. Returns the terrain by hex id, and the kinds of harbors by harbor hex."""
        plain = len(self.outline) - len(self.terrain) - len(self.harbors)
        tiles: list[tuple[int, int | None]] = [(kind, None) for kind in self.terrain]
        tiles += [(SEA, kind) for kind in self.harbors]
        tiles += plain * [(SEA, None)]
        tiles = shuffled(tiles, draw)
        kinds = {place: kind for place, (_, kind) in enumerate(tiles) if kind is not None}
        return tuple(terrain for terrain, _ in tiles), kinds


def lay_by_redraw(
    grid: Grid, order: Sequence[int], terrain: Sequence[int], pool: Sequence[int], draw: Draw
) -> tuple[int, ...] | None:
    """Tokens by hex id, drawn one after another along the order; None if they can't be laid out (K2).

    Returning a token that conflicts with a neighbor and drawing another is the same as drawing among those that fit.
    """
    left = list(pool)
    tokens = [0] * len(terrain)
    fertile = [h for h in order if terrain[h] not in (DESERT, SEA)]
    for place in fertile:
        fitting = [token for token in left if not conflicts(grid, tokens, place, token)]
        if not fitting and place != fertile[-1]:
            return None
        token = pick(fitting or left, draw)
        left.remove(token)
        tokens[place] = token
        if not fitting and not _swap_last(grid, tokens, fertile):
            return None
    return tuple(tokens)


def conflicts(grid: Grid, tokens: Sequence[int], place: int, token: int) -> bool:
    """Whether a token would be next to an equal number, or a red one next to another red one (K2)."""
    near = [tokens[h] for h in grid.neighbours[place] if h >= 0]
    return token in near or (token in RED and any(number in RED for number in near))


def _swap_last(grid: Grid, tokens: list[int], laid: Sequence[int]) -> bool:
    """Swap the last token laid with the first one where that makes no conflict. Returns whether there was one."""
    last = laid[-1]
    for place in laid[:-1]:
        tokens[place], tokens[last] = tokens[last], tokens[place]
        if not any(conflicts(grid, tokens, h, tokens[h]) for h in (place, last)):
            return True
        tokens[place], tokens[last] = tokens[last], tokens[place]
    return False


def turned(grid: Grid, terrain: Sequence[int], kinds: dict[int, int], draw: Draw) -> Iterator[Harbor]:
    """The harbors, each facing a random side and turned clockwise to land; one that touches no land has no use (K3)."""
    for place, kind in kinds.items():
        facing = draw("board", 6)
        sides = [(facing + turn) % 6 for turn in range(6)]
        beside = grid.neighbours[place]
        landward = (side for side in sides if beside[side] >= 0 and terrain[beside[side]] != SEA)
        yield Harbor(place, next(landward, None), kind)
