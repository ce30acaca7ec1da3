"""What offers, answers and undone moves prove of hands; and that counts are as sharp as the rules themselves allow."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine import counting
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildRoad,
    DeclineOffer,
    EndTurn,
    MoveRobber,
    PlayKnight,
    Undo,
)
from engine.codec import Secret
from engine.config import COLORS, Config
from engine.counting import Tally
from engine.events import CardTaken, Monopolised, OfferMade
from engine.game import Game
from engine.position import Position
from engine.resources import Hand, covers, hand, single
from engine.rules import data_of
from tests.engine.builder import Table, cards, edge, hex_, letters, seat, table
from tests.engine.possible import Possible
from tests.engine.randomly import attempt, chance, random_action, random_config
from tests.engine.tables import offer
from tests.seeds import few_of

GAMES, BATCH = 24, 6


def robbed() -> Table:
    """Seat 0 has taken a card from seat 1: brick, lumber, wool or ore. Seats 2 and 3 don't know which; it is wool."""
    t = table(seat(cards="k"), seat(settlements="C4", roads="c5", hand="blwo"), seat(), seat(hand="g"))
    t.play(0, PlayKnight())
    t.steals(1, "w")
    t.play(0, MoveRobber(hex_("2.2")))
    return t


def certain(t: Table, of: int, viewer: int | None = None) -> str:
    """The cards that a seat holds for certain, as letters."""
    return letters(t.game.view(viewer, counted=True).counted(of).least)


def test_without_an_offer_the_card_that_was_taken_is_unknown() -> None:
    t = robbed()
    assert [certain(t, of, viewer) for of in (0, 1) for viewer in (None, 2)] == [""] * 4
    assert (certain(t, 0, 1), certain(t, 1, 0)) == ("w", "blo")


def test_an_offer_proves_that_its_maker_holds_what_it_gives() -> None:
    t = robbed()
    t.play(1, offer("bl", "g"))
    assert (certain(t, 1), certain(t, 0)) == ("bl", "")
    t.play(0, offer("w", "g"))
    assert (certain(t, 1), certain(t, 0)) == ("blo", "w")


def test_an_accepted_offer_proves_that_the_other_player_holds_what_it_wants() -> None:
    t = robbed()
    t.play(0, offer("w", "blo"))
    t.play(1, DeclineOffer(1))
    assert certain(t, 3) == "g"
    assert certain(t, 1) == "blo"  # seat 0 has shown the wool
    t = robbed()
    t.play(3, offer("g", "w"))
    assert certain(t, 0) == ""  # that someone wants wool proves nothing
    t.play(0, AcceptOffer(1))
    assert certain(t, 0) == "g"


def test_a_proof_holds_after_the_offer_is_gone() -> None:
    t = robbed()
    t.play(1, offer("o", "g"))
    t.play(0, DeclineOffer(1))
    t.play(0, EndTurn())
    assert certain(t, 1) == "o"


@pytest.mark.parametrize(
    "undone", [(BuildRoad(edge("c4")),), (BankTrade(cards("wwww"), cards("b")), BuildRoad(edge("c4")))]
)
def test_a_move_that_was_paid_and_undone_shows_the_cards_which_are_back(undone: tuple[Action, ...]) -> None:
    """A trade with the bank too, and with a road after it even the lumber for the road."""
    thief = seat(settlements="B4", roads="c5", hand="wwww" if len(undone) > 1 else "b", cards="k")
    t = table(thief, seat(settlements="C4", hand="lo"), seat())
    t.play(0, PlayKnight())
    t.steals(1, "l")
    t.play(0, MoveRobber(hex_("2.2")))
    assert (certain(t, 1), certain(t, 0)) == ("", letters(cards(thief.hand)))
    for action in undone:
        t.play(0, action)
    for _ in undone:
        t.play(0, Undo())
    assert (certain(t, 1), certain(t, 0)) == ("o", letters(cards(thief.hand + "l")))


def followed(seeds: range) -> Iterator[tuple[Game, int | None, Possible]]:
    """Random games, and all that is possible by what a viewer has seen; not while some discards are hidden."""
    for seed in seeds:
        rng = random.Random(seed)
        config = random_config(rng, ("base", "beginner", "extension"), (6, 8), rounds=20, variants=0.15)
        game, viewer = Game.new(config, chance(seed)), rng.choice((None, 0, 1))
        possible = Possible(game, viewer)
        while game.outcome is None and game.revision < 500 and len(possible.games) < 100:
            if attempt(game, *random_action(game, rng)) is None:
                possible.follow(game)
                if game.outcome is None and possible.shown():
                    yield game, viewer, possible


def bounds(game: Game, viewer: int | None) -> list[tuple[Hand, Hand]]:
    """What is counted of each seat's hand: the fewest and the most cards."""
    view = game.view(viewer, counted=True)
    assert view.counts
    counted = [view.counts.of(player.seat, player.hand_size) for player in view.players]
    return [(each.least, each.most) for each in counted]


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 2))
def test_counts_are_what_the_rules_leave_possible_no_more_and_no_less(batch: int) -> None:
    several = 0
    for game, viewer, possible in followed(range(batch * BATCH, (batch + 1) * BATCH)):
        several += len(possible.games) > 1
        assert bounds(game, viewer) == possible.bounds()
    assert several > 20


@pytest.mark.parametrize("games", few_of((BATCH, GAMES)))
def test_with_too_many_ways_nothing_possible_is_left_out(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Most of the time the counts are as sharp as before, too."""
    monkeypatch.setattr(counting, "MOST_DEALS", 2)
    lost = sharp = 0
    for game, viewer, possible in followed(range(games)):
        found = bounds(game, viewer)
        for (least, most), (fewest, extra) in zip(found, possible.bounds(), strict=True):
            assert covers(fewest, least)
            assert covers(most, extra)
        if game.view(viewer, counted=True).counts.bounds:  # type: ignore[union-attr]
            lost += 1
            sharp += found == possible.bounds()
    assert lost > 6 * games
    assert sharp > 0.9 * lost


def around(seats: int) -> Tally:
    """Everyone holds two of each resource, and has taken a card from the next player, twice."""
    found = Tally(data_of(Config(COLORS[:4])), (hand([2] * 5),) * seats)
    for n in range(2 * seats):
        thief, victim = n % seats, (n + 1) % seats
        found.note([CardTaken(thief, victim, Secret(n % 5, 1 << thief | 1 << victim))])
    return found


def test_with_too_many_ways_bounds_are_kept_for_each_resource() -> None:
    counts = around(6).counts(None)
    assert counts.distributions == ()
    for seat_ in range(6):
        found = counts.of(seat_, 10)
        assert (found.least, found.most) == (hand([0] * 5), hand([4] * 5))
        assert sum(found.expected) == pytest.approx(10)
        assert sum(counts.deal(random.Random(seat_))[seat_]) == 10


def test_ways_are_listed_again_once_there_are_few() -> None:
    """A monopoly of each resource shows who held how many."""
    found = around(6)
    held = [[2] * 5 for _ in range(6)]
    for n in range(12):
        held[n % 6][n % 5] += 1
        held[(n + 1) % 6][n % 5] -= 1
    for kind in range(4):
        found.note([Monopolised(0, kind, tuple((s, held[s][kind]) for s in range(1, 6)))])
        assert found.counts(None).of(1, 10 - sum(held[1][: kind + 1])).most[kind] == 0
    counts = found.counts(None)
    assert [len(counts.distributions), counts.bounds] == [1, None]
    assert counts.of(3, held[3][4]).least == single(4, held[3][4])


def test_ways_that_are_listed_again_know_who_robbed_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds alone would not tell: each of two thieves has taken wool or ore, and the first turns out to have wool."""
    monkeypatch.setattr(counting, "MOST_DEALS", 3)
    start = tuple(map(cards, ("wo", "", "wo", "")))
    found = Tally(data_of(Config(COLORS[:4])), start)
    found.note([CardTaken(1, 0, Secret(2, 0b11)), CardTaken(3, 2, Secret(4, 0b1100))])
    assert found.counts(None).bounds
    found.note([OfferMade(1, 1, cards("w"), cards("b"), (0,))])
    assert found.counts(None).of(0, 1).least == cards("o")
    assert len(found.counts(None).distributions) == 2


def test_a_position_is_dealt_within_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_DEALS", 1)
    tried = 0
    for game, viewer, _possible in followed(range(6)):
        view = game.view(viewer, counted=True)
        if view.counts and view.counts.bounds:
            tried += 1
            hands = Position.of(view, random.Random(tried)).state.hands
            for player, dealt in zip(view.players, hands, strict=True):
                counted = view.counted(player.seat)
                assert covers(dealt, counted.least)
                assert covers(counted.most, dealt)
                assert sum(dealt) == player.hand_size
    assert tried > 40
