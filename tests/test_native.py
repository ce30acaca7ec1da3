"""mypyc accepts the modules that a bot on Discord runs as native code, and types that it checks there are true. This is
tested without a C compiler, which isn't needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

from engine.actions import Action
from engine.config import COLORS, Config
from engine.rules import rules_of
from engine.state import Move, Step
from engine.variants import VARIANTS
from tests.native import interpreted

ROOT = Path(__file__).parents[1]
PROGRAM = """
import gc, os, sys
gc.disable()  # it takes as long as all the rest to look for garbage and to take the trees down
from mypyc.build import mypycify
from setup import native
assert len(mypycify(native(), target_dir=sys.argv[1])) > 50
os._exit(0)
"""


def test_mypyc_accepts_all_native_modules(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@interpreted
def test_all_rules_take_the_steps_actions_and_events_that_they_are_there_for() -> None:
    """The tables of rules hide their types from mypy, but native code refuses values of other types."""
    wrong = set()

    def check(function: Any, **given: type) -> None:
        hints = [hint for name, hint in get_type_hints(function).items() if name != "return"]
        for place, kind in given.items():
            if not fits(kind, hints[PLACES[place]]):
                wrong.add(f"{function.__qualname__}: {kind.__name__}")

    for variants in [(), *((variant,) for variant in VARIANTS)]:
        rules = rules_of(Config(COLORS[:4], variants=variants))
        rows: list[tuple[type[Step], dict[type[Action], Move]]] = [*rules.moves.items(), *rules.referee.items()]
        rows.append((Step, rules.anytime | rules.referee_anytime))
        for step, moves in rows:
            for action, move in moves.items():
                check(move.domain, step=step)
                for function in (move.do, move.why, *(why for _, why in rules.narrow.get(action, ()))):
                    check(function, step=step, action=action)
                for narrow, _ in rules.narrow.get(action, ()):
                    check(narrow, step=step)
        for event, reactions in rules.reactions.items():
            for reaction in reactions:
                check(reaction, event=event)
    assert wrong == set()


PLACES = {"step": 1, "action": 3, "event": 2}
"""Of what is given to a rule, among its parameters."""


def fits(given: type, hint: Any) -> bool:
    """Whether native code takes an object of a class for a hint; it never looks at protocols."""
    return hint is Any or getattr(hint, "_is_protocol", False) or issubclass(given, hint)
