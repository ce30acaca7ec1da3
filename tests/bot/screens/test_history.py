"""A game as a story: a paragraph for each turn and each player's setup, on pages that fit into a message."""

from __future__ import annotations

import itertools
import random

import pytest

from bot.plaintext import length
from bot.screens.history import (
    LAST_PAGE,
    LONGEST_PAGE,
    MOST_TURNS,
    StoryPage,
    latest_page,
    log_page,
    page_reply,
    story_page,
)
from bot.screens.viewer import Viewer
from bot.words.marks import corner_signs
from bot.words.narrator import story
from bot.words.narrator.history import LONGEST_PARAGRAPH, Paragraph, paragraphs
from engine import events as ev
from engine.events import Event
from engine.geometry import bits
from engine.log.recount import Turn, recount
from engine.resources import hand_of
from engine.terms import Piece
from engine.views import OfferView
from tests.bot.screens.played import new_game, played, table
from tests.bot.screens.tables import NAMES, view

WOOL, ORE = hand_of(wool=2), hand_of(ore=1)


def told(*events: Event, number: int = 12, seat: int = 0) -> list[str]:
    turn = Turn(number, seat, tuple((n, event) for n, event in enumerate(events)))
    return [paragraph.text for paragraph in paragraphs([turn], view(), NAMES)]


def test_a_turn_is_a_paragraph_headed_by_the_player_and_the_roll() -> None:
    node = view().board.grid.node_names.index("C4")
    assert told(
        ev.CardPlayed(0, 3),
        ev.Monopolised(0, 4, ((1, 2),)),
        ev.Rolled(0, (3, 5)),
        ev.Produced(0, hand_of(grain=1)),
        ev.Produced(1, WOOL),
        ev.Built(0, Piece.CITY, node),
        ev.TurnEnded(0),
    ) == [
        (
            "**Turn 12 · Ann rolled 8**\n🃏 Ann played Monopoly and took all 🪨 ore: 2 (2 from Bob). Ann +1 🌾 grain, "
            "Bob +2 🐑 wool. Ann built a city on 🧱\u20606 🪵\u206011 🌾\u206012."
        )
    ]


def test_a_roll_without_cards_and_a_seven_have_a_paragraph() -> None:
    assert told(ev.Rolled(0, (6, 6))) == ["**Turn 12 · Ann rolled 12**\nNo one gets cards."]
    assert told(ev.Rolled(0, (1, 6)), ev.Discarded(1, WOOL)) == [
        "**Turn 12 · Ann rolled 7**\nDiscarded: Bob 2 🐑 wool."
    ]
    assert told() == ["**Turn 12 · Ann**"]


def test_offers_without_a_deal_are_counted() -> None:
    offers = [ev.OfferMade(0, n, WOOL, ORE, (1, 2)) for n in (1, 2, 3)]
    assert told(*offers, ev.Traded(0, 1, WOOL, ORE), ev.OfferMade(0, 4, ORE, WOOL, (1,))) == [
        "**Turn 12 · Ann**\n🤝 Ann gave 2 🐑 wool to Bob for 1 🪨 ore. 1 offer, no deal."
    ]
    turn = Turn(1, 0, ((0, offers[0]),))
    open_ = view(offers=(OfferView(1, 0, WOOL, ORE, 0b110, 0, 0),))
    assert paragraphs([turn], open_, NAMES) == [Paragraph(1, "**Turn 1 · Ann**")]


def test_earlier_events_are_left_out_but_the_heading_keeps_the_roll() -> None:
    turn = Turn(3, 1, ((8, ev.Rolled(1, (2, 2))), (9, ev.BankTraded(1, WOOL, ORE))))
    [only] = paragraphs([Turn(2, 0, ((7, ev.TurnEnded(0)),)), turn], view(), NAMES, since=9)
    assert only.text == "**Turn 3 · Bob rolled 4**\nBob gave the bank 2 🐑 wool for 1 🪨 ore."


def test_on_a_fixed_board_each_player_has_a_paragraph_with_placements_and_first_cards() -> None:
    game = new_game("beginner", 7, "2007")
    [setup, *_] = recount(game.config, game.records, None).turns
    _seats, *players = [p.text for p in paragraphs([setup], game.view(None), NAMES)]
    assert len(players) == game.config.players
    for player in game.view(None).players:
        [paragraph] = [text for text in players if text.startswith(f"**{NAMES[player.seat]}** placed ")]
        first = next(e.cards for _, e in setup.events if isinstance(e, ev.Produced) and e.seat == player.seat)
        assert sum(first) == 3
        for node in bits(player.settlements):
            assert f"a settlement on {corner_signs(game.board, node)}" in paragraph
        for kind, sign in enumerate("🧱🪵🐑🌾🪨"):
            assert (f" {first[kind]} {sign} " in paragraph) == bool(first[kind])
        assert " Started with " in paragraph


def test_in_the_game_message_setup_on_a_fixed_board_is_one_line() -> None:
    game = new_game("beginner", 7, "2007")
    [setup, *_] = recount(game.config, game.records, None).turns
    lines = story([event for _, event in setup.events], game.view(None), NAMES)
    assert lines[1:] == ["🏠 The first settlements and roads are placed, and everyone has their first cards."]


# --- pages


def some(*lengths: int, setup: int = 0) -> list[Paragraph]:
    return [Paragraph(max(0, n + 1 - setup), str(n % 10) * chars) for n, chars in enumerate(lengths)]


def read(found: list[Paragraph], start: str, way: str, least: int = 0) -> list[StoryPage]:
    """The page at an anchor, and all that follow when its button `way` is pressed again and again."""
    pages = [story_page(found, start, least)]
    while anchor := getattr(pages[-1], way):
        pages.append(story_page(found, anchor, least))
    return pages


@pytest.mark.parametrize("seed", range(20))
def test_turning_pages_in_either_direction_shows_each_paragraph_once(seed: int) -> None:
    rng = random.Random(seed)
    whole_story = some(
        *(rng.randint(10, LONGEST_PARAGRAPH) for _ in range(rng.randint(1, 90))), setup=rng.randint(0, 9)
    )
    least = rng.choice((0, len(whole_story) // 2))
    on, back = read(whole_story, f"f{least}", "newer", least), read(whole_story, LAST_PAGE, "older", least)
    assert list(itertools.chain(*(page.paragraphs for page in on))) == whole_story[least:]
    assert list(itertools.chain(*(page.paragraphs for page in reversed(back)))) == whole_story[least:]
    for page in (*on, *back):
        assert sum(length(p.text) + 2 for p in page.paragraphs) <= LONGEST_PAGE
        assert len(page.paragraphs) <= MOST_TURNS
        assert len({bool(p.turn) for p in page.paragraphs}) == 1, "setup has pages of its own"
        assert not page.first or story_page(whole_story, page.first, least).paragraphs[0] == whole_story[least]
    assert story_page(whole_story, LAST_PAGE, least).paragraphs[-1] == whole_story[-1]
    assert story_page([], LAST_PAGE).paragraphs == ()


def test_an_anchor_outside_the_story_shows_the_nearest_page() -> None:
    whole_story = some(*[500] * 30)
    assert story_page(whole_story, "f99999").paragraphs == whole_story[-1:]
    assert story_page(whole_story, "t0").paragraphs == whole_story[:1]
    assert story_page(whole_story, "f0", 20).paragraphs == story_page(whole_story, "f20", 20).paragraphs


@pytest.mark.parametrize("players", [4, 8])
async def test_pages_of_a_whole_game_fit_into_a_message(players: int) -> None:
    game = played(players, 700)
    viewer = Viewer(table(game.config), game, 1)
    anchor, pages, turns = "f0", 0, list[int]()
    while anchor:
        page, full = await log_page(viewer, anchor)
        reply = page_reply(viewer, page, "log")
        assert length(reply.text) < 3900
        assert len(full) > game.turn
        assert all(len(row) <= 4 for row in reply.rows if isinstance(row, list))
        assert reply.text.startswith("### Game 7 · setup" if not page.paragraphs[0].turn else "### Game 7 · turn")
        turns += [paragraph.turn for paragraph in page.paragraphs]
        anchor, pages = page.newer, pages + 1
    assert [turn for turn in turns if turn] == list(range(1, game.turn + 1))
    assert pages > 2


async def test_the_story_of_what_was_missed_goes_ten_turns_back() -> None:
    game = played(4, 500)
    viewer = Viewer(table(game.config), game, None)
    pages, anchor = list[StoryPage](), ""
    while anchor or not pages:
        page, before = await latest_page(viewer, 1, anchor)
        pages.append(page)
        anchor = page.newer
    turns = [paragraph.turn for page in pages for paragraph in page.paragraphs]
    assert turns == sorted(set(turns))
    assert len(turns) == MOST_TURNS
    assert before == turns[0]
