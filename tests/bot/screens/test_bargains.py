"""Suggestions while a trade is typed: each fits the text of the other option, and means what its label shows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

import pytest

from bot.screens import suggested
from bot.screens.viewer import Viewer
from bot.words.typed import as_typed, coded, parse_trade, parse_wish, shown_trade
from engine.actions import BankTrade
from engine.resources import hand
from tests.bot.playground import choose
from tests.bot.screens.played import new_game, table

TYPED = (
    "", "2", "2 w", "2 wool", "2 wool for", "for ore", "for", ": o", "2 wool for ore", "wo", "b l", "ore for wo",
    "wool,", "1 brick, 1 lumber", "2 lu", "ww", "4 brick", "4 brick for o", "w:w", "xyz", "lol",
)  # fmt: skip
READABLE = ("", "1 ore", "for ore", "2 wool")
UNREADABLE = ("xyz", "ore for wool", "2")


@pytest.fixture(scope="module")
def trader() -> Viewer:
    """A player on turn who can trade with the bank and holds several kinds of cards."""
    game, rng = new_game("base", 3, "2007"), random.Random(3)
    while True:
        seat = rng.choice(game.to_act)
        if BankTrade in game.options(seat) and sum(map(bool, game.state.hands[seat])) > 1:
            return Viewer(table(game.config), game, seat)
        game.play(seat, choose(game, seat, rng))


Find = Callable[[Viewer, str, str], Iterable[tuple[str, str]]]


def check(label: str, give: str, want: str) -> None:
    """Check that a label shows the trade that both options mean, and leaves open what an empty option doesn't say."""
    shows = label.split(" · ")[0]
    if (give and want) or ">" in give:
        trade = shown_trade(*parse_trade(give, want))
        assert " → " not in shows or shows == trade
    else:
        assert "→ 1" not in shows


@pytest.mark.parametrize("find", [suggested.offer_give, suggested.bank_give])
def test_suggested_cards_to_give_fit_the_cards_wanted(trader: Viewer, find: Find) -> None:
    count = 0
    for text, want in itertools.product(TYPED, READABLE):
        for label, value in find(trader, text, want):
            check(label, value, want)
            count += 1
    assert count > 100


@pytest.mark.parametrize("find", [suggested.offer_give, suggested.bank_give])
def test_no_trade_is_suggested_if_the_other_option_is_unreadable(trader: Viewer, find: Find) -> None:
    for text, want in itertools.product(TYPED, UNREADABLE):
        for label, value in find(trader, text, want):
            assert "→" not in label
            check(label, value, "ore" if "ore" not in value else "wool")


@pytest.mark.parametrize("find", [suggested.offer_want, suggested.bank_get])
def test_suggested_cards_to_get_fit_the_cards_to_give(trader: Viewer, find: Find) -> None:
    for text, give in itertools.product(TYPED, ("", "2 wool", "4 brick", "2 wool for")):
        for label, value in find(trader, text, give):
            check(label, give, value)
    for text in TYPED:
        assert not list(find(trader, text, "2 wool for brick")), "it would be said twice"


def test_the_word_for_begins_what_is_wanted(trader: Viewer) -> None:
    suggestions = list(suggested.offer_give(trader, "for ore", ""))
    assert suggestions
    assert all(as_typed(parse_trade(value)[1]) == "1 ore" for _label, value in suggestions)
    assert ("2 wool → 1 ore", coded(hand((0, 0, 2, 0, 0)))) in [
        (label.split(" · ")[0], value) for label, value in suggested.offer_give(trader, "2 wool for brick", "1 ore")
    ]


def test_a_suggested_request_can_be_posted(trader: Viewer) -> None:
    seat = trader.view.players[trader.my_seat - 1].seat
    waiting = Viewer(trader.table, trader.game, seat)
    for text, other in itertools.product(TYPED, READABLE):
        for _label, value in suggested.wish_want(waiting, text, other):
            assert any(parse_wish(value, other)[0])
        for _label, value in suggested.wish_give(waiting, text, other):
            assert any(parse_wish("brick" if not other else other.removeprefix("for "), value)[1])
    assert not list(suggested.wish_give(waiting, "", "ore for wool"))
