"""What is below the board, how a picture looks for different eyes, and what is new on the board."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from engine.changes import Changes
from engine.config import COLORS, Config
from engine.rules import data_of
from engine.views import View
from render import strip
from render.fonts import text
from render.layout import layout
from render.palette import GOLD, INK, NIGHT, PANEL, PLAYERS
from tests.render.build import BASE, ISLANDS, busy, player, view
from tests.render.colors import decoded, pixels, share

WIDTH = 1200
PHONE = 400
NAMES = ("Annabelle", "Bob", "Żółć", "Дмитрий", "日本", "Fay", "Gus", "Hal")


def below(shown: View, look: render.Look = render.USUAL) -> Image.Image:
    """Only the strip."""
    image = decoded(render.board(shown, names=NAMES, look=look))
    return image.crop((0, layout(shown.board, WIDTH).height, image.width, image.height))


@pytest.mark.parametrize("players", range(2, 9))
def test_the_player_who_must_act_has_a_filled_cell(players: int) -> None:
    seats = [player(seat, COLORS[seat]) for seat in range(players)]
    image = below(view(players=seats))
    rows = -(-players // 2)
    assert image.height == strip.height(players)
    tall = image.height / (rows + 0.75)
    for seat in range(players):
        column, row = divmod(seat, rows)
        top = image.height - (rows - row) * tall
        cell = image.crop((column * 600 + 8, round(top) + 10, column * 600 + 590, round(top + tall) - 10))
        filled = share(cell, PLAYERS["standard"][COLORS[seat]])
        assert (filled > 0.4) == (seat == 0), (seat, filled)


@pytest.mark.parametrize("look", [render.Look(), render.Look(dark=True), render.Look(large=True)])
def test_every_figure_is_legible_on_a_phone(look: render.Look) -> None:
    """In a picture that is 400 pixels wide, a digit is at least nine pixels high, as in a phone's text."""
    for size in (strip.NAME, strip.POINTS, strip.FIGURE):
        assert text("0", look.scaled(size), INK).height * PHONE / WIDTH >= 9


def test_names_are_shown_in_many_scripts_or_replaced_by_the_colour() -> None:
    seats = [player(seat, COLORS[seat]) for seat in range(8)]
    named = below(view(players=seats))
    for seat, name in enumerate(NAMES):
        others = [*NAMES[:seat], "Zoe", *NAMES[seat + 1 :]]
        changed = decoded(render.board(view(players=seats), names=others))
        changed = changed.crop((0, changed.height - named.height, WIDTH, changed.height))
        assert ImageChops.difference(named, changed).getbbox(), name
    colored = [*NAMES[:4], COLORS[4].capitalize(), *NAMES[5:]]
    assert render.board(view(players=seats), names=NAMES) == render.board(view(players=seats), names=colored)


def test_the_large_look_has_larger_dice_and_costs() -> None:
    def dice_box(look: render.Look) -> tuple[int, int, int, int]:
        with_dice, without = (decoded(render.board(view(dice=dice), look=look)) for dice in ((3, 4), None))
        box = ImageChops.difference(with_dice, without).getbbox()
        assert box is not None
        return box

    (left, top, right, bottom), usual = dice_box(render.Look(large=True)), dice_box(render.USUAL)
    assert bottom - top > 1.15 * (usual[3] - usual[1])
    assert right - left > 1.15 * (usual[2] - usual[0])
    words, data = [render.CostWords("Road", "2 points")] * 4, data_of(Config(("red", "blue")))
    cards = [decoded(render.costs(data, False, words, render.Look(large=large))) for large in (False, True)]
    inked = [share(image.crop((140, 0, 500, image.height)), INK) for image in cards]
    assert inked[1] > 1.2 * inked[0]


@pytest.mark.parametrize("large", [False, True])
def test_the_figures_of_a_player_do_not_touch(large: bool) -> None:
    """Neither do figures with two digits, nor those that are marked as an award."""
    look = render.Look(large=large)
    middles = strip._figures(0, WIDTH // strip.COLUMNS, look)
    sizes = [strip.POINTS, *[strip.FIGURE] * 4]
    halves = [text("18", look.scaled(size), INK).width / 2 for size in sizes]
    halves[4] = look.scaled(56) / 2
    for (at, half), (after, next_half) in pairwise(zip(middles, halves, strict=True)):
        assert after - at - half - next_half >= 2


def test_the_dark_look_darkens_the_sea_the_land_the_paper_and_the_strip() -> None:
    shown = replace(view(), robber=-1, on_turn=None)
    place = layout(BASE, WIDTH)
    light, dark = (decoded(render.board(shown, strip=False, look=render.Look(dark=on))) for on in (False, True))
    means = [ImageStat.Stat(image.convert("L")).mean[0] for image in (light, dark)]
    assert means[1] < 0.6 * means[0]
    token = place.hex(BASE.tokens.index(9))
    spots = {"sea": (4, place.height // 2), "token": (token[0] + 0.28 * place.radius, token[1])}
    spots |= {"sign": (place.harbor(BASE.harbors[0])[0], place.harbor(BASE.harbors[0])[1] + 0.36 * place.radius)}
    for name, (x, y) in spots.items():
        box = round(x), round(y), round(x) + 1, round(y) + 1
        was, now = (ImageStat.Stat(image.convert("L").crop(box)).mean[0] for image in (light, dark))
        assert now < 0.65 * was, name
    for look, ground, other in ((render.USUAL, PANEL, NIGHT), (render.Look(dark=True), NIGHT, PANEL)):
        panel = below(busy(BASE), look)
        assert share(panel, ground) > 0.4
        assert share(panel, other) < 0.01


def test_the_colour_blind_palette_and_large_figures_are_used() -> None:
    shown = view(players=[player(0, "red", [10], [5], [30])])
    usual = decoded(render.board(shown))
    other = decoded(render.board(shown, look=render.Look("colorblind")))
    assert share(usual, PLAYERS["standard"]["red"]) > share(other, PLAYERS["standard"]["red"])
    assert share(other, PLAYERS["colorblind"]["red"]) > 0.001
    assert decoded(render.board(shown, look=render.Look(large=True))).height > usual.height


def test_everything_new_is_marked() -> None:
    players = [player(0, "blue", [10, 20], [5], [30])]
    plain = decoded(render.board(view(players=players)))
    marked = decoded(render.board(view(players=players, changes=Changes(1 << 5 | 1 << 30, 1 << 10 | 1 << 20, -1))))
    place = layout(BASE, WIDTH)
    for x, y in (place.node(5), place.node(30), place.edge(10), place.edge(20)):
        box = (round(x) - 50, round(y) - 50, round(x) + 50, round(y) + 50)
        assert share(marked.crop(box), GOLD) > 0.02
        assert share(plain.crop(box), GOLD) < 0.005


def test_the_robbers_former_hex_shows_a_ghost() -> None:
    before = next(h for h, token in enumerate(BASE.tokens) if token == 4)
    plain = decoded(render.board(view(robber=BASE.robber)))
    moved = decoded(render.board(view(robber=BASE.robber, changes=Changes(robber=before))))
    place = layout(BASE, WIDTH)
    x, y = place.robber(before)
    box = (round(x) - 20, round(y) - 60, round(x) + 20, round(y))
    assert ImageChops.difference(plain.crop(box), moved.crop(box)).getbbox()


def test_the_pirate_stands_on_a_grey_harbor() -> None:
    harbor = ISLANDS.harbors[0]
    place = layout(ISLANDS, WIDTH)
    x, y = place.harbor(harbor)
    reach = round(place.radius * 0.25)
    box = (round(x) - reach, round(y) - reach, round(x) + reach, round(y) + reach)
    elsewhere, here = (
        decoded(render.board(view(ISLANDS, robber=robber))).crop(box) for robber in (ISLANDS.robber, harbor.hex)
    )
    assert ImageChops.difference(elsewhere, here).getbbox()
    colors = [max(pixel) - min(pixel) for pixel in pixels(here)]
    assert sum(colors) < sum(max(pixel) - min(pixel) for pixel in pixels(elsewhere))


def test_the_dice_show_which_player_rolled() -> None:
    shown = busy(BASE)
    ann = decoded(render.board(shown, names=NAMES))
    bob = decoded(render.board(dataclasses.replace(shown, on_turn=1), names=NAMES))
    namesake = decoded(render.board(dataclasses.replace(shown, on_turn=1), names=("Annabelle",) * 4))
    corner = (0, 0, WIDTH, 160)
    assert ImageChops.difference(ann.crop(corner), bob.crop(corner)).getbbox()
    assert ImageChops.difference(ann.crop(corner), namesake.crop(corner)).getbbox(), "their mark differs"
