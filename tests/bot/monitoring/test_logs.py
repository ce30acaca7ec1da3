"""The log as JSON: one object per line, whatever the message contains, and nothing that the plain log omits."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from bot.process import JsonFormatter, start_log
from bot.settings import load_settings
from tests import forks
from tests.house import ROOT

IN_A_CONTAINER = """
import discord.utils, sys
discord.utils.is_docker = lambda: True
from bot.cli import main
sys.exit(main(["run"]))
"""
"""Runs a process that logs that it can't reach Discord. discord.py takes it for a container and would use colors."""
QUIET = ("discord", "discord.http", "discord.gateway")


@pytest.fixture
def plain_root() -> Iterator[logging.Logger]:
    """The root logger without handlers; the fixture restores its handlers and levels afterward."""
    root, levels = logging.getLogger(), {name: logging.getLogger(name).level for name in QUIET}
    before = root.level, root.handlers[:]
    root.handlers[:] = []
    yield root
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def line(record: logging.LogRecord) -> dict[str, str]:
    text = JsonFormatter().format(record)
    assert "\n" not in text
    return dict(json.loads(text))


def test_a_line_has_time_level_logger_and_message() -> None:
    entry = line(logging.LogRecord("bot.x", logging.WARNING, "x.py", 1, "Game %d:\nthe ⚓", (7,), None))
    assert datetime.fromisoformat(entry.pop("time")).utcoffset() is not None
    assert entry == {"level": "WARNING", "logger": "bot.x", "message": "Game 7:\nthe ⚓"}


def test_an_exception_comes_with_its_traceback_but_without_values() -> None:
    hand = "3 ore"
    try:
        raise ValueError("wrong") if hand else KeyError
    except ValueError:
        entry = line(logging.LogRecord("bot", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info()))
    assert entry["exception"].startswith("Traceback")
    assert entry["exception"].endswith("wrong")
    assert "3 ore" not in entry["exception"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_setting_chooses_the_format_and_discords_debug_messages_are_left_out(
    form: str, plain_root: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    start_log(load_settings(log_format=form), "DEBUG")
    logging.getLogger("discord.http").debug("a hand")
    logging.getLogger("bot").debug("a word")
    output = capsys.readouterr().err
    assert "a hand" not in output
    assert "a word" in output
    assert output.startswith("{") == (form == "json")


@pytest.mark.parametrize(
    ("terminal", "env", "colored"),
    [(False, {}, False), (True, {}, True), (True, {"NO_COLOR": "1"}, False)],
    ids=["a container's log", "a terminal", "a terminal without colors"],
)
def test_the_log_has_colors_only_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, env: dict[str, str], colored: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    clean = {
        k: v for k, v in os.environ.items() if k != "NO_COLOR" and not k.startswith(("HARBORMASTER_", "DATABASE_"))
    }
    clean |= {"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "x", "HARBORMASTER_REST_BASE": "http://127.0.0.1:1/api/v10"}
    ours, theirs = os.openpty() if terminal else os.pipe()
    bot = forks.begin(IN_A_CONTAINER, output=1, errors=theirs, env=clean | env)
    os.close(theirs)
    output = b""
    with contextlib.suppress(OSError), os.fdopen(ours, "rb", buffering=0) as log:  # a terminal ends with an error
        while chunk := log.read(4096):
            output += chunk
    bot.join()
    assert bot.exitcode == 1
    assert b"Discord can't be reached" in output
    assert (b"\x1b[" in output) == colored, output
