"""The board as scalable vector graphics: whole, small, and of the same places and colors as the picture."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from bench.picture import views
from engine.board import Board
from engine.changes import Changes
from engine.config import COLORS
from engine.resources import SEA
from engine.scenarios import SCENARIOS
from render import svg
from render.ink import Ink
from render.layout import layout
from render.palette import MIDNIGHT, PLAYERS, TERRAIN, THEMES, dimmed, mix, on
from render.pieces import mark
from render.trace import Trace, markup, numbers
from tests.render.build import BOARDS, busy
from tests.render.graphics import graphics, ids, page

LARGEST = 60_000
"""Most bytes of a board's graphics."""
DEALT = {scenario: next(views(scenario, 5, 0)).board for scenario in SCENARIOS}
EVERY = {f"made {name}": board for name, board in BOARDS.items()} | DEALT


@pytest.fixture(params=EVERY)
def board(request: pytest.FixtureRequest) -> Board:
    return EVERY[request.param]


def test_all_that_is_used_is_there_and_has_a_color(board: Board) -> None:
    shown = busy(board, 8)
    changes = Changes(shown.players[0].settlements, shown.players[0].roads, board.tokens.index(5))
    whole = graphics(replace(shown, changes=changes))
    ElementTree.fromstring(whole)
    assert set(re.findall(r'href="#([^"]+)"', whole)) <= ids(whole)
    names = re.findall(r' id="([^"]+)"', whole)
    assert len(names) == len(set(names))
    style = svg.css()
    for class_ in {name for found in re.findall(r'class="([^"]+)"', whole) for name in found.split()}:
        assert f".{class_}{{" in style or f".{class_}," in style, class_


def test_every_hex_can_have_the_robber_and_its_marks_and_every_edge_a_road(board: Board) -> None:
    drawn = svg.drawing(board)
    known = ids(drawn.symbols)
    for _, _, key in drawn.places["hex"]:
        assert {f"robber-{key}", f"new-robber-{key}", f"old-robber-{key}"} <= known
    for _, _, angle in drawn.places["edge"]:
        assert {f"road{angle}", f"bridge{angle}", f"new-road{angle}"} <= known
    assert {f"golden-{number}" for number in board.tokens if number} <= known


def test_places_are_those_of_the_picture(board: Board) -> None:
    place, drawn = layout(board, 1200), svg.drawing(board)
    assert drawn.view_box == f"0 0 {place.width} {place.height}"
    for kind, at, count in (
        ("node", place.node, len(board.grid.nodes)),
        ("edge", place.edge, len(board.grid.edges)),
        ("hex", place.hex, len(board.grid.hexes)),
    ):
        assert len(drawn.places[kind]) == count
        for k, (x, y, *_) in enumerate(drawn.places[kind]):
            assert (x, y) == pytest.approx(at(k), abs=0.051)


def test_the_key_of_a_hex_says_what_is_in_its_middle(board: Board) -> None:
    keys = [str(key) for _, _, key in svg.drawing(board).places["hex"]]
    for harbor in board.harbors:
        assert keys[harbor.hex] in ("any", *harbor.label.split())
    others = set(range(len(keys))) - {harbor.hex for harbor in board.harbors}
    assert all(keys[h] == (str(board.tokens[h]) if board.tokens[h] else "none") for h in others)


def test_land_harbors_and_numbers_are_all_drawn(board: Board) -> None:
    land = svg.drawing(board).land
    assert len(re.findall(r'"#token-\d', land)) == sum(map(bool, board.tokens))
    assert len(re.findall(r'"#(?:harbor|shut)-', land)) == len(board.harbors)
    assert land.count('"#shut-') == sum(harbor.side is None for harbor in board.harbors)
    assert land.count('"#piers"') == sum(harbor.side is not None for harbor in board.harbors)
    tiles = re.findall(r'"#(?:hills|forest|pasture|fields|mountains|desert)"', land)
    assert len(tiles) == sum(terrain != SEA for terrain in board.terrain)


def test_a_board_is_small(board: Board) -> None:
    drawn = svg.drawing(board)
    places = json.dumps(drawn.places, separators=(",", ":"))
    assert len(drawn.symbols) + len(drawn.land) + len(drawn.names) < LARGEST
    assert len(places) < LARGEST / 6


def test_names_are_those_of_the_board_and_hidden_until_they_are_asked_for(board: Board) -> None:
    drawn = svg.drawing(board)
    groups = dict(re.findall(r'<g class="names (\w+)"[^>]*>(.*?)</g>', drawn.names))
    found = {group: re.findall(r">([^<>]+)</text>", content) for group, content in groups.items()}
    assert found["nodes"] == list(board.grid.node_names)
    assert found["edges"] == list(board.grid.edge_names)
    assert set(found["hexes"]) == {
        name
        for h, name in enumerate(board.grid.hex_names)
        if board.terrain[h] != SEA or board.harbor_mask >> h & 1
    }  # fmt: skip
    assert "svg .names{display:none" in svg.css()


def test_nothing_needs_a_style_of_its_own_or_a_color_in_the_markup() -> None:
    """A page can forbid all styles but its style sheet, and the look is only there."""
    shown = graphics(busy(BOARDS["islands"], 8))
    assert not re.search(r"style=|fill=|stroke=|color=|#[0-9a-f]{6}|url\(|<style|<script", shown)


def rules(style: str, selector: str) -> list[str]:
    """What the style sheet says of a selector, in order."""
    return re.findall(rf"(?:^|[{{}}]){re.escape(selector)}{{([^{{}}]*)}}", style)


def written(color: tuple[int, int, int]) -> str:
    return "#" + bytes(color).hex()


def test_land_and_sea_are_dark_where_the_system_is() -> None:
    style = svg.css()
    light, dark = style.split("@media(prefers-color-scheme:dark){")
    for colors in TERRAIN:
        found = re.findall(rf"\.(c\d+){{color:{written(colors[0])}}}", light)
        assert any(f".{class_}{{color:{written(dimmed(colors[0]))}}}" in dark for class_ in found)
    for field in ("panel", "ink", "token", "paper"):
        assert f":root{{--{field}:{written(getattr(THEMES[False], field))}}}" in light
        assert f":root{{--{field}:{written(getattr(THEMES[True], field))}}}" in dark
    assert dimmed(TERRAIN[0][0]) == mix(TERRAIN[0][0], MIDNIGHT, 0.5)


@pytest.mark.parametrize("color", COLORS)
def test_a_players_color_and_mark_are_those_of_both_palettes(color: str) -> None:
    style = svg.css()
    usual, other = PLAYERS["standard"][color], PLAYERS["colorblind"][color]
    assert f"--body:{written(usual)}" in rules(style, f".{color}")[0]
    assert f"--on:{written(on(usual))}" in rules(style, f".{color}")[0]
    assert f"--body:{written(other)}" in rules(style, f"[data-palette=colorblind] .{color}")[0]
    assert rules(style, f".mark-{color}") == [f"display:var(--mark-{color},none)"]
    assert f"--mark-{color}:inline" in rules(style, f".{color}")[0]
    marks = re.findall(r'<g class="mark-(\w+)">(.*?)</g>', svg.drawing(BOARDS["base"]).symbols)
    assert len(dict(marks)) == len({shape for _, shape in marks}) == len(COLORS)


def test_the_style_sheet_is_the_same_for_all_boards_and_small() -> None:
    style = svg.css()
    assert style == svg.css()
    assert len(style) < 6000
    assert "</" not in page(busy(BOARDS["base"])).split("<style>")[1].split("</style>")[0]


def test_numbers_are_written_as_short_as_they_can_be() -> None:
    assert numbers(10, -5, 5, 0, -123, 1000) == "1-.5 .5 0-12.3 100"


def test_shapes_that_overlap_in_one_path_do_not_make_holes() -> None:
    """Filled shapes all go around clockwise, however their points are given."""
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    pens = [Trace(), Trace()]
    pens[0].fill(square, (1, 2, 3))
    pens[1].fill(square[::-1], (1, 2, 3))
    steps = [re.findall(r"-?[\d.]+", pen.shapes[0].path)[2:] for pen in pens]
    for found in steps:
        (ax, ay), (bx, by) = ((float(found[k]), float(found[k + 1])) for k in (0, 2))
        assert ax * by - ay * bx > 0


def test_the_same_drawing_makes_a_sprite_and_a_path() -> None:
    ink, trace = Ink(40, 40, 1), Trace()
    for pen in (ink, trace):
        mark(pen, "blue", 0, 0, 20, (1, 2, 3))
    assert ink.image().getpixel((20, 20)) == (1, 2, 3, 255)
    assert markup(trace, trace, lambda _: "") == '<path d="M-8.5-8.5h17v17h-17v-17z"/>'
    with pytest.raises(TypeError):
        trace.fill([(0, 0), (1, 0), (1, 1)], 200)
