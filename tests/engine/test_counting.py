"""What can be counted of hands (section M): the truth is never excluded, and what public events prove is certain."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine import counting
from engine import events as ev
from engine.actions import Discard, Resign, Roll
from engine.bounds import Hands
from engine.codec import Secret
from engine.config import COLORS, Config
from engine.counting import MOST_DEALS, Counts, Tally
from engine.game import Game
from engine.resources import NOTHING, ORE, hand, hand_of
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from tests.engine.builder import cards, seat, table
from tests.engine.randomly import attempt, chance, random_action, random_config
from tests.seeds import few_of

GAMES, BATCH = 40, 5
TWO = (hand_of(ore=1, wool=1), hand_of(grain=1), hand_of())


def games(seeds: range) -> Iterator[tuple[Game, random.Random]]:
    """Random games of all scenarios and rules, after each action."""
    for seed in seeds:
        rng = random.Random(seed)
        config = random_config(rng, tuple(SCENARIOS), (5, 10), rounds=40, variants=0.3 if seed % 2 else 0)
        game = Game.new(config, chance(seed))
        while game.outcome is None:
            attempt(game, *random_action(game, rng))
            yield game, rng


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 3))
def test_the_true_hands_are_always_possible(batch: int) -> None:
    """Sizes of hands are right, too, and the viewer's own hand is certain."""
    for game, rng in games(range(batch * BATCH, (batch + 1) * BATCH)):
        if rng.random() < 0.8:
            continue
        viewer = rng.choice((None, *range(game.config.players)))
        view = game.view(viewer, counted=True)
        assert view.counts
        assert 0 < len(view.counts.distributions) < MOST_DEALS
        for player in view.players:
            counted, hand_held = view.counted(player.seat), hand(game.state.hands[player.seat])
            assert all(a <= n <= b for a, n, b in zip(counted.least, hand_held, counted.most, strict=True))
            assert sum(counted.expected) == pytest.approx(player.hand_size)
            assert player.hand is None or counted.least == counted.most == player.hand


def test_counts_are_the_same_whenever_they_are_first_requested() -> None:
    for game, rng in games(range(3)):
        counts = game.view(None, counted=True).counts
        if rng.random() < 0.05:
            assert Game.replay(game.config, game.records).view(None, counted=True).counts == counts


def tally(*events: ev.Event, start: Hands = TWO) -> Tally:
    """A tally of these events, as three players see them."""
    found = Tally(data_of(Config(COLORS[:3])), start)
    found.note(events)
    return found


def counts(found: Tally, viewer: int | None = None) -> Counts:
    return found.counts(viewer)


def taken(card: int, seat: int = 2, victim: int = 0) -> ev.CardTaken:
    return ev.CardTaken(seat, victim, Secret(card, 1 << seat | 1 << victim))


def test_without_robberies_every_hand_is_certain() -> None:
    found = counts(tally(ev.Produced(2, hand_of(wool=2)), ev.BankTraded(0, hand_of(ore=1), hand_of(brick=1))))
    assert found.of(2, 2).least == found.of(2, 2).most == hand_of(wool=2)
    assert list(found.of(0, 2).expected) == list(hand_of(wool=1, brick=1))


def test_only_the_thief_and_the_victim_know_the_card_that_was_taken() -> None:
    found = tally(taken(ORE))
    for knows in (0, 2):
        assert counts(found, knows).of(2, 1).least == hand_of(ore=1)
    for viewer in (None, 1):
        thief = counts(found, viewer).of(2, 1)
        assert (thief.least, thief.most) == (hand_of(), hand_of(wool=1, ore=1))
        assert list(thief.expected) == [0, 0, 0.5, 0, 0.5]


def test_each_card_of_the_victim_is_equally_likely() -> None:
    start = (hand_of(ore=3, wool=1), hand_of(), hand_of())
    assert list(counts(tally(taken(ORE), start=start)).of(2, 1).expected) == [0, 0, 0.25, 0, 0.75]


def test_a_payment_shows_which_cards_the_player_held() -> None:
    found = counts(tally(taken(ORE), ev.BankTraded(0, hand_of(wool=1), hand_of(brick=1))))
    assert found.of(2, 1).least == hand_of(ore=1)


def test_a_payment_shows_all_that_was_given_even_if_some_of_it_came_back() -> None:
    """In 1996 a resource can be on both sides of a trade (A2)."""
    trade = ev.Traded(2, 1, hand_of(wool=2), hand_of(wool=1, grain=1))
    start = (hand_of(ore=1, wool=1), hand_of(grain=1, wool=1), hand_of(wool=1))
    assert counts(tally(taken(2), trade, start=start)).of(0, 1).least == hand_of(ore=1)


def test_a_monopoly_shows_how_many_cards_each_player_held() -> None:
    found = counts(tally(taken(ORE), ev.Monopolised(1, ORE, ((2, 1),))))
    assert found.of(0, 1).least == found.of(0, 1).most == hand_of(wool=1)
    assert found.of(1, 2).least == hand_of(grain=1, ore=1)


def test_discards_are_unknown_until_all_are_in() -> None:
    start = (hand_of(ore=4, wool=4), hand_of(), hand_of())
    waiting = counts(tally(start=start)).of(0, 4)
    assert (waiting.least, waiting.most) == (hand_of(), hand_of(ore=4, wool=4))
    assert list(waiting.expected) == [0, 0, 2, 0, 2]
    events = [ev.Discarded(0, hand_of(ore=4))]
    assert counts(tally(*events, start=start)).of(0, 4).least == hand_of(wool=4)


def test_the_bank_shows_which_cards_a_leaving_player_held() -> None:
    found = tally(taken(ORE), ev.Resigned(0, hand_of(wool=1)))
    assert counts(found).of(2, 1).least == hand_of(ore=1)


def test_counts_do_not_depend_on_which_card_others_took() -> None:
    """Two worlds: every card that others took from each other is a different one."""
    for game, rng in games(range(3)):
        if rng.random() < 0.97:
            continue
        viewer = rng.choice((None, *range(game.config.players)))
        tally = game._counting()
        twin = game.copy()
        twin._tally = Tally(game.rules.data, tally.start)
        twin._tally.facts = [_otherwise(fact, viewer, rng) for fact in tally.facts]
        assert twin.view(viewer, counted=True).counts == game.view(viewer, counted=True).counts


def _otherwise(fact: counting.Fact, viewer: int | None, rng: random.Random) -> counting.Fact:
    if isinstance(fact, ev.CardTaken) and isinstance(fact.card, Secret) and viewer not in (fact.seat, fact.victim):
        return replace(fact, card=Secret(rng.randrange(5), fact.card.seats))
    return fact


def test_a_player_who_discards_and_leaves_before_the_others_is_counted() -> None:
    t = table(seat(hand="b"), seat(hand="oooooooo"), seat(hand="wwwwwwww"), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(1, Discard(cards("oooo")))
    t.play(1, Resign())
    t.play(2, Discard(cards("wwww")))
    for viewer in (None, 0, 2):
        view = t.game.view(viewer, counted=True)
        assert view.counted(1).most == NOTHING
        assert view.counted(2).least == view.counted(2).most == cards("wwww")
