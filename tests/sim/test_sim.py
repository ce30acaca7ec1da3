"""The simulation itself: a sample of seeds, the same log for the same seed, planted faults that are found."""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import languages
from bot.languages import Language
from bot.screens.panel import heading
from bot.words.language import speaking
from docs import reliability
from tests.house import ROOT
from tests.wire.party import spoken

pytestmark = pytest.mark.skipif(find_spec("simloom") is None, reason="simloom needs Python 3.12 (make sim)")


def sim(*arguments: str, status: int = 0) -> str:
    """Run the simulation, in a process whose clocks it can replace. Returns its output."""
    command = [sys.executable, "-m", "tests.sim", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    assert done.returncode == status, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def test_a_seed_brings_the_same_log_in_every_process() -> None:
    digests = [re.findall(r"problems, (\w+)", sim("--first", "4", "--seeds", "2", "--verbose")) for _ in range(2)]
    assert sorted(digests[0]) == sorted(digests[1])
    assert len(digests[0]) == 2


@pytest.mark.parametrize("language", languages.offered(), ids=lambda language: language.code)
def test_a_turn_is_found_in_a_game_message_in_every_language(language: Language) -> None:
    from tests.sim.calls import TURN

    view: Any = SimpleNamespace(step=SimpleNamespace(kind=None), turn=12, on_turn=0)
    setup: Any = SimpleNamespace(step=SimpleNamespace(kind=None), turn=0, on_turn=0)
    with speaking(language):
        found = [TURN.match(f"### {heading(one, 7, ['Ann 3'])}") for one in (setup, view)]
    assert [[part for part in one.groups() if part] for one in found if one] == [["7"], ["7", "12"]]


def test_a_plan_is_shortened_to_what_still_fails() -> None:
    """Here with two of its events and ten things that people do, whatever else there is."""
    from tests.sim.plan import Event, Plan, plan_of
    from tests.sim.play import Result
    from tests.sim.shorten import shortened

    def run(plans: Iterable[Plan]) -> Iterator[Result]:
        for plan in plans:
            fails = {event.which for event in plan.events} >= {3, 11} and plan.acts >= 10
            yield Result(plan.seed, (f"{'it' if fails else 'something else'} is broken: here",), "")

    events = tuple(Event(float(n), "cut", which=n) for n in range(20))
    plan = replace(plan_of(1), tables=2, acts=150, events=events)
    short = shortened(plan, {"it is broken"}, run)
    assert [event.which for event in short.events] == [3, 11]
    assert (short.tables, short.latency) == (1, (0.0, 0.0))
    assert 10 <= short.acts < 15
    assert Plan.of_text(short.text()) == short


def test_only_what_was_done_and_stored_is_counted() -> None:
    from tests.sim.people import Player
    from tests.sim.plan import Habit
    from tests.wire.chaos import has_made

    async def fail() -> bool:
        raise LookupError

    universe: Any = SimpleNamespace(chance=random.Random, log=lambda text: None, now=0.0)
    town: Any = SimpleNamespace(universe=universe, playing=asyncio.Event(), busy=0, acts=0)
    town.playing.set()
    person: Any = SimpleNamespace(human=SimpleNamespace(name="Ann"))
    player = Player(town, SimpleNamespace(number=1), person, Habit(1e-6, 1.0, 1))  # type: ignore[arg-type]
    asyncio.run(player._do(fail))
    assert town.acts == 0
    stored: Any = SimpleNamespace(made_by={"17": 3})
    answers: list[Any] = [SimpleNamespace(it=SimpleNamespace(id=it)) for it in (17, 18)]
    assert [has_made(told, stored) for told in answers] == [True, False]


def test_a_button_is_found_by_its_english_label_in_every_language() -> None:
    assert {"Roll", "Würfeln"} <= spoken("Roll")
    assert {"Counter 12", "Gegenangebot zu 12"} <= spoken("Counter 12")


def test_nothing_is_lost_in_a_sample_of_seeds() -> None:
    assert "failed: none" in sim("--seeds", "4")


def test_a_planted_fault_is_found() -> None:
    assert "after" in sim("--planted", "no_interaction", "--seeds", "20")


def test_a_planted_fault_that_is_not_found_is_written_as_that(tmp_path: Path) -> None:
    sim("--planted", "moved_wrong", "--seeds", "1", "--write", str(tmp_path / "planted.json"), status=1)
    figures = reliability.merged({"planted": {"moved_wrong": {"seeds": 64}}}, [tmp_path / "planted.json"])
    assert figures["planted"]["moved_wrong"]["seeds"] == "not found in 1"


@pytest.mark.soak
def test_nothing_is_lost_in_many_seeds() -> None:
    assert "failed: none" in sim("--seeds", "10000")


@pytest.mark.soak
def test_every_planted_fault_and_leak_is_found() -> None:
    assert "NOT FOUND" not in sim("--planted", "all", "--seeds", "500")
