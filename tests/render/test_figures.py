"""A game's stats: points, dice and cards in one picture, for any table, look and name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops

import render
from bot.words import pictures
from engine.config import COLORS
from engine.log.chronicle import Account, Story
from engine.outcome import Outcome
from engine.terms import EndReason
from engine.views import PlayerView, View
from render.accounts import accounts, accounts_height, robberies_height, rows_of
from render.chart import bars
from render.course import shifts, spread, stairs, ticks
from render.figures import below, boxes, columns, compose
from render.fonts import text
from render.palette import GOLD, INK, PLAYERS, RED, SEAS, reduce
from render.panels import FIGURE, LABEL, Box, size_for
from render.pieces import chip
from tests.render.build import game, player, view
from tests.render.colors import pixels, share

NAMES = ("Annabelle", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
LOOKS = [
    render.Look(palette, dark, large)
    for palette in ("standard", "colorblind")
    for dark in (False, True)
    for large in (False, True)
]
WIDTH, PHONE = 1200, 400


def drawing(shown: View, story: Story, look: render.Look = render.USUAL, names: Sequence[str] = NAMES) -> Image.Image:
    return compose(shown, story, names, pictures.figure_words(shown, names), look).convert("RGB")


def parts(players: int, story: Story, look: render.Look) -> tuple[tuple[Box, ...], int]:
    """The boxes of the parts below the table of players, and the height of the picture."""
    return boxes(below(players, look), players, story, look)


@pytest.mark.parametrize("look", LOOKS)
def test_the_end_shows_the_winner(look: render.Look) -> None:
    shown, story = game()
    image = drawing(shown, story, look)
    assert image.width == WIDTH
    assert share(image.crop((900, 40, 1150, 110)), PLAYERS[look.palette]["red"]) > 0.9
    assert share(image.crop((36, 150, 1164, below(4, look))), GOLD) > 0.005
    shared = replace(shown, outcome=Outcome(EndReason.ROUNDS, (0, 1), (10, 10, 2, 2)))
    assert share(drawing(shared, story, look).crop((1000, 40, 1150, 110)), GOLD) > 0.9


def column(image: Image.Image, k: int, seat: int = 0) -> Image.Image:
    """What is in column `k` of the table of players, in the line of a seat."""
    middle = columns()[1][k]
    top = below(seat, render.USUAL) - 34
    return image.crop((middle - 44, top + 4, middle + 44, top + 72))


def with_first(shown: View, first: PlayerView, award: int | None = None) -> View:
    """The view with another first player. `award`: the seat that has both awards."""
    return replace(shown, players=(first, *shown.players[1:]), longest_road=award, largest_army=award)


def test_the_table_counts_the_buildings_on_the_board() -> None:
    """Two cities are a 2 below the sign of a city, as two settlements are a 2 below theirs."""
    shown, story = game()
    one, two = (
        drawing(with_first(shown, player(0, COLORS[0], settlements=range(n), cities=range(20, 20 + n))), story)
        for n in (1, 2)
    )
    for image in (one, two):
        assert not ImageChops.difference(column(image, 0), column(image, 1)).getbbox()
    assert ImageChops.difference(column(one, 1), column(two, 1)).getbbox()


def test_the_holder_of_an_award_is_marked_in_its_column() -> None:
    shown, story = game()
    first = replace(shown.players[0], road_length=7, played=(3, 0, 0, 0, 0))
    without, marked = (drawing(with_first(shown, first, award), story) for award in (None, 0))
    for k in (3, 4):
        assert share(column(without, k), GOLD) < 0.02 < 0.2 < share(column(marked, k), GOLD)
        assert share(column(marked, k, 1), GOLD) < 0.02
    shorter = drawing(with_first(shown, replace(first, road_length=2)), story)
    assert ImageChops.difference(column(without, 3), column(shorter, 3)).getbbox(), "its length is told"


@pytest.mark.parametrize(("variants", "counts"), [((), True), (("vp-cards-played",), False)])
def test_a_victory_point_card_counts_unplayed_unless_it_must_be_played(variants: tuple[str, ...], counts: bool) -> None:
    shown, story = game()
    shown = replace(shown, config=replace(shown.config, variants=variants))
    first = shown.players[0]
    without, held, shown_openly = (
        drawing(with_first(shown, replace(first, development_cards=cards, played=(0, 0, 0, 0, played))), story)
        for cards, played in (((0,) * 5, 0), ((0, 0, 0, 0, 1), 0), ((0,) * 5, 1))
    )
    assert bool(ImageChops.difference(column(without, 2), column(held, 2)).getbbox()) == counts
    assert ImageChops.difference(column(without, 2), column(shown_openly, 2)).getbbox()


def test_who_left_stands_below_the_winner_whatever_their_points() -> None:
    """The plate of gold behind the winner's points is in the first line."""
    shown, story = game()
    shown = replace(shown, outcome=Outcome(EndReason.LAST, (1,), story.points[-1]))
    image = drawing(with_first(shown, replace(shown.players[0], resigned=True)), story)
    total, tops = columns()[0], (below(line, render.USUAL) - 30 for line in range(2))
    first, second = (share(image.crop((total - 44, top, total + 44, top + 68)), GOLD) for top in tops)
    assert first > 0.2 > 0.02 > second


def test_a_running_or_called_off_game_has_no_winner() -> None:
    shown, story = game(over=False)
    image = drawing(replace(shown, longest_road=None, largest_army=None), story)
    assert share(image.crop((900, 40, 1150, 110)), SEAS[0]) > 0.9
    assert share(image.crop((36, 150, 1164, below(4, render.USUAL))), GOLD) < 0.003
    nobody = replace(game()[0], outcome=Outcome(EndReason.CALLED_OFF, (), (10, 2, 2, 2)))
    assert share(drawing(nobody, story).crop((900, 40, 1150, 110)), SEAS[0]) > 0.9


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("players", range(2, 9))
def test_no_part_covers_another_and_all_are_within_the_picture(players: int, look: render.Look) -> None:
    _, story = game(players)
    part_boxes, height = parts(players, story, look)
    for box in part_boxes:
        assert 0 < box.left < box.left + box.width < WIDTH
        assert below(players, look) <= box.top < box.top + box.height < height
    for one, other in combinations(part_boxes, 2):
        beside = one.left + one.width < other.left or other.left + other.width < one.left
        assert beside or one.top + one.height < other.top or other.top + other.height < one.top
    lines, _, taken, cards = part_boxes
    assert lines.width == WIDTH - 72
    assert taken.height == robberies_height(players, look)
    assert cards.height == accounts_height(story, look)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("players", [2, 4, 8])
def test_every_player_has_a_colour_in_every_part(players: int, look: render.Look) -> None:
    shown, story = game(players)
    image = drawing(shown, story, look)
    lines, _, taken, cards = parts(players, story, look)[0]
    for color in COLORS[:players]:
        for box in (lines, taken, cards):
            part = image.crop((box.left, box.top, box.left + box.width, box.top + box.height))
            assert share(part, PLAYERS[look.palette][color]) > 0.0005, (color, box)


def test_lines_that_run_together_have_marks() -> None:
    """People who can't tell the colors apart see by its marks whose line it is."""
    shown, story = game(2)
    image = drawing(shown, story)
    lines = parts(2, story, render.USUAL)[0][0]
    marked = image.crop((lines.left, lines.top, lines.left + lines.width - 100, lines.top + lines.height))
    for color in COLORS[:2]:
        mark = chip(color, "standard", 26)
        assert len({pixel[:3] for pixel in pixels(mark) if pixel[3] == 255}) >= 3
        assert _contains(marked, mark), color


def _contains(image: Image.Image, sprite: Image.Image) -> bool:
    """Whether the middle of a sprite is somewhere in a picture, pixel by pixel."""
    core = reduce(sprite.convert("RGB").crop((8, 8, 18, 18)), "standard")
    sought, rows = pixels(core.convert("RGB")), pixels(image)
    wide = image.width
    first = [at for at, pixel in enumerate(rows) if pixel == sought[0] and at % wide < wide - 10]
    return any(
        all(rows[at + y * wide : at + y * wide + 10] == sought[10 * y : 10 * y + 10] for y in range(10))
        for at in first
        if at + 9 * wide + 10 <= len(rows)
    )


@pytest.mark.parametrize("look", LOOKS)
def test_figures_are_legible_on_a_phone(look: render.Look) -> None:
    """In a picture that is 400 pixels wide, a digit is at least nine pixels high, as in a phone's text; one of the
    dice at least eight."""
    label = max(
        text(word, look.scaled(LABEL), INK, False).width for word in pictures.figure_words(view(), NAMES).ways.values()
    )
    for players in range(2, 9):
        _, dice, taken, cards = parts(players, game(players)[1], look)[0]
        first = look.scaled(27) + label + 8
        for wide, most, least in (
            ((cards.width - first) / players - 12, 188, 9),
            ((taken.width - look.scaled(80)) / players - 6, 18, 9),
            (dice.width / 11 - 4, 48, 8),
        ):
            size = size_for([most], look.scaled(FIGURE), wide)
            assert text("0", size, INK).height * PHONE / WIDTH >= least, (players, wide)


def test_a_number_is_no_wider_than_its_column() -> None:
    for number in (7, 88, 888, 8888):
        for width in (40, 60, 100):
            size = size_for([number], FIGURE, width)
            assert size <= FIGURE
            assert text(str(number), size, INK).width <= width + 1


def test_a_game_has_only_the_rows_that_it_needs() -> None:
    nothing = Story(((2, 2),), (Account(), Account()), ((0, 0), (0, 0)))
    assert rows_of(nothing) == [("made",), ("robbed", "lost"), ("discarded", "spent"), ("held",)]
    account = Account(*range(1, 14))
    every = [way for group in rows_of(replace_accounts(nothing, account)) for way in group]
    assert sorted(every) == sorted([*Account._fields, "held"])
    words = pictures.figure_words(view(), NAMES).ways
    assert set(every) == set(words)
    assert accounts_height(replace_accounts(nothing, account), render.USUAL) > accounts_height(nothing, render.USUAL)


def replace_accounts(story: Story, account: Account) -> Story:
    return story._replace(accounts=(account, *story.accounts[1:]))


def test_a_changed_figure_changes_only_its_part() -> None:
    shown, story = game()
    plain = drawing(shown, story)
    more = drawing(shown, replace_accounts(story, story.accounts[0]._replace(made=117)))
    changed = ImageChops.difference(plain, more).getbbox()
    cards = parts(4, story, render.USUAL)[0][3]
    assert changed is not None
    assert cards.left < changed[0] < changed[2] < cards.left + cards.width
    assert cards.top < changed[1] < changed[3] < cards.top + cards.height
    row = ((0, 2, 1, 1), *story.robberies[1:])
    robbed = ImageChops.difference(plain, drawing(shown, story._replace(robberies=row))).getbbox()
    taken = parts(4, story, render.USUAL)[0][2]
    assert robbed is not None
    assert taken.top < robbed[1] < robbed[3] < taken.top + taken.height


def test_the_dice_chart_has_bars_for_what_was_rolled() -> None:
    shown = view(rolls=(0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0))
    image = Image.new("RGB", (600, 400), (255, 255, 255))
    bars(image, Box(20, 0, 550, 400), shown, pictures.figure_words(shown, NAMES), render.USUAL)
    floor = 400 - round(1.3 * 50)
    assert image.getpixel((45, floor - 40)) == SEAS[0]
    assert image.getpixel((245, floor - 40)) == RED
    assert image.getpixel((145, floor - 100)) == (255, 255, 255)
    bars(image, Box(20, 0, 550, 400), view(), pictures.figure_words(view(), NAMES), render.USUAL)


def test_long_names_and_names_without_letters_are_drawn() -> None:
    shown, story = game(8)
    usual = drawing(shown, story)
    long = drawing(shown, story, names=["W" * 32] * 8)
    table = (0, 150, WIDTH, below(8, render.USUAL))
    changed = ImageChops.difference(usual.crop(table), long.crop(table)).getbbox()
    assert changed is not None
    assert changed[2] <= columns()[0] - 44, "a name runs into the points"
    strange = drawing(shown, story, names=["日本", "🦊"] * 4)
    assert ImageChops.difference(usual.crop(table), strange.crop(table)).getbbox()
    assert pictures.figure_words(shown, ["🦊"] * 8).title == "Red won"
    assert pictures.figure_words(shown, NAMES).title == "Annabelle won"


@pytest.mark.parametrize("turns", [1, 5, 300])
def test_short_and_long_games_are_drawn(turns: int) -> None:
    shown, story = game(3, turns)
    assert drawing(shown, story).width == WIDTH
    assert len(ticks(turns, 8)) <= 9
    assert ticks(turns, 8)[0] == 0


def test_a_game_that_ended_immediately_is_drawn() -> None:
    shown, _ = game(3)
    story = Story(((1, 0, 0),), (Account(),) * 3, ((0, 0, 0),) * 3)
    over = replace(shown, outcome=Outcome(EndReason.CALLED_OFF, (), (1, 0, 0)), rolls=(0,) * 13)
    assert drawing(over, story).width == WIDTH


def test_houses_at_the_ends_of_lines_stay_apart_in_order() -> None:
    assert spread([50, 100], 30, 0, 200) == [50, 100]
    assert spread([50, 50, 50], 30, 0, 200) == [50, 80, 110]
    assert spread([190, 190], 30, 0, 200) == [170, 200]
    assert spread([50, 150, 100], 30, 0, 200) == [50, 150, 100]  # who has left is listed last, with any points
    places = spread([100.0] * 8, 36, 18, 310)
    assert all(b - a >= 36 for a, b in pairwise(places))
    assert max(places) <= 310


@pytest.mark.parametrize("players", range(2, 9))
def test_lines_that_run_together_are_shifted_by_less_than_a_point(players: int) -> None:
    moved = shifts(players, 30.0)
    assert len(moved) == players
    assert max(moved) - min(moved) <= 18
    assert sum(moved) == pytest.approx(0)


def test_a_line_rises_at_a_turn() -> None:
    assert stairs([(0, 10), (5, 10), (10, 4)]) == [(0, 10), (10, 10), (10, 4), (10, 4), (10, 4)]


def test_the_table_fits_where_it_is_drawn() -> None:
    """Whatever it contains, nothing is outside of the box."""
    story = replace_accounts(game(4)[1], Account(*(99 + n for n in range(13))))
    tall = accounts_height(story, render.USUAL)
    image = Image.new("RGB", (700, tall + 40), (255, 0, 255))
    box = Box(60, 20, 530, tall)
    shown, _ = game(4)
    accounts(image, box, story, shown.players, pictures.figure_words(shown, NAMES), render.USUAL)
    for outside in ((0, 0, 700, 18), (0, tall + 21, 700, tall + 40), (0, 0, 59, tall), (592, 0, 700, tall)):
        assert share(image.crop(outside), (255, 0, 255)) == 1.0
