"""`make audit` names known holes in locked packages, and says what it could not look up."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.house import ROOT
from tools import audit

LOCK = str(ROOT / "requirements.lock")
SOUND = {"name": "aiohttp", "version": "3.14", "vulns": []}
HOLED = {"name": "pillow", "version": "13", "vulns": [{"id": "GHSA-1", "fix_versions": ["13.1"]}]}
UNKNOWN = {"name": "simcord", "skip_reason": "Dependency not found"}


def answered(monkeypatch: pytest.MonkeyPatch, output: str, error: str = "") -> None:
    def run(*words: Any, **how: Any) -> Any:
        return subprocess.CompletedProcess(words, 1, output, error)

    monkeypatch.setattr(subprocess, "run", run)


@pytest.mark.parametrize(
    ("packages", "status", "says"),
    [
        ([SOUND], 0, "1 of 1 packages looked up, 0 with known holes."),
        ([SOUND, HOLED], 1, "pillow 13: GHSA-1, mended in 13.1"),
        ([SOUND, UNKNOWN], 0, "or isn't the public one: simcord"),
    ],
)
def test_known_holes_are_named(
    packages: list[Any], status: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answered(monkeypatch, json.dumps({"dependencies": packages}))
    assert audit.main([LOCK]) == status
    assert says in capsys.readouterr().out


def test_without_a_network_it_says_so_and_ends_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answered(monkeypatch, "", "requests.exceptions.ConnectionError: Max retries exceeded")
    assert audit.main([LOCK]) == 0
    assert "not looked up, because the database can't be reached" in capsys.readouterr().out


def test_any_other_failure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, "", "ERROR: requirements.lock: no hashes")
    with pytest.raises(SystemExit) as ended:
        audit.main([LOCK])
    assert "no hashes" in str(ended.value)
