"""The board picture: what is where, for every kind of board, and nothing that isn't for all to see."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import dist, sqrt
from operator import sub
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from bench.picture import NAMES, views
from engine.changes import Changes
from engine.config import COLORS
from engine.events import Built, CardBought, CardTaken, Event, RobberMoved, Rolled
from engine.geometry import bits
from engine.outcome import Outcome
from engine.scenarios import SCENARIOS
from engine.terms import EndReason, Piece
from engine.views import View
from render import bands, strip
from render.layout import Layout, layout
from render.palette import BLOCKED, CREAM, GOLD, PLANK, PLAYERS, RED, ROBBER, SEAS
from tests.render.build import BASE, BOARDS, ISLANDS, busy, player, view
from tests.render.colors import decoded, near, pixels, share

GOLDEN = Path(__file__).with_name("golden")
WIDTH = 1200


@pytest.mark.parametrize("palette", PLAYERS)
@pytest.mark.parametrize("color", COLORS)
def test_pieces_show_their_players_colour_at_their_place(color: str, palette: render.PaletteName) -> None:
    place = layout(BASE, WIDTH)
    image = decoded(render.board(view(players=[player(0, color, [10], [5], [30])]), look=render.Look(palette)))
    shade = PLAYERS[palette][color]
    assert near(image, place.node(5), shade, 14)
    assert near(image, place.node(30), shade, 20)
    a, b = place.ends(10)
    assert near(image, (a[0] * 0.7 + b[0] * 0.3, a[1] * 0.7 + b[1] * 0.3), shade, 3)


def test_a_bridge_looks_different_from_a_road() -> None:
    roads = [next(bits(ISLANDS.road_mask))]
    bridges = [next(bits(ISLANDS.bridge_mask))]
    place = layout(ISLANDS, WIDTH)
    image = decoded(render.board(view(ISLANDS, [player(0, "red", roads + bridges)])))
    patches = []
    for e in roads + bridges:
        x, y = place.edge(e)
        patches.append(image.crop((round(x) - 30, round(y) - 30, round(x) + 30, round(y) + 30)))
    road, bridge = (sum(max(map(abs, map(sub, pixel, PLANK))) < 4 for pixel in pixels(patch)) for patch in patches)
    assert bridge > 100
    assert not road


def test_the_robber_stands_on_the_token_of_its_hex_and_the_number_is_gray_on_it() -> None:
    h = BASE.tokens.index(8)
    place = layout(BASE, WIDTH)
    x, y = place.robber(h)
    image = decoded(render.board(view(robber=h)))
    assert near(image, (x, y - 0.5 * place.radius), ROBBER, 8)
    assert near(image, (x + 0.8 * place.body(h), y), ROBBER, 3)
    assert not near(image, (x, y), RED, 30)
    assert near(image, (x, y), BLOCKED, 30)
    elsewhere = decoded(render.board(view(robber=-1)))
    cx, cy = place.hex(h)
    assert near(elsewhere, (cx, cy), RED, 30)
    assert near(elsewhere, (cx + 0.28 * place.radius, cy), CREAM, 3)


@pytest.mark.parametrize(
    ("event", "where"),
    [
        (Built(0, Piece.ROAD, 10), lambda p: p.edge(10)),
        (Built(0, Piece.SETTLEMENT, 5), lambda p: p.node(5)),
        (Built(0, Piece.CITY, 30), lambda p: p.node(30)),
        (RobberMoved(0, 3, BASE.robber), lambda p: p.hex(BASE.robber)),
        (Rolled(0, (3, 2)), lambda p: p.hex(BASE.tokens.index(5))),
    ],
)
def test_the_last_change_is_marked(event: Event, where: Callable[[Layout], tuple[float, float]]) -> None:
    players = [player(0, "blue", [10], [5], [30])]
    at = where(layout(BASE, WIDTH))
    reach = 54
    before = decoded(render.board(view(players=players)))
    after = decoded(render.board(view(players=players, last=(event,))))
    assert near(after, at, GOLD, reach)
    assert not near(before, at, GOLD, reach)


@pytest.mark.parametrize("name", ["base", "huge"])
def test_the_mark_of_a_robber_that_has_moved_hides_nothing(name: str) -> None:
    """It hides neither the number of its hex nor the pieces around it, wherever it is, and it can be seen."""
    board = BOARDS[name]
    place, grid = layout(board, WIDTH), board.grid
    for h in [h for h, number in enumerate(board.tokens) if number][::5]:
        nodes = [n for n, hexes in enumerate(grid.node_hexes) if h in hexes]
        edges = [e for e, ends in enumerate(grid.edges) if set(ends) <= set(nodes)]
        shown = view(board, [player(0, "white", edges, nodes[::2], nodes[1::2])], robber=h)
        far = max(range(len(board.terrain)), key=lambda other: dist(place.hex(h), place.hex(other)))
        plain = decoded(render.board(shown))
        marked = decoded(render.board(dataclasses.replace(shown, changes=Changes.of((RobberMoved(0, h, far),)))))
        spots = [(place.hex(h), 0.26), *((place.node(n), 0.18) for n in nodes), *((place.edge(e), 0.1) for e in edges)]
        for (x, y), part in spots:
            reach = part * place.radius * sqrt(0.5)
            box = round(x - reach), round(y - reach), round(x + reach), round(y + reach)
            assert not ImageChops.difference(marked.crop(box), plain.crop(box)).getbbox(), (h, box)
        x, y = (round(at) for at in place.robber(h))
        r = round(place.radius)
        around = x - r // 2, y - r, x + r // 2, y + r // 2
        gold, before = (share(image.crop(around), GOLD, near=5) for image in (marked, plain))
        assert gold - before > 0.03, h


def test_all_viewers_get_the_same_bytes() -> None:
    """Hands, cards, hidden points and the viewer's own events change nothing (M)."""
    public_view = busy(BASE)
    plain = render.board(public_view)
    for seat in range(4):
        players = tuple(
            dataclasses.replace(
                p,
                hand=(3, 0, 0, 0, 0),
                development_cards=(0, 1, 0, 0, 0),
                fresh_cards=(0, 1, 0, 0, 0),
                all_points=9,
            )
            if p.seat == seat
            else p
            for p in public_view.players
        )
        own_view = dataclasses.replace(
            public_view,
            seat=seat,
            players=players,
            asked_to_build=True,
            last=(CardTaken(seat, 1, 2), CardBought(seat, 4)),
            events=(CardBought(seat, 4),),
        )
        assert render.board(own_view) == plain


def test_hidden_points_are_shown_when_the_game_is_over() -> None:
    over = dataclasses.replace(busy(BASE), outcome=Outcome(EndReason.TARGET, (0,), (10, 3, 4, 5)))
    assert render.board(over) != render.board(busy(BASE))


@pytest.mark.parametrize("name", BOARDS)
def test_the_file_is_complete_and_valid(name: str) -> None:
    """Zlib checks the Adler-32 of the rows, which is combined from those of the bands. Pillow checks the CRC of the
    chunks."""
    shown = busy(BOARDS[name], 8)
    data = render.board(shown)
    at = data.index(b"IDAT")
    rows = zlib.decompress(data[at + 4 : at + 4 + int.from_bytes(data[at - 4 : at])])
    image = decoded(data)
    assert image.size == (WIDTH, layout(shown.board, WIDTH).height + strip.height(8))
    assert len(rows) == (WIDTH + 1) * image.height


def test_cached_bands_make_the_same_picture_as_a_fresh_drawing() -> None:
    """Each position is drawn after others of the same board, in many threads, and after a restart."""
    shown = [busy(board, 4, seed) for board in (BASE, ISLANDS) for seed in range(4)]
    alone = []
    for v in shown:
        bands.kept.cache_clear()
        alone.append(render.board(v))
    bands.kept.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(render.board, shown * 3)) == alone * 3
    info = bands.kept.cache_info()
    assert info.hits > info.bands  # threads that begin together can draw the same band


def test_files_stay_small() -> None:
    assert len(render.board(view())) <= 100 * 1024
    assert len(render.board(busy(BASE))) <= 110 * 1024
    assert all(len(render.board(busy(board, 8))) <= 135 * 1024 for board in BOARDS.values()), "fuller than any game"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pictures_of_a_full_table_stay_small(scenario: str) -> None:
    """At most 110 KiB, late in a game with names."""
    *_, late = views(scenario, 1, 350)
    assert len(render.board(late, names=NAMES)) <= 110 * 1024


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_a_board_can_be_drawn_in_other_widths(width: int) -> None:
    assert decoded(render.board(busy(BASE), width=width)).width == width


def test_labels_change_only_the_board() -> None:
    place = layout(BASE, WIDTH)
    named = decoded(render.board(view(), labels=render.Labels(nodes=1 << 7)))
    box = ImageChops.difference(named, decoded(render.board(view()))).getbbox()
    x, y = place.node(7)
    assert box is not None
    assert abs((box[0] + box[2]) / 2 - x) < 3
    assert abs((box[1] + box[3]) / 2 - y) < 3


def test_without_dice_the_corner_shows_the_sea() -> None:
    image = decoded(render.board(view(dice=None)))
    assert near(image, (4, 4), SEAS[0], 3)


def shown_views() -> dict[str, View]:
    return {name: busy(board, 8) for name, board in BOARDS.items()} | {"start": view()}


@pytest.mark.parametrize("name", shown_views())
def test_pictures_look_like_the_stored_ones(name: str) -> None:
    """Against reduced pictures stored here; `python -m tests.render.test_board` draws them again."""
    small = reduced(shown_views()[name])
    golden = Image.open(GOLDEN / f"{name}.png").convert("RGB")
    difference = ImageStat.Stat(ImageChops.difference(small, golden))
    assert max(difference.mean) < 3


def reduced(shown: View) -> Image.Image:
    return decoded(render.board(shown)).resize((64, 64), Image.Resampling.BOX)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, shown in shown_views().items():
        reduced(shown).save(GOLDEN / f"{name}.png")
