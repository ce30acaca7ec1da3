"""Lines about best and worst moves: places are named by what all can see, trades from the reader's side."""

from __future__ import annotations

import pytest

from bot.words.moments import moments
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    WithdrawOffer,
)
from engine.resources import GRAIN, ORE, WOOL, single
from players.moments import Moment
from tests.engine.builder import edge, node, seat, table

NAMES = ("Ann", "Bob", "Cem")


def told(action: Action, other: Action, gain: float, who: int = 0) -> str:
    """The line about a reader's choice, in a turn in which Ann offers a grain for an ore."""
    mine = seat(settlements="C4 D6", roads="e4 g6", hand="ggoooo")
    game = table(mine, seat(settlements="B4 E3", hand="oog"), seat(settlements="C7 B2", hand="oo")).game
    game.play(0, MakeOffer(single(GRAIN), single(ORE)))
    moment = Moment(game.view(who), action, other, gain)
    title, line = moments(NAMES, *(([moment], []) if gain < 0.0 else ([], [moment]))).splitlines()
    assert title == ("**Cost the most**" if gain < 0.0 else "**Helped the most**")
    return line


@pytest.mark.parametrize(
    ("action", "other", "gain", "who", "line"),
    [
        (
            BankTrade(single(ORE, 4), single(WOOL)),
            EndTurn(),
            -0.092,
            0,
            "**−9%**: Trade 4 🪨 ore for 1 🐑 wool with the bank. Better: **End your turn**: ",
        ),
        (BuildCity(node("D6")), BuildCity(node("C4")), 0.02, 0, "**+2%**: Build a city at "),
        (BuildRoad(edge("c4")), EndTurn(), -0.02, 0, "**−2%**: Build a road to "),
        (
            CloseOffer(1, 1),
            WithdrawOffer(1),
            -0.03,
            0,
            "**−3%**: Trade 1 🌾 grain for 1 🪨 ore with Bob. Better: Don't trade.",
        ),
        (
            AcceptOffer(1),
            DeclineOffer(1),
            0.03,
            1,
            "**+3%**: Trade 1 🪨 ore for 1 🌾 grain with Ann. Next best: Don't trade.",
        ),
        (
            DeclineOffer(1),
            AcceptOffer(1),
            -0.03,
            2,
            "**−3%**: Decline 1 🌾 grain for 1 🪨 ore from Ann. Better: Accept.",
        ),
    ],
)
def test_each_kind_of_choice_has_a_line(action: Action, other: Action, gain: float, who: int, line: str) -> None:
    text = told(action, other, gain, who)
    assert text.startswith(f"- Turn 1, {line}")
    assert "C4" not in text
    assert "e4" not in text


def test_without_moments_there_are_no_lines() -> None:
    assert moments(NAMES, [], []) == ""
