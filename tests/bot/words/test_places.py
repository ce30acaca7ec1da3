"""Places in words: descriptions, regions, typed names and why a place is impossible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import languages
from bot.words import places
from bot.words.hands import bank_rates
from bot.words.language import speaking
from bot.words.refusals import refusal_sentence
from engine.actions import Action, BuildCity, BuildRoad, BuildSettlement, MoveRobber, PlayKnight
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS
from engine.views import View
from tests.bot.screens.tables import NAMES, board, config, view, with_player
from tests.engine.builder import edge as way
from tests.engine.builder import node as place
from tests.engine.builder import seat, table

VIEW = view()
GRID = VIEW.board.grid


def node(name: str) -> int:
    return GRID.node_names.index(name)


def edge(*ends: str) -> int:
    return next(e for e, pair in enumerate(GRID.edges) if set(pair) == {node(n) for n in ends})


def test_an_intersection_label_names_hexes_harbors_and_dots() -> None:
    corner = GRID.hex_nodes[GRID.hex_names.index("1.1")][0]
    assert places.describe_intersection(VIEW, corner) == "A2 · ore 10, 3:1 harbor · 3 dots"
    inner = GRID.hex_nodes[GRID.hex_names.index("1.1")][2]
    assert places.describe_intersection(VIEW, inner) == "B4 · brick 6, ore 10, wool 2 · 9 dots"
    assert places.terrain_at(VIEW.board, inner) == "hills, mountains, pasture"


def test_an_edge_label_says_where_the_road_starts_and_leads() -> None:
    mine = with_player(replace(VIEW, seat=0), 0, settlements=1 << node("C4"))
    near = GRID.node_edges[node("C4")]
    texts = [places.describe_edge(mine, e) for e in near]
    assert all("from your settlement C4 to " in text for text in texts)
    goals = {text.split(" · ", 2)[2] for text in texts}
    assert len(goals) == len(texts), "the first road's ways differ by where they lead"
    assert all(re.fullmatch(r"next: [A-Z][0-9]+ \([a-z0-9:, ]+ · [0-9]+ dots?\)", goal) for goal in goals)
    further = with_player(mine, 0, roads=1 << near[0])
    beyond = next(n for n in GRID.edges[near[0]] if n != node("C4"))
    step = next(e for e in GRID.node_edges[beyond] if e != near[0])
    text = places.describe_edge(further, step)
    assert f"from your road at {GRID.node_names[beyond]} to " in text
    assert "dots" in text


@pytest.mark.parametrize("code", languages.codes())
def test_an_edge_label_has_room_for_what_the_road_is_good_for(code: str) -> None:
    with speaking(languages.language(code)):
        for here, roads in enumerate(GRID.node_edges):
            mine = with_player(replace(VIEW, seat=0), 0, settlements=1 << here)
            for road in roads:
                near = {end for onward in _onward(road) for end in GRID.edges[onward]}
                far = replace(mine, free_intersections=mine.free_intersections & ~sum(1 << end for end in near))
                assert not places.describe_edge(far, road).endswith("…")


def _onward(road: int) -> set[int]:
    """The edges that a road leads to."""
    return {onward for end in GRID.edges[road] for onward in GRID.node_edges[end]}


def test_an_edge_label_names_a_corner_two_roads_further_if_none_is_nearer() -> None:
    mine = with_player(replace(VIEW, seat=0), 0, settlements=1 << node("C4"))
    full = replace(mine, free_intersections=1 << node("D6"))
    assert places.way(full, edge("C4", "C5")).split(" · ", 1)[1].startswith("2 roads further: D6 (")
    shut = replace(with_player(mine, 1, roads=1 << edge("D5", "D6")), free_intersections=1 << node("D6"))
    assert places.way(shut, edge("C4", "C5")).endswith(" · no room to settle")


def test_a_hex_label_names_the_players_with_buildings_there() -> None:
    hex_ = GRID.hex_names.index("1.1")
    corners = GRID.hex_nodes[hex_]
    table = with_player(replace(VIEW, seat=0), 0, settlements=1 << corners[0])
    table = with_player(table, 1, cities=1 << corners[2])
    assert places.describe_hex(table, hex_, NAMES) == "1.1 · ore 10 · you, Bob"


def test_useless_harbors_are_listed_with_the_reason() -> None:
    assert places.useless_harbors(VIEW) == ""
    harbor = next(h for h in VIEW.board.harbors if h.side is not None)
    name = GRID.hex_names[harbor.hex]
    robbed = places.useless_harbors(replace(VIEW, robber=harbor.hex))
    assert robbed.startswith("No use: ")
    assert f"{name} (the robber is there)" in robbed
    shut = replace(VIEW.board, harbors=tuple(replace(h, side=None) if h is harbor else h for h in VIEW.board.harbors))
    assert f"{name} (no coast next to it)" in places.useless_harbors(replace(VIEW, board=shut))
    owner = with_player(replace(VIEW, seat=0, robber=harbor.hex), 0, settlements=VIEW.board.harbor_nodes[0][1])
    assert "Blocked by the robber: " in bank_rates(owner)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_place_of_every_board_has_a_label_and_a_typed_name(scenario: str) -> None:
    chosen = config(scenario, max(SCENARIOS[scenario].players))
    table = view(chosen, board=board(chosen), seat=0)
    grid = table.board.grid
    names = ["W" * 32] * chosen.players
    for i, name in enumerate(grid.node_names):
        assert len(places.describe_intersection(table, i)) <= places.LONGEST_LABEL
        assert places.parse_intersection(table, name.lower()) == i
    for i, name in enumerate(grid.edge_names):
        assert len(places.describe_edge(table, i)) <= places.LONGEST_LABEL
        assert places.parse_edge(table, f" {name} ") == i
        a, b = grid.edges[i]
        assert places.parse_edge(table, f"{grid.node_names[b]}-{grid.node_names[a]}") == i
    for i, name in enumerate(grid.hex_names):
        assert len(places.describe_hex(table, i, names)) <= places.LONGEST_LABEL
        assert places.parse_hex(table, name.replace(".", " , ")) == i


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_regions_hold_all_places_in_whole_rows_of_at_most_25(scenario: str) -> None:
    chosen = config(scenario, max(SCENARIOS[scenario].players))
    grid = board(chosen).grid
    for names in (grid.node_names, grid.edge_names, grid.hex_names):
        ids = list(range(len(names)))[::-1]
        groups = places.regions(names, ids)
        assert sorted(i for _, group in groups for i in group) == sorted(ids)
        assert all(len(group) <= 25 and len(title) <= 100 for title, group in groups)
        assert all(group == sorted(group, reverse=True) for _, group in groups)
        assert len({title for title, _ in groups}) == len(groups) <= 12


def test_a_short_list_is_one_region() -> None:
    assert places.regions(GRID.node_names, [3, 1]) == [("All places", [3, 1])]


@pytest.mark.parametrize(
    ("parse", "text", "complaint"),
    [
        (places.parse_intersection, "Z99", r"“Z99” isn't a corner .* A1 to F7"),
        (places.parse_edge, "road!", r"called a1 to k6"),
        (places.parse_edge, "A1-F7", r"No edge joins “A1-F7”"),
        (places.parse_hex, "", r"Name a hex: they are called "),
    ],
)
def test_an_unknown_place_is_refused_with_how_places_are_named(
    parse: Callable[[View, str], int], text: str, complaint: str
) -> None:
    with pytest.raises(RefereeError) as caught:
        parse(VIEW, text)
    assert caught.value.code == "unreadable"
    assert re.search(complaint, refusal_sentence(caught.value))


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (places.parse_hex, "5.2x"),
        (places.parse_hex, "x5.2"),
        (places.parse_hex, "5.2 5.3"),
        (places.parse_hex, "5.2.1"),
        (places.parse_intersection, "C4x"),
        (places.parse_intersection, "CC4"),
        (places.parse_intersection, "C4 D5"),
        (places.parse_edge, "c4x"),
        (places.parse_edge, "c4 or c5"),
        (places.parse_edge, "c4 and c5"),
        (places.parse_edge, "c4, c5"),
        (places.parse_edge, "c4 c5"),
        (places.parse_edge, "c4 not c5"),
        (places.parse_edge, "C4 a 5"),
        (places.parse_edge, "C4-C5x"),
        (places.parse_edge, "not C4-C5"),
    ],
)
def test_extra_text_around_a_place_name_is_refused(parse: Callable[[View, str], int], text: str) -> None:
    with pytest.raises(RefereeError):
        parse(VIEW, text)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "C4 to C5"),
        ("en", "C4toC5"),
        ("en", "from C4 to C5"),
        ("en", "C5/C4"),
        ("en", "C-4 -> C-5"),
        ("de", "C4 bis C5"),
        ("de", "von c 4 nach c 5"),
        ("es", "de C4 a C5"),
        ("es", "C4 to C5"),
        ("fr", "de C4 à C5"),
        ("it", "da C4 a C5"),
        ("ja", "Ｃ４〜Ｃ５"),
        ("ja", "C4～C5"),
        ("ja", "C4からC5"),
        ("ja", "C4からC5まで"),
        ("ja", "C4ーC5"),
        ("pl", "od C4 do C5"),
        ("pt-BR", "de C4 até C5"),
    ],
)
def test_an_edge_can_be_named_by_its_ends_in_every_language(code: str, text: str) -> None:
    with speaking(languages.language(code)):
        assert places.parse_edge(VIEW, text) == edge("C4", "C5")


def test_sea_hexes_are_named_only_where_the_robber_can_go() -> None:
    with pytest.raises(RefereeError) as caught:
        places.parse_hex(VIEW, "77.7")
    assert "s." not in refusal_sentence(caught.value)


@given(st.text(max_size=40))
def test_any_typed_text_names_a_place_or_is_refused_with_one_sentence(text: str) -> None:
    for parse in (places.parse_intersection, places.parse_edge, places.parse_hex):
        complaint = "."
        try:
            assert parse(VIEW, text) >= 0
        except RefereeError as error:
            complaint = refusal_sentence(error)
        assert complaint.endswith(".")
        assert len(complaint) < 200


def test_a_refusal_says_why_a_place_is_impossible() -> None:
    """The engine's refusals, with the players' names and the kinds of hexes."""
    t = table(seat(settlements="B4", roads="c4", hand="bllwwggooobbllwwgg"), seat(settlements="C5", roads="e5 f3"))

    def told(action: Action) -> str:
        return refusal_sentence(t.refused(0, action), t.game.view(0), NAMES)

    assert told(BuildSettlement(place("C5"))) == "C5 is taken by Bob."
    assert told(BuildSettlement(place("B3"))) == (
        "B3 is next to your own settlement at B4: leave a free corner between."
    )
    assert told(BuildSettlement(place("C6"))) == ("C6 is next to Bob's settlement at C5: leave a free corner between.")
    assert told(BuildSettlement(place("F1"))) == "No road of yours reaches F1."
    assert told(BuildCity(place("C5"))) == "A city replaces one of your settlements, and you have none at C5."
    assert told(BuildRoad(way("e5"))) == "e5 is taken by Bob."
    assert told(BuildRoad(way("a1"))) == "a1 doesn't touch any of your roads, settlements or cities."
    t = table(seat(cards="k"), seat())
    t.play(0, PlayKnight())
    assert told(MoveRobber(t.state.robber)).startswith("The robber is already on 3.3 (desert): choose")
