"""How the program is called from a shell."""

from __future__ import annotations

import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import engine.rules
from bot.program import command, version


def test_the_command_is_just_its_name_if_it_is_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert command("log 3") == "harbormaster log 3"
    assert command() == "harbormaster"


@pytest.mark.parametrize("inside", [True, False])
def test_the_command_includes_its_location_if_it_isnt_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, inside: bool
) -> None:
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "harbormaster").touch()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path if inside else tmp_path / "elsewhere")
    expected = Path(".venv/bin/harbormaster") if inside else programs / "harbormaster"
    assert command("log") == f"{expected} log"


def test_the_version_says_whether_it_is_compiled() -> None:
    native = any(map(engine.rules.__file__.endswith, EXTENSION_SUFFIXES))
    assert version() == f"harbormaster 0.3.0 ({'compiled' if native else 'pure Python'})"
