"""On a phone, which shows a picture 340 pixels wide: digits stay legible, and nothing covers anything else."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import dist

import pytest
from PIL import Image, ImageChops

import render
from engine.board import Board
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from engine.geometry import bits
from engine.scenarios import SCENARIOS
from engine.terms import Piece
from engine.views import View
from render import strip
from render.fonts import em, tight
from render.harbors import sign
from render.layout import Layout, layout
from render.palette import (
    BLOCKED,
    GOLD,
    INK,
    PAPER,
    PLAYERS,
    RED,
    ROBBER,
    TERRAIN,
    THEMES,
    Color,
    faced,
    on,
)
from render.pieces import building, road
from render.robber import robber
from render.scene import Sprite, put
from render.terrain import tile
from render.tokens import figure, token
from tests.render.colors import decoded, pixels

WIDTH, PHONE = 1200, 340
LEAST = {4: (10, 8), 6: (9, 7), 8: (9, 7)}
"""Least heights of digits on tokens and harbors on a phone, in pixels, by the most players of a board."""
LOOKS = [
    render.Look(palette, dark, large)
    for palette in PLAYERS
    for dark in (False, True)
    for large in (False, True)
    if palette == "standard" or dark
]


@cache
def empty(scenario: str) -> View:
    """A board without pieces."""
    players = max(SCENARIOS[scenario].players)
    config = Config(SCENARIOS[scenario].colors_for(players)[:players], scenario=scenario)
    return Game.new(config, SeededChance(bytes(32), "", ())).view(None)


def inked(image: Image.Image, middle: tuple[float, float], wide: float, above: float, below: float) -> float:
    """Height on a phone of what is written in a part of a picture, in pixels of a phone: of the rows in which a pixel
    stands out from the left rim of that part. `wide`, `above` and `below` are distances from the middle."""
    x, y = middle
    part = image.crop((round(x - wide), round(y - above), round(x + wide), round(y + below)))
    ground = part.getpixel((0, part.height // 2))
    assert isinstance(ground, tuple)
    found, rows = pixels(part), range(part.height)

    def stands_out(row: int) -> bool:
        return any(contrast(pixel, ground) > 2 for pixel in {*found[row * part.width : (row + 1) * part.width]})

    first, last = next(filter(stands_out, rows)), next(filter(stands_out, reversed(rows)))
    return (last - first + 1) * PHONE / WIDTH


@cache
def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """How much two colors differ in lightness, from 1 to 21 (WCAG)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: tuple[int, ...]) -> float:
    parts = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@cache
def heights(scenario: str, look: render.Look) -> tuple[float, float]:
    """The least height of digits on a board's tokens, and on its harbor signs, as drawn."""
    shown = empty(scenario)
    place = layout(shown.board, WIDTH, look.large)
    image = decoded(render.board(shown, look=look, strip=False))
    digits, rate = place.sizes.digits, place.sizes.rate
    tokens = [
        inked(image, place.hex(h), 0.86 * digits if number > 9 else 0.5 * digits, 0.74 * digits, 0.43 * digits)
        for h, number in enumerate(shown.board.tokens)
        if number and h != shown.robber
    ]
    signs = [
        inked(image, (x + 0.64 * rate, y), 0.3 * rate, 0.24 * rate, 0.84 * rate)
        for x, y in (place.harbor(harbor) for harbor in shown.board.harbors)
    ]
    return min(tokens), min(signs)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_digits_are_high_enough_on_a_phone(scenario: str, look: render.Look) -> None:
    measured = heights(scenario, look)
    least = LEAST[max(SCENARIOS[scenario].players)]
    assert measured[0] >= least[0]
    assert measured[1] >= least[1]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_large_look_has_larger_digits_everywhere(scenario: str) -> None:
    usual, large = (heights(scenario, render.Look(large=large)) for large in (False, True))
    assert large[0] > usual[0]
    assert large[1] > usual[1]
    look = render.Look(large=True)
    assert all(look.scaled(size) > size for size in (strip.NAME, strip.POINTS, strip.FIGURE))


def mask(size: tuple[int, int], sprites: list[Sprite]) -> Image.Image:
    """Where sprites are opaque."""
    found = Image.new("L", size)
    for sprite in sprites:
        found.paste(255, (sprite.x, sprite.y), opaque(sprite))
    return found


def opaque(sprite: Sprite) -> Image.Image:
    """Where a sprite is opaque, in an image of its own size."""
    return sprite.image.getchannel("A").point([255 * (n > 127) for n in range(256)])


def pieces(place: Layout) -> list[Sprite]:
    """A city on each intersection, and a road on each edge, more than there can ever be."""
    board, r = place.board, place.radius
    found = [put(place.node(n), building, Piece.CITY, "red", r) for n in bits(board.settle_mask)]
    for e in bits(board.road_mask | board.bridge_mask):
        kind = Piece.BRIDGE if board.bridge_mask >> e & 1 else Piece.ROAD
        found.append(put(place.edge(e), road, kind, "red", place.slant(e), r))
    return found


def standing(place: Layout) -> dict[int, Sprite]:
    """What stands in the middle of hexes: tokens and harbor signs, by hex."""
    board, sizes = place.board, place.sizes
    found = {h: put(place.hex(h), token, number, sizes.digits) for h, number in enumerate(board.tokens) if number}
    signs = {one.hex: put(place.harbor(one), sign, one.kind, one.rate, sizes.rate) for one in board.harbors}
    return found | signs


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_covers_anything_else(scenario: str, large: bool) -> None:
    """Neither tokens, harbor signs nor the robber, wherever it is, cover each other, a city or a road."""
    board: Board = empty(scenario).board
    place = layout(board, WIDTH, large)
    size = (place.width, place.height)
    built, there = mask(size, pieces(place)), standing(place)
    tiles = [put(place.hex(h), tile, 0, place.radius, 0.5) for h in bits(board.land_mask)]
    land = mask(size, tiles)
    assert not any(_covers(sprite, built) for sprite in there.values())
    for one, other in combinations(there.values(), 2):
        if abs(one.x - other.x) < 2 * place.radius and abs(one.y - other.y) < 2 * place.radius:
            assert not _covers(one, mask(size, [other]))
    for h in bits(board.land_mask | board.harbor_mask):
        figure_ = put(place.robber(h), robber, place.radius, place.body(h))
        assert not _covers(figure_, built), h
        if board.harbor_mask >> h & 1:
            assert not _covers(figure_, land), h
        near = 3 * place.radius
        others = [s for at, s in there.items() if at != h and dist((s.x, s.y), (figure_.x, figure_.y)) < near]
        assert not _covers(figure_, mask(size, others)), h


def _covers(sprite: Sprite, drawn: Image.Image) -> int:
    """How many pixels of a mask a sprite covers."""
    width, height = sprite.image.size
    below = drawn.crop((sprite.x, sprite.y, sprite.x + width, sprite.y + height))
    return ImageChops.multiply(opaque(sprite), below).histogram()[255]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_number_fits_on_its_token_and_a_rate_on_its_sign(scenario: str, large: bool) -> None:
    sizes = layout(empty(scenario).board, WIDTH, large).sizes
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        side = 2 * round(sizes.token)
        assert _farthest(figure(number, sizes.digits, INK, side)) <= sizes.token - 0.5
    words = tight("3:1", em(sizes.rate), INK)
    assert words.width < 1.6 * sizes.sign


def _farthest(image: Image.Image) -> float:
    """How far from the middle something is drawn."""
    opaque = image.getchannel("A").point([255 * (n > 127) for n in range(256)]).tobytes()
    middle = (image.width - 1) / 2
    return max(dist(divmod(at, image.width), (middle, middle)) for at, level in enumerate(opaque) if level)


@pytest.mark.parametrize("dark", [False, True])
def test_words_and_numbers_stand_out_in_the_light_and_the_dark_look(dark: bool) -> None:
    theme = THEMES[dark]
    pairs: list[tuple[Color, Color]] = [
        (theme.number, theme.token), (theme.often, theme.token), (theme.ink, theme.paper), (theme.ink, theme.panel),
        (BLOCKED, ROBBER), (INK, GOLD), (theme.ink, faced(PAPER, dark)),
    ]  # fmt: skip
    pairs += [(theme.ink, faced(colors[0], dark)) for colors in TERRAIN]
    for letters, ground in pairs:
        assert contrast(letters, ground) >= 4.3, (letters, ground)
    assert contrast(theme.grey, theme.panel) >= 3
    assert contrast(RED, GOLD) >= 4, "large figures"


@pytest.mark.parametrize("palette", PLAYERS)
def test_marks_and_names_stand_out_on_every_players_color(palette: render.PaletteName) -> None:
    for color, body in PLAYERS[palette].items():
        assert contrast(on(body), body) >= 3, color
