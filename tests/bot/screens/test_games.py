"""Whole random games: every event has a line, every panel a headline and a length in budget. No text tells a secret."""

from __future__ import annotations

import random

import pytest

from bot.plaintext import length
from bot.screens.panel import final_panel, headline, panel, standing
from bot.words import pictures
from bot.words.hands import own_hand
from bot.words.narrator import history, line, story
from bot.words.places import LONGEST_LABEL, describe_edge, describe_hex, describe_intersection
from engine.domains import Places
from engine.game import Game, events_of
from engine.geometry import bits
from engine.log.recount import recount
from engine.scenarios import SCENARIOS
from engine.views import View
from players.places import rank_edges, rank_hexes, rank_intersections
from tests.bot.screens.played import move, new_game

STEPS_PLAYED = 1500


def names(game: Game) -> list[str]:
    return [f"<@{10**18 + seat}>" for seat in range(game.config.players)]


def check_texts(game: Game) -> None:
    """Check all texts for all viewers after an action."""
    public, who = game.view(None), names(game)
    texts = panel(public, who)
    assert texts.length <= 3800
    assert len(standing(public, who).splitlines()) == game.config.players + 1
    assert not headline(public, who).endswith(" to act.")
    assert all(who[seat] in texts.headline for seat in bits(public.awaited)), "who is called is named there"
    assert length(pictures.board_alt(public, who)) <= pictures.LONGEST_ALT
    for seat in (None, *range(game.config.players)):
        view = game.view(seat)
        assert all(line(event, view, who) for event in view.last)
        assert all(0 < length(text) <= 1000 for text in story(view.events, view, who))
        if seat is not None:
            assert 0 < length(own_hand(view, who)) < 1500
            assert length(pictures.hand_alt(view)) <= pictures.LONGEST_ALT
    for player in public.players if game.outcome is None else ():
        assert player.hand is None or "open-hands" in game.config.variants
        assert (player.development_cards, player.fresh_cards, player.all_points) == (None, None, None)


def check_places(view: View, game: Game, seat: int) -> None:
    """Check labels and ranking of all legal places."""
    who = ["W" * 32] * game.config.players
    for cls, domain in game.options(seat).items():
        if isinstance(domain, Places):
            ids = [action.at for action in domain]
            if "road" in cls.name or "bridge" in cls.name:
                ranked, labels = rank_edges(view, ids), [describe_edge(view, i) for i in ids]
            elif "robber" in cls.name:
                ranked, labels = rank_hexes(view, ids), [describe_hex(view, i, who) for i in ids]
            else:
                ranked, labels = rank_intersections(view, ids), [describe_intersection(view, i) for i in ids]
            assert sorted(ranked) == sorted(ids)
            assert all(length(label) <= LONGEST_LABEL for label in labels)
            assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("edition", ["2007", pytest.param("1996", marks=pytest.mark.soak)])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_random_game_can_be_told_from_beginning_to_end(scenario: str, edition: str) -> None:
    game = new_game(scenario, 5, edition)
    rng = random.Random(scenario + edition)
    for n in range(STEPS_PLAYED):
        if game.outcome is not None:
            break
        move(game, rng)
        if n % 20 == 0 or game.outcome is not None:
            check_texts(game)
            for seat in game.to_act:
                check_places(game.view(seat), game, seat)
    who = names(game)
    records = list(events_of(game.config, game.records))
    assert len(records) == game.revision
    over = game.outcome is not None
    lines = history.full_log(
        [[event.redact(None, over) for event in events] for events in records], game.view(None), who
    )
    assert len(lines) > game.revision
    story = history.paragraphs(recount(game.config, game.records, None).turns, game.view(None), who)
    assert [paragraph.turn for paragraph in story if paragraph.turn] == list(range(1, game.turn + 1))
    assert all(length(paragraph.text) <= history.LONGEST_PARAGRAPH for paragraph in story)
    assert "rolls" in pictures.dice_line(game.view(None))
    if over:
        assert final_panel(game.view(None), who).length <= 3800
