"""Lines about best and worst moves: places are named by what all can see, trades from the reader's side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.words.why import moment_lines, moment_title
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
from engine.resources import GRAIN, LUMBER, ORE, WOOL, single
from players.moments import Moment
from players.reasons import Reason
from tests.engine.builder import edge, node, seat, table

NAMES = ("Ann", "Bob", "Cem")


def told(action: Action, other: Action, gain: float, who: int = 0) -> str:
    """The line about a reader's choice, in a turn in which Ann offers a grain for an ore."""
    mine = seat(settlements="C4 D6", roads="e4 g6", hand="ggoooo")
    game = table(mine, seat(settlements="B4 E3", hand="oog"), seat(settlements="C7 B2", hand="oo")).game
    game.play(0, MakeOffer(single(GRAIN), single(ORE)))
    moment = Moment(game.view(who), action, other, gain)
    title, line = moment_lines(NAMES, *(([moment], []) if gain < 0.0 else ([], [moment]))).splitlines()
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
    assert moment_lines(NAMES, [], []) == ""


def plan(gain: float, reasons: tuple[Reason, ...] = (), lacks: Reason | None = None, chance: float = 0.0) -> str:
    """The line about a turn in which Ann could trade wool for the lumber of a road, which is the longest."""
    view = table(seat(cities="B4", roads="c4 c5 c6 c7", hand="bwwww"), seat(), seat()).game.view(0)
    trade, road = BankTrade(single(WOOL, 4), single(LUMBER)), BuildRoad(edge("c8"))
    pair: tuple[Action, Action] = (EndTurn(), trade) if gain < 0.0 else (trade, EndTurn())
    moment = Moment(view, pair[0], pair[1], gain, (road,), reasons, lacks, chance)
    return moment_lines(NAMES, *(([moment], []) if gain < 0.0 else ([], [moment]))).splitlines()[1]


LONGEST = Reason("longest_road", 5)


def test_a_missed_plan_is_told_to_its_end_with_its_reason_and_what_it_was_worth() -> None:
    line = plan(-0.12, reasons=(LONGEST,), chance=0.88)
    assert line.startswith("- Turn 1, **−12%**: End your turn. Better: Trade 4 🐑 wool for 1 🪵 lumber with the bank.")
    assert " Then: Build a road to " in line
    assert line.endswith("You take the Longest Road with 5 roads: 2 points. It wins: 88% → 100%.")


def test_a_good_choice_tells_what_followed_and_why_before_the_next_best() -> None:
    line = plan(0.12, reasons=(LONGEST,), chance=0.55)
    assert line.startswith("- Turn 1, **+12%**: Trade 4 🐑 wool for 1 🪵 lumber with the bank. Then: Build a road to ")
    assert "You take the Longest Road with 5 roads: 2 points. 43% → 55%. Next best: **End your turn**: " in line


def test_without_another_reason_a_line_says_what_the_worse_choice_lacks() -> None:
    lacks = Reason("nearer")
    assert plan(-0.05, lacks=lacks, chance=0.2).endswith("Your move: It leaves you further from building. 20% → 25%.")
    assert plan(0.05, lacks=lacks).endswith("It leaves you further from building.")


def test_the_title_of_a_moment_is_short() -> None:
    view = table(seat(), seat()).game.view(0)
    titles = [
        moment_title(Moment(replace(view, turn=turn), EndTurn(), EndTurn(), gain))
        for turn in (0, 7)
        for gain in (-0.1, 0.02)
    ]
    assert titles == ["Setup, −10%", "Setup, +2%", "Turn 7, −10%", "Turn 7, +2%"]
