"""The buttons of a decision are for those who play, or for all: while only bots play, those for all stay."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from bot.screens.controls import Open
from bot.screens.play import VERBS_FOR_ALL, panel_controls
from bot.screens.viewer import Viewer
from engine.actions import EndTurn
from tests.bot.table.desk import ANN, Desk
from tests.engine.builder import table as position
from tests.house import ROOT, page

FOR_WHO_PLAYS = {"answer", "bank", "build", "cards", "discard", "place"}
"""Verbs of buttons that are of use only to those for whom the game waits."""
ELSEWHERE = {"catchup", "form", "rematch", "stats", "throw", "undiscard"}
"""Verbs of buttons that aren't in the game message while the game runs, or are put there in any case."""


def verbs() -> Iterator[str]:
    """The verbs of all buttons that steps have."""
    for path in sorted((ROOT / "bot" / "screens" / "steps").glob("*.py")):
        for node in ast.walk(ast.parse(page(path))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Open":
                assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno}"
                yield str(node.args[0].value)


def test_each_button_of_a_step_is_for_who_plays_or_for_all() -> None:
    """A new one that is for all must be in `VERBS_FOR_ALL`, or it vanishes in the turns of bots."""
    kinds = [{*VERBS_FOR_ALL}, FOR_WHO_PLAYS, ELSEWHERE]
    assert {*verbs()} == set[str]().union(*kinds)
    assert sum(map(len, kinds)) == len({*verbs()})


@pytest.mark.parametrize("computers", [0, 2])
def test_an_end_of_turn_can_be_undone_by_a_button_while_the_next_one_thinks(computers: int) -> None:
    desk = Desk.at(position(players=3), computers=computers)
    desk.play(ANN, EndTurn())
    rows = panel_controls(Viewer(desk.table, desk.played))
    assert Open("undo") in [button.target for row in rows for button in row]
