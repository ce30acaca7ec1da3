"""The examples on the developers' pages work as they stand: each block of code runs, or is in the file that it
quotes.

`ALONE`, `FILES`, `PARTS`, `QUOTED` and `PLAIN` say how each block is tested. They name a block by a phrase of the
text before it.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import cache_from_source
from inspect import CO_COROUTINE
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from bot.cli import main
from bot.service import Services
from bot.store import Store, open_store
from bot.table.acts.lobby import Join
from engine.config import Config
from engine.game import Game
from engine.record import Record
from players import LEVELS, arena
from tests.engine.randomly import chance
from tests.house import ROOT, page
from tests.players.pacifist import Pacifist
from tests.soak import stalemates
from tools import texts

EXTENDING, PLAYERS, ENGINE = "docs/extending.md", "docs/players.md", "docs/engine.md"
FENCED = re.compile(r"^( *)```\w*\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
PLUGGED = str(ROOT / "tests/bot/discord/plugged.py")
CONFIG = Config(colors=("red", "blue"))


def run(code: str, **names: Any) -> dict[str, Any]:
    """Run a block with these names defined. Returns all names that are defined afterwards."""
    compiled = compile(code, "example", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    coroutine = eval(compiled, names)
    if compiled.co_flags & CO_COROUTINE:
        asyncio.run(coroutine)
    return names


def words(code: str) -> list[list[str]]:
    """The commands of a shell block, split into words. A command that plays many games plays one instead."""
    commands = map(shlex.split, code.replace("\\\n", " ").splitlines())
    return [[*line[: line.index("--games")], "--games", "1"] if "--games" in line else line for line in commands]


def a_language(code: str) -> None:
    """Check that the command begins a file with all messages."""
    [[_python, tool, new]] = words(code)
    Path("bot/locale").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "LOCALE", Path("bot/locale"))
        patch.setattr(texts, "TEMPLATE", Path("bot/locale/harbormaster.pot"))
        texts.main([new])
    assert tool == "tools/texts.py"
    assert 'msgid "Roll"' in Path(f"bot/locale/{new}.po").read_text("utf-8")


def the_services(code: str) -> None:
    stores = list[Store]()

    async def opened(path: Path) -> Store:
        stores.append(await open_store(path))
        return stores[0]

    names = {"Services": Services, "open_store": opened, "Path": Path, "Join": Join, "stores": stores}
    closed = f"try:\n{indent(code, '    ')}finally:\n    [await store.close() for store in stores]"
    assert run(closed, **names)["table"].host == 11


def seeing_it_play(code: str) -> None:
    simulate, soak = words(code)
    assert (main(simulate[1:]), soak[:3]) == (0, ["python", "-m", stalemates.__name__])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", soak[2:])
        stalemates.main()


def an_arena(code: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LEVELS, "pacifist", Pacifist)
        patch.setattr(arena, "ProcessPoolExecutor", lambda *_, **__: ThreadPoolExecutor(1))
        assert main(words(code)[0][1:]) == 0


def thinking_ahead(code: str) -> None:
    game, rng = Game.new(CONFIG, chance(1)), random.Random(1)
    [seat] = game.to_act
    names = {"view": game.view(seat), "self": Pacifist(rng), "seat": seat, "action": game.options(seat).sample(rng)}
    assert run(code, **names)["position"].to_act == (seat,)


def a_position(code: str) -> None:
    game = Game.new(CONFIG, chance(1))
    assert run(code, game=game, seat=game.to_act[0], rng=random.Random(1))["position"].outcome


def a_log(code: str) -> None:
    run(code, json=json, config=CONFIG, game=Game.new(CONFIG, chance(1)), Game=Game, Record=Record)


ALONE: dict[tuple[str, str], Callable[[str], object]] = {  # each in an empty folder
    (EXTENDING, "written where it is said"): lambda code: run(code, names=("Ann", "Bob"), seat=1, count=2),
    (EXTENDING, "A language is one file"): a_language,
    (EXTENDING, "The services take the store"): the_services,
    (EXTENDING, "## Seeing it play"): seeing_it_play,
    (PLAYERS, "you can compare it with the others"): an_arena,
    (PLAYERS, "## Thinking ahead"): thinking_ahead,
    (ENGINE, "## A game in ten lines"): run,
    (ENGINE, "make a position from what a seat may know"): a_position,
    (ENGINE, "`game.records` is the whole truth"): a_log,
}

FILES = (
    *("engine/variants/late_cards.py", "engine/scenarios/islet.py", "engine/variants/lucky_twelve.py"),
    *("bot/screens/steps/gift.py", "bot/discord/features/reach.py"),
    *("bot/console/__init__.py", "bot/commands/console.py"),
)
"""Whole files, whose names are the phrases."""
GIFT = "bot/discord/features/gift.py"
PARTS = {
    "`_IDS` of `engine/variants/__init__.py`": ("engine/variants/__init__.py", "_IDS = (\n"),
    "`_IDS` of `engine/scenarios/__init__.py`": ("engine/scenarios/__init__.py", "_IDS = (\n"),
    "`StepKind` of `engine/terms.py`": ("engine/terms.py", 'OVER = "over"\n'),
    "declared where its value is kept": ("bot/table/options.py", 'a private thread for their hand."""\n'),
    "a frozen dataclass in `bot/table/acts/`": ("bot/table/acts/seats.py", ""),
    "who is about to win. The function": ("bot/screens/waiting.py", ""),
    "Its line in `all_pings`": ("bot/screens/waiting.py", "            *reminder_pings(public),\n"),
    "add it to `About`": ("bot/screens/steps/step.py", '"""An earlier call."""\n'),
    "add how they are called to `PING_KINDS`": (
        "bot/discord/show/pings.py",
        "PING_KINDS: Mapping[About, PingKind] = {\n",
    ),
    "The kind, in `bot/projections.py`": ("bot/projections.py", 'the time when it was given."""\n'),
    "here `bot/discord/show/panel.py`": ("bot/discord/show/panel.py", ""),
    "its line in `_channel_messages`": ("bot/discord/show/lanes.py", "    shown: list[Message] = [\n"),
    "`_NAMES` of `bot/discord/features/__init__.py`": ("bot/discord/features/__init__.py", "_NAMES = (\n"),
    "`act` plays an action": (GIFT, "# --- the command\n"),
}
"""The file that each part goes into, and the text that it follows there; empty: the end of the file."""
TOLD = (
    (GIFT, "", "from bot.discord.features.cards import *\n"),
    (GIFT, "", "from engine.variants.lucky_twelve import *\n# --- the command\nFEATURE = Feature(commands=[gift])\n"),
    ("bot/discord/features/__init__.py", "_NAMES = (\n", '    "gift",\n'),
    ("engine/variants/__init__.py", "_IDS = (\n", '    "lucky-twelve",\n'),
    (
        "bot/discord/show/panel.py",
        "from bot.screens import trade, wishes\n",
        "from bot.screens.options import chosen_options\n",
    ),
    ("bot/discord/show/panel.py", "from bot.words.language import _, n_\n", "from bot.words.marks import listing\n"),
)
"""The same for what the page only describes, or leaves to the reader."""
QUOTED = {
    (EXTENDING, "To make the error, call it"): "engine/steps/robber.py",
    (EXTENDING, "is a line in `bot/words/refusals.py`"): "bot/words/refusals.py",
    (EXTENDING, "It is raised by its key"): "bot/screens/trade.py",
    (EXTENDING, "Messages use the event's fields"): "bot/words/narrator/building.py",
    (EXTENDING, "how a change is saved"): "bot/store/sql/store.py",
    (PLAYERS, "## A player in thirty lines"): "tests/players/pacifist.py",  # which test_levels.py plays
}
PLAIN = {(PLAYERS, "`players/` has four bots"): "a drawing, no code; `make lint` checks it"}
TRIED = [*ALONE, *QUOTED, *PLAIN, *((EXTENDING, f"`{path}`") for path in FILES), *((EXTENDING, said) for said in PARTS)]


@cache
def blocks(name: str) -> list[tuple[str, str, str]]:
    """For each block of a page: its location, the text before it, and its code without the fence's indentation."""
    text, end, found = page(ROOT / name), 0, []
    for fenced in FENCED.finditer(text):
        place, before = text.count("\n", 0, fenced.start()) + 1, " ".join(text[end : fenced.start()].split())
        found.append((f"{name}:{place}", before, re.sub(f"^{fenced[1]}", "", fenced[2], flags=re.MULTILINE)))
        end = fenced.end()
    return found


def block(name: str, phrase: str) -> str:
    """The code of the one block that a phrase names."""
    codes = [code for _place, before, code in blocks(name) if phrase in before]
    assert len(codes) == 1, f"{name} has {len(codes) or 'no'} blocks after “{phrase}”"
    return codes[0]


@pytest.mark.parametrize("name", [EXTENDING, PLAYERS, ENGINE])
def test_every_block_of_a_page_is_tested_once(name: str) -> None:
    tried = [block(name, phrase) for where, phrase in TRIED if where == name]
    assert [f"{place} is tried {n} times" for place, _, code in blocks(name) if (n := tried.count(code)) != 1] == []


@pytest.mark.parametrize(("name", "phrase"), ALONE)
def test_a_block_runs(name: str, phrase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ALONE[name, phrase](block(name, phrase))


@pytest.mark.parametrize(("name", "phrase"), QUOTED)
def test_a_block_is_in_the_file_that_it_quotes(name: str, phrase: str) -> None:
    """Compared paragraph by paragraph, whatever the indentation in the file."""
    source = (ROOT / QUOTED[name, phrase]).read_text("utf-8")
    unindented = re.sub(r"^ +", "", f"\n{source}", flags=re.MULTILINE)
    quoted = re.sub(r"^ +", "", block(name, phrase), flags=re.MULTILINE).strip("\n").split("\n\n")
    assert [part for part in quoted if f"\n{part.strip()}\n" not in unindented] == [], QUOTED[name, phrase]


def extended(tree: Path) -> None:
    """Copy the program to `tree`, with everything that docs/extending.md builds."""
    for room in ("engine", "bot"):
        shutil.copytree(ROOT / room, tree / room)
        for file in (ROOT / room).rglob("*.py"):  # what is compiled already needn't be compiled there, too
            there, here = (Path(cache_from_source(str(at / file.relative_to(ROOT)))) for at in (ROOT, tree))
            if there.exists() and not here.exists():
                here.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(there, here)
    line = re.search(r"a line in `COMMANDS` of `(.+?)`: `(.+?)`\.", page(ROOT / EXTENDING))
    assert line, f"{EXTENDING} doesn't say which line makes the subcommand"
    parts = [*TOLD, (line[1], "COMMANDS = {\n", f"    {line[2]}\n")]
    parts += [(path, "", block(EXTENDING, f"`{path}`")) for path in FILES]
    parts += [(*where, block(EXTENDING, phrase)) for phrase, where in PARTS.items()]
    for name, behind, code in parts:
        path = tree / name
        path.parent.mkdir(exist_ok=True)
        source = path.read_text("utf-8") if path.exists() else ""
        assert not behind or source.count(behind) == 1, f"{name} doesn't have {behind!r} once"
        at = source.index(behind) + len(behind) if behind else len(source)
        entry = re.sub(r"^\((.+,)\)$", r"    \1", code, flags=re.MULTILINE)  # an entry of a longer tuple
        path.write_text(source[:at] + entry + source[at:], "utf-8")


def test_everything_that_the_extending_page_builds_works(tmp_path: Path) -> None:
    extended(tmp_path)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT))), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ("-ppytest_asyncio.plugin", "-pxdist.plugin", "-pno:cacheprovider")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", *plugins, "--override-ini=pythonpath=", PLUGGED]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
